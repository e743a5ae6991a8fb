package main

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"casplay/core/play"
	"casplay/core/result"
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

// trustRows prints every expectation with a published value.
func trustRows(std stdio, workers int) error {
	presets, err := play.Presets()
	if err != nil {
		return err
	}
	fmt.Fprint(std.out, "| scenario | arm | metric | published | simulated | off by | role | |\n|---|---|---|---|---|---|---|---|\n")
	var passed, total, training int
	var misses []string
	for _, p := range presets {
		s, err := play.Open(p.Name)
		if err != nil {
			return err
		}
		runs, err := runParallel(s, workers, nil)
		if err != nil {
			return err
		}
		for _, v := range play.Summarise(s, runs).Verdicts {
			if v.Value == nil && v.DeltaPct == nil {
				continue
			}
			total++
			word := "miss"
			if v.Pass {
				passed++
				word = "ok"
			}
			if v.Role == result.Training {
				training++
			}
			published, simulated, off := trustCells(&v)
			fmt.Fprintf(std.out, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", p.Name, v.Arm, v.Metric, published, simulated, off, v.Role, word)
			if v.Miss != "" {
				misses = append(misses, "- "+p.Name+", "+v.Arm+": "+v.Miss+".")
			}
		}
	}
	fmt.Fprintf(std.out, "\n%d of %d rows within their tolerance; %d rows were used to fit the model.\n", passed, total, training)
	if len(misses) > 0 {
		fmt.Fprint(std.out, "\nWhy rows miss:\n\n"+strings.Join(misses, "\n")+"\n")
	}
	return nil
}

// trustCells formats a row: a value, or a change against the reference arm.
func trustCells(v *result.Verdict) (published, simulated, off string) {
	num := func(x float64, digits int) string { return strconv.FormatFloat(x, 'f', digits, 64) }
	if v.DeltaPct != nil {
		return fmt.Sprintf("%+g %%", *v.DeltaPct), fmt.Sprintf("%+.1f %%", v.Simulated), fmt.Sprintf("%+.1f points", v.Deviation)
	}
	return num(*v.Value, 2), num(v.Simulated, 2), fmt.Sprintf("%+.1f %%", v.Deviation)
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
