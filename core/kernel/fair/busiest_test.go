package fair

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A small imbalance between nodes is tolerated while the destination runs
// little (7.3 adjust_numa_imbalance).
func TestAdjustNumaImbalance(t *testing.T) {
	for _, c := range []struct{ amount, dstRunning, imbNumaNr, want int64 }{
		{0, 1, 1, 0}, {1, 1, 1, 0}, {2, 1, 1, 0},
		{3, 1, 1, 3}, {4, 1, 1, 4}, // more than two is never tolerated (n_mem4_64m)
		{2, 2, 1, 2}, {1, 2, 1, 1}, // the destination runs more than allowed
		{2, 18, 18, 0}, {2, 19, 18, 2},
	} {
		assert.Equal(t, c.want, adjustNuma(c.amount, c.dstRunning, c.imbNumaNr), "%+v", c)
	}
}

// The first class whose condition holds (7.3 group_classify, group_is_overloaded,
// group_has_capacity), for eight CPUs at imbalance_pct 117.
func TestGroupClassify(t *testing.T) {
	for _, c := range []struct {
		nr, util, runnable int64
		tag, imb, smt      bool
		want               groupClass
	}{
		{nr: 9, util: 8192, want: groupOverloaded},
		{nr: 9, util: 7001, want: hasSpare}, // 819200 > 117 * 7001
		{nr: 9, util: 7002, want: groupOverloaded},
		{nr: 9, util: 0, runnable: 9584, want: hasSpare}, // 117 * 8192 >= 958400
		{nr: 9, util: 0, runnable: 9585, want: groupOverloaded},
		{nr: 8, util: 8192, runnable: 20000, want: fullyBusy}, // not more tasks than CPUs
		{nr: 8, util: 7001, want: hasSpare},
		{nr: 8, util: 7002, want: fullyBusy},
		{nr: 8, runnable: 9585, want: fullyBusy},
		{nr: 7, util: 8192, runnable: 20000, want: hasSpare}, // fewer tasks than CPUs
		{nr: 9, util: 8192, tag: true, imb: true, smt: true, want: groupOverloaded},
		{nr: 2, tag: true, imb: true, smt: true, want: llcBalance},
		{nr: 2, imb: true, smt: true, want: imbalanced},
		{nr: 8, util: 8192, smt: true, want: smtBalance},
	} {
		st := groupStats{nr: c.nr, util: c.util, runnable: c.runnable, weight: 8, capacity: 8192}
		assert.Equal(t, c.want.String(), classify(117, &group{imbalance: c.imb}, &st, c.tag, c.smt).String(), "%+v", c)
	}
}

// The priorities of the classes, lowest first (7.3 enum group_type).
func TestGroupClassOrder(t *testing.T) {
	order := []groupClass{hasSpare, fullyBusy, misfit, smtBalance, asymPacking, imbalanced, llcBalance, groupOverloaded}
	for i, c := range order {
		assert.EqualValues(t, i, c)
	}
}

// Which of two remote groups is the busiest (7.3 update_sd_pick_busiest).
func TestPickBusiest(t *testing.T) {
	smt := shareCapacity
	for _, c := range []struct {
		name      string
		candidate groupStats
		incumbent *groupStats // nil: none so far
		want      bool
	}{
		{"nothing runnable", groupStats{class: groupOverloaded}, nil, false},
		{"the first with a task", groupStats{runnableNr: 1, nr: 1, idle: 7}, nil, true},
		{"higher class", groupStats{runnableNr: 1, class: llcBalance}, &groupStats{class: imbalanced}, true},
		{"lower class", groupStats{runnableNr: 9, class: imbalanced, nr: 9}, &groupStats{class: llcBalance}, false},
		{"overloaded: larger average load", groupStats{runnableNr: 1, class: groupOverloaded, avgLoad: 11}, &groupStats{class: groupOverloaded, avgLoad: 10}, true},
		{"overloaded: equal average load", groupStats{runnableNr: 1, class: groupOverloaded, avgLoad: 10}, &groupStats{class: groupOverloaded, avgLoad: 10}, false},
		{"llc_balance: more tasks that prefer the destination", groupStats{runnableNr: 1, class: llcBalance, nrPrefDst: 3}, &groupStats{class: llcBalance, nrPrefDst: 2}, true},
		{"llc_balance: as many", groupStats{runnableNr: 9, class: llcBalance, nrPrefDst: 2, nr: 9}, &groupStats{class: llcBalance, nrPrefDst: 2}, false},
		{"imbalanced: the first one stays", groupStats{runnableNr: 9, class: imbalanced, nr: 9}, &groupStats{class: imbalanced}, false},
		{"fully_busy: the next one", groupStats{runnableNr: 1, class: fullyBusy}, &groupStats{class: fullyBusy}, true},
		{"fully_busy: an SMT incumbent stays", groupStats{runnableNr: 1, class: fullyBusy}, &groupStats{class: fullyBusy, flags: smt}, false},
		{"has_spare: fewer idle CPUs", groupStats{runnableNr: 1, nr: 1, idle: 3}, &groupStats{nr: 9, idle: 4}, true},
		{"has_spare: more idle CPUs", groupStats{runnableNr: 9, nr: 9, idle: 5}, &groupStats{nr: 1, idle: 4}, false},
		{"has_spare: as many idle CPUs, more tasks", groupStats{runnableNr: 2, nr: 2, idle: 4}, &groupStats{nr: 1, idle: 4}, true},
		{"has_spare: equal", groupStats{runnableNr: 1, nr: 1, idle: 4}, &groupStats{nr: 1, idle: 4}, false},
		{"has_spare: a core with one task loses against a CPU", groupStats{runnableNr: 1, nr: 1, idle: 0, flags: smt}, &groupStats{nr: 1, idle: 4}, false},
		{"has_spare: a core with two tasks wins", groupStats{runnableNr: 2, nr: 2, idle: 4, flags: smt}, &groupStats{nr: 9, idle: 0}, true},
		{"has_spare: a CPU wins against a core", groupStats{runnableNr: 1, nr: 1, idle: 4}, &groupStats{nr: 9, idle: 0, flags: smt}, true},
		{"smt_balance: with idle CPUs like has_spare", groupStats{runnableNr: 2, nr: 2, idle: 0, class: smtBalance, flags: smt}, &groupStats{class: smtBalance, idle: 1, flags: smt}, true},
		{"smt_balance: without, an SMT incumbent stays", groupStats{runnableNr: 2, nr: 4, class: smtBalance, flags: smt}, &groupStats{class: smtBalance, flags: smt}, false},
	} {
		ls := lbStats{}
		ls.busiest.idle = 1 << 30
		if c.incumbent != nil {
			ls.busiest, ls.busiestGroup = *c.incumbent, &group{}
		}
		assert.Equal(t, c.want, (&Sched{}).busier(&lbEnv{}, &ls, &c.candidate), c.name)
	}
}

// The difference in tasks between groups, in proportion to their cores (7.3
// sibling_imbalance).
func TestSiblingImbalance(t *testing.T) {
	for _, c := range []struct {
		idle                                         idleType
		localCores, localNr, busiestCores, busiestNr int64
		want                                         int64
	}{
		{isIdle, 8, 1, 8, 4, 3},
		{isIdle, 8, 4, 8, 1, 0},
		{newlyIdle, 8, 0, 8, 2, 2},
		{notIdle, 8, 0, 8, 8, 0}, // a busy destination
		{isIdle, 8, 0, 8, 0, 0},
		{isIdle, 1, 0, 2, 2, 2}, // x = 2, (4 + 3)/3
		{isIdle, 2, 0, 1, 1, 2}, // x = 2
		{isIdle, 4, 0, 1, 2, 4}, // x = 8, (16 + 5)/5
		{isIdle, 1, 0, 4, 2, 2}, // (4 + 5)/5 = 1: an empty group still gets one of two
		{isIdle, 1, 2, 4, 2, 1}, // not when it has tasks
		{isIdle, 1, 0, 4, 1, 1}, // nor of one
	} {
		ls := lbStats{local: groupStats{cores: c.localCores, nr: c.localNr}, busiest: groupStats{cores: c.busiestCores, nr: c.busiestNr}}
		assert.Equal(t, c.want, siblingImbalance(&lbEnv{idle: c.idle}, &ls), "%+v", c)
	}
}

// Whether a pass goes on with the busiest group; the rules in their order (7.3
// sched_balance_find_src_group).
func TestAcceptRules(t *testing.T) {
	over := func(avg int64) groupStats { return groupStats{class: groupOverloaded, avgLoad: avg, weight: 8} }
	spare := func(nr, idle int64) groupStats {
		return groupStats{nr: nr, runnableNr: nr, idle: idle, weight: 8, cores: 8}
	}
	with := func(g groupStats, class groupClass) groupStats { g.class = class; return g }
	for _, c := range []struct {
		name           string
		local, busiest groupStats
		prefer         bool
		idle           idleType
		total          int64 // load of the domain, capacity 1024
		want           bool
	}{
		{"2: imbalanced, whatever the rest", spare(8, 0), with(spare(1, 7), imbalanced), false, notIdle, 0, true},
		{"3: the local group is in a higher class", with(spare(8, 0), fullyBusy), spare(4, 4), true, isIdle, 0, false},
		{"3: an overloaded group takes nothing for LLC affinity", over(100), with(spare(1, 7), llcBalance), true, isIdle, 0, false},
		{"4: average load not below the busiest", over(200), over(200), false, isIdle, 300, false},
		{"4: not below the domain's", over(100), over(200), false, isIdle, 100, false},
		{"4: within imbalance_pct", over(100), over(117), false, isIdle, 108, false},
		{"4: beyond it", over(100), over(118), false, isIdle, 109, true},
		{"5: prefer siblings, two tasks more", spare(1, 7), spare(3, 5), true, isIdle, 0, true},
		{"5: one more is left to rule 6", spare(1, 7), spare(2, 6), true, isIdle, 0, false},
		{"5: llc_balance is taken even by a busy CPU", spare(4, 4), with(spare(1, 7), llcBalance), true, notIdle, 0, true},
		{"5: not without the flag (bottom, NUMA)", spare(4, 4), with(spare(2, 6), llcBalance), false, notIdle, 0, false},
		{"6: a busy destination", spare(0, 8), spare(8, 0), false, notIdle, 0, false},
		{"6: smt_balance towards a group that is no core", spare(4, 4), with(spare(2, 0), smtBalance), false, isIdle, 0, true},
		{"6: as many idle CPUs but one", spare(4, 4), spare(5, 3), false, isIdle, 0, false},
		{"6: two fewer", spare(4, 5), spare(5, 3), false, isIdle, 0, true},
		{"6: a single task", spare(0, 8), spare(1, 6), false, isIdle, 0, false},
		{"7: overloaded against spare", spare(9, 0), over(1000), false, notIdle, 0, true},
		{"6: single CPUs need no second idle one", groupStats{nr: 0, idle: 1, weight: 1}, groupStats{nr: 2, runnableNr: 2, weight: 1}, false, isIdle, 0, true},
	} {
		ls := lbStats{local: c.local, busiest: c.busiest, preferSibling: c.prefer, totalLoad: c.total, totalCap: 1024}
		env := lbEnv{d: &domain{imbalancePct: 117}, idle: c.idle}
		assert.Equal(t, c.want, (*Sched)(nil).accept(&env, &ls), c.name)
	}
}

// What to move and how much (7.3 calculate_imbalance).
func TestCalculateImbalance(t *testing.T) {
	g := func(class groupClass, nr, idle int64) groupStats {
		return groupStats{class: class, nr: nr, runnableNr: nr, idle: idle, weight: 8, cores: 8, capacity: 8192}
	}
	loaded := func(class groupClass, load int64) groupStats {
		s := g(class, 16, 0)
		s.load, s.util = load, 8192
		if class == groupOverloaded {
			s.avgLoad = load * 1024 / 8192
		}
		return s
	}
	util := g(hasSpare, 2, 6)
	util.util = 2000
	full := g(hasSpare, 2, 6)
	full.util = 9000
	one := g(hasSpare, 3, 0)
	one.weight = 1
	one.cores = 1
	none := g(hasSpare, 0, 1)
	none.weight, none.cores = 1, 1
	for _, c := range []struct {
		name           string
		local, busiest groupStats
		prefer         bool
		idle           idleType
		flags          flags
		imbNumaNr      int64
		kind           migration
		amount         int64
	}{
		{"smt_balance", g(hasSpare, 0, 8), g(smtBalance, 2, 0), false, isIdle, 0, 0, migrateTask, 1},
		{"llc_balance", g(hasSpare, 0, 8), g(llcBalance, 7, 1), true, isIdle, 0, 0, migrateLLCTask, 1},
		{"imbalanced", g(hasSpare, 0, 8), g(imbalanced, 7, 1), true, isIdle, 0, 0, migrateTask, 1},
		{"spare against overloaded, between LLCs", util, loaded(groupOverloaded, 16384), true, isIdle, 0, 0, migrateUtil, 6192},
		{"no utilisation left: a task for an idle CPU", full, loaded(groupOverloaded, 16384), true, isIdle, 0, 0, migrateTask, 1},
		{"no utilisation left, busy CPU", full, loaded(groupOverloaded, 16384), true, notIdle, 0, 0, migrateUtil, 0},
		{"spare against overloaded, within an LLC", g(hasSpare, 2, 6), loaded(groupOverloaded, 16384), true, isIdle, shareLLC, 0, migrateTask, 7},
		{"prefer siblings: half of the difference", g(hasSpare, 0, 8), g(hasSpare, 7, 1), true, isIdle, 0, 0, migrateTask, 3},
		{"a difference of one never moves", g(hasSpare, 3, 5), g(hasSpare, 4, 4), true, isIdle, 0, 0, migrateTask, 0},
		{"single CPUs: tasks too", none, one, false, isIdle, shareLLC, 0, migrateTask, 1},
		{"idle CPUs otherwise", g(hasSpare, 2, 6), g(hasSpare, 7, 1), false, isIdle, 0, 0, migrateTask, 2},
		{"NUMA: two are tolerated", g(hasSpare, 0, 8), g(hasSpare, 2, 6), true, isIdle, numaLevel, 1, migrateTask, 0},
		{"NUMA: four are not (n_mem4_64m)", g(hasSpare, 0, 8), g(hasSpare, 4, 4), true, isIdle, numaLevel, 1, migrateTask, 2},
		{"NUMA: nor two when this node runs one already", g(hasSpare, 1, 7), g(hasSpare, 3, 5), true, isIdle, numaLevel, 1, migrateTask, 1},
		{"load: up to the domain's average", loaded(groupOverloaded, 9000), loaded(groupOverloaded, 17000), false, isIdle, 0, 0, migrateLoad, 4000},
		{"fully busy against overloaded", loaded(fullyBusy, 8192), loaded(groupOverloaded, 16384), false, isIdle, 0, 0, migrateLoad, 4096},
		{"fully busy above the average", loaded(fullyBusy, 20000), loaded(groupOverloaded, 16384), false, isIdle, 0, 0, migrateLoad, 0},
	} {
		ls := lbStats{local: c.local, busiest: c.busiest, preferSibling: c.prefer, totalLoad: c.local.load + c.busiest.load, totalCap: c.local.capacity + c.busiest.capacity}
		ls.avgLoad = ls.totalLoad * 1024 / ls.totalCap
		env := lbEnv{d: &domain{imbalancePct: 117, flags: c.flags, imbNumaNr: c.imbNumaNr}, idle: c.idle}
		(*Sched)(nil).calculate(&env, &ls)
		assert.Equal(t, c.amount, env.imbalance, c.name)
		if c.amount > 0 {
			assert.Equal(t, c.kind.String(), env.kind.String(), c.name)
		}
	}
}
