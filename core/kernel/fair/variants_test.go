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
		assert.Equal(t, c.want, s.wakeLLC(&s.tasks[ti], 0, false), "%+v", c)
	}
}

// The tick that ends a delayed sleep leaves the count of tasks on their preferred
// LLC equal to the runnable ones, so that active balance does not tear off the
// runner; before the fix the two differ and it does (September 2026).
func TestDelayedTaskAndActiveBalance(t *testing.T) {
	for _, runnable := range []bool{false, true} {
		s := newRig(t, "pack:1 l3:2(size=16MB) core:4 pu:1", func(c *kernel.Config) { c.Features.RunnablePref = runnable })
		g := s.process()
		a, b := s.add(0, g), s.add(0, g)
		s.prefer(g, 0, a, b)
		s.publish(0, 25)
		s.publish(1, 0)
		r := &s.rqs[0]
		sleeper := a
		if r.Curr == a {
			sleeper = b
		}
		s.delayAgain(r, &s.tasks[sleeper]) // sleeps, but stays queued
		env := &lbEnv{d: s.dom(4, levelPKG), src: 0, dst: 4, idle: isIdle, kind: migrateTask}
		env.d.nrBalanceFailed = 9
		assert.Equal(t, !runnable, s.needActive(env), "runnable=%v: torn off", runnable)
	}
}

// One task off its preferred LLC on an idle machine goes there (August 2026).
func TestLoneTaskReturns(t *testing.T) {
	s := newRig(t, "pack:1 l3:2(size=16MB) core:4 pu:1", nil)
	g := s.process()
	ti := s.add(0, g)
	s.prefer(g, 4, ti)
	s.publish(0, 25)
	s.publish(1, 0)
	s.pass(4, levelPKG, isIdle)
	assert.True(t, s.stop())
	assert.EqualValues(t, 4, s.tasks[ti].CPU)
}

// The attempts before asym packing came first: cache-aware scheduling off where
// there is asym packing, or asym packing without a say between LLCs.
func TestAsymAttempts(t *testing.T) {
	s := newRig(t, "pack:1 l3:2(size=16MB) core:4 pu:1", nil)
	m := *s.m
	m.LLCs = append(m.LLCs[:0:0], m.LLCs...)
	m.AsymPacking, s.m = true, &m
	m.LLCs[0].FreqGHz, m.LLCs[1].FreqGHz = 5, 3
	s.buildAsym()
	ti := s.add(4, s.process())
	s.prefer(0, 4, ti)
	env := &lbEnv{d: s.dom(0, levelPKG), dst: 0, src: 4, idle: isIdle}
	claim := func() bool {
		st := &groupStats{nr: 1, weight: 4, idle: 3}
		g := &s.groups[env.d.groups[1]]
		return s.groupAsym(env, g, st) && s.needActive(env)
	}
	assert.True(t, claim(), "7.3")
	s.cfg.Features.AsymFirst, s.cfg.Features.CASOverAsym = false, true
	assert.False(t, claim())
	cfg := s.cfg
	cfg.Features.CASOverAsym, cfg.Features.AsymOff = false, true
	assert.True(t, s.CAS.Config.Active)
	s.Configure(cfg)
	assert.False(t, s.CAS.Config.Active)
	assert.True(t, claim(), "nothing is left to protect the LLC")
}

// A synchronous wakeup is left alone with sync_wake.
func TestSyncWake(t *testing.T) {
	for _, c := range []struct {
		feature, sync bool
		want          int32
	}{{false, false, 5}, {false, true, 5}, {true, false, 5}, {true, true, 0}} {
		s := newRig(t, "pack:2 l3:1(size=16MB) core:4 pu:1", func(k *kernel.Config) {
			k.Features.WakeLLC, k.Features.SyncWake = true, c.feature
		})
		g := s.process()
		ti := s.sleeper(0, g)
		s.CAS.Groups[g].CPU = 5
		assert.Equal(t, c.want, s.wakeLLC(&s.tasks[ti], 0, c.sync), "%+v", c)
	}
}

// A scan that is preempted ends later by the time its task waited; until then
// its work is not submitted again with work-last.
func TestPreemptedScan(t *testing.T) {
	for _, submission := range []kernel.Submission{kernel.SubmitMerged, kernel.SubmitWorkLast} {
		s := newRig(t, "pack:2 l3:1(size=16MB) core:4 pu:1", func(c *kernel.Config) { c.Features.Submission = submission })
		g := s.process()
		ti := s.add(0, g)
		task := &s.tasks[ti]
		task.workEnds = s.Now + 500
		s.putPrev(&s.rqs[0])
		s.Now += 20e6
		s.setNext(0, ti, -1)
		assert.EqualValues(t, s.Now+500, task.workEnds)
		s.BeginTick(s.Jiffies + 20)
		s.CAS.CPUs[0].Epoch = s.CAS.Groups[g].Epoch + 2
		s.tickCache(0, ti)
		assert.Equal(t, submission == kernel.SubmitMerged, task.cacheWork, submission)
		s.Now += 501
		s.tickCache(0, ti)
		assert.True(t, task.cacheWork, submission)
	}
}
