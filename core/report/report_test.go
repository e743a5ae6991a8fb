package report_test

import (
	"encoding/csv"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"casplay/core/report"
	"casplay/core/result"
	"casplay/core/scenario"
	"casplay/scenarios"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite testdata")

func open(t *testing.T, name string) *scenario.Scenario {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + ".json")
	require.NoError(t, err)
	s, err := scenario.Parse(text, scenarios.Library{})
	require.NoError(t, err)
	return s
}

// invented makes runs whose numbers are made up for the layout alone.
func invented(s *scenario.Scenario, base map[string][]float64) []*result.Run {
	var runs []*result.Run
	for arm, a := range s.Arms {
		for i, seed := range s.Seeds() {
			r := &result.Run{Arm: arm, Label: a.Label, Seed: seed, Done: true, SimNs: 1e9, SampleNs: 20e6}
			for _, name := range []string{"runtime_s", "llc_migrations", "footprint_pages_max", "numa_sweeps", "aggregated_pct", "a_metric_with_a_name_that_is_too_long"} {
				v, ok := base[name]
				if !ok {
					continue
				}
				raw := int64(v[arm%len(v)]*1000) + int64(i)*3
				r.Metrics = append(r.Metrics, result.Metric{Name: name, Raw: raw, Scale: 1000, Value: float64(raw) / 1000})
			}
			r.Series = []result.Series{
				{Kind: "llc_util", Index: 0, Unit: "%", Scale: 100, V: []int32{3889, 4000}},
				{Kind: "proc_footprint", Index: 0, Sub: 1, Unit: "pages", Scale: 1, V: []int32{7}},
			}
			r.Processes = []result.Process{{Name: "mg", Preferred: [][2]int64{{1, int64(arm) - 1}}}}
			r.Decisions = []result.Decision{{Rule: "invalid_llc_nr", Evaluated: 1000, FirstNs: -1, LastNs: -1, Text: "nr_running_avg 105, limit 115 of 144 CPUs"}}
			runs = append(runs, r)
		}
	}
	return runs
}

var mgLike = map[string][]float64{
	"runtime_s": {25.53, 42.23, 25.6}, "llc_migrations": {100, 100.002, 101}, "footprint_pages_max": {0},
	"numa_sweeps": {0}, "aggregated_pct": {52, 97, 52}, "a_metric_with_a_name_that_is_too_long": {3300000},
}

func TestTextGolden(t *testing.T) {
	for _, name := range []string{"two-arms", "three-arms", "training"} {
		s := open(t, name)
		r := result.Summarise(s.Plan("0"), invented(s, mgLike))
		text := report.Text(report.Input{Scenario: s, Result: r, Link: "http://127.0.0.1:8080/#1;mg-d-112"})
		file := "testdata/" + name + ".txt"
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, string(want), text)
	}
}

// TestKnownMisses: a note that rows share is printed once.
func TestKnownMisses(t *testing.T) {
	s := open(t, "three-arms")
	r := result.Summarise(s.Plan("0"), invented(s, mgLike))
	verdict := func(metric, miss string, pass bool) result.Verdict {
		return result.Verdict{Expect: result.Expect{Arm: "on", Metric: metric, Value: new(float64), Miss: miss}, Pass: pass}
	}
	r.Verdicts = []result.Verdict{verdict("a", "no such cache", false), verdict("b", "no such cache", false), verdict("c", "hidden", true), verdict("d", "", false), verdict("e", "another", false)}
	text := report.Text(report.Input{Scenario: s, Result: r})
	for _, words := range []string{"known: no such cache\n", "known: as above\n", "known: another\n"} {
		assert.Equal(t, 1, strings.Count(text, words), words)
	}
	assert.NotContains(t, text, "hidden")
	assert.Equal(t, 3, strings.Count(text, "known:"))
}

// TestTextIsFitForMail: whatever the numbers and names, the text keeps to its
// columns and characters.
func TestTextIsFitForMail(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	s := open(t, "three-arms")
	for range 200 {
		values := map[string][]float64{}
		for name := range mgLike {
			for range 3 {
				values[name] = append(values[name], (rng.Float64()-0.3)*[]float64{1e-6, 1, 1e5, 1e12}[rng.IntN(4)])
			}
		}
		runs := invented(s, values)
		runs[0].Warnings = []string{strings.Repeat("x", rng.IntN(200)) + " µ “quoted” – ≤ \t \x00 日本"}
		r := result.Summarise(s.Plan("0"), runs)
		fit(t, report.Text(report.Input{Scenario: s, Result: r, Link: "#1;x"}))
		fit(t, report.Text(report.Input{Scenario: s, Result: result.Summarise(s.Plan("0"), runs[:rng.IntN(3)])}))
	}
}

func fit(t *testing.T, text string) {
	t.Helper()
	for _, line := range strings.Split(text, "\n") {
		require.LessOrEqual(t, len(line), report.Columns, line)
		require.Equal(t, strings.TrimRight(line, " "), line)
		for _, c := range line {
			require.True(t, c >= ' ' && c <= '~', "%q in %q", c, line)
		}
	}
}

func TestCSV(t *testing.T) {
	s := open(t, "two-arms")
	runs := invented(s, mgLike)
	rows, err := csv.NewReader(strings.NewReader(report.SeriesCSV(runs))).ReadAll()
	require.NoError(t, err)
	assert.Equal(t, []string{"arm", "seed", "time (s)", "llc_util 0 (%)", "proc_footprint 0 of 1 (pages)"}, rows[0])
	assert.Equal(t, []string{"off", "1", "0.02", "38.89", "7"}, rows[1])
	assert.Equal(t, []string{"off", "1", "0.04", "40", ""}, rows[2])
	assert.Len(t, rows, 1+2*len(runs))

	rows, err = csv.NewReader(strings.NewReader(report.SummaryCSV(result.Summarise(s.Plan("0"), runs)))).ReadAll()
	require.NoError(t, err)
	assert.Len(t, rows, 1+2*len(mgLike))
	assert.Equal(t, []string{"off", "runtime_s", "25.536", "25.53", "25.542", "5", "25.53", "25.542", "93.75", "", "", ""}, rows[1])
	pct, err := strconv.ParseFloat(rows[1+len(mgLike)][9], 64)
	require.NoError(t, err)
	assert.InDelta(t, 65.4, pct, 0.1)
}

func TestJSON(t *testing.T) {
	s := open(t, "two-arms")
	b, err := report.JSON(result.Summarise(s.Plan("0"), invented(s, mgLike)))
	require.NoError(t, err)
	var doc struct {
		Engine   string
		Scenario struct{ Name string }
		Digest   string
		Arms     []struct {
			Label   string
			Metrics map[string]struct{ Median float64 }
		}
		Deltas []struct{ Arm, Metric string }
	}
	require.NoError(t, json.Unmarshal(b, &doc))
	assert.Equal(t, "two-arms", doc.Scenario.Name)
	assert.Equal(t, 42.236, doc.Arms[1].Metrics["runtime_s"].Median)
	assert.Equal(t, "on", doc.Deltas[0].Arm)
}
