package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"casplay/core/machine"
	"casplay/core/workload"
)

// Where CPUs tick in turn, the tick of one of them advances jiffies: a CPU whose
// turn comes before still sees the last one, and now and then a process that
// has no thread there submits its scan one jiffy early, is refused, and scans
// less often; one that has never is (7.3 tick_sched_do_timer, task_cache_work).
func TestOneTickAdvancesJiffies(t *testing.T) {
	m := synthetic(t, "pack:2 l3:1 core:4 pu:1")
	k := quiet(250)
	k.CAS.Enabled = true
	k.CAS.EpochPeriod = 2
	k.Timing.TickTurnNs = 130_000
	bound := func(first int) workload.Proc {
		p := program(2, compute(4e9), exitOp)
		for i := range p.Threads {
			p.Threads[i].Allowed.Add(first + i)
		}
		return p
	}
	s := start(t, m, k, 1, bound(0), bound(4))
	scans := map[int32]int{}
	s.sched.CAS.OnScan = func(process int32, done bool, _ int32, _ int64) {
		if done {
			scans[process]++
		}
	}
	finish(s)
	require.GreaterOrEqual(t, s.keeper, int32(0))
	with, without := int32(0), int32(1)
	if s.keeper >= 4 {
		with, without = 1, 0
	}
	assert.InDelta(t, 500, scans[with], 3, "every second jiffy of 4 ms for 4 s")
	assert.Less(t, scans[without], 490)
	assert.Greater(t, scans[without], 375, "a refused scan comes a period later at most")
}

// A process that is bound in the middle of a run leaves its CPUs at once, and
// may go anywhere when it is freed; a CPU that goes offline is left too.
func TestBindAndOfflineEvents(t *testing.T) {
	m := synthetic(t, "pack:2 l3:1 core:2 pu:1")
	var offline machine.Set
	for _, c := range []int{0, 1, 3} {
		offline.Add(c)
	}
	s, err := New(Setup{
		Machine: m, Kernel: quiet(250), Seed: 1, MaxNs: 400e6, SampleNs: 10e6,
		Workload: workload.Set{Procs: []workload.Proc{program(2, compute(1e9), exitOp)}},
		Events: []Event{
			{AtNs: 100e6, Bind: true, Allowed: m.LLCs[1].CPUs},
			{AtNs: 200e6, Partitions: []machine.Set{offline}},
		},
	})
	require.NoError(t, err)
	where := func(until int64) (out machine.Set) {
		for s.Now() < until && !s.Step(1) {
		}
		for ti := range int32(2) {
			out.Add(int(s.sched.Task(ti).CPU))
		}
		return out
	}
	where(99e6)
	assert.Equal(t, m.LLCs[1].CPUs, where(101e6))
	var left machine.Set
	left.Add(3)
	assert.Equal(t, left, where(201e6), "both on the CPU of the LLC that is left")
	assert.Zero(t, s.sched.RQ(2).Runnable())
}
