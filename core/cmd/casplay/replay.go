package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"

	"casplay/core/play"
	"casplay/core/replay"
	"casplay/core/scenario"
)

// cmdReplay compares every published row with the model.
func cmdReplay(args []string, std stdio) error {
	fs := flags("replay", "[--json] [--seeds N] [--only prefix] [--shard i/n] [--check] [--left-out]", std)
	asJSON := fs.Bool("json", false, "print the rows as JSON")
	seeds := fs.Int("seeds", 0, "runs of each arm; 0 leaves each scenario's number")
	only := fs.String("only", "", "scenarios whose name begins with `prefix`")
	shard := fs.String("shard", "", "`i/n`: only part i (from 1) of n parts of the scenarios; a table stays in one part")
	check := fs.Bool("check", false, "exit with 1 when a row is missed that does not say why")
	left := fs.Bool("left-out", false, "list the published rows that no scenario is compared with, and why")
	workers := fs.Int("workers", runtime.GOMAXPROCS(0), "runs at the same time")
	rest, err := parse(fs, args)
	if err != nil {
		return err
	}
	part, parts, ok := parseShard(*shard)
	if len(rest) > 0 || *seeds < 0 || *seeds > scenario.MaxSeeds || *workers < 1 || !ok {
		return fail(fs, "replay takes no arguments, 0 to "+strconv.Itoa(scenario.MaxSeeds)+" seeds, at least 1 worker, and a shard like 1/4")
	}
	if *left {
		for _, l := range replay.AllLeftOut() {
			fmt.Fprintln(std.out, strings.Join(l.Rows, " ")+": "+l.Reason)
		}
		return nil
	}
	r, err := replayAll(*only, *seeds, part, parts, *workers)
	if err != nil {
		return err
	}
	if r.Total == 0 {
		return fmt.Errorf("no scenario with published rows begins with %q in this shard", *only)
	}
	if *asJSON {
		b, err := json.MarshalIndent(r, "", " ")
		if err != nil {
			return err
		}
		fmt.Fprintln(std.out, string(b))
	} else {
		printReplay(std.out, r)
	}
	if *check {
		for i := range r.Rows {
			if !r.Rows[i].Pass && r.Rows[i].Note == "" {
				return errMissed
			}
		}
	}
	return nil
}

// parseShard reads "i/n" into a part from 0 and the number of parts.
func parseShard(text string) (part, parts int, ok bool) {
	if text == "" {
		return 0, 1, true
	}
	a, b, found := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(a)
	n, err2 := strconv.Atoi(b)
	return i - 1, n, found && err1 == nil && err2 == nil && n >= 1 && i >= 1 && i <= n
}

// replayAll simulates the scenarios of a part and judges their rows.
func replayAll(prefix string, seeds, part, parts, workers int) (*replay.Report, error) {
	all, err := replay.Scenarios(prefix)
	if err != nil {
		return nil, err
	}
	r := &replay.Report{Rows: []replay.Row{}}
	table, at := "", -1
	for _, s := range all {
		if name := replay.Table(s.Name); name != table {
			table, at = name, at+1
		}
		if at%parts != part {
			continue
		}
		if seeds > 0 {
			if s, err = s.With([]scenario.Setting{{Path: "run.seeds", Value: strconv.Itoa(seeds)}}); err != nil {
				return nil, err
			}
		}
		runs, err := runParallel(s, workers, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		r.Add(s, play.Summarise(s, runs))
	}
	r.Finish()
	return r, nil
}

// printReplay writes the rows as a table of text.
func printReplay(out io.Writer, r *replay.Report) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "row\tscenario\tarm\tmetric\tpublished\tmodel\toff by\trole\tverdict")
	for i := range r.Rows {
		row := &r.Rows[i]
		published, model, off := cells(row)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", row.ID, row.Scenario, row.Arm, row.Metric, published, model, off, row.Role, word(row))
	}
	w.Flush()
	fmt.Fprintf(out, "%d of %d rows pass; %d were used in fits\n", r.Passed, r.Total, r.Training)
}

func word(row *replay.Row) string {
	if row.Pass {
		return "ok"
	}
	return "miss"
}

// cells formats a row: a value, a bound, or a change against another arm.
func cells(row *replay.Row) (published, model, off string) {
	num := func(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }
	switch {
	case row.ModelDeltaPct != nil:
		return fmt.Sprintf("%+.2f %%", *row.PublishedDeltaPct), fmt.Sprintf("%+.1f %%", *row.ModelDeltaPct), fmt.Sprintf("%+.1f points", row.Deviation)
	case row.Published != nil:
		return num(*row.Published), num(row.Model), fmt.Sprintf("%+.1f %%", row.Deviation)
	}
	return row.Bound, num(row.Model), num(row.Deviation)
}
