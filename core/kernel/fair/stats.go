package fair

// idleType is why a balance runs.
type idleType uint8

const (
	notIdle idleType = iota
	isIdle
	newlyIdle
)

// groupClass orders sched groups by how much they need help (7.3 enum group_type).
type groupClass uint8

const (
	hasSpare groupClass = iota
	fullyBusy
	misfit
	smtBalance
	asymPacking
	imbalanced
	llcBalance
	groupOverloaded
)

// migration is what a pass tries to even out (7.3 enum migration_type).
type migration uint8

const (
	migrateLoad migration = iota
	migrateUtil
	migrateTask
	migrateLLCTask
	migrateMisfit
)

// groupStats are the statistics of one group in one pass (7.3 struct sg_lb_stats).
type groupStats struct {
	load, util, runnable, capacity int64
	nr, runnableNr, idle, weight   int64
	nrNuma, nrNumaOK               int64
	nrPrefDst                      int64
	misfit                         int64 // load of the biggest misfit task that the destination helps
	most                           int64 // capacity of the biggest CPU, set for a new task
	avgLoad                        int64
	group                          *group
	asym                           bool // the idle destination outranks its CPUs
	class                          groupClass
	flags                          flags
	cores                          int64
}

// gather sums a group over its candidate CPUs (7.3 update_sg_lb_stats).
func (s *Sched) gather(env *lbEnv, g *group, local bool, st *groupStats) {
	var load, util, runnable, nr, runnableNr, idle, nrNuma, nrNumaOK, nrPrefDst int64
	numa := env.d.flags&numaLevel != 0
	dstLLC := s.llcOf[env.dst]
	casOn := s.CAS.Config.Active
	for _, c := range g.cpus {
		if s.excluded.has(c) {
			continue
		}
		r := &s.rqs[c]
		load += r.avg.LoadAvg
		util += r.util()
		runnable += r.avg.RunnableAvg
		runnableNr += int64(r.runnable)
		nr += int64(r.nrRunning)
		if casOn && s.llcOf[c] != dstLLC {
			nrPrefDst += int64(r.llcCounts[dstLLC])
		}
		if r.nrRunning > 1 {
			env.sawOverload = true
		} else if r.nrRunning == 0 && r.Idle() {
			idle++
			continue
		}
		if numa {
			nrNuma += int64(r.nrNuma)
			nrNumaOK += int64(r.nrNumaOK)
		}
	}
	// Field by field: a struct is made elsewhere and copied, which are two calls in WebAssembly.
	st.load, st.util, st.runnable, st.nr, st.runnableNr = load, util, runnable, nr, runnableNr
	st.idle, st.nrNuma, st.nrNumaOK, st.nrPrefDst, st.avgLoad = idle, nrNuma, nrNumaOK, nrPrefDst, 0
	st.weight, st.flags, st.cores, st.capacity = int64(len(g.cpus)), g.flags, int64(g.cores), int64(len(g.cpus))*Capacity
	st.group = g
	if s.caps != nil {
		s.gatherCapacity(env, g, local, st)
	}
	st.asym = !local && s.groupAsym(env, g, st)
	llcTag := !local && s.tagLLC(env, g, st)
	smt := !local && env.idle != notIdle && g.flags&shareCapacity != 0 && st.runnableNr > 1
	st.class = classify(env.d.imbalancePct, g, st, llcTag, smt)
	if st.class == groupOverloaded {
		st.avgLoad = st.load * 1024 / st.capacity
	}
	s.publishLLC(env, g, st)
}

// classify is the first class whose condition holds (7.3 group_classify).
func classify(pct int64, g *group, st *groupStats, llcTag, smt bool) groupClass {
	switch {
	case st.overloaded(pct):
		return groupOverloaded
	case llcTag:
		return llcBalance
	case g.imbalance:
		return imbalanced
	case st.asym:
		return asymPacking
	case smt:
		return smtBalance
	case st.misfit > 0:
		return misfit
	case !st.hasCapacity(pct):
		return fullyBusy
	}
	return hasSpare
}

// overloaded: more tasks than CPUs and pressure (7.3 group_is_overloaded).
func (st *groupStats) overloaded(pct int64) bool {
	return st.nr > st.weight && (st.capacity*100 < st.util*pct || st.capacity*pct < st.runnable*100)
}

// hasCapacity: fewer tasks than CPUs or no pressure (7.3 group_has_capacity).
func (st *groupStats) hasCapacity(pct int64) bool {
	return st.nr < st.weight || st.capacity*pct >= st.runnable*100 && st.capacity*100 > st.util*pct
}
