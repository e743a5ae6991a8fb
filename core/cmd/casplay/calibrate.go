package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"

	"casplay/core/calibrate"
	"casplay/core/result"
	"casplay/core/scenario"
)

// cmdCalibrate redoes the fits and prints their parameters beside the committed ones.
func cmdCalibrate(args []string, std stdio) error {
	fs := flags("calibrate", "[--only fit] [--json] [--list]", std)
	only := fs.String("only", "", "fits whose name begins with `prefix`")
	asJSON := fs.Bool("json", false, "print the outcomes as JSON")
	list := fs.Bool("list", false, "list the fits with their parameters and training rows, and search nothing")
	workers := fs.Int("workers", runtime.GOMAXPROCS(0), "runs at the same time")
	rest, err := parse(fs, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 || *workers < 1 {
		return fail(fs, "calibrate takes no arguments, and at least 1 worker")
	}
	run := func(s *scenario.Scenario) ([]*result.Run, error) { return runParallel(s, *workers, nil) }
	outcomes := []*calibrate.Outcome{}
	found := false
	for _, f := range calibrate.Fits() {
		if !strings.HasPrefix(f.Name, *only) {
			continue
		}
		found = true
		if *list {
			for _, p := range f.Params {
				fmt.Fprintf(std.out, "%-12s %-30s %g to %g, rows %s of %s\n", f.Name, p.Path, p.Lo, p.Hi, strings.Join(f.Rows, ", "), strings.Join(f.Scenarios, ", "))
			}
			continue
		}
		o, err := f.Do(run)
		if err != nil {
			return err
		}
		outcomes = append(outcomes, o)
		if !*asJSON {
			printOutcome(std, o)
		}
	}
	if !found {
		return fmt.Errorf("no fit begins with %q; casplay calibrate --list names them", *only)
	}
	if !*asJSON || *list {
		return nil
	}
	b, err := json.MarshalIndent(outcomes, "", " ")
	if err != nil {
		return err
	}
	fmt.Fprintln(std.out, string(b))
	return nil
}

func printOutcome(std stdio, o *calibrate.Outcome) {
	fmt.Fprintf(std.out, "fit %s, %d simulations of its rows, residual %.2f (root mean square)\n", o.Name, o.Runs, o.RMS)
	for _, p := range o.Params {
		note := ""
		if p.Fitted != p.Committed {
			note = " (differs)"
		}
		if p.AtBound {
			note += " (at the bound of the search)"
		}
		fmt.Fprintf(std.out, "  %s = %g, committed %g%s\n", p.Path, p.Fitted, p.Committed, note)
	}
	for _, r := range o.Rows {
		fmt.Fprintf(std.out, "  row %s: %s, %s: off by %+.2f\n", r.ID, r.Scenario, r.Arm, r.Residual)
	}
}
