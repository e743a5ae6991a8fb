package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"casplay/core/kernel"
	"casplay/core/workload"
)

// Processes share a cache group only where the kernel has the proposed prctl;
// then the group has the threads and memory of both, and what the first asked for.
func TestSharedGroup(t *testing.T) {
	for control, want := range map[kernel.Control]struct{ groups, threads int }{kernel.ControlGlobal: {2, 1}, kernel.ControlAlways: {1, 2}} {
		p := program(1, compute(1e6), exitOp)
		p.Group, p.Tolerance, p.CacheOff, p.RSSBytes = 1, 7, true, 1<<20
		k := quiet(1000)
		k.Features.Control = control
		s := start(t, synthetic(t, "pack:2 l3:1(size=16MB) core:4 pu:1"), k, 1, p, p)
		for range 200 {
			s.Step(1)
		}
		groups := s.sched.CAS.Groups
		assert.Len(t, groups, want.groups, control)
		assert.Equal(t, want.threads, groups[0].Threads, control)
		assert.EqualValues(t, want.threads<<20, groups[0].RSSBytes, control)
		assert.Equal(t, control != kernel.ControlGlobal, groups[0].Own, control)
	}
}

// A process splits its threads into cache groups only where the kernel has the
// proposed prctl: equal parts in the order of creation, each with what was asked.
func TestSplitGroups(t *testing.T) {
	for control, want := range map[kernel.Control][]int{kernel.ControlGlobal: {5}, kernel.ControlAlways: {3, 2}} {
		p := program(5, compute(50e6), exitOp)
		p.CacheGroups, p.RSSBytes, p.Tolerance, p.SizeTolerance, p.OveraggrPct = 2, 1<<20, -1, 3, 40
		k := quiet(1000)
		k.Features.Control = control
		s := start(t, synthetic(t, "pack:2 l3:1(size=16MB) core:4 pu:1"), k, 1, p, program(1, compute(1e6), exitOp))
		for range 400 {
			s.Step(1)
		}
		groups := s.sched.CAS.Groups
		assert.Len(t, groups, len(want)+1, control)
		for i, n := range want {
			assert.Equal(t, n, groups[i].Threads, control)
			assert.EqualValues(t, 1<<20, groups[i].RSSBytes, control)
			assert.Equal(t, control != kernel.ControlGlobal, groups[i].OwnSize, control)
			assert.False(t, groups[i].Own, control)
		}
		assert.EqualValues(t, 0, s.sched.Task(2).Group, control)
		assert.EqualValues(t, len(want)-1, s.sched.Task(3).Group, control)
	}
}

// account_mm_sched costs its time at each context switch, while CAS is active.
func TestAccountCost(t *testing.T) {
	var ns [2]int64
	for i, on := range []bool{false, true} {
		k := quiet(1000)
		k.CAS.Enabled, k.Timing.AccountNs = on, 220
		s := start(t, synthetic(t, "pack:2 l3:1(size=16MB) core:4 pu:1"), k, 1, program(2, compute(5e6), workload.Op{Kind: workload.OpSleep, A: 1e6}, loop(0, 10), exitOp))
		finish(s)
		ns[i] = s.measure.sys[kernel.CacheAccount]
	}
	assert.Zero(t, ns[0])
	assert.GreaterOrEqual(t, ns[1], int64(20*220))
}
