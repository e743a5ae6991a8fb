package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"casplay/core/replay"
)

// cmdTrust writes the README's section on how far the model can be trusted:
// the published rows of every shipped scenario and the verdict of the oracle.
func cmdTrust(args []string, std stdio) error {
	fs := flags("trust", "[--facts folder] [--workers N]", std)
	folder := fs.String("facts", "core/testdata/oracle", "`folder` with what a real kernel did")
	workers := fs.Int("workers", runtime.GOMAXPROCS(0), "runs at the same time")
	rest, err := parse(fs, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 || *workers < 1 {
		return fail(fs, "trust takes no arguments, and at least 1 worker")
	}
	if err := trustRows(std, *workers); err != nil {
		return err
	}
	return trustOracle(std, *folder, *workers)
}

// trustRows prints every published row; the noise rows of a table are one line.
func trustRows(std stdio, workers int) error {
	r, err := replayAll("", 0, 0, 1, workers)
	if err != nil {
		return err
	}
	fmt.Fprintf(std.out, "%d of %d published rows pass; %d were used to fit the model.\n\n<details><summary>Every row</summary>\n\n", r.Passed, r.Total, r.Training)
	fmt.Fprint(std.out, "| row | scenario | arm | metric | published | simulated | off by | role | |\n|---|---|---|---|---|---|---|---|---|\n")
	var misses []string
	noisy := ""
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Noise() {
			if table := replay.Table(row.Scenario); table != noisy {
				noisy = table
				fmt.Fprintf(std.out, "| | %s | | %s | %s | | | %s | %s |\n", table, row.Metric, row.Note, row.Role, word(row))
			}
			continue
		}
		published, simulated, off := cells(row)
		fmt.Fprintf(std.out, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", row.ID, row.Scenario, row.Arm, row.Metric, published, simulated, off, row.Role, word(row))
		if note := "- " + row.Scenario + ", " + row.Arm + ": " + row.Note + "."; !row.Pass && row.Note != "" && !slices.Contains(misses, note) {
			misses = append(misses, note)
		}
	}
	fmt.Fprint(std.out, "\n</details>\n")
	if len(misses) > 0 {
		fmt.Fprint(std.out, "\n<details><summary>Why rows miss</summary>\n\n"+strings.Join(misses, "\n")+"\n\n</details>\n")
	}
	return nil
}

func trustOracle(std stdio, folder string, workers int) error {
	all, err := loadFacts([]string{folder})
	if err != nil {
		return err
	}
	r, err := judge(all, 20, workers)
	if err != nil {
		return err
	}
	fmt.Fprintf(std.out, "\n%d of %d experiments on a real Linux 7.3.4 pass whole, 20 seeds each. The others:\n\n", r.Passed, r.Total)
	for _, row := range r.Rows {
		if !row.Pass {
			why := row.Why
			if why == "" {
				why = "not explained yet"
			}
			fmt.Fprintf(std.out, "- `%s`: %s.\n", row.Experiment, strings.TrimSuffix(why, "."))
		}
	}
	return nil
}
