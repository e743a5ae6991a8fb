package main

import (
	"fmt"
	"io"

	"casplay/core/kernel/cas"
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
	return nil
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
	}
}
