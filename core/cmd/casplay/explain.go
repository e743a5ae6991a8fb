package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"casplay/core/explain"
	"casplay/core/machine"
	"casplay/core/scenario"
	"casplay/core/sim"
)

func cmdExplain(args []string, std stdio) error {
	fs := flags("explain", "<scenario> [--process name] [--at time] [--arm label] [--seed N] [--set path=value]... [--json]", std)
	var sets settings
	fs.Var(&sets, "set", "change a setting, `path=value` or label:path=value; may be repeated")
	process := fs.String("process", "", "`name` of the process; the first one if not given")
	at := fs.Duration("at", -1, "the moment, such as 250ms or 1.5s of simulated time; if not given, just before the process ends")
	arm := fs.String("arm", "", "`label` of the arm; the last one if not given")
	seed := fs.Int64("seed", -1, "seed of the run; the scenario's first if not given")
	asJSON := fs.Bool("json", false, "print the answer and the differences as JSON")
	rest, err := parse(fs, args)
	if err != nil {
		return err
	}
	if len(rest) != 1 {
		return fail(fs, "explain needs one scenario")
	}
	s, err := open(rest[0], std, sets)
	if err != nil {
		return err
	}
	index := len(s.Arms) - 1
	if *arm != "" {
		if index = s.ArmIndex(*arm); index < 0 {
			return fmt.Errorf("the scenario has no arm %q", *arm)
		}
	}
	n := s.Run.Seed
	if *seed >= 0 {
		n = uint64(*seed)
	}
	setup, err := s.Setup(index, n)
	if err != nil {
		return err
	}
	p, err := findProcess(setup, *process)
	if err != nil {
		return err
	}
	a, err := explain.Why(setup, p, int64(*at))
	if err != nil {
		return err
	}
	var d *explain.Differences
	if index > 0 {
		if d, err = firstDifference(s, index, n); err != nil {
			return err
		}
	}
	if *asJSON {
		b, err := json.MarshalIndent(struct {
			Explain    *explain.Answer      `json:"explain"`
			Difference *explain.Differences `json:"difference"`
		}{a, d}, "", "  ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(std.out, string(b))
		return err
	}
	fmt.Fprintf(std.out, "%s, arm %s, seed %d, at %.3f ms:\n", a.Process, s.Arms[index].Label, n, float64(a.AtNs)/1e6)
	for _, line := range a.Text {
		fmt.Fprintln(std.out, "  "+line)
	}
	if d != nil {
		printDifferences(d, [2]string{s.Arms[0].Label, s.Arms[index].Label}, std.out)
	}
	return nil
}

// firstDifference finds where an arm parts from the reference.
func firstDifference(s *scenario.Scenario, arm int, seed uint64) (*explain.Differences, error) {
	var setups [2]sim.Setup
	for i, arm := range [2]int{0, arm} {
		var err error
		if setups[i], err = s.Setup(arm, seed); err != nil {
			return nil, err
		}
	}
	d, err := explain.First(setups[0], setups[1])
	return &d, err
}

// printDifferences writes the differences of two arms.
func printDifferences(d *explain.Differences, labels [2]string, out io.Writer) {
	for _, x := range []struct {
		name string
		d    *explain.Difference
	}{{"decision", d.Decision}, {"placement", d.Placement}} {
		if x.d == nil {
			fmt.Fprintf(out, "No %s of the two arms differs.\n", x.name)
			continue
		}
		fmt.Fprintf(out, "First %s that differs:\n", x.name)
		for i, side := range []explain.Side{x.d.A, x.d.B} {
			text := side.Text
			if text == "" {
				text = "nothing more; the run has ended"
			}
			fmt.Fprintf(out, "  %-10s %10.3f ms  %s\n", labels[i], float64(side.AtNs)/1e6, text)
			if side.Rule != "" {
				fmt.Fprintf(out, "  %24s  %s\n", "", side.Rule)
			}
		}
	}
}

// findProcess is the index of a process by its name.
func findProcess(setup sim.Setup, name string) (int, error) {
	if name == "" {
		return 0, nil
	}
	var names []string
	for i, p := range setup.Workload.Procs {
		if p.Name == name || fmt.Sprintf("%s.%d", p.Name, i) == name {
			return i, nil
		}
		names = append(names, p.Name)
	}
	text := fmt.Sprintf("the scenario has no process %q", name)
	if n := machine.NearestKey(name, names); n != "" {
		return 0, fmt.Errorf("%s; did you mean %s?", text, n)
	}
	return 0, fmt.Errorf("%s; it has %s", text, strings.Join(names[:min(len(names), 10)], ", "))
}
