package result

import (
	"encoding/json"
	"reflect"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// handMade is a run with every field of every part set.
func handMade(arm int, seed uint64, runtimeMs int64) *Run {
	r := &Run{
		Arm: arm, Label: []string{"off", "on"}[arm], Seed: seed, Done: true, SimNs: runtimeMs * 1e6, Events: 1000, SampleNs: 20e6,
		Metrics: []Metric{
			{Name: "runtime_s", Value: float64(runtimeMs) / 1000, Raw: runtimeMs, Scale: 1000},
			{Name: "llc_migrations", Value: float64(56 * arm), Raw: int64(56 * arm), Scale: 1},
		},
		Series:    []Series{{Kind: "llc_util", Index: 1, Sub: 2, Unit: "pct", Scale: 100, Cap: 7500, V: []int32{1, 2, 3}}},
		Processes: []Process{{Name: "mg", Threads: 4, Preferred: [][2]int64{{5, int64(arm) - 1}}, RSSBytes: 1, FootprintPagesMax: 2, NumaSweeps: 3, PagesMigrated: 4, HintFaults: 5, ScanRuns: 6, Scans: 7, NrRunningAvg: 8, NrRunningAvgMax: 9}},
		Decisions: []Decision{{Rule: "invalid_llc_nr", Process: 1, Evaluated: 10, Fired: int64(seed) - 1, FirstNs: int64(seed) * 10, LastNs: int64(seed) * 20, AtNs: 1, Value: int64(seed), Limit: 115, Unit: "threads", Text: "passes"}},
		Log:       []Entry{{AtNs: 1, Rule: "x", Process: 1, Text: "y"}},
		Warnings:  []string{"w"},
	}
	if seed == 1 {
		r.Decisions[0].FirstNs, r.Decisions[0].LastNs = -1, -1
	}
	return r
}

func twoArms() ([]*Run, Plan) {
	var runs []*Run
	for i, ms := range []int64{25400, 25500, 25530, 25600, 25700} {
		runs = append(runs, handMade(1, uint64(i+1), ms*5/3), handMade(0, uint64(i+1), ms))
	}
	return runs, Plan{
		Engine: "e", Scenario: []byte(`{"v":1}`), UntilDone: true,
		Arms: []PlanArm{{Label: "off", Possible: true}, {Label: "on", Changes: []string{"kernel.cas.enabled=1"}, Wanted: true, Possible: true}},
	}
}

func TestSummarise(t *testing.T) {
	runs, plan := twoArms()
	r := Summarise(plan, runs)
	off, on := r.Arms[0], r.Arms[1]
	s, ok := off.Metrics.Get("runtime_s")
	require.True(t, ok)
	assert.Equal(t, Summary{25.53, 25.4, 25.7, 5, Interval{25.4, 25.7, 93.75}}, s)
	assert.EqualValues(t, 3, off.Shown, "the seed of the median")
	assert.Len(t, off.Seeds, 5)
	assert.Equal(t, CASFacts{Wanted: false, Possible: true, Active: false, Preferring: 0}, off.CAS)
	assert.Equal(t, CASFacts{Wanted: true, Possible: true, Active: true, Preferring: 1}, on.CAS)
	require.Len(t, r.Deltas, 2)
	assert.InDelta(t, 66.7, *r.Deltas[0].Pct, 0.1)
	assert.InDelta(t, 2.0/252, r.Deltas[0].P, 1e-12)
	assert.True(t, r.Deltas[0].Significant)
	assert.Nil(t, r.Deltas[1].Pct, "no change in % of 0")
	d := on.Decisions[0]
	assert.Equal(t, ArmVerdict{
		Decision: Decision{Rule: "invalid_llc_nr", Process: 1, Evaluated: 50, Fired: 0 + 1 + 2 + 3 + 4, FirstNs: 20, LastNs: 100, AtNs: 1, Value: 2, Limit: 115, Unit: "threads", Text: "passes"},
		Seeds:    5, FiredSeeds: 4,
	}, d, "the example is from the first seed that fired")
	assert.Equal(t, []string{"w"}, on.Warnings)
	assert.Empty(t, r.Warnings)
}

func TestOrderOfRunsDoesNotMatter(t *testing.T) {
	runs, plan := twoArms()
	a, err := json.Marshal(Summarise(plan, runs))
	require.NoError(t, err)
	for i, j := 0, len(runs)-1; i < j; i, j = i+1, j-1 {
		runs[i], runs[j] = runs[j], runs[i]
	}
	b, err := json.Marshal(Summarise(plan, runs))
	require.NoError(t, err)
	assert.Equal(t, string(a), string(b))
	assert.Contains(t, string(a), `"metrics":{"runtime_s":{"median":25.53,"min":25.4,"max":25.7,"n":5,"ci":{"lo":25.4,"hi":25.7,"pct":93.75}}`)
}

func TestSummariseIncomplete(t *testing.T) {
	runs, plan := twoArms()
	for _, some := range [][]*Run{nil, runs[:1], runs[:3]} {
		_, err := json.Marshal(Summarise(plan, some))
		assert.NoError(t, err)
	}
}

func TestWarnings(t *testing.T) {
	cases := []struct {
		name   string
		change func(runs []*Run, p *Plan) []*Run
		want   string
	}{
		{"few seeds", func(runs []*Run, p *Plan) []*Run { return runs[:6] }, "3 seeds an arm: no difference can be significant"},
		{"two settings", func(runs []*Run, p *Plan) []*Run {
			p.Arms[1].Changes, p.Arms[1].Steps = []string{"a=1", "b=2"}, 2
			return runs
		}, "arm on differs from every arm before it in more than one setting; from off in a=1, b=2"},
		{"no setting", func(runs []*Run, p *Plan) []*Run { p.Arms[1].Changes = nil; return runs }, "arm on is the same as off"},
		{"one LLC", func(runs []*Run, p *Plan) []*Run { p.Arms[1].Possible = false; return runs }, "CAS is wanted but not possible"},
		{"cut off", func(runs []*Run, p *Plan) []*Run { runs[1].Done = false; return runs }, "arm off: 1 run of 5 hit the time limit"},
	}
	for _, c := range cases {
		runs, plan := twoArms()
		r := Summarise(plan, c.change(runs, &plan))
		require.Len(t, r.Warnings, 1, c.name)
		assert.Contains(t, r.Warnings[0], c.want)
	}
	runs, plan := twoArms()
	runs[0].Warnings = []string{"w", "rare"}
	assert.Equal(t, []string{"w", "rare (1 of 5 seeds)"}, Summarise(plan, runs).Arms[1].Warnings)
}

// TestDigestSeesEveryField changes each field of a run, one at a time: all
// but Metric.Value, a quotient, and Digest itself must change the digest.
func TestDigestSeesEveryField(t *testing.T) {
	base := DigestRun(handMade(0, 1, 1000))
	assert.Regexp(t, "^[0-9a-f]{16}$", base)
	assert.Equal(t, base, DigestRun(handMade(0, 1, 1000)))
	seen := map[string]string{base: "base"}
	n := 0
	for {
		r := handMade(0, 1, 1000)
		path, done := bump(reflect.ValueOf(r).Elem(), n, new(int), "Run")
		if done {
			break
		}
		n++
		d := DigestRun(r)
		if path == "Run.Digest" || path == "Run.Metrics[0].Value" || path == "Run.Metrics[1].Value" {
			assert.Equal(t, base, d, path)
			continue
		}
		assert.Empty(t, seen[d], path)
		seen[d] = path
	}
	assert.Greater(t, n, 50)
}

// bump changes the n-th leaf value below v and returns its path.
func bump(v reflect.Value, n int, at *int, path string) (string, bool) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if p, done := bump(v.Field(i), n, at, path+"."+v.Type().Field(i).Name); !done {
				return p, false
			}
		}
		return "", true
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if p, done := bump(v.Index(i), n, at, path+"["+strconv.Itoa(i)+"]"); !done {
				return p, false
			}
		}
		return "", true
	}
	*at++
	if *at != n+1 {
		return "", true
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.String:
		v.SetString(v.String() + "!")
	case reflect.Float64:
		v.SetFloat(v.Float() + 1)
	case reflect.Uint64:
		v.SetUint(v.Uint() + 1)
	default:
		v.SetInt(v.Int() + 1)
	}
	return path, false
}

func f64(v float64) *float64 { return &v }

func TestJudge(t *testing.T) {
	runs, plan := twoArms()
	r := Summarise(plan, runs)
	cases := []struct {
		e         Expect
		simulated float64
		deviation float64
		pass      bool
		reason    string
	}{
		{Expect{Arm: "off", Metric: "runtime_s", Value: f64(25.53), TolPct: 0.1}, 25.53, 0, true, ""},
		{Expect{Arm: "off", Metric: "runtime_s", Value: f64(20), TolPct: 8}, 25.53, 27.65, false, ""},
		{Expect{Arm: "off", Metric: "runtime_s", Value: f64(0), TolPct: 8}, 25.53, 0, false, "a published 0"},
		{Expect{Arm: "on", Metric: "runtime_s", DeltaPct: f64(65), TolPoints: 8}, 66.667, 1.667, true, ""},
		{Expect{Arm: "on", Metric: "runtime_s", DeltaPct: f64(58), TolPoints: 8}, 66.667, 8.667, false, ""},
		{Expect{Arm: "off", Metric: "runtime_s", DeltaPct: f64(-40), TolPoints: 1, Vs: "on"}, -40, 0, true, ""},
		{Expect{Arm: "on", Metric: "llc_migrations", DeltaPct: f64(1), TolPoints: 1}, 56, 0, false, "no metric llc_migrations to compare with in arm off"},
		{Expect{Arm: "on", Metric: "llc_migrations", Min: f64(50), Max: f64(60)}, 56, 0, true, ""},
		{Expect{Arm: "on", Metric: "llc_migrations", Max: f64(50)}, 56, 6, false, ""},
		{Expect{Arm: "on", Metric: "llc_migrations", Min: f64(60)}, 56, -4, false, ""},
		{Expect{Arm: "on", Metric: "nope", Min: f64(60)}, 0, 0, false, "no metric nope in arm on"},
		{Expect{Arm: "nope", Metric: "runtime_s", Min: f64(60)}, 0, 0, false, "no metric runtime_s in arm nope"},
	}
	for _, c := range cases {
		v := Judge([]Expect{c.e}, r)[0]
		assert.InDelta(t, c.simulated, v.Simulated, 0.01, "%+v", c.e)
		assert.InDelta(t, c.deviation, v.Deviation, 0.01, "%+v", c.e)
		assert.Equal(t, c.pass, v.Pass, "%+v", c.e)
		assert.Contains(t, v.Reason, c.reason)
	}
}
