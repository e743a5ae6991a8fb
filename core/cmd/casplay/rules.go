package main

import (
	"fmt"
	"io"

	"casplay/core/kernel/cas"
	"casplay/core/scenario"
)

// cmdRules prints the rules table.
func cmdRules(args []string, std stdio) error {
	fs := flags("rules", "", std)
	rest, err := parse(fs, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return fail(fs, "rules takes no arguments")
	}
	fmt.Fprint(std.out, "versions (kernel.rules), against 7.3:\n")
	printRows(std.out, cas.AboutVersions())
	fmt.Fprint(std.out, "\nproposals and fixes (kernel.features), on top of a version:\n")
	printRows(std.out, cas.AboutProposals())
	fmt.Fprint(std.out, "\nnot simulated:\n")
	printRows(std.out, cas.NotSimulated())
	fmt.Fprint(std.out, "\nrules that an expression can replace (kernel.what_if), and its variables:\n")
	printExpressions(std.out)
	return nil
}

// printExpressions prints the table of what-if rules.
func printExpressions(w io.Writer) {
	for i := range cas.WhatIfRules {
		r := &cas.WhatIfRules[i]
		fmt.Fprintf(w, "  %s: %s\n", r.Name, r.Doc)
		for _, v := range r.Env.Vars {
			fmt.Fprintf(w, "      %-16s %s: %s\n", v.Name, v.Type, v.Doc)
		}
	}
}

// printRows prints who and where behind a name, what differs, and what is ours.
func printRows(w io.Writer, rows []cas.Row) {
	for _, r := range rows {
		from := r.Where
		if r.Who != "" {
			from = r.Who + ", " + from
		}
		fmt.Fprintf(w, "  %s (%s)\n      %s\n", r.Name, from, r.Differs)
		if r.Ours != "" {
			fmt.Fprintf(w, "      ours: %s\n", r.Ours)
		}
		if switches := scenario.Switches(r.Name); switches != "" {
			fmt.Fprintf(w, "      switches: %s\n", switches)
		}
	}
}
