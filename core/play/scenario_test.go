package play_test

import (
	"runtime"
	"strings"
	"sync"
	"testing"

	"casplay/core/play"
	"casplay/core/report"
	"casplay/core/result"
	"casplay/core/scenario"
	"casplay/scenarios"

	"github.com/stretchr/testify/require"
)

// TestScenario runs the shipped scenarios against their published rows, of each
// table the first point and the last; with -v it prints the mail report. With
// -short each arm gets one seed. All points: casplay replay --check.
//
//	go test ./core/play -run 'Scenario/mg-d-112$' -v
//
// A row that the model is known to miss says so in the scenario file (miss);
// the test then fails when the row comes right, so that the note goes.
// Points of tables run too short for that; noise rows count as a table only.
func TestScenario(t *testing.T) {
	for _, name := range tested() {
		t.Run(name, func(t *testing.T) {
			s, err := play.Open(name)
			require.NoError(t, err)
			if testing.Short() {
				s, err = s.With([]scenario.Setting{{Path: "run.seeds", Value: "1"}})
				require.NoError(t, err)
			}
			r := play.Summarise(s, parallel(t, s))
			link, err := scenario.FormatLink(&scenario.Link{Scenario: s})
			require.NoError(t, err)
			t.Log("\n" + report.Text(report.Input{Scenario: s, Result: r, Link: "#" + link}))
			for _, v := range r.Verdicts {
				if v.MeanPct != nil {
					continue
				}
				row := v.Arm + " " + v.Metric
				if v.DeltaPct != nil {
					row += " change in %"
				}
				switch {
				case !v.Pass && v.Miss == "":
					t.Errorf("%s: simulated %g, off by %.3g %s", row, v.Simulated, v.Deviation, v.Reason)
				case v.Pass && v.Miss != "" && !strings.Contains(name, "."):
					t.Errorf("%s comes right now; remove its miss note", row)
				}
			}
		})
	}
}

// tested lists the scenarios, of each table the first point and the last.
func tested() []string {
	var out []string
	lib := scenarios.Library{}
	for _, name := range lib.Files() {
		if t := lib.Table(name); t != nil {
			labels := t.Labels()
			if out = append(out, name+"."+labels[0]); len(labels) > 1 {
				out = append(out, name+"."+labels[len(labels)-1])
			}
		} else {
			out = append(out, name)
		}
	}
	return out
}

// parallel simulates every arm and seed, as many at a time as there are CPUs.
func parallel(t *testing.T, s *scenario.Scenario) []*result.Run {
	jobs := play.Jobs(s)
	runs, errs := make([]*result.Run, len(jobs)), make([]error, len(jobs))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i, j := range jobs {
		slots <- struct{}{}
		wg.Go(func() {
			runs[i], errs[i] = play.Run(s, j, nil)
			<-slots
		})
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	return runs
}
