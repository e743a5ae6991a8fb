package fair

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"casplay/core/kernel"
)

// hybrid has big cores 0-3 and small cores 4-7 of capacity 512, an LLC each.
func hybrid(t *testing.T, guard bool) rig {
	s := newRig(t, "pack:1 l3:2(size=16MB) core:4 pu:1", func(c *kernel.Config) { c.Features.MisfitGuard = guard })
	m := *s.m
	m.LLCs = append(m.LLCs[:0:0], m.LLCs...)
	m.AsymCapacity = true
	m.LLCs[0].FreqGHz, m.LLCs[1].FreqGHz = 4, 2
	s.m = &m
	s.buildCapacity()
	s.buildTopology()
	return s
}

func TestCapacities(t *testing.T) {
	s := hybrid(t, true)
	assert.Equal(t, []int64{1024, 1024, 1024, 1024, 512, 512, 512, 512}, s.caps)
	top := s.dom(0, levelPKG)
	assert.True(t, s.asymDomain(top))
	assert.False(t, s.asymDomain(s.dom(0, levelMC)))
	assert.Zero(t, s.dom(0, levelMC).flags&preferSibling, "capacities are not spread over")
	assert.True(t, capacityGreater(1078, 1023))
	assert.False(t, capacityGreater(1078, 1024), "5 % is not noticeable")
}

// A task of 60 % of a big core does not fit a small one; where it was used counts.
func TestFitsCPU(t *testing.T) {
	s := hybrid(t, true)
	for _, c := range []struct {
		util     int64
		on       int32
		big, lit bool
	}{{400, 0, true, true}, {409, 0, true, true}, {410, 0, true, false}, {819, 0, true, false}, {820, 0, false, false}, {819, 4, true, true}, {820, 4, true, false}, {1024, 4, true, false}} {
		task := &Task{CPU: c.on}
		task.avg.UtilAvg = c.util
		assert.Equal(t, c.big, s.fitsCPU(task, 0), "%+v", c)
		assert.Equal(t, c.lit, s.fitsCPU(task, 4), "%+v", c)
	}
}

// The guard: no pull to the preferred LLC that makes a misfit, misfits before
// the tag and before the protection of the preferred LLC (f0d243a96f26).
func TestMisfitGuard(t *testing.T) {
	for _, guard := range []bool{false, true} {
		s := hybrid(t, guard)
		g := s.process()
		s.publish(0, 20)
		s.publish(1, 20)
		ti := s.add(0, g)
		s.prefer(g, 4, ti)
		task := &s.tasks[ti]
		task.avg.UtilAvg = 600
		s.env = lbEnv{d: s.dom(4, levelPKG), src: 0, dst: 4, task: ti, idle: isIdle, kind: migrateLLCTask}
		env := &s.env
		assert.Equal(t, guard, s.degradesLLC(env, task), "guard=%v", guard)
		task.avg.UtilAvg = 300
		assert.False(t, s.degradesLLC(env, task), "it fits, guard=%v", guard)
	}
}

// A misfit on its preferred LLC of small cores is pulled to an idle big core
// with the guard; without, LLC affinity protects it.
func TestMisfitMoves(t *testing.T) {
	for _, guard := range []bool{false, true} {
		s := hybrid(t, guard)
		g := s.process()
		s.publish(0, 0)
		s.publish(1, 25)
		ti := s.add(4, g)
		s.prefer(g, 4, ti)
		s.tasks[ti].avg.UtilAvg = 1000
		s.updateMisfit(&s.rqs[4], 4, ti)
		assert.Positive(t, s.rqs[4].misfit)
		s.pass(0, levelPKG, isIdle)
		s.stop()
		want := int32(4)
		if guard {
			want = 0
		}
		assert.Equal(t, want, s.tasks[ti].CPU, "guard=%v", guard)
	}
}

// A wakeup looks at all capacities for a CPU that the task fits.
func TestWakeupFits(t *testing.T) {
	s := hybrid(t, true)
	task := s.tasks[s.sleeper(5, s.process())]
	task.avg.UtilAvg = 300
	assert.EqualValues(t, 5, s.idleSibling(&task, 5, 5, -1))
	task.avg.UtilAvg = 1000
	assert.EqualValues(t, 0, s.idleSibling(&task, 5, 5, -1), "the first big one")
	for c := range int32(4) {
		s.add(c, -1)
	}
	assert.EqualValues(t, 5, s.idleSibling(&task, 5, 5, -1), "no big one idles")
}
