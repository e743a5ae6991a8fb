package fair

import "math"

// Choosing the busiest group and how much to move.

// lbStats collects one pass (7.3 struct sd_lb_stats).
type lbStats struct {
	local, busiest      groupStats
	other               groupStats // the group that is being looked at
	busiestGroup        *group
	totalLoad, totalCap int64
	avgLoad             int64
	preferSibling       bool
	fbq                 fbqClass
}

// fbqClass says which run queues a NUMA-level pass may take from.
type fbqClass uint8

const (
	fbqRegular fbqClass = iota // tasks without a preferred node
	fbqRemote                  // tasks off their preferred node
	fbqAll
)

func fbqOf(nr, nrNuma, nrNumaOK int64) fbqClass {
	switch {
	case nr > nrNuma:
		return fbqRegular
	case nr > nrNumaOK:
		return fbqRemote
	}
	return fbqAll
}

// updateStats gathers all groups of a domain and picks the busiest (7.3 update_sd_lb_stats).
func (s *Sched) updateStats(env *lbEnv, ls *lbStats) {
	ls.busiest = groupStats{idle: math.MaxInt32}
	ls.busiestGroup, ls.preferSibling = nil, false
	ls.totalLoad, ls.totalCap, ls.avgLoad = 0, 0, 0
	var util int64
	for i, gi := range env.d.groups {
		g := &s.groups[gi]
		st := &ls.local
		if i > 0 {
			st = &ls.other
		}
		s.gather(env, g, i == 0, st)
		if i > 0 && s.busier(env, ls, st) {
			ls.busiest, ls.busiestGroup = *st, g
		}
		ls.totalLoad += st.load
		ls.totalCap += st.capacity
		util += st.util
	}
	if ls.busiestGroup != nil {
		ls.preferSibling = ls.busiest.flags&preferSibling != 0
	}
	if env.d.flags&numaLevel != 0 {
		ls.fbq = fbqOf(ls.busiest.runnableNr, ls.busiest.nrNuma, ls.busiest.nrNumaOK)
	} else {
		ls.fbq = fbqAll
	}
	if env.root {
		s.overloaded[s.partOf[env.dst]] = env.sawOverload
	}
	s.updateIdleScan(env, util)
}

// updateIdleScan derives how many CPUs a wakeup may look at from the
// utilisation of the LLC (7.3 update_idle_cpu_scan, SIS_UTIL).
func (s *Sched) updateIdleScan(env *lbEnv, util int64) {
	w := int64(env.d.weight)
	l := s.shareOf[env.dst]
	if env.idle == newlyIdle || int(w) != len(s.CAS.LLCCPUs[l]) {
		return
	}
	s.llcs[l].nrIdleScan = IdleScan(util, w, env.d.imbalancePct)
}

// IdleScan is the number of CPUs of an LLC of w CPUs that a wakeup may look at.
func IdleScan(util, w, pct int64) int32 {
	x := util / w
	t := min(x*x*pct*pct/(10000*Capacity), Capacity)
	return int32((Capacity - t) * w / Capacity)
}

// busier reports whether a remote group replaces the busiest so far (7.3
// update_sd_pick_busiest).
func (s *Sched) busier(env *lbEnv, ls *lbStats, st *groupStats) bool {
	b := &ls.busiest
	if st.runnableNr == 0 || s.betterThere(env, ls, st) {
		return false
	}
	if st.class != b.class {
		return st.class > b.class
	}
	switch st.class {
	case groupOverloaded:
		return st.avgLoad > b.avgLoad
	case llcBalance:
		return st.nrPrefDst > b.nrPrefDst
	case imbalanced:
		return false
	case asymPacking:
		return s.prefers(s.topCPU(ls.busiestGroup), s.topCPU(st.group))
	case smtBalance:
		if st.idle != 0 || b.idle != 0 {
			return sparerThan(st, b)
		}
		return b.flags&shareCapacity == 0
	case misfit:
		return st.misfit > b.misfit
	case fullyBusy:
		return b.flags&shareCapacity == 0
	}
	if st.flags&shareCapacity != b.flags&shareCapacity && ls.busiestGroup != nil {
		return st.flags&shareCapacity == 0 || st.runnableNr > 1
	}
	return sparerThan(st, b)
}

// sparerThan: fewer idle CPUs, or as many and more tasks.
func sparerThan(st, b *groupStats) bool {
	return st.idle < b.idle || st.idle == b.idle && st.nr > b.nr
}

// siblingImbalance is the difference in tasks between groups of cores (7.3 sibling_imbalance).
func siblingImbalance(env *lbEnv, ls *lbStats) int64 {
	l, b := &ls.local, &ls.busiest
	if env.idle == notIdle || b.nr == 0 {
		return 0
	}
	if l.cores == b.cores {
		return max(0, b.nr-l.nr)
	}
	x := max(0, l.cores*b.nr-b.cores*l.nr)
	x = (2*x + l.cores + b.cores) / (l.cores + b.cores)
	if x <= 1 && l.nr == 0 && b.nr > 1 {
		return 2
	}
	return x
}

// findGroup returns the group to take from, nil when balanced (7.3
// sched_balance_find_src_group); env gets the kind and amount.
func (s *Sched) findGroup(env *lbEnv, ls *lbStats) *group {
	s.updateStats(env, ls)
	if ls.busiestGroup == nil || !s.accept(env, ls) {
		return nil
	}
	s.calculate(env, ls)
	if env.imbalance == 0 {
		return nil
	}
	return ls.busiestGroup
}

func (s *Sched) accept(env *lbEnv, ls *lbStats) bool {
	l, b := &ls.local, &ls.busiest
	if b.class == misfit || b.class == asymPacking || b.class == imbalanced {
		return true
	}
	if l.class > b.class {
		return false
	}
	if l.class == groupOverloaded {
		ls.avgLoad = ls.totalLoad * 1024 / ls.totalCap
		if l.avgLoad >= b.avgLoad || l.avgLoad >= ls.avgLoad || 100*b.avgLoad <= env.d.imbalancePct*l.avgLoad {
			return false
		}
	}
	if ls.preferSibling && l.class == hasSpare && (b.class == llcBalance || siblingImbalance(env, ls) > 1) {
		return true
	}
	if b.class != groupOverloaded {
		switch {
		case env.idle == notIdle:
			return false
		case b.class == smtBalance && l.flags&shareCapacity == 0:
			return true
		case b.weight > 1 && l.idle <= b.idle+1:
			return false
		case b.runnableNr == 1:
			return false
		}
	}
	return true
}

// adjustNuma tolerates a small imbalance between nodes (7.3 adjust_numa_imbalance).
func adjustNuma(imbalance, dstRunning, imbNumaNr int64) int64 {
	if dstRunning > imbNumaNr {
		return imbalance
	}
	if imbalance <= 2 {
		return 0
	}
	return imbalance
}

// calculate sets what to move and how much (7.3 calculate_imbalance).
func (s *Sched) calculate(env *lbEnv, ls *lbStats) {
	l, b := &ls.local, &ls.busiest
	switch b.class {
	case smtBalance, imbalanced:
		env.kind, env.imbalance = migrateTask, 1
		return
	case llcBalance:
		env.kind, env.imbalance = migrateLLCTask, 1
		return
	case asymPacking:
		env.kind, env.imbalance = migrateTask, b.nr
		return
	case misfit:
		env.kind, env.imbalance = migrateMisfit, 1
		return
	}
	if l.class == hasSpare {
		if b.class > fullyBusy && env.d.flags&shareLLC == 0 {
			env.kind, env.imbalance = migrateUtil, max(l.capacity, l.util)-l.util
			if env.imbalance == 0 && env.idle != notIdle {
				env.kind, env.imbalance = migrateTask, 1
			}
			return
		}
		env.kind = migrateTask
		if b.weight == 1 || ls.preferSibling {
			env.imbalance = siblingImbalance(env, ls)
		} else {
			env.imbalance = max(0, l.idle-b.idle)
		}
		if env.d.flags&numaLevel != 0 {
			env.imbalance = adjustNuma(env.imbalance, l.nr+1, env.d.imbNumaNr)
		}
		if env.llcTolerance >= env.imbalance {
			env.imbalance = 0
		}
		env.imbalance >>= 1
		return
	}
	if l.class < groupOverloaded {
		l.avgLoad = l.load * 1024 / l.capacity
		ls.avgLoad = ls.totalLoad * 1024 / ls.totalCap
		if l.avgLoad >= b.avgLoad || l.avgLoad >= ls.avgLoad {
			env.imbalance = 0
			return
		}
	}
	env.kind = migrateLoad
	env.imbalance = min((b.avgLoad-ls.avgLoad)*b.capacity, (ls.avgLoad-l.avgLoad)*l.capacity) / 1024
}
