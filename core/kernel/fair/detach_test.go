package fair

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Tasks are detached from the tail of the list, the least recently run first;
// a refused one goes to the head (7.3 detach_tasks).
func TestDetachOrder(t *testing.T) {
	s := newRig(t, twoLLCs, nil)
	var ids []int32
	for range 6 {
		ids = append(ids, s.add(8, -1))
	}
	s.later(1e6)
	r := &s.rqs[8]
	assert.Equal(t, []int32{ids[5], ids[4], ids[3], ids[2], ids[1], ids[0]}, r.list, "newcomers go to the head")
	assert.Equal(t, ids[0], r.Curr)
	s.tasks[ids[2]].Allowed = cpus(8)
	s.tasks[ids[2]].setAllowed(s.m)
	s.tasks[ids[2]].Process = 0 // not a worker of that CPU, a pinned thread
	env := &s.env
	*env = lbEnv{d: s.dom(0, levelPKG), src: 8, dst: 0, idle: isIdle, kind: migrateTask, imbalance: 2, loopMax: 6, allPinned: true}
	assert.Equal(t, 2, s.detachTasks(env))
	assert.Equal(t, []int32{ids[1], ids[3]}, env.moved, "the running task and the pinned one are passed over")
	assert.Equal(t, []int32{ids[2], ids[0], ids[5], ids[4]}, r.list)
	assert.True(t, env.somePinned)
	assert.False(t, env.allPinned)
}

// A newly idle CPU takes one task, a pass for an idle CPU leaves the source one (7.3 detach_tasks).
func TestDetachLimits(t *testing.T) {
	for idle, want := range map[idleType]int{newlyIdle: 1, isIdle: 3} {
		s := newRig(t, twoLLCs, nil)
		for range 4 {
			s.add(8, -1)
		}
		s.later(1e6)
		env := &s.env
		*env = lbEnv{d: s.dom(0, levelPKG), src: 8, dst: 0, idle: idle, kind: migrateTask, imbalance: 9, loopMax: 32}
		assert.Equal(t, want, s.detachTasks(env), idle.String())
	}
}

// A worker that belongs to its CPU is no reason to call a pass pinned: it must
// not flag the group as imbalanced (7.3 can_migrate_task, kthread_is_per_cpu).
func TestWorkersAreNotPinnedTasks(t *testing.T) {
	for _, process := range []int32{-1, 0} {
		s := newRig(t, "pack:2 l3:1 core:4 pu:1", nil)
		s.add(0, -1)
		w := s.add(0, -1)
		s.tasks[w].Allowed = cpus(0)
		s.tasks[w].setAllowed(s.m)
		s.tasks[w].Process = process
		s.later(1e6)
		s.rqs[0].list = []int32{s.rqs[0].Curr, w}
		s.pass(1, levelMC, isIdle)
		flagged := s.groups[s.dom(1, levelPKG).groups[0]].imbalance
		assert.Equal(t, process >= 0, flagged, "process %d", process)
	}
}

// Hot tasks stay until the failures exceed cache_nice_tries; delayed ones move
// only by load; ineligible ones not to a busy CPU at the first try (7.3 can_migrate_task).
func TestCanMigrateTask(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(s rig, ti int32, env *lbEnv)
		want bool
	}{
		{"cold", func(s rig, ti int32, env *lbEnv) {}, true},
		{"hot", func(s rig, ti int32, env *lbEnv) { s.tasks[ti].execStart = s.Now - migrationCost + 1 }, false},
		{"just cold", func(s rig, ti int32, env *lbEnv) { s.tasks[ti].execStart = s.Now - migrationCost }, true},
		{"hot, 1 failure", func(s rig, ti int32, env *lbEnv) { s.tasks[ti].execStart = s.Now; env.d.nrBalanceFailed = 1 }, false},
		{"hot, 2 failures", func(s rig, ti int32, env *lbEnv) { s.tasks[ti].execStart = s.Now; env.d.nrBalanceFailed = 2 }, true},
		{"delayed, by task", func(s rig, ti int32, env *lbEnv) { s.tasks[ti].State = Delayed }, false},
		{"delayed, by load", func(s rig, ti int32, env *lbEnv) { s.tasks[ti].State = Delayed; env.kind = migrateLoad }, true},
		{"ineligible, idle destination", func(s rig, ti int32, env *lbEnv) { s.ahead(ti) }, true},
		{"ineligible, busy destination", func(s rig, ti int32, env *lbEnv) { s.ahead(ti); s.add(0, -1) }, false},
		{"ineligible, busy destination, 1 failure", func(s rig, ti int32, env *lbEnv) {
			s.ahead(ti)
			s.add(0, -1)
			env.d.nrBalanceFailed = 1
		}, true},
		{"elsewhere only", func(s rig, ti int32, env *lbEnv) { s.tasks[ti].Allowed = cpus(8, 9) }, false},
	} {
		s := newRig(t, twoLLCs, nil)
		run := s.add(8, -1)
		ti := s.add(8, -1)
		s.later(10e6)
		env := &lbEnv{d: s.dom(0, levelPKG), src: 8, dst: 0, idle: isIdle, kind: migrateTask}
		c.edit(s, ti, env)
		assert.Equal(t, c.want, s.canMigrate(env, ti), c.name)
		assert.False(t, s.canMigrate(env, run), "the running task never")
	}
}

// ahead makes a queued task ineligible.
func (s rig) ahead(ti int32) {
	r := &s.rqs[s.tasks[ti].CPU]
	s.treeRemove(r, ti)
	s.tasks[ti].vruntime += 5e6
	s.treeInsert(r, ti)
}
