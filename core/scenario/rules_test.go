package scenario

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"casplay/core/kernel"
	"casplay/core/kernel/cas"
	"casplay/scenarios"
)

// rules makes a scenario with kernel members and the overrides of its arm.
func rules(kernelText, set string) (*Scenario, error) {
	return Parse([]byte(`{"v":1,"name":"x","machine":"emu-t2x8","kernel":{`+kernelText+`},"workload":[{"kind":"spin","threads":4}],
 "run":{"seeds":1,"until":"time","max_s":1},"arms":[{"label":"a","set":{`+set+`}}]}`), scenarios.Library{})
}

// A version brings its features; a feature of the same object goes on top,
// and an arm's version replaces those of the base.
func TestRulesBringFeatures(t *testing.T) {
	for _, c := range []struct {
		kernel, set string
		want        func(*kernel.Features)
		version     string
	}{
		{``, ``, func(*kernel.Features) {}, "v7.3"},
		{`"rules":"v1"`, ``, func(*kernel.Features) {}, "v1"},
		{`"features":{"visited_cpus":true},"rules":"v7.2"`, ``, func(f *kernel.Features) { f.VisitedCPUs = true }, "v7.2"},
		{``, `"kernel.features.hit_rate":true,"kernel.features.rss_gate":false,"rules":"rfc-v4"`, func(f *kernel.Features) { f.RSSGate, f.HitRate = false, true }, "rfc-v4"},
		{`"features":{"fail_closed":true}`, `"rules":"v4"`, func(*kernel.Features) {}, "v4"},
	} {
		s, err := rules(c.kernel, c.set)
		require.NoError(t, err, c.kernel+c.set)
		v, _ := cas.FindVersion(c.version)
		c.want(&v.Features)
		e := s.Effective(0)
		assert.Equal(t, c.version, e.Kernel.Rules)
		assert.Equal(t, v.Features, e.Kernel.Features, c.kernel+c.set)
		back, err := Parse(s.Canonical(), scenarios.Library{})
		require.NoError(t, err)
		assert.Equal(t, string(s.Canonical()), string(back.Canonical()))
		assert.Equal(t, v.Features, back.Effective(0).Kernel.Features)
	}
}

// A link carries a version and what was changed on top of it.
func TestRulesInLinks(t *testing.T) {
	s := load(t, "latch")
	c, err := s.With([]Setting{{"rules", "v1"}, {"rss_gate", "false"}, {"off:rules", "rfc-v3"}})
	require.NoError(t, err)
	text, err := FormatLink(&Link{Scenario: c})
	require.NoError(t, err)
	back, err := ParseLink(text, scenarios.Library{})
	require.NoError(t, err, text)
	assert.Equal(t, string(c.Canonical()), string(back.Scenario.Canonical()), text)
	v, _ := cas.FindVersion("rfc-v3")
	assert.Equal(t, v.Features, back.Scenario.Effective(0).Kernel.Features, text)
	assert.False(t, back.Scenario.Effective(1).Kernel.Features.RSSGate)
	assert.Equal(t, kernel.ThreadsV1, back.Scenario.Effective(1).Kernel.Features.ThreadGate)
}

func TestRulesRefused(t *testing.T) {
	for _, c := range []struct{ kernel, set, want string }{
		{`"rules":"v74"`, ``, `kernel.rules: must be rfc-v1, rfc-v2, rfc-v3, rfc-v4, v1, v2, v3, v4, v7.2, v7.3 or next, got "v74" (did you mean v4?)`},
		{`"features":{"submission":"try-lock"}`, ``, `got "try-lock" (did you mean trylock?)`},
		{`"features":{"visited_cpu":true}`, ``, "did you mean visited_cpus?"},
		{`"features":{"fail_closed":true,"rss_gate":true}`, ``, "kernel.features.fail_closed: cannot be on together with rss_gate"},
		{``, `"rules":"v1","kernel.features.fail_closed":true`, "a:kernel.features.fail_closed: cannot be on together with rss_gate"},
		{`"rules":"v1","features":{"control":"always"}`, ``, "kernel.features.control: needs cache groups, which the rules v1 do not have"},
		{`"features":{"no_balance":true}`, ``, "kernel.features.no_balance: leaves nothing that acts"},
		{``, `"workload.0.group":1`, "workload.0.group: needs the proposed prctl"},
		{``, `"workload.0.cas_tolerance":5`, "workload.0.cas_tolerance: needs the proposed prctl"},
		{``, `"workload.0.cas_off":true`, "workload.0.cas_off: needs the proposed prctl"},
	} {
		_, err := rules(c.kernel, c.set)
		if assert.Error(t, err, c.kernel+c.set) {
			assert.Contains(t, err.Error(), c.want)
		}
	}
	_, err := rules(`"features":{"control":"advise"}`, `"workload.0.group":1,"workload.0.cas_off":true,"workload.0.cas_tolerance":5`)
	assert.NoError(t, err)
}

// Every setting under kernel.features has a row that says who proposed it.
func TestEveryFeatureHasARow(t *testing.T) {
	var all string
	for _, r := range cas.AboutProposals() {
		all += " " + strings.NewReplacer("=", " ", ",", " ").Replace(r.Name) + " "
	}
	s := load(t, "latch")
	for _, f := range s.Fields() {
		name, ok := strings.CutPrefix(f.Path, "kernel.features.")
		if ok && name != "numa_stable_ms" {
			assert.Contains(t, all, " "+name+" ")
		}
	}
}

// What a version switches is what it says in the table.
func TestSwitches(t *testing.T) {
	for version, want := range map[string]string{
		"v7.3": "", "next": "visited_cpus=1", "nothing": "",
		"v7.2": "misfit_guard=0 asym_first=0 active_intent=0 runnable_pref=0 domain_bytes=0",
	} {
		assert.Equal(t, want, Switches(version), version)
	}
	assert.Contains(t, Switches("rfc-v1"), "no_memory_gate=1")
}
