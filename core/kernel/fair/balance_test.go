package fair

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const twoLLCs = "pack:2 l3:1 core:8 pu:1"

// Two tasks more in the sibling LLC move one, a single one more moves none,
// and the halved amount of a difference of three is one (7.3 prefer_sibling in
// sched_balance_find_src_group and calculate_imbalance).
func TestPreferSibling(t *testing.T) {
	for nr, want := range map[int]int{1: 0, 2: 1, 3: 1, 4: 2, 6: 3} {
		s := newRig(t, twoLLCs, nil)
		for range nr {
			s.add(8, -1) // all on one CPU, so that they can be detached
		}
		s.later(1e6)
		assert.Equal(t, want, s.pass(0, levelPKG, isIdle), "%d tasks", nr)
	}
	// The bottom domain's groups carry no flag, yet single CPUs compare tasks.
	s := newRig(t, twoLLCs, nil)
	s.add(0, -1)
	s.add(0, -1)
	s.later(1e6)
	assert.Equal(t, 1, s.pass(1, levelMC, isIdle))
}

// NUMA domains tolerate imb_numa_nr tasks: two on the other node stay, three
// do not (7.3 adjust_numa_imbalance in calculate_imbalance).
func TestNumaImbalanceIsTolerated(t *testing.T) {
	for nr, want := range map[int]int{2: 0, 3: 1, 4: 2} {
		s := newRig(t, "pack:2 numa:1 l3:1 core:8 pu:1", nil)
		for range nr {
			s.add(8, -1)
		}
		s.later(1e6)
		assert.Equal(t, want, s.pass(0, levelNUMA, isIdle), "%d tasks", nr)
	}
}

// Periodic passes that move nothing count, newly-idle ones do not; the fourth
// at a level with cache_nice_tries 1 starts the stopper (five at NUMA levels),
// and its success resets the count (7.3 sched_balance_rq, need_active_balance).
func TestFailureCountAndActiveBalance(t *testing.T) {
	for _, c := range []struct {
		topology string
		level    Level
		passes   int64
	}{{twoLLCs, levelPKG, 4}, {"pack:2 numa:1 l3:1 core:8 pu:1", levelNUMA, 5}} {
		s := newRig(t, c.topology, nil)
		for cpu := range int32(3) {
			s.add(8+cpu, -1)
		}
		d := s.dom(0, c.level)
		for i := int64(1); i <= c.passes; i++ {
			s.pass(0, c.level, newlyIdle)
			assert.Equal(t, i-1, d.nrBalanceFailed, "newly idle passes do not count")
			assert.Equal(t, int32(1), s.last().SrcRunning)
			s.pass(0, c.level, isIdle)
			assert.Equal(t, i, d.nrBalanceFailed)
			assert.Equal(t, d.minInterval, d.balanceInterval, "an imbalance keeps the interval short")
			assert.Equal(t, i == c.passes, s.last().Stopper, "pass %d", i)
		}
		require.True(t, s.stop())
		assert.Zero(t, d.nrBalanceFailed)
		require.Len(t, s.moves(), 1)
		assert.Equal(t, int32(0), s.moves()[0].To)
	}
}

// A pass that finds balance zeroes the count and doubles the interval up to
// its maximum; so does being passed over (7.3 out_balanced).
func TestBalancedExit(t *testing.T) {
	s := newRig(t, twoLLCs, nil)
	for _, cpu := range []int32{0, 5} { // 0 is the designated idle CPU, 5 is not
		d := s.dom(cpu, levelPKG)
		d.nrBalanceFailed, d.balanceInterval = 3, d.minInterval
		for _, want := range []int64{32, 32} {
			assert.Zero(t, s.pass(cpu, levelPKG, isIdle))
			assert.Zero(t, d.nrBalanceFailed)
			assert.Equal(t, want, d.balanceInterval)
		}
		d.balanceInterval = d.minInterval
		s.pass(cpu, levelPKG, newlyIdle)
		assert.Equal(t, d.minInterval, d.balanceInterval, "newly idle passes leave it")
	}
}

// Only the first idle CPU of the local group balances for it, on wholly idle
// cores first; without any idle CPU the first of all (7.3 should_we_balance).
func TestDesignatedCPU(t *testing.T) {
	for _, c := range []struct {
		topology string
		level    Level
		busy     []int32
		want     int32
	}{
		{twoLLCs, levelPKG, nil, 0},
		{twoLLCs, levelPKG, []int32{0, 1, 3}, 2},
		{twoLLCs, levelPKG, []int32{0, 1, 2, 3, 4, 5, 6, 7}, 0},
		{"pack:2 l3:1 core:4 pu:2", levelPKG, []int32{0}, 2},          // CPU 1 idles on a busy core
		{"pack:2 l3:1 core:4 pu:2", levelPKG, []int32{0, 2, 5, 6}, 1}, // no core is idle
		{"pack:2 l3:1 core:4 pu:2", levelMC, []int32{0}, 1},           // its group is core 0
	} {
		s := newRig(t, c.topology, nil)
		for _, cpu := range c.busy {
			s.add(cpu, -1)
		}
		group := s.groups[s.dom(0, c.level).groups[0]].cpus
		for _, cpu := range group {
			env := lbEnv{d: s.dom(cpu, c.level), dst: cpu, idle: isIdle}
			assert.Equal(t, cpu == c.want, s.shouldBalance(&env), "%+v: CPU %d", c, cpu)
		}
		env := lbEnv{d: s.dom(group[len(group)-1], c.level), dst: group[len(group)-1], idle: newlyIdle}
		assert.Equal(t, s.rqs[env.dst].nrRunning == 0, s.shouldBalance(&env), "newly idle: any empty CPU")
	}
}

// A task kept by LLC affinity in a generic pass sets LBF_LLC_PINNED: the pass
// moves nothing and does not count. From cache_nice_tries + 1 failures on the
// affinity no longer holds (7.3 migrate_degrades_llc).
func TestLLCPinnedDoesNotCount(t *testing.T) {
	s := newRig(t, twoLLCs, nil)
	g := s.process()
	a, b := s.add(0, g), s.add(0, g)
	s.prefer(g, 0, a, b)
	s.publish(0, 25)
	s.publish(1, 0)
	s.later(1e6)
	d := s.dom(8, levelPKG)
	for range 3 {
		assert.Zero(t, s.pass(8, levelPKG, isIdle))
		assert.Zero(t, d.nrBalanceFailed)
		assert.True(t, s.last().LLCPinned)
	}
	d.nrBalanceFailed = 1
	assert.Zero(t, s.pass(8, levelPKG, isIdle))
	d.nrBalanceFailed = 2
	assert.Equal(t, 1, s.pass(8, levelPKG, isIdle))
	assert.Zero(t, d.nrBalanceFailed)
}

// A pass whose source runs a single task examines none, so nothing sets
// LBF_LLC_PINNED and it does count (cas.md section 12.8).
func TestSingleTaskSourceCounts(t *testing.T) {
	s := newRig(t, twoLLCs, nil)
	g := s.process()
	a, b := s.add(0, g), s.add(1, g)
	s.prefer(g, 0, a, b)
	s.publish(0, 25)
	s.publish(1, 0)
	for i := int64(1); i < 8; i++ {
		s.pass(8, levelPKG, isIdle)
		assert.Equal(t, i, s.dom(8, levelPKG).nrBalanceFailed)
		assert.True(t, s.last().Protected)
		assert.False(t, s.stop(), "alb_break_llc comes before the stuck migrate_task")
	}
}

// The order of need_active_balance in 7.3: alb_break_llc refuses first, then a
// stuck migrate_task and migrate_llc_task ask for the stopper.
func TestNeedActiveBalance(t *testing.T) {
	for _, c := range []struct {
		name   string
		kind   migration
		failed int64
		prefer bool // the source's task prefers its LLC
		worker bool // a second task without a preference is queued there
		want   bool
	}{
		{"migrate_task, 3 failures", migrateTask, 3, false, false, false},
		{"migrate_task, 4 failures", migrateTask, 4, false, false, true},
		{"migrate_load never", migrateLoad, 9, false, false, false},
		{"migrate_util never", migrateUtil, 9, false, false, false},
		{"migrate_llc_task at once", migrateLLCTask, 0, false, false, true},
		{"protected against both", migrateTask, 9, true, false, false},
		{"protected even from migrate_llc_task", migrateLLCTask, 9, true, false, false},
		{"a kworker ends the protection", migrateTask, 4, true, true, true},
	} {
		s := newRig(t, twoLLCs, nil)
		g := s.process()
		a := s.add(8, g)
		if c.prefer {
			s.prefer(g, 8, a)
		}
		if c.worker {
			s.add(8, -1)
		}
		env := lbEnv{d: s.dom(0, levelPKG), src: 8, dst: 0, idle: isIdle, kind: c.kind}
		env.d.nrBalanceFailed = c.failed
		assert.Equal(t, c.want, s.needActive(&env), c.name)
	}
}

// A source whose only task may not run here: the fourth failure wants the
// stopper, cannot, keeps the count and doubles the interval up to 512 ms (7.3 out_one_pinned).
func TestPinnedSourceDoublesTheInterval(t *testing.T) {
	s := newRig(t, twoLLCs, nil)
	for cpu := range int32(3) {
		ti := s.add(8+cpu, -1)
		s.tasks[ti].Allowed = s.m.LLCs[1].CPUs
	}
	d := s.dom(0, levelPKG)
	for range 3 {
		s.pass(0, levelPKG, isIdle)
	}
	assert.EqualValues(t, 16, d.balanceInterval)
	for _, want := range []int64{32, 64, 128, 256, 512, 512} {
		s.pass(0, levelPKG, isIdle)
		assert.Equal(t, want, d.balanceInterval)
		assert.True(t, s.last().Pinned)
	}
	assert.EqualValues(t, 9, d.nrBalanceFailed)
	assert.False(t, s.stop())
}
