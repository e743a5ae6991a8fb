package play_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"casplay/core/play"
	"casplay/core/report"
	"casplay/core/scenario"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReports compares the mail report of every shipped scenario (of a table
// its first point), after a first part of its run, with a file. After a change of the model or of the report
//
//	go test ./core/play -run Reports -update
//
// writes them all anew; read the difference.
func TestReports(t *testing.T) {
	known := map[string]bool{}
	for _, p := range play.Presets() {
		if p.Purpose == "" { // a further point of a table
			continue
		}
		name := p.Name
		known[name+".txt"] = true
		t.Run(name, func(t *testing.T) {
			s, err := play.Open(name)
			require.NoError(t, err)
			part := "0.02"
			if strings.HasPrefix(name, "mg-") {
				part = "0.1"
			}
			if n := len(s.Events); n > 0 { // a run has to reach its events
				part = strconv.FormatFloat(float64(s.Events[n-1].AtMs)/1000+0.02, 'f', -1, 64)
			}
			s, err = s.With([]scenario.Setting{{Path: "run.seeds", Value: "1"}, {Path: "run.until", Value: "time"}, {Path: "run.sample_ms", Value: "10"}, {Path: "run.max_s", Value: part}})
			require.NoError(t, err)
			r := play.Summarise(s, parallel(t, s))
			link, err := scenario.FormatLink(&scenario.Link{Scenario: s, Engine: r.Engine, Digest: r.Digest})
			require.NoError(t, err)
			text := report.Text(report.Input{Scenario: s, Result: r, Link: "https://example.org/#" + link})
			for line := range strings.Lines(text) {
				line = strings.TrimSuffix(line, "\n")
				assert.True(t, len(line) <= report.Columns || strings.HasPrefix(line, "replay: "), line)
				assert.Equal(t, strings.TrimRight(line, " \t"), line)
			}
			file := filepath.Join("testdata", "reports", name+".txt")
			if *update {
				require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
				require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Equal(t, string(want), text)
		})
	}
	files, err := filepath.Glob("testdata/reports/*.txt")
	require.NoError(t, err)
	for _, file := range files {
		assert.Contains(t, known, filepath.Base(file), "a report of no scenario")
	}
}
