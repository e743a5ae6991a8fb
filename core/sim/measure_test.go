package sim

import (
	"testing"

	"casplay/core/kernel"
	"casplay/core/machine"
	"casplay/core/result"
	"casplay/core/workload"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func runSet(t testing.TB, m *machine.Machine, k kernel.Config, set workload.Set, seed uint64, maxNs int64) (*Sim, *result.Run) {
	t.Helper()
	s, err := New(Setup{Machine: m, Kernel: k, Workload: set, Seed: seed, MaxNs: maxNs, SampleNs: 10e6})
	require.NoError(t, err)
	return s, finish(s)
}

// pair is a ping-pong of two bound threads over free channels of state lines.
func pair(a, b int, lines int64, sync bool) workload.Set {
	op := func(k workload.OpKind, ch int64) workload.Op {
		return workload.Op{Kind: k, Profile: -1, Region: -1, A: ch, B: 1}
	}
	count := workload.Op{Kind: workload.OpUnits, Profile: -1, Region: -1, A: 1}
	var x, y machine.Set
	x.Add(a)
	y.Add(b)
	p := workload.Proc{
		Name: "pair", SpawnGapNs: 1000, Unit: "rounds",
		Progs: [][]workload.Op{
			{compute(10_000), op(workload.OpSend, 0), op(workload.OpRecv, 1), count, loop(0, -1)},
			{op(workload.OpRecv, 0), compute(10_000), op(workload.OpSend, 1), loop(0, -1)},
		},
		Threads: []workload.Thread{{Prog: 0, Allowed: x, AllowedUntilNs: -1, WakeStats: true}, {Prog: 1, Allowed: y, AllowedUntilNs: -1, WakeStats: true}},
	}
	ch := workload.Channel{Capacity: 1, Lines: lines, Sync: sync}
	return workload.Set{Procs: []workload.Proc{p}, Channels: []workload.Channel{ch, ch}}
}

// A round of a ping-pong costs exactly its work, its lines at the relation of
// the CPUs, its wakeups and its switches.
func TestPingPongClosedForm(t *testing.T) {
	m := synthetic(t, "pack:2 l3:1 core:4 pu:1")
	k := quiet(1000)
	k.Timing.SwitchNs, k.Timing.WakeNs, k.Timing.WakeLines = 700, 400, 3
	exit := m.Perf.Idle[0].ExitNs
	for _, c := range []struct {
		a, b  int
		lines int64
	}{{0, 1, 0}, {0, 1, 5}, {0, 4, 0}, {0, 4, 5}} {
		s, r := runSet(t, m, k, pair(c.a, c.b, c.lines, false), 1, 100e6)
		line := int64(m.TransferNs(c.a, c.b))
		// Each side: work, then a send with its lines, the wakeup with its
		// lines, interrupt and idle exit at the other end, the switch, the
		// lines of task and queue, of the channel and of the message.
		wakeNs := m.Perf.IPINs + exit + k.Timing.SwitchNs + 3*line
		half := 10_000 + wakeNs + c.lines*line + messageLines(1)*line
		rounds := metric(r, "throughput_rounds") / 1000
		assert.InEpsilon(t, 1e9/float64(2*half), rounds, 0.08, "%+v", c)
		assert.InDelta(t, m.Perf.IPINs+exit+700+400+6*line, s.measure.wake.quantile(50, 100), 400, "%+v", c)
	}
}

// Warm-up: what comes before it is not measured.
func TestWarmUpIsLeftOut(t *testing.T) {
	m := synthetic(t, "pack:1 l3:1 core:2 pu:1")
	work := compute(1e6)
	work.System = true
	units := workload.Op{Kind: workload.OpUnits, A: 1}
	p := program(1, workload.Op{Kind: workload.OpSleep, A: 50e6}, work, units, loop(1, -1))
	p.Unit, p.FullUnits = "steps", 5000
	_, r := runSet(t, m, quiet(1000), workload.Set{Procs: []workload.Proc{p}}, 1, 100e6)
	assert.InEpsilon(t, 500_000, metric(r, "throughput_steps"), 0.03, "half of the time was sleep")
	p.WarmupNs = 50e6
	_, r = runSet(t, m, quiet(1000), workload.Set{Procs: []workload.Proc{p}}, 1, 100e6)
	assert.InEpsilon(t, 1_000_000, metric(r, "throughput_steps"), 0.03)
	assert.InEpsilon(t, int64(5e9), metric(r, "projected_s"), 0.03)
	assert.EqualValues(t, 1_000_000, metric(r, "sys_pct"), "all of it is kernel time")
	assert.Equal(t, metric(r, "sys_pct"), metric(r, "sys_syscall_pct"))
}

// Kernel time is part of busy time, and its parts add up.
func TestKernelTimeAddsUp(t *testing.T) {
	m := synthetic(t, "pack:2 l3:1 core:4 pu:2")
	for _, kind := range []string{"hackbench", "netperf", "sysbench", "valkey"} {
		spec, ok := workload.Defaults(kind)
		require.True(t, ok)
		for key, v := range map[string]int64{"fds": 4, "threads": 8, "servers": 2, "loops": 0} {
			if _, has := spec.Values[key]; has {
				spec.Values[key] = v
			}
		}
		set, err := workload.Compile([]workload.Spec{spec}, m)
		require.NoError(t, err)
		_, r := runSet(t, m, kernel.Default(1000), set, 1, 50e6)
		sum := int64(0)
		for f := range kernel.NumFunctions {
			sum += max(metric(r, "sys_"+f.String()+"_pct"), 0)
		}
		assert.InDelta(t, metric(r, "sys_pct"), sum, float64(kernel.NumFunctions), kind)
		assert.LessOrEqual(t, metric(r, "sys_pct"), int64(1_000_000), kind)
		assert.Positive(t, metric(r, "wake_p99_us"), kind)
		assert.GreaterOrEqual(t, metric(r, "wake_p99_us"), metric(r, "wake_p50_us"), kind)
	}
}

// Every kind runs on a small machine, twice the same.
func TestEveryKindRuns(t *testing.T) {
	m := synthetic(t, "pack:2 numa:1 l3:2(size=16MB) core:4 pu:2")
	for _, kind := range workload.Kinds() {
		spec, _ := workload.Defaults(kind.Name)
		for key, v := range map[string]int64{"threads": 6, "workers": 4, "array_mib": 16, "servers": 2, "fds": 3} {
			if _, has := spec.Values[key]; has {
				spec.Values[key] = v
			}
		}
		if kind.Name == "mg" {
			spec.Values["class"] = "S"
		}
		set, err := workload.Compile([]workload.Spec{spec}, m)
		require.NoError(t, err, kind.Name)
		_, a := runSet(t, m, kernel.Default(1000), set, 1, 40e6)
		_, b := runSet(t, m, kernel.Default(1000), set, 1, 40e6)
		assert.Equal(t, a.Digest, b.Digest, kind.Name)
		assert.Positive(t, metric(a, "cpu_util_pct"), kind.Name)
		for _, x := range a.Metrics {
			assert.GreaterOrEqual(t, x.Raw, int64(0), "%s %s", kind.Name, x.Name)
		}
	}
}

// Messages are neither lost nor invented, whoever blocks.
func TestMessagesAreConserved(t *testing.T) {
	m := synthetic(t, "pack:2 l3:1 core:3 pu:1")
	for _, transport := range []string{"pipe", "socket"} {
		for _, mode := range []string{"threads", "process"} {
			spec, _ := workload.Defaults("hackbench")
			spec.Values["fds"], spec.Values["loops"], spec.Values["transport"], spec.Values["mode"] = int64(5), int64(120), transport, mode
			set, err := workload.Compile([]workload.Spec{spec}, m)
			require.NoError(t, err)
			s, err := New(Setup{Machine: m, Kernel: kernel.Default(1000), Workload: set, Seed: 2, MaxNs: 5e9, UntilDone: true, SampleNs: 10e6})
			require.NoError(t, err)
			r := finish(s)
			assert.True(t, r.Done, transport+" "+mode)
			var units int64
			for i := range s.procs {
				units += s.procs[i].units
			}
			assert.EqualValues(t, 5*5*120, units, transport+" "+mode)
			for i := range s.channels {
				assert.Zero(t, s.channels[i].n)
			}
		}
	}
}

// Gathered lines cost the mean relation to the other threads.
func TestGatherClosedForm(t *testing.T) {
	m := synthetic(t, "pack:2 l3:1 core:4 pu:1")
	for _, place := range []string{"packed", "round-robin"} {
		spec, _ := workload.Defaults("verilator")
		spec.Values["threads"], spec.Values["place"], spec.Values["imbalance_pct"], spec.Values["lines"] = int64(2), place, int64(0), int64(100)
		set, err := workload.Compile([]workload.Spec{spec}, m)
		require.NoError(t, err)
		_, r := runSet(t, m, quiet(1000), set, 1, 50e6)
		line := m.Perf.C2CNs.LLC
		if place == "round-robin" {
			line = m.TransferNs(0, 4)
		}
		assert.InEpsilon(t, 1e12/(20_000+100*line), metric(r, "throughput_steps"), 0.02, place)
	}
}

// TestHandoverClosedForm: writers and a reader that crowd a channel take turns,
// and each turn lasts as long as the lock is held and its lines take to come,
// those of the handover among them.
func TestHandoverClosedForm(t *testing.T) {
	m := synthetic(t, "pack:1 l3:1 core:8 pu:1")
	const writers, each, lines, hold = 6, 2000, 2, 200
	run := func(handover int64) float64 {
		send := []workload.Op{compute(10), {Kind: workload.OpSend, A: 0, B: 1}, loop(0, each), exitOp}
		recv := []workload.Op{compute(10), {Kind: workload.OpRecv, A: 0}, loop(0, writers*each), exitOp}
		p := workload.Proc{Name: "crowd", SpawnGapNs: 1000, Progs: [][]workload.Op{send, recv}, Threads: make([]workload.Thread, writers+1)}
		p.Threads[0].Prog = 1
		ch := workload.Channel{Capacity: 64, Lines: lines, HoldNs: hold, HandoverLines: handover}
		s, err := New(Setup{Machine: m, Kernel: quiet(1000), Workload: workload.Set{Procs: []workload.Proc{p}, Channels: []workload.Channel{ch}}, Seed: 1, MaxNs: 5e9, UntilDone: true, SampleNs: 10e6})
		require.NoError(t, err)
		r := finish(s)
		require.True(t, r.Done)
		return float64(metric(r, "runtime_s"))
	}
	turn := func(handover int64) float64 { return hold + float64(lines+handover)*m.Perf.C2CNs.LLC }
	// Two turns a message, and one for each look of the reader in vain.
	turns := run(0) / turn(0)
	assert.GreaterOrEqual(t, turns, 2.0*writers*each)
	assert.LessOrEqual(t, turns, 3.0*writers*each)
	assert.InEpsilon(t, turns*turn(4), run(4), 0.02)
}
