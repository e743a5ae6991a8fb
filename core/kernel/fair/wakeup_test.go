package fair

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"casplay/core/kernel"
)

// The waker's CPU or the previous one, in the order of the rules (7.3
// wake_affine_idle, wake_affine_weight with WA_BIAS).
func TestWakeAffine(t *testing.T) {
	const this = 0
	load := func(cpu int32, v int64) func(s rig) {
		return func(s rig) { s.rqs[cpu].avg.LoadAvg = v }
	}
	for _, c := range []struct {
		name string
		prev int32
		busy []int32
		sync bool
		edit func(s rig)
		want int32
	}{
		{"a: waker idle, LLC shared, prev idle", 3, nil, false, nil, 3},
		{"a: waker idle, LLC shared, prev busy", 3, []int32{3}, false, nil, this},
		{"a: not across LLCs", 8, nil, false, nil, 8},
		{"b: sync, waker alone on its CPU", 8, []int32{0}, true, nil, this},
		{"b: sync, two tasks there", 8, []int32{0, 0}, true, nil, 8},
		{"b: a delayed task does not count", 8, []int32{0}, true, func(s rig) {
			d := s.add(0, -1)
			s.tasks[d].State = Delayed
			s.rqs[0].runnable--
		}, this},
		{"c: prev idle", 8, []int32{0}, false, nil, 8},
		{"d: less load here", 8, []int32{0, 8}, false, load(8, 3000), this},
		{"d: less load there", 8, []int32{0, 8}, false, load(0, 3000), 8},
		{"d: equal: (l + h) * 100 against (l - h) * 108", 8, []int32{0, 8}, false, func(s rig) { load(0, 1024)(s); load(8, 1024)(s) }, 8},
		// This CPU would carry 2047, the other 1048576/1025 = 1023 less.
		{"d: just less here", 8, []int32{0, 8}, false, func(s rig) { load(0, 1024)(s); load(8, 2919)(s) }, this},
		{"d: just not", 8, []int32{0, 8}, false, func(s rig) { load(0, 1024)(s); load(8, 2918)(s) }, 8},
	} {
		s := newRig(t, twoLLCs, nil)
		var by int32 = -1
		for _, cpu := range c.busy {
			ti := s.add(cpu, -1)
			if cpu == this && by < 0 {
				by = ti
			}
		}
		ti := s.Create(NewTask{Group: -1, Process: -1, NumaPreferred: -1})
		s.Settle(ti, c.prev)
		s.tasks[ti].avg.LoadAvg = 1024
		if c.edit != nil {
			c.edit(s)
		}
		s.rqs[c.prev].hLoad, s.rqs[c.prev].hLoadJiffies = s.rqs[c.prev].avg.LoadAvg, s.Jiffies
		d := s.affineDomain(this, c.prev)
		assert.Equal(t, c.want, s.wakeAffine(d, &s.tasks[ti], this, c.prev, by, c.sync), c.name)
	}
}

// Wakers and wakees with many partners are not pulled together (7.3 wake_wide).
func TestWakeWide(t *testing.T) {
	for _, c := range []struct {
		waker, wakee int32
		want         bool
	}{{64, 8, true}, {8, 64, true}, {63, 8, false}, {100, 7, false}, {8, 8, false}, {0, 0, false}} {
		s := newRig(t, twoLLCs, nil) // LLC of 8
		a, b := s.add(0, -1), s.add(1, -1)
		s.tasks[a].wakeeFlips, s.tasks[b].wakeeFlips = c.waker, c.wakee
		assert.Equal(t, c.want, s.wakeWide(a, &s.tasks[b], 0), "%+v", c)
	}
}

// The count of partners halves at most once a second (7.3 record_wakee).
func TestRecordWakee(t *testing.T) {
	s := newRig(t, twoLLCs, nil)
	a, b, c := s.add(0, -1), s.add(1, -1), s.add(2, -1)
	s.tasks[a].flipDecay = s.Now
	for i := range 6 {
		s.recordWakee(a, []int32{b, c}[i%2])
	}
	assert.EqualValues(t, 6, s.tasks[a].wakeeFlips)
	s.recordWakee(a, c)
	assert.EqualValues(t, 6, s.tasks[a].wakeeFlips, "the same partner again")
	s.later(1e9 + 1)
	s.recordWakee(a, c)
	assert.EqualValues(t, 3, s.tasks[a].wakeeFlips)
}

// The idle CPU that a wakeup takes, in the order of the rules (7.3 select_idle_sibling).
func TestSelectIdleSibling(t *testing.T) {
	const smt = "pack:2 l3:1 core:4 pu:2" // CPUs 0-7 and 8-15, siblings adjacent
	const clusters = "pack:2 l3:1 l2:2 core:4 pu:1"
	for _, c := range []struct {
		name         string
		topology     string
		prev, target int32
		busy         []int32
		edit         func(s rig, task *Task)
		want         int32
	}{
		{"1: target idle", twoLLCs, 3, 5, []int32{3}, nil, 5},
		{"2: prev idle in the same LLC", twoLLCs, 3, 5, []int32{5}, nil, 3},
		{"2: not in another", twoLLCs, 9, 5, []int32{5}, nil, 6},
		{"4: the CPU used before", twoLLCs, 3, 5, []int32{3, 5}, func(s rig, t *Task) { t.recentUsed = 1 }, 1},
		{"4: not of another LLC", twoLLCs, 3, 5, []int32{3, 5}, func(s rig, t *Task) { t.recentUsed = 9 }, 6},
		{"4: not when busy", twoLLCs, 3, 5, []int32{1, 3, 5}, func(s rig, t *Task) { t.recentUsed = 1 }, 6},
		{"4: not when forbidden", twoLLCs, 3, 5, []int32{3, 5}, func(s rig, t *Task) { t.recentUsed = 1; t.Allowed = cpus(3, 5, 7) }, 7},
		{"6: the first idle CPU after the target", twoLLCs, 5, 5, []int32{5, 6}, nil, 7},
		{"6: wrapping", twoLLCs, 5, 5, []int32{5, 6, 7}, nil, 0},
		{"6: as far as nr_idle_scan reaches", twoLLCs, 5, 5, []int32{5, 6, 7}, func(s rig, t *Task) { s.llcs[0].nrIdleScan = 3 }, 0},
		{"6: and no further", twoLLCs, 5, 5, []int32{5, 6, 7}, func(s rig, t *Task) { s.llcs[0].nrIdleScan = 2 }, 5},
		{"6: an overloaded LLC is not searched", twoLLCs, 5, 5, []int32{5}, func(s rig, t *Task) { s.llcs[0].nrIdleScan = 0 }, 5},
		{"7: all busy", twoLLCs, 5, 5, []int32{0, 1, 2, 3, 4, 5, 6, 7}, nil, 5},
		{"5: no idle core known: the sibling of prev", smt, 2, 2, []int32{2}, func(s rig, t *Task) { s.llcs[0].hasIdleCores = false }, 3},
		{"6: idle cores: a whole one after the target", smt, 2, 2, []int32{2}, nil, 4},
		{"6: cores with a busy thread are skipped", smt, 2, 2, []int32{2, 4, 7}, nil, 0},
		{"6: none is whole: the first idle CPU met", smt, 3, 3, []int32{0, 3, 5, 7}, nil, 4},
		{"6: none is whole: the target's own core is met first from its first thread", smt, 2, 2, []int32{0, 2, 5, 7}, nil, 3},
		{"6: idle cores do not help an overloaded LLC", smt, 2, 2, []int32{2}, func(s rig, t *Task) { s.llcs[0].nrIdleScan = 0 }, 2},
		{"6: with idle cores nr_idle_scan does not bound the search", smt, 2, 2, []int32{2, 4, 6}, func(s rig, t *Task) { s.llcs[0].nrIdleScan = 1 }, 0},
		{"2: cluster machine: prev in the target's cluster", clusters, 2, 1, []int32{1}, nil, 2},
		{"2: cluster machine: the target's cluster before prev elsewhere", clusters, 5, 1, []int32{1}, nil, 2},
		{"7: cluster machine: prev when the search finds nothing", clusters, 5, 1, []int32{1, 2, 3, 0}, func(s rig, t *Task) { s.llcs[0].nrIdleScan = 4 }, 5},
		{"6: cluster machine: then the rest of the LLC", clusters, 1, 1, []int32{0, 1, 2, 3, 4}, nil, 5},
	} {
		s := newRig(t, c.topology, nil)
		for _, cpu := range c.busy {
			s.add(cpu, -1)
		}
		ti := s.Create(NewTask{Group: -1, Process: -1, NumaPreferred: -1})
		s.Settle(ti, c.prev)
		task := &s.tasks[ti]
		task.recentUsed = c.prev
		if c.edit != nil {
			c.edit(s, task)
		}
		assert.Equal(t, c.want, s.idleSibling(task, c.prev, c.target, -1), c.name)
	}
}

// A fruitless search for an idle core clears the hint; a core that goes idle
// sets it again (7.3 select_idle_cpu, __update_idle_core).
func TestIdleCoreHint(t *testing.T) {
	s := newRig(t, "pack:2 l3:1 core:2 pu:2", nil)
	s.add(0, -1)
	s.add(2, -1)
	task := Task{CPU: 0, recentUsed: 0, Allowed: cpus(0, 1, 2, 3)}
	assert.True(t, s.llcs[0].hasIdleCores)
	s.idleSibling(&task, 0, 0, -1)
	assert.False(t, s.llcs[0].hasIdleCores)
	s.Block(2, false)
	assert.True(t, s.llcs[0].hasIdleCores)
}

// A wakee of another LLC, or for an idle CPU, is enqueued by an interrupt
// there; within the LLC a busy CPU gets it directly (7.3 ttwu_queue_cond).
func TestWakeQueueing(t *testing.T) {
	for _, c := range []struct {
		waker  int32
		busy   bool
		remote bool
	}{{1, true, false}, {1, false, true}, {9, true, true}, {9, false, true}, {0, false, false}} {
		s := newRig(t, twoLLCs, nil)
		ti := s.sleeper(0, -1)
		s.tasks[ti].Allowed = cpus(0)
		s.tasks[ti].setAllowed(s.m)
		if c.busy {
			s.add(0, -1)
		}
		s.Wake(ti, c.waker, -1, false)
		want := Queued
		if c.remote {
			want = Waking
		}
		assert.Equal(t, want, s.tasks[ti].State, "%+v", c)
	}
}

// Wakeups do not pull across nodes beyond the reclaim distance (7.3 sd_init).
func TestWakeAffineStaysWithinReclaimDistance(t *testing.T) {
	m := synthetic(t, "pack:2 numa:1 l3:1 core:4 pu:1")
	for d, want := range map[int]int32{30: 0, 31: 4} {
		m.Distance = [][]int{{10, d}, {d, 10}}
		s := rig{New(m, kernel.Default(250), 8, 1, 1000, 1)}
		by := s.add(0, -1)
		ti := s.sleeper(4, -1)
		got := s.selectWake(&s.tasks[ti], 0, by, true)
		assert.Equal(t, want/4, got/4, "distance %d", d)
	}
}
