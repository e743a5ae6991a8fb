package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"casplay/core/kernel"
	"casplay/core/machine"
	"casplay/core/memory"
	"casplay/core/result"
	"casplay/core/workload"
)

func synthetic(t testing.TB, s string) *machine.Machine {
	t.Helper()
	spec, err := machine.ParseSynthetic(s)
	require.NoError(t, err)
	m, err := spec.Build()
	require.NoError(t, err)
	return m
}

// program makes a process of n equal threads.
func program(n int, ops ...workload.Op) workload.Proc {
	p := workload.Proc{Name: "p", SpawnGapNs: 50_000, Progs: [][]workload.Op{ops}, Barriers: []workload.Barrier{{Parties: n}}, Threads: make([]workload.Thread, n)}
	for i := range p.Threads {
		p.Threads[i].SliceIndex, p.Threads[i].SliceCount = int32(i), int32(n)
	}
	return p
}

func compute(ns int64) workload.Op {
	return workload.Op{Kind: workload.OpCompute, Profile: -1, Region: -1, A: ns}
}

func loop(to, n int64) workload.Op { return workload.Op{Kind: workload.OpLoop, A: n, B: to} }

var exitOp = workload.Op{Kind: workload.OpExit}

// quiet is a kernel without background work, with free context switches and no
// cache-aware scheduling, whose bookkeeping moves cache lines.
func quiet(hz int) kernel.Config {
	k := kernel.Default(hz)
	k.Timing = kernel.Timing{StopperNs: 6000}
	k.NumaBalancing, k.CAS.Enabled = false, false
	return k
}

func start(t testing.TB, m *machine.Machine, k kernel.Config, seed uint64, procs ...workload.Proc) *Sim {
	t.Helper()
	s, err := New(Setup{Machine: m, Kernel: k, Workload: workload.Set{Procs: procs}, Seed: seed, MaxNs: 20e9, UntilDone: true, SampleNs: 10e6})
	require.NoError(t, err)
	return s
}

func finish(s *Sim) *result.Run {
	for !s.Step(10000) {
	}
	return s.Result()
}

func metric(r *result.Run, name string) int64 {
	for _, m := range r.Metrics {
		if m.Name == name {
			return m.Raw
		}
	}
	return -1
}

// A thread alone takes exactly its work; the runtime starts at OpMark.
func TestLoneThreadTakesItsWork(t *testing.T) {
	m := synthetic(t, "pack:1 l3:1 core:4 pu:1")
	r := finish(start(t, m, quiet(1000), 1, program(1, compute(123_456_789), exitOp)))
	assert.True(t, r.Done)
	assert.EqualValues(t, 123_456_789, metric(r, "runtime_s"))
	r = finish(start(t, m, quiet(1000), 1, program(1, compute(5e6), workload.Op{Kind: workload.OpMark}, compute(7e6), exitOp)))
	assert.EqualValues(t, 7e6, metric(r, "runtime_s"))
}

// More threads than CPUs: the CPU time is that of the work, and the runtime
// that of perfect sharing within a few slices.
func TestWorkIsConservedWhenCPUsAreShared(t *testing.T) {
	m := synthetic(t, "pack:2 l3:1 core:2 pu:1")
	for seed := range uint64(5) {
		s := start(t, m, quiet(250), seed, program(10, compute(100e6), exitOp))
		r := finish(s)
		var used int64
		for i := range s.threads {
			used += s.sched.Task(int32(i)).SumExec
		}
		assert.EqualValues(t, 10*100_000_000+9*50_000, used, "threads' work and the main thread's spawning")
		assert.InEpsilon(t, 250e6, metric(r, "runtime_s"), 0.25)
		assert.GreaterOrEqual(t, metric(r, "runtime_s"), int64(250_000_000))
	}
}

// A barrier is passed by all or none; with equal work and a CPU each nobody waits.
func TestBarrier(t *testing.T) {
	m := synthetic(t, "pack:1 l3:1 core:8 pu:1")
	for _, spin := range []int64{0, 1e6, 1e9} {
		p := program(4, compute(2e6), workload.Op{Kind: workload.OpBarrier, B: spin}, loop(0, 10), exitOp)
		s := start(t, m, quiet(1000), 1, p)
		r := finish(s)
		assert.True(t, r.Done, "spin %d", spin)
		// The last thread starts three spawn gaps after the first.
		assert.InDelta(t, 10*2e6+4*50_000, metric(r, "runtime_s"), 600_000, "spin %d", spin)
	}
}

// Messages arrive in order and none is lost: both ends finish.
func TestPipe(t *testing.T) {
	m := synthetic(t, "pack:2 l3:1 core:2 pu:1")
	send := []workload.Op{compute(1000), {Kind: workload.OpSend, A: 0, B: 100}, loop(0, 1000), exitOp}
	recv := []workload.Op{{Kind: workload.OpRecv, A: 0}, compute(2000), loop(0, 1000), exitOp}
	p := workload.Proc{Name: "pipe", SpawnGapNs: 1000, Progs: [][]workload.Op{send, recv}, Threads: []workload.Thread{{Prog: 0}, {Prog: 1}}}
	s, err := New(Setup{Machine: m, Kernel: quiet(1000), Workload: workload.Set{Procs: []workload.Proc{p}, Channels: []workload.Channel{{Capacity: 4}}}, Seed: 1, MaxNs: 5e9, UntilDone: true, SampleNs: 10e6})
	require.NoError(t, err)
	r := finish(s)
	assert.True(t, r.Done)
	assert.GreaterOrEqual(t, metric(r, "runtime_s"), int64(2_000_000), "the slower end sets the pace")
}

func busyProc(n int) workload.Proc {
	p := program(n, workload.Op{Kind: workload.OpTouch, Profile: -1, A: 200}, workload.Op{Kind: workload.OpCompute, Profile: 0, A: 3e6, Jitter: 200_000}, workload.Op{Kind: workload.OpBarrier, B: 200_000}, loop(1, 60), exitOp)
	p.Regions = []workload.Region{{Name: "heap", Bytes: 64 << 20, ChunkPages: 1}}
	p.Profiles = []memory.Profile{{Name: "sweep", BytesPerNs: 4, WriteShare: 0.3, Overlap: 0.5, WorkingSetBytes: 64 << 20}}
	return p
}

// Equal set-ups give equal bits, whatever the size of the steps; another seed
// gives others.
func TestDeterminism(t *testing.T) {
	m := synthetic(t, "pack:2 numa:1 l3:1(size=16MB) core:4 pu:1")
	k := kernel.Default(1000)
	k.Numa.ScanDelayMs = 20
	run := func(seed uint64, step int) string {
		s := start(t, m, k, seed, busyProc(6))
		for !s.Step(step) {
			s.Result()
		}
		return s.Result().Digest
	}
	a := run(1, 100000)
	assert.Equal(t, a, run(1, 100000))
	assert.Equal(t, a, run(1, 1))
	assert.NotEqual(t, a, run(2, 100000))
}

// Time goes forward, series have one value a sample, utilisation stays within
// 0..100 %, and no resource passes its capacity.
func TestSeriesAreSane(t *testing.T) {
	m := synthetic(t, "pack:2 numa:1 l3:1(size=16MB) core:4 pu:1")
	s := start(t, m, kernel.Default(1000), 1, busyProc(8))
	last := int64(0)
	for !s.Step(1) {
		require.GreaterOrEqual(t, s.Now(), last)
		last = s.Now()
	}
	r := s.Result()
	n := (r.SimNs + r.SampleNs - 1) / r.SampleNs
	for _, se := range r.Series {
		assert.Len(t, se.V, int(n), "%s %d", se.Kind, se.Index)
		for _, v := range se.V {
			assert.GreaterOrEqual(t, v, int32(0), "%s %d", se.Kind, se.Index)
			if se.Cap > 0 {
				assert.LessOrEqual(t, v, se.Cap+1, "%s %d", se.Kind, se.Index)
			}
		}
	}
}

// Every byte that LLCs fill comes from a node: the sums over the run agree.
func TestBytesAreConserved(t *testing.T) {
	m := synthetic(t, "pack:2 numa:1 l3:1(size=16MB) core:4 pu:1")
	r := finish(start(t, m, kernel.Default(1000), 3, busyProc(8)))
	var fill, node int64
	for _, se := range r.Series {
		for _, v := range se.V {
			switch se.Kind {
			case "llc_fill":
				fill += int64(v)
			case "node_bw":
				node += int64(v)
			}
		}
	}
	assert.Positive(t, fill)
	assert.InEpsilon(t, fill, node, 0.001)
}

// A process that is killed ends, sleeping threads included.
func TestKill(t *testing.T) {
	m := synthetic(t, "pack:1 l3:1 core:2 pu:1")
	p := program(6, compute(1e6), workload.Op{Kind: workload.OpSleep, A: 1e12}, exitOp)
	p.ExitNs = 50e6
	r := finish(start(t, m, quiet(1000), 1, p))
	assert.True(t, r.Done)
	assert.Less(t, r.SimNs, int64(60e6))
}

// Threads that the timeline puts to sleep stop using CPU time and go on after it.
func TestTimelineParks(t *testing.T) {
	m := synthetic(t, "pack:1 l3:1 core:4 pu:1")
	s, err := New(Setup{Machine: m, Kernel: quiet(1000), Workload: workload.Set{Procs: []workload.Proc{program(4, compute(3600e9), loop(0, -1))}}, Seed: 1, MaxNs: 300e6, SampleNs: 10e6,
		Events: []Event{{AtNs: 100e6, Park: true, ParkFrom: 1, ParkTo: 4, ParkNs: 100e6}}})
	require.NoError(t, err)
	r := finish(s)
	at := func(i int) int32 { return r.Series[0].V[i] }
	assert.InDelta(t, 10000, at(8), 200)
	assert.InDelta(t, 2500, at(15), 200)
	assert.InDelta(t, 10000, at(25), 200)
}
