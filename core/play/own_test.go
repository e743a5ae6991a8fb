package play

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"casplay/core/result"
	"casplay/core/scenario"
)

func TestOwnMachine(t *testing.T) {
	for _, base := range []string{"", "mg-c-4"} {
		o, err := OwnMachine("pack:2 numa:1 l3:1(size=32MB) core:4 pu:2", base)
		require.NoError(t, err)
		assert.Equal(t, "synthetic topology: 2 packages, 2 NUMA nodes, 2 LLCs, 8 cores, 16 CPUs, 32 MiB in the first LLC", o.Summary)
		s, err := Open(o.Scenario)
		require.NoError(t, err)
		assert.Len(t, s.Arms, 2)
		assert.Empty(t, s.Expect)
		link, err := OpenLink(o.Scenario)
		require.NoError(t, err)
		assert.Equal(t, 2, link.Scenario.Machine.Spec.Packages)
	}
	_, err := OwnMachine("nonsense", "")
	assert.ErrorContains(t, err, "line 1")
}

// TestOwnRtappRuns: mutex, signal, suspend and resume keep two tasks going.
func TestOwnRtappRuns(t *testing.T) {
	const file = `{"tasks":{
		"tick":{"loop":-1,"run":500,"resume":"work","timer":{"ref":"t","period":10000}},
		"work":{"loop":-1,"suspend","run":2000,"lock":"m","signal":"q","unlock":"m"},
		"sink":{"instance":2,"loop":-1,"lock":"m","wait":{"ref":"q","mutex":"m"},"unlock":"m","run":1000}
	},"global":{"duration":1}}`
	o, err := OwnRtapp(file, "")
	require.NoError(t, err)
	assert.Equal(t, "rt-app: 3 tasks, 4 threads", o.Summary)
	s, err := Open(o.Scenario)
	require.NoError(t, err)
	run, err := Run(s, Jobs(s)[0], nil)
	require.NoError(t, err)
	// each 10 ms: 0.5 ms of tick, 2 ms of work, 1 ms of the one sink that the
	// signal wakes, and some kernel time
	assert.InDelta(t, 36, metric(t, run, "cpu_util_pct"), 2)
}

func metric(t *testing.T, run *result.Run, name string) float64 {
	for _, m := range run.Metrics {
		if m.Name == name {
			return m.Value
		}
	}
	t.Fatal("no metric " + name)
	return 0
}

// TestOwnRtappCorpus runs real files for at most a second.
func TestOwnRtappCorpus(t *testing.T) {
	for _, name := range []string{"mp3-short", "video-short", "browser-short", "tutorial__example3", "tutorial__example5", "cpufreq_governor_efficiency__dvfs", "merge__thread0"} {
		data, err := os.ReadFile("../../../shared/corpus/rt-app/" + name + ".json")
		if err != nil {
			t.Skip("no corpus beside the repository")
		}
		o, err := OwnRtapp(string(data), "")
		require.NoError(t, err, name)
		s, err := Open(o.Scenario)
		require.NoError(t, err, name)
		s, err = s.With([]scenario.Setting{{Path: "run.max_s", Value: "1"}})
		require.NoError(t, err, name)
		run, err := Run(s, Jobs(s)[1], nil)
		require.NoError(t, err, name)
		t.Log(name, metric(t, run, "cpu_util_pct"), run.Events, run.Warnings)
	}
}
