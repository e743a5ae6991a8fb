package play_test

import (
	"runtime"
	"sync"
	"testing"

	"casplay/core/play"
	"casplay/core/report"
	"casplay/core/result"
	"casplay/core/scenario"

	"github.com/stretchr/testify/require"
)

// TestScenario runs every shipped scenario against its published rows; with
// -v it prints the mail report. With -short each arm gets one seed.
//
//	go test ./core/play -run 'Scenario/mg-d-112$' -v
//
// A row that the model is known to miss says so in the scenario file (miss);
// the test then fails when the row comes right, so that the note goes.
func TestScenario(t *testing.T) {
	for _, name := range play.Library().Presets() {
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
				row := v.Arm + " " + v.Metric
				if v.DeltaPct != nil {
					row += " change in %"
				}
				switch {
				case !v.Pass && v.Miss == "":
					t.Errorf("%s: simulated %g, off by %.3g %s", row, v.Simulated, v.Deviation, v.Reason)
				case v.Pass && v.Miss != "":
					t.Errorf("%s comes right now; remove its miss note", row)
				}
			}
		})
	}
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
