package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"casplay/core/oracle"
	"casplay/core/play"
	"casplay/core/trace"
)

// maxFacts bounds one result file in bytes.
const maxFacts = 16 << 20

func cmdOracle(args []string, std stdio) error {
	fs := flags("oracle", "<folder>... [--seeds N] [--json] [--only name,...]", std)
	seeds := fs.Int("seeds", oracle.Seeds, "runs of the model for each experiment")
	asJSON := fs.Bool("json", false, "print the verdicts as JSON")
	only := fs.String("only", "", "comma-separated `names` of experiments; all when empty")
	workers := fs.Int("workers", runtime.GOMAXPROCS(0), "experiments at the same time")
	runs := fs.Bool("runs", false, "print the figures of every run of the model as JSON, in the form of the facts")
	story := fs.Uint64("story", 0, "print the decisions of the model's run with this `seed`; times are from START")
	topics := fs.String("topics", "", "comma-separated `topics` of the story; decisions when empty, all for all topics")
	scen := fs.Bool("scenario", false, "print the scenarios instead of running them")
	facts := fs.String("facts", "", "write compact copies of the facts into this `folder` instead of running")
	rest, err := parse(fs, args)
	if err != nil {
		return err
	}
	if len(rest) == 0 {
		return fail(fs, "oracle needs a folder of result files")
	}
	if *seeds < 1 || *seeds > 1000 || *workers < 1 {
		return fail(fs, "seeds must be 1 to 1000, workers at least 1")
	}
	all, err := loadFacts(rest)
	if err != nil {
		return err
	}
	if *only != "" {
		names := strings.Split(*only, ",")
		all = slices.DeleteFunc(all, func(e *oracle.Experiment) bool { return !slices.Contains(names, e.Name) })
	}
	if len(all) == 0 {
		return errors.New("no experiments found")
	}
	switch {
	case *facts != "":
		return writeFacts(all, *facts)
	case *scen:
		return printScenarios(all, std.out)
	case *story > 0:
		return printStories(all, *story, *topics, std.out)
	case *runs:
		return printRuns(all, *seeds, std.out)
	}
	report, err := judge(all, *seeds, *workers)
	if err != nil {
		return err
	}
	if *asJSON {
		enc := json.NewEncoder(std.out)
		enc.SetIndent("", " ")
		return enc.Encode(report)
	}
	_, err = io.WriteString(std.out, report.Text())
	return err
}

// judge runs the experiments on several workers, in the order given.
func judge(all []*oracle.Experiment, seeds, workers int) (*oracle.Report, error) {
	rows := make([]oracle.Row, len(all))
	errs := make([]error, len(all))
	next := make(chan int)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range next {
				rows[i], errs[i] = oracle.Verdict(all[i], play.Library(), seeds)
			}
		})
	}
	for i := range all {
		next <- i
	}
	close(next)
	wg.Wait()
	report := &oracle.Report{}
	for i := range all {
		if errs[i] != nil {
			return nil, errs[i]
		}
		report.Add(rows[i])
	}
	return report, nil
}

// loadFacts reads the result files of folders and joins those of one
// experiment. A single folder brings its sibling of the other batch
// (results and results-a), and a folder that holds batches stands for them.
func loadFacts(folders []string) ([]*oracle.Experiment, error) {
	if len(folders) == 1 {
		folders = batches(filepath.Clean(folders[0]))
	}
	byName := map[string][]*oracle.Experiment{}
	var names []string
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.json"))
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("%s: no result files (*.json)", folder)
		}
		for _, file := range files {
			if strings.HasPrefix(filepath.Base(file), "_") {
				continue
			}
			e, err := readFacts(file)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			if byName[e.Name] == nil {
				names = append(names, e.Name)
			}
			if len(e.Batches) == 0 {
				e.Batches = []string{filepath.Base(folder)}
			}
			byName[e.Name] = append(byName[e.Name], e)
		}
	}
	slices.Sort(names)
	var out []*oracle.Experiment
	for _, n := range names {
		out = append(out, oracle.Join(byName[n]...))
	}
	return out, nil
}

func batches(folder string) []string {
	isDir := func(p string) bool {
		st, err := os.Stat(p)
		return err == nil && st.IsDir()
	}
	inside := []string{filepath.Join(folder, "results"), filepath.Join(folder, "results-a")}
	switch {
	case isDir(inside[0]) && isDir(inside[1]):
		return inside
	case isDir(folder + "-a"):
		return []string{folder, folder + "-a"}
	case strings.HasSuffix(folder, "-a") && isDir(strings.TrimSuffix(folder, "-a")):
		return []string{strings.TrimSuffix(folder, "-a"), folder}
	}
	return []string{folder}
}

func readFacts(file string) (*oracle.Experiment, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFacts+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFacts {
		return nil, errors.New("is larger than 16 MiB")
	}
	return oracle.ParseFacts(data)
}

func writeFacts(all []*oracle.Experiment, folder string) error {
	for _, e := range all {
		text, err := e.Facts()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, e.Name+".json"), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// printStories tells what the model decided in one run of each experiment.
func printStories(all []*oracle.Experiment, seed uint64, topics string, out io.Writer) error {
	var list []trace.Topic
	if topics == "all" {
		list = trace.Topics()
	} else if topics != "" {
		for t := range strings.SplitSeq(topics, ",") {
			list = append(list, trace.Topic(t))
		}
	}
	for _, e := range all {
		s, err := oracle.Convert(e, play.Library())
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		setup, start, err := oracle.Prepare(e, s, seed)
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		rec, err := trace.Record(setup, trace.MaxRecords, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		for i := range rec.Log.Decisions {
			rec.Log.Decisions[i].At -= start
		}
		fmt.Fprintf(out, "%s, seed %d\n%s", e.Name, seed, rec.Story(0, setup.MaxNs, list...))
	}
	return nil
}

func printScenarios(all []*oracle.Experiment, out io.Writer) error {
	for _, e := range all {
		s, err := oracle.Convert(e, play.Library())
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		if _, err := out.Write(s.Indented()); err != nil {
			return err
		}
	}
	return nil
}

func printRuns(all []*oracle.Experiment, seeds int, out io.Writer) error {
	for _, e := range all {
		s, err := oracle.Convert(e, play.Library())
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		for seed := range seeds {
			r, err := oracle.Measure(e, s, uint64(seed+1))
			if err != nil {
				return fmt.Errorf("%s: %w", e.Name, err)
			}
			text, err := json.Marshal(r)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%s %s\n", e.Name, text)
		}
	}
	return nil
}
