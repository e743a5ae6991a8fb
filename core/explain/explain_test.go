package explain

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"casplay/core/play"
	"casplay/core/scenario"
	"casplay/core/sim"
)

func setup(t *testing.T, text, arm string, set ...scenario.Setting) sim.Setup {
	t.Helper()
	s, err := play.Open(text)
	require.NoError(t, err)
	s, err = s.With(set)
	require.NoError(t, err)
	i := s.ArmIndex(arm)
	require.GreaterOrEqual(t, i, 0)
	out, err := s.Setup(i, 1)
	require.NoError(t, err)
	return out
}

func at(t *testing.T, ms int64, text, arm string, set ...scenario.Setting) *Answer {
	t.Helper()
	a, err := Why(setup(t, text, arm, set...), 0, ms*1e6)
	require.NoError(t, err)
	return a
}

// spin is threads on two LLCs of eight CPUs.
func spin(threads int64, more string) string {
	return `{"v":1,"name":"own","title":"x","machine":"pack:1 l3:2(size=16MB) core:8 pu:1","kernel":{"hz":1000` + more + `},
		"workload":[{"kind":"spin","threads":` + strconv.FormatInt(threads, 10) + `,"rss_mib":64}],"run":{"until":"time","max_s":2},"arms":[{"label":"base","set":{}}]}`
}

func set(path string, value int64) scenario.Setting {
	return scenario.Setting{Path: path, Value: strconv.FormatInt(value, 10)}
}

// TestNamedToleranceOpensTheGate: what the answer names is the first value that
// changes the verdict, for the thread gate, the size gate and a what-if rule.
func TestNamedToleranceOpensTheGate(t *testing.T) {
	for _, c := range []struct {
		name, text, arm string
		gate            int
		ms              int64
		more            []scenario.Setting
	}{
		{"threads", spin(14, ""), "base", 0, 1900, nil},
		{"footprint", "mg-c-4", "on", 1, 10000, nil},
		{"what-if", spin(14, ""), "base", 1, 1900, []scenario.Setting{{Path: "kernel.what_if.exceed_llc_capacity", Value: "rss_bytes > llc_bytes*(tolerance + 1)/2"}}},
	} {
		a := at(t, c.ms, c.text, c.arm, c.more...)
		g := a.Gates[c.gate]
		require.True(t, g.Closed, "%s: %v", c.name, a.Text)
		require.Greater(t, g.ToleranceAll, int64(1), c.name)
		for _, step := range []int64{-1, 0} {
			b := at(t, c.ms, c.text, c.arm, append(c.more, set("tol", g.ToleranceAll+step))...)
			assert.Equal(t, step < 0, b.Gates[c.gate].Closed, "%s: tolerance %d: %v", c.name, g.ToleranceAll+step, b.Text)
		}
	}
}

// TestNamedKnob: the tolerance named is the one that the gate reads.
func TestNamedKnob(t *testing.T) {
	split := `,"features":{"fail_closed":true,"split_tolerance":true}`
	own := func(more string) string {
		return strings.Replace(spin(14, `,"features":{"control":"always"`+more+`}`), `"rss_mib"`, `"cas_tolerance":1,"rss_mib"`, 1)
	}
	for _, c := range []struct {
		text, knob, path string
		gate             int
	}{
		{spin(4, split), "kernel.features.size_tolerance", "kernel.features.size_tolerance", 1},
		{own(""), "cas_tolerance", "workload.0.cas_tolerance", 0},
		{own(`,"fail_closed":true`), "cas_tolerance", "workload.0.cas_tolerance", 1},
	} {
		g := at(t, 1500, c.text, "base").Gates[c.gate]
		require.True(t, g.Closed, c)
		require.Equal(t, c.knob, g.Knob)
		for _, step := range []int64{-1, 0} {
			b := at(t, 1500, c.text, "base", set(c.path, g.ToleranceAll+step))
			assert.Equal(t, step < 0, b.Gates[c.gate].Closed, b.Text)
		}
	}
}

// TestNamedToleranceOpensTheGateNow: a tolerance that is changed in the middle
// of the run meets the average as it was when the gate closed.
func TestNamedToleranceOpensTheGateNow(t *testing.T) {
	g := at(t, 1800, spin(14, ""), "base").Gates[0]
	require.True(t, g.Closed)
	require.Less(t, g.Tolerance, g.ToleranceAll)
	for _, step := range []int64{-1, 0} {
		event := `"events":[{"at_ms":1800,"set":{"kernel.cas.aggr_tolerance":` + strconv.FormatInt(g.Tolerance+step, 10) + `}}],"run":`
		b := at(t, 1801, strings.Replace(spin(14, ""), `"run":`, event, 1), "base")
		assert.Equal(t, step < 0, b.Gates[0].Closed, b.Text)
	}
}

// TestNamedThreadsOpenTheGate: so are numbers of threads.
func TestNamedThreadsOpenTheGate(t *testing.T) {
	g := at(t, 1500, spin(14, ""), "base").Gates[0]
	require.True(t, g.Closed)
	require.Equal(t, int64(6), g.Most, "80 % of 8 CPUs")
	assert.False(t, at(t, 1500, spin(g.Most, ""), "base").Gates[0].Closed)
	open := at(t, 1500, spin(g.Most, ""), "base").Gates[0]
	assert.Equal(t, g.Most, open.Most)
	assert.True(t, at(t, 1500, spin(1, ""), "base").Gates[0].Closed, "one thread")
}

// TestNamedThreadsOfSMT8: the product of threads, SMT and margin stays within 64
// bits while the value is searched for.
func TestNamedThreadsOfSMT8(t *testing.T) {
	g := at(t, 100, "power10-smt", "tol-10").Gates[0]
	assert.False(t, g.Closed)
	assert.Equal(t, int64(3), g.Most, "3 x 8 is below 0.8 x 40, 4 x 8 is not")
}

// TestOnlyLatchesLatch: the sentence about scans that end is for gates that end
// them; RFC v4 goes on counting.
func TestOnlyLatchesLatch(t *testing.T) {
	for gate, latches := range map[string]bool{"merged": true, "v1": true, "rfc": false} {
		a := at(t, 1500, spin(20, `,"features":{"thread_gate":"`+gate+`"}`), "base")
		require.True(t, a.Gates[0].Closed, gate)
		assert.Equal(t, latches, strings.Contains(strings.Join(a.Text, " "), "does not fall by itself"), gate)
	}
}

// TestHitRateIsNamed: the gate that closes is named, not the one it replaces.
func TestHitRateIsNamed(t *testing.T) {
	a := at(t, 2000, "gates-mg-c", "hitrate")
	require.True(t, a.Gates[1].Closed)
	assert.Contains(t, strings.Join(a.Text, " "), "of 1000 accesses hit the LLC")
}

// TestShortRunsHaveAnEnd: of a run over in few events, too, there is a last look
// at the threads.
func TestShortRunsHaveAnEnd(t *testing.T) {
	a, err := Why(setup(t, "stream-7713.copy", "on"), 0, -1)
	require.NoError(t, err)
	assert.NotContains(t, strings.Join(a.Text, " "), "no threads any more")
}

// TestNamedSizeOpensTheGate: and resident sets.
func TestNamedSizeOpensTheGate(t *testing.T) {
	const closed = `,"features":{"fail_closed":true}`
	g := at(t, 100, spin(4, closed), "base").Gates[1]
	require.True(t, g.Closed)
	require.Equal(t, int64(16<<20), g.MostRSS)
	for _, more := range []int64{0, 1} {
		b := at(t, 100, spin(4, closed), "base", set("workload.0.rss_mib", g.MostRSS>>20+more))
		assert.Equal(t, more > 0, b.Gates[1].Closed, b.Text)
		assert.Contains(t, strings.Join(b.Text, " "), " with an RSS of at most 16 MiB")
	}
	// The footprint is nothing that a scenario sets; what counts is the limit.
	a := at(t, 10000, "mg-c-4", "on")
	require.True(t, a.Gates[1].Closed)
	assert.Greater(t, a.Gates[1].Value, a.Gates[1].Most)
	assert.Equal(t, a.Gates[1].Limit/page*page, a.Gates[1].Most)
}

// TestThreeFacts: wanted, possible and active are told apart.
func TestThreeFacts(t *testing.T) {
	one := scenario.Setting{Path: "machine", Value: "pack:1 l3:1(size=16MB) core:8 pu:1"}
	off := scenario.Setting{Path: "cas", Value: "0"}
	facts := func(a *Answer) [3]bool { return [3]bool{a.Wanted, a.Possible, a.Active} }
	assert.Equal(t, [3]bool{true, true, true}, facts(at(t, 100, spin(4, ""), "base")))
	assert.Equal(t, [3]bool{true, false, false}, facts(at(t, 100, spin(4, ""), "base", one)))
	a := at(t, 100, spin(4, ""), "base", off)
	assert.Equal(t, [3]bool{false, true, false}, facts(a))
	assert.Contains(t, a.Text[0], "not wanted (kernel.cas.enabled), possible (it takes several LLCs under one root domain) and so not active")
	assert.Contains(t, at(t, 100, spin(4, ""), "base", set("workload.0.start_ms", 500)).Text[1], "has not started yet")
}

func TestGatheredProcess(t *testing.T) {
	a := at(t, 1500, spin(4, ""), "base")
	require.True(t, a.Gathered, a.Text)
	assert.GreaterOrEqual(t, a.Preferred, int32(0))
	assert.False(t, a.Gates[0].Closed)
	assert.False(t, a.Gates[1].Closed)
	last, err := Why(setup(t, "mg-c-4", "on"), 0, -1)
	require.NoError(t, err)
	assert.Greater(t, last.AtNs, int64(1e9), "just before the end")
}

// TestFirst finds where runs part, and that equal runs do not.
func TestFirst(t *testing.T) {
	short := []scenario.Setting{{Path: "max_s", Value: "1.5"}, {Path: "until", Value: "time"}}
	with := func(more ...scenario.Setting) sim.Setup { return setup(t, "mg-c-4", "on", append(more, short...)...) }
	closed := scenario.Setting{Path: "kernel.features.fail_closed", Value: "1"}
	rule := scenario.Setting{Path: "kernel.what_if.exceed_llc_capacity", Value: "footprint_bytes > 0 ? footprint_bytes > llc_bytes*scale : rss_bytes > llc_bytes*scale"}

	d, err := First(with(closed), with(rule))
	require.NoError(t, err)
	assert.Equal(t, Differences{}, d, "the fail-closed rule as an expression")

	d, err = First(with(), with(closed))
	require.NoError(t, err)
	require.NotNil(t, d.Decision)
	require.NotNil(t, d.Placement)
	assert.Contains(t, d.Decision.B.Text, "too large for the LLC")
	assert.Empty(t, d.Decision.B.Rule)
	assert.Equal(t, "exceed_llc_capacity here: 0 MiB <= 108 MiB: passes", d.Decision.A.Rule, "what the gate saw in the other arm")
	assert.Contains(t, d.Placement.A.Text, "stopper for LLC affinity")
	assert.LessOrEqual(t, d.Decision.A.AtNs, d.Placement.A.AtNs)

	longer := setup(t, "mg-c-4", "on", scenario.Setting{Path: "max_s", Value: "2"}, short[1])
	d, err = First(with(), longer)
	require.NoError(t, err)
	assert.Empty(t, d.Decision.A.Text, "the shorter run decides nothing more")
	assert.NotEmpty(t, d.Decision.B.Text)
}
