package oracle_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"casplay/core/oracle"
	"casplay/scenarios"
)

// lines are the fields of the lines of a file of the harness.
func lines(t *testing.T, name string, fields int) (out [][]string) {
	text, err := os.ReadFile("harness/" + name)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if f := strings.SplitN(strings.Join(strings.Fields(line), " "), " ", fields); len(f) > 1 && !strings.HasPrefix(line, "#") {
			out = append(out, f)
		}
	}
	return out
}

// topology is what the guest reads back on a machine of the harness: each socket
// has one LLC, and a node for each -numa node option.
func topology(t *testing.T, f []string) oracle.Topology {
	smp := map[string]int{}
	for _, kv := range strings.Split(f[1], ",")[1:] {
		k, v, _ := strings.Cut(kv, "=")
		n, err := strconv.Atoi(v)
		require.NoError(t, err)
		smp[k] = n
	}
	span := func(i, n int) string { return strconv.Itoa(i*n) + "-" + strconv.Itoa(i*n+n-1) }
	out := oracle.Topology{Name: f[0], SMP: f[1], SMT: span(0, smp["threads"])}
	for i := range smp["sockets"] {
		out.LLCs = append(out.LLCs, oracle.LLC{CPUs: span(i, smp["cores"]*smp["threads"]), Size: "16384K"})
	}
	nodes := max(strings.Count(strings.Join(f[2:], " "), "-numa node"), 1)
	for i := range nodes {
		out.Nodes = append(out.Nodes, span(i, smp["sockets"]*smp["cores"]*smp["threads"]/nodes))
	}
	return out
}

// Every experiment of the harness converts and runs, recorded here or not.
func TestEveryListedExperimentRuns(t *testing.T) {
	machines := map[string]oracle.Topology{}
	for _, f := range lines(t, "topologies", 3) {
		machines[f[0]] = topology(t, f)
	}
	list := lines(t, "experiments", 3)
	require.Greater(t, len(list), 100)
	for _, f := range list {
		top, known := machines[f[0]]
		require.True(t, known, f[0])
		e := &oracle.Experiment{Name: f[1], Spec: f[2], HZ: 250, Topology: top}
		if len(top.Nodes) > 1 {
			e.Knobs.NUMA = 1
		}
		s, err := oracle.Convert(e, scenarios.Library{})
		require.NoError(t, err, f[1])
		r, err := oracle.Measure(e, s, 1)
		require.NoError(t, err, f[1])
		spec, err := oracle.ParseSpec(f[2])
		require.NoError(t, err, f[1])
		for i := range spec.Work {
			assert.Equal(t, spec.Work[i].Threads(), r.Procs[i].Threads, "%s process %d: threads that were born", f[1], i)
		}
	}
}
