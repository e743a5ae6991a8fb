package fair

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"casplay/core/kernel"
)

// A task that sleeps while ineligible is counted on its preferred LLC before
// the fix, and not after; either way the count ends at zero.
func TestDelayedTaskCount(t *testing.T) {
	for _, runnable := range []bool{false, true} {
		s := newRig(t, "pack:2 l3:1(size=16MB) core:4 pu:1", func(c *kernel.Config) { c.Features.RunnablePref = runnable })
		r := &s.rqs[0]
		task := &Task{State: Queued, preferredLLC: 0}
		s.llcEnqueue(r, task)
		assert.EqualValues(t, 1, r.nrPrefLLCRunning)
		s.prefDelayed(r, task, -1)
		task.State = Delayed
		want := int32(1)
		if runnable {
			want = 0
		}
		assert.Equal(t, want, r.nrPrefLLCRunning, "runnable=%v", runnable)
		s.llcDequeue(r, task)
		assert.Zero(t, r.nrPrefLLCRunning, "runnable=%v", runnable)
	}
}

// The footprint that NUMA balancing writes stays where the gate reads it when
// more processes come.
func TestGroupsDoNotMove(t *testing.T) {
	s := newSched(t, "pack:2 l3:1(size=16MB) core:4 pu:1", nil)
	footprint := &s.CAS.Groups[s.NewGroup(0, 0)].Footprint
	for p := int32(1); p < 4; p++ {
		s.NewGroup(p, 0)
	}
	assert.Same(t, footprint, &s.CAS.Groups[0].Footprint)
}

// Two LLCs of different clock: an idle fast CPU takes from a slow one, but
// between cores only if its sibling idles too.
func TestAsymPriority(t *testing.T) {
	s := newRig(t, "pack:2 l3:1(size=16MB) core:2 pu:2", nil)
	assert.Nil(t, s.prio, "no priorities unless the machine says so")
	s.m.AsymPacking = true
	s.m.LLCs[0].FreqGHz, s.m.LLCs[1].FreqGHz = 5.1, 3.3
	s.buildAsym()
	fast, slow := int32(-1), int32(-1)
	for c := range s.m.CPUs {
		if s.m.CPUs[c].LLC == 0 {
			fast = int32(c)
		} else {
			slow = int32(c)
		}
	}
	top := &s.doms[s.rqs[fast].dom0+s.rqs[fast].ndom-1]
	env := &lbEnv{d: top, dst: fast, src: slow, idle: isIdle}
	assert.True(t, s.asym(top, fast, slow))
	assert.True(t, s.asymFirst(env, slow))
	s.cfg.Features.AsymFirst = false
	assert.False(t, s.asymFirst(env, slow), "7.2")
	assert.False(t, s.asym(top, slow, fast))
	s.add(s.siblings[fast][0], -1)
	assert.False(t, s.asym(top, fast, slow), "a busy sibling")
	assert.False(t, s.asym(&s.doms[s.rqs[fast].dom0], fast, s.siblings[fast][0]), "not between siblings")
}

// Wakeups of the first RFCs go to the preferred LLC; the second leaves a busy one alone.
func TestWakeLLC(t *testing.T) {
	for _, c := range []struct {
		wake, guard bool
		util        int64
		want        int32
	}{{false, false, 0, 0}, {true, false, 0, 5}, {true, false, 4096, 5}, {true, true, 3000, 5}, {true, true, 3100, 0}} {
		s := newRig(t, "pack:2 l3:1(size=16MB) core:4 pu:1", func(k *kernel.Config) {
			k.Features.WakeLLC, k.Features.WakeGuard = c.wake, c.guard
		})
		g := s.process()
		ti := s.sleeper(0, g)
		s.CAS.Groups[g].CPU = 5
		s.llcs[1].util, s.llcs[1].capacity = c.util, 4096
		assert.Equal(t, c.want, s.wakeLLC(&s.tasks[ti], 0), "%+v", c)
	}
}
