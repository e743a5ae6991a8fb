package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"

	"casplay/core/play"
	"casplay/core/report"
	"casplay/core/result"
	"casplay/core/scenario"
)

func cmdRun(args []string, std stdio) error {
	fs := flags("run", "<scenario> [--set path=value]... [--seeds N] [--arm label]... [--text|--json|--csv|--series|--story] [--trace file]", std)
	var sets, extra settings
	fs.Var(&sets, "set", "change a setting, `path=value` or label:path=value; may be repeated")
	seeds := fs.Int("seeds", 0, "runs of each arm; 0 leaves the scenario's number")
	var arms []string
	fs.Func("arm", "run only the arm of this `label`; may be repeated", func(label string) error {
		arms = append(arms, label)
		return nil
	})
	fs.Bool("text", true, "print the mail report")
	asJSON := fs.Bool("json", false, "print the result as JSON")
	asCSV := fs.Bool("csv", false, "print the metrics as CSV")
	series := fs.Bool("series", false, "print the curves of every run as CSV")
	var rec records
	fs.StringVar(&rec.file, "trace", "", "write a Chrome trace of one run (the last arm or --arm, first seed) to `file`, for Perfetto")
	fs.BoolVar(&rec.story, "story", false, "print the decisions of that run, a line each, instead of a report")
	check := fs.Bool("check", false, "exit with 1 when a published row is missed")
	quiet := fs.Bool("quiet", false, "no progress on standard error")
	base := fs.String("base", "http://127.0.0.1:8080/", "`address` of the page, for the replay link")
	workers := fs.Int("workers", runtime.GOMAXPROCS(0), "runs at the same time")
	rest, err := parse(fs, args)
	if err != nil {
		return err
	}
	if len(rest) != 1 {
		return fail(fs, "run needs one scenario")
	}
	if *seeds < 0 || *workers < 1 {
		return fail(fs, "seeds must not be negative, workers must be at least 1")
	}
	if *seeds > 0 {
		extra = append(extra, scenario.Setting{Path: "run.seeds", Value: fmt.Sprint(*seeds)})
	}
	if len(arms) > 0 {
		extra = append(extra, scenario.Setting{Path: "arms", Value: strings.Join(arms, ",")})
	}
	s, err := open(rest[0], std, sets)
	if err != nil {
		return err
	}
	for _, label := range arms {
		if s.ArmIndex(label) < 0 {
			return fmt.Errorf("the scenario has no arm %q", label)
		}
	}
	if len(extra) > 0 {
		if s, err = s.With(extra); err != nil {
			return err
		}
	}
	if rec.wanted() {
		return rec.run(s, arms, std.out)
	}
	var progress io.Writer
	if !*quiet && isTerminal(std.err) {
		progress = std.err
	}
	runs, err := runParallel(s, *workers, progress)
	if err != nil {
		return err
	}
	r := play.Summarise(s, runs)
	if err := write(std.out, s, r, runs, *asJSON, *asCSV, *series, *base); err != nil {
		return err
	}
	if *check {
		for _, v := range r.Verdicts {
			if !v.Pass && v.Miss == "" {
				return errMissed
			}
		}
	}
	return nil
}

func write(out io.Writer, s *scenario.Scenario, r *result.Result, runs []*result.Run, asJSON, asCSV, series bool, base string) error {
	switch {
	case asJSON:
		b, err := report.JSON(r)
		if err != nil {
			return err
		}
		_, err = out.Write(b)
		return err
	case series:
		_, err := io.WriteString(out, report.SeriesCSV(runs))
		return err
	case asCSV:
		_, err := io.WriteString(out, report.SummaryCSV(r))
		return err
	}
	link := ""
	if text, err := scenario.FormatLink(&scenario.Link{Scenario: s, Engine: r.Engine, Digest: r.Digest}); err == nil {
		link = base + "#" + text
	}
	_, err := io.WriteString(out, report.Text(report.Input{Scenario: s, Result: r, Link: link}))
	return err
}

// runParallel simulates every arm and seed, several at a time. The order of
// the runs is that of play.Jobs, whichever ends first.
func runParallel(s *scenario.Scenario, workers int, progress io.Writer) ([]*result.Run, error) {
	jobs := play.Jobs(s)
	runs := make([]*result.Run, len(jobs))
	errs := make([]error, len(jobs))
	next := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range min(workers, len(jobs)) {
		wg.Go(func() {
			for i := range next {
				runs[i], errs[i] = play.Run(s, jobs[i], nil)
				mu.Lock()
				done++
				if progress != nil {
					fmt.Fprintf(progress, "\r%d of %d runs", done, len(jobs))
				}
				mu.Unlock()
			}
		})
	}
	for i := range jobs {
		next <- i
	}
	close(next)
	wg.Wait()
	if progress != nil {
		fmt.Fprint(progress, "\r                    \r")
	}
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("arm %s, seed %d: %w", s.Arms[jobs[i].Arm].Label, jobs[i].Seed, err)
		}
	}
	return runs, nil
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
