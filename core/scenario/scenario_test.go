package scenario_test

import (
	"encoding/json"
	"strings"
	"testing"

	"casplay/core/scenario"
	"casplay/scenarios"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var lib = scenarios.Library{}

// small is a valid scenario to break in one place at a time.
const small = `{"v":1,"name":"small","machine":"emu-t2x8","kernel":{"hz":250},
 "workload":[{"kind":"spin","threads":4}],
 "run":{"seeds":2,"until":"time","max_s":1.5},
 "arms":[{"label":"off","set":{"kernel.cas.enabled":false}},{"label":"on","set":{}}]}`

// firsts lists the shipped scenarios, of each table the first point.
func firsts() []string {
	var out []string
	for _, name := range lib.Files() {
		if t := lib.Table(name); t != nil {
			name += "." + t.Labels()[0]
		}
		out = append(out, name)
	}
	return out
}

func parse(t *testing.T, text string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Parse([]byte(text), lib)
	require.NoError(t, err)
	return s
}

func TestDefaultsAreWrittenOut(t *testing.T) {
	s := parse(t, small)
	var doc map[string]any
	require.NoError(t, json.Unmarshal(s.Canonical(), &doc))
	cas := doc["kernel"].(map[string]any)["cas"].(map[string]any)
	assert.Equal(t, 2.0, cas["epoch_period"], "HZ/100 jiffies")
	assert.Equal(t, 5.0, cas["epoch_affinity_timeout"])
	assert.Equal(t, 1.5, doc["run"].(map[string]any)["max_s"])
	assert.Equal(t, "fork", doc["workload"].([]any)[0].(map[string]any)["place"])
	assert.Equal(t, "emu-t2x8", doc["machine"])
}

func TestCanonicalIsAFixedPoint(t *testing.T) {
	texts := []string{small}
	for _, name := range firsts() {
		texts = append(texts, string(lib.Preset(name)))
	}
	for _, text := range texts {
		s := parse(t, text)
		again := parse(t, string(s.Canonical()))
		assert.Equal(t, string(s.Canonical()), string(again.Canonical()))
		assert.Equal(t, string(s.Canonical()), string(parse(t, string(s.Indented())).Canonical()))
	}
}

func TestEqualScenariosHaveEqualBytes(t *testing.T) {
	a := parse(t, small)
	for name, text := range map[string]string{
		"order of keys":           `{"arms":[{"set":{"kernel.cas.enabled":false},"label":"off"},{"label":"on"}],"run":{"max_s":1.500,"until":"time","seeds":2},"workload":[{"threads":4,"kind":"spin"}],"kernel":{"hz":250},"machine":"emu-t2x8","name":"small","v":1}`,
		"short form":              strings.Replace(small, "kernel.cas.enabled", "cas", 1),
		"default given":           strings.Replace(small, `"hz":250`, `"hz":250,"cas":{"epoch_period":2,"aggr_tolerance":1}`, 1),
		"override without effect": strings.Replace(small, `"on","set":{}`, `"on","set":{"tol":1}`, 1),
	} {
		assert.Equal(t, string(a.Canonical()), string(parse(t, text).Canonical()), name)
	}
}

// TestProblems breaks one thing at a time; each case lists parts of the
// message, path first.
func TestProblems(t *testing.T) {
	cases := []struct{ old, new, want string }{
		{`"v":1`, `"v":2`, "v: is a newer version of the format than this engine reads (up to 1)"},
		{`"v":1`, `"v":0`, "v: must be 1"},
		{`"name":"small"`, `"name":"No Good"`, `name: must be a name`},
		{`"machine"`, `"mashine"`, "mashine: is not a known key|did you mean machine?"},
		{`"emu-t2x8"`, `"emu-t2x9"`, "machine: is not a known machine|emu-t2x9|did you mean emu-t2x"},
		{`"emu-t2x8"`, `"pack:2 l3:zwei"`, "machine: is not a synthetic machine"},
		{`"emu-t2x8"`, `{"v":1,"name":"x","packages":2}`, "machine.llcs: is missing: must be a list"},
		{`"hz":250`, `"hz":333`, "kernel.hz: must be 100, 250, 300 or 1000, got 333"},
		{`"hz":250`, `"hz":"250"`, `kernel.hz: must be 100, 250, 300 or 1000, got "250"`},
		{`"hz":250`, `"hz":250,"cas":{"aggr_tolerence":2}`, "kernel.cas.aggr_tolerence: is not a known key|did you mean aggr_tolerance?"},
		{`"hz":250`, `"hz":250,"cas":{"aggr_tolerance":-1}`, "kernel.cas.aggr_tolerance: must be a whole number from 0 to 4294967295, got -1"},
		{`"hz":250`, `"hz":250,"cas":{"aggr_tolerance":1.5}`, "kernel.cas.aggr_tolerance: must be a whole number|got 1.5"},
		{`"hz":250`, `"hz":250,"cas":7`, "kernel.cas: must be an object, got 7"},
		{`"hz":250`, `"hz":250,"rules":"v9"`, "kernel.rules: must be v7.3"},
		{`"hz":250`, `"hz":250,"hz":250`, "kernel.hz: appears twice"},
		{`"hz":250`, `"numa":{"scan_period_min_ms":100,"scan_period_max_ms":10}`, "kernel.numa.scan_period_min_ms: must not exceed"},
		{`"kind":"spin"`, `"kind":"spinn"`, `workload.0.kind: must be spin, |got "spinn"|did you mean spin?`},
		{`"threads":4`, `"threads":0`, "workload.0.threads: must be a whole number from 1 to 8192 threads, got 0"},
		{`"threads":4`, `"thread":4`, "workload.0.thread: is not a known key|did you mean threads?"},
		{`"threads":4`, `"threads":8000,"instances":2`, "workload.0.threads: makes more than 8192 threads"},
		{`"threads":4`, `"threads":4,"place":"llc:2"`, "workload.0.place: the machine has no LLC 2"},
		{`"threads":4`, `"threads":4,"background":true`, ""},
		{`"until":"time"`, `"until":"never"`, "run.until: must be done or time"},
		{`"max_s":1.5`, `"max_s":601`, "run.max_s: must be a number from 0.001 to 600 s, got 601"},
		{`"max_s":1.5`, `"max_s":1.0005`, "run.max_s: must be a number"},
		{`"max_s":1.5`, `"max_s":0.01,"sample_ms":20`, "run.sample_ms: must not exceed run.max_s (0.01 s)"},
		{`"seeds":2`, `"seeds":65`, "run.seeds: must be a whole number from 1 to 64, got 65"},
		{`"label":"on"`, `"label":"off"`, "arms.1.label: is the label of another arm"},
		{`"label":"on"`, `"label":"kernel"`, "arms.1.label: is the first part of a path"},
		{`"set":{}`, `"set":{"run.seeds":1}`, "arms.1.set.run.seeds: is shared by all arms"},
		{`"set":{}`, `"set":{"cas.aggr_tolerance":1}`, "arms.1.set.cas.aggr_tolerance: is not the path of a setting|did you mean kernel.cas.aggr_tolerance?"},
		{`"set":{}`, `"set":{"tol":1,"kernel.cas.aggr_tolerance":2}`, "is set twice"},
		{`"set":{}`, `"set":{"workload.0.place":"llc:7"}`, "on:workload.0.place: the machine has no LLC 7"},
		{`"set":{}`, `"set":{"machine":"emu-t1x8"}`, ""},
		{`"v":1`, `"v":1,"events":[{"at_ms":500,"set":{"tol":2}},{"at_ms":100,"sleep":"spin","threads":2,"for_ms":5}]`, ""},
		{`"v":1`, `"v":1,"events":[{"set":{"tol":2}}]`, "events.0.at_ms: is missing"},
		{`"v":1`, `"v":1,"events":[{"at_ms":1}]`, "events.0: must have either set or sleep"},
		{`"v":1`, `"v":1,"events":[{"at_ms":1500,"set":{"tol":2}}]`, "events.0.at_ms: must come before run.max_s (1.5 s)"},
		{`"v":1`, `"v":1,"events":[{"at_ms":500,"arm":"on","set":{"tol":2}}]`, ""},
		{`"v":1`, `"v":1,"events":[{"at_ms":500,"arm":"onn","set":{"tol":2}}]`, "events.0.arm: must be the label of an arm|did you mean on?"},
		{`"v":1`, `"v":1,"events":[{"at_ms":1500,"arm":"on","set":{"tol":2}}]`, "on:events.0.at_ms: must come before run.max_s (1.5 s)"},
		{`"v":1`, `"v":1,"events":[{"at_ms":1,"set":{"hz":100}}]`, "events.0.set.hz: cannot change during a run"},
		{`"v":1`, `"v":1,"events":[{"at_ms":1,"sleep":"spni"}]`, "events.0.sleep: must be the name of a process|did you mean spin?"},
		{`"v":1`, `"v":1,"events":[{"at_ms":1,"sleep":"spin","threads":5}]`, "events.0.threads: must be at most 4"},
		{`"v":1`, `"v":1,"expect":[{"arm":"on","metric":"runtime_s","value":1,"tol_pct":2,"role":"predicted"}]`, ""},
		{`"v":1`, `"v":1,"expect":[{"arm":"no","metric":"runtime_s","value":1,"tol_pct":2,"role":"predicted"}]`, "expect.0.arm: must be the label of an arm"},
		{`"v":1`, `"v":1,"expect":[{"arm":"on","metric":"Runtime","value":1,"tol_pct":2,"role":"predicted"}]`, "expect.0.metric: must be the name of a metric"},
		{`"v":1`, `"v":1,"expect":[{"arm":"on","metric":"runtime_s","value":1,"role":"predicted"}]`, "expect.0.tol_pct: is missing"},
		{`"v":1`, `"v":1,"expect":[{"arm":"on","metric":"runtime_s","value":1,"tol_pct":1,"max":2,"role":"predicted"}]`, "expect.0: must have one of"},
		{`"v":1`, `"v":1,"expect":[{"arm":"on","metric":"runtime_s","max":2}]`, "expect.0.role: must be training or predicted"},
		{`"v":1`, `"v":1,"expect":[{"arm":"on","metric":"runtime_s","min":3,"max":2,"role":"predicted"}]`, "expect.0.min: must not exceed max"},
		{`"v":1`, `"v":1,"title":"two\nlines"`, "title: must be a printable text"},
		{`"v":1`, `"v":1,"title":"\u202egpj"`, "title: must be a printable text"},
		{`"v":1,`, `"v":1`, "scenario: is not valid JSON: line 1"},
		{`"set":{}}]}`, `"set":{}}]} x`, "scenario: is not valid JSON"},
	}
	for _, c := range cases {
		text := strings.Replace(small, c.old, c.new, 1)
		require.NotEqual(t, small, text, c.new)
		_, err := scenario.Parse([]byte(text), lib)
		if c.want == "" {
			assert.NoError(t, err, c.new)
			continue
		}
		if assert.Error(t, err, c.new) {
			for _, part := range strings.Split(c.want, "|") {
				assert.Contains(t, err.Error(), part, c.new)
			}
		}
	}
}

func TestAllProblemsAtOnce(t *testing.T) {
	_, err := scenario.Parse([]byte(`{"v":1,"name":"x","machine":"nope","kernel":{"hz":7,"numa":{"bogus":1}},"workload":[{"kind":"spin","threads":-1},{"kind":"?"}],"run":{"seeds":0},"arms":[]}`), lib)
	var paths []string
	for _, p := range err.(scenario.Problems) {
		paths = append(paths, p.Path)
	}
	assert.Equal(t, []string{"machine", "kernel.hz", "kernel.numa.bogus", "run.seeds", "workload.0.threads", "workload.1.kind", "arms"}, paths)
}

func TestCostIsRefusedWithTheEstimate(t *testing.T) {
	text := strings.NewReplacer(`"threads":4`, `"threads":8192`, `"max_s":1.5`, `"max_s":600`, `"seeds":2`, `"seeds":64`, `"hz":250`, `"hz":1000`,
		`"emu-t2x8"`, `"pack:8 numa:1 l3:16(size=32MB) core:8 pu:1"`).Replace(small)
	_, err := scenario.Parse([]byte(text), lib)
	require.Error(t, err)
	assert.Contains(t, err.Error(), "run: would take too long: at most 4000 million events in all")
	assert.Contains(t, err.Error(), "run.sample_ms: would record too much")
	assert.Regexp(t, `got about \d+ million events`, err.Error())
}

func TestSetup(t *testing.T) {
	s := parse(t, strings.Replace(small, `"v":1`, `"v":1,"events":[{"at_ms":500,"set":{"tol":2}},{"at_ms":100,"sleep":"spin","threads":1,"for_ms":5},{"at_ms":600,"set":{"cas":true}}]`, 1))
	off, err := s.Setup(0, 9)
	require.NoError(t, err)
	assert.False(t, off.Kernel.CAS.Enabled)
	assert.EqualValues(t, 9, off.Seed)
	assert.EqualValues(t, 1_500_000_000, off.MaxNs)
	assert.EqualValues(t, 20_000_000, off.SampleNs)
	assert.False(t, off.UntilDone)
	assert.Len(t, off.Machine.CPUs, 16)
	assert.Len(t, off.Workload.Procs[0].Threads, 4)
	require.Len(t, off.Events, 3)
	assert.EqualValues(t, 100_000_000, off.Events[0].AtNs)
	assert.Equal(t, []int{3, 4}, []int{off.Events[0].ParkFrom, off.Events[0].ParkTo}, "the last thread")
	assert.EqualValues(t, 2, off.Events[1].Kernel.CAS.AggrTolerance)
	assert.False(t, off.Events[1].Kernel.CAS.Enabled, "the arm's override stays")
	assert.True(t, off.Events[2].Kernel.CAS.Enabled)
	assert.EqualValues(t, 2, off.Events[2].Kernel.CAS.AggrTolerance, "events add up")
	on, err := s.Setup(1, 1)
	require.NoError(t, err)
	assert.True(t, on.Kernel.CAS.Enabled)
	_, err = s.Setup(2, 1)
	assert.Error(t, err)
}

func TestEffectiveLeavesTheBaseAlone(t *testing.T) {
	s := parse(t, strings.Replace(small, `"set":{}`, `"set":{"threads":2,"machine":"emu-t4x4","hz":1000}`, 1))
	e := s.Effective(1)
	assert.EqualValues(t, 2, e.Workload[0].Int("threads"))
	assert.Equal(t, "emu-t4x4", e.Machine.Name)
	assert.EqualValues(t, 10, e.Kernel.CAS.EpochPeriod, "another tick rate brings its own default")
	assert.EqualValues(t, 4, s.Workload[0].Int("threads"))
	assert.Equal(t, "emu-t2x8", s.Machine.Name)
	assert.EqualValues(t, 2, s.Kernel.CAS.EpochPeriod)
}

func TestPlan(t *testing.T) {
	p := parse(t, strings.Replace(small, `"set":{}`, `"set":{"tol":3}`, 1)).Plan("e1")
	assert.Equal(t, []string{"kernel.cas.enabled=1", "kernel.cas.aggr_tolerance=3"}, p.Arms[1].Changes)
	assert.Empty(t, p.Arms[0].Changes)
	assert.False(t, p.Arms[0].Wanted)
	assert.True(t, p.Arms[1].Wanted)
	assert.True(t, p.Arms[1].Possible)
	one := parse(t, strings.Replace(small, "emu-t2x8", "emu-t1x8", 1)).Plan("e1")
	assert.False(t, one.Arms[1].Possible)
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	for _, name := range firsts() {
		f.Add(lib.Preset(name))
	}
	f.Add([]byte(`{"v":1,"machine":{"v":1},"workload":[{}],"arms":[{"set":{"":1}}],"events":[null],"expect":[[]]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := scenario.Parse(data, lib)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		again, err := scenario.Parse(s.Canonical(), lib)
		require.NoError(t, err, string(s.Canonical()))
		require.Equal(t, string(s.Canonical()), string(again.Canonical()))
		for i := range s.Arms {
			_, err := s.Setup(i, s.Run.Seed)
			require.NoError(t, err)
		}
	})
}

// An event of one arm is in its timeline only, is told as what the arm
// changes, and goes with it.
func TestEventOfOneArm(t *testing.T) {
	s, err := scenario.Parse([]byte(strings.Replace(small, `"v":1`, `"v":1,"events":[{"at_ms":500,"arm":"on","set":{"tol":2}}]`, 1)), lib)
	require.NoError(t, err)
	for arm, events := range []int{0, 1} {
		setup, err := s.Setup(arm, 1)
		require.NoError(t, err)
		assert.Len(t, setup.Events, events)
	}
	changes := s.Plan("").Arms[1].Changes
	assert.Contains(t, changes, "from 0.5 s on: kernel.cas.aggr_tolerance=2")
	again, err := scenario.Parse(s.Canonical(), lib)
	require.NoError(t, err)
	assert.Equal(t, s.Canonical(), again.Canonical())
	alone, err := s.With([]scenario.Setting{{Path: "arms", Value: "off"}})
	require.NoError(t, err)
	assert.Empty(t, alone.Events)
	assert.Len(t, s.Events, 1)
}
