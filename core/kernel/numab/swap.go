package numab

// smallGain is the least improvement, per mille, that is worth a swap
// (fair.c SMALLIMP).
const smallGain = 30

// compare weighs a CPU of the destination node against the best so far, as a
// place to move to or, if a task runs there, to swap with (7.3 fair.c
// task_numa_compare). It reports whether the search can stop.
func (e *search) compare() bool {
	t := e.t
	if e.sys.migrating.Has(e.dstCPU) {
		return false
	}
	cur := e.sys.Curr[e.dstCPU]
	moveGain := e.taskGain
	if t.group != nil {
		moveGain = e.groupGain
	}
	if cur == nil {
		if e.mayMove && moveGain >= e.bestGain {
			return e.take(nil, moveGain)
		}
		return false
	}
	if !e.q.Allowed(cur, e.srcCPU) {
		return false
	}
	homeward := cur.preferred == e.src
	bestHomeward := e.bestTask != nil && e.bestTask.preferred == e.src
	if bestHomeward && !homeward {
		return false
	}
	if cur.group == t.group && e.dstClass == hasSpare {
		return false
	}
	gain := e.swapGain(cur, moveGain)
	switch {
	case e.mayMove && moveGain > gain && moveGain > e.bestGain:
		return e.take(nil, moveGain)
	case e.bestTask != nil && homeward && !bestHomeward:
		return e.take(cur, gain)
	case gain < smallGain || gain <= e.bestGain+smallGain/2:
		return false
	}
	if load := e.q.Load(t) - e.q.Load(cur); load != 0 && e.worseBalance(load) {
		return false
	}
	return e.take(cur, gain)
}

// swapGain is the locality that both tasks together win by changing places,
// per mille.
func (e *search) swapGain(cur *Task, moveGain int64) int64 {
	t := e.t
	gain := moveGain
	switch {
	case cur.group == t.group:
		gain = e.taskGain + cur.TaskWeight(e.src, e.dist) - cur.TaskWeight(e.dst, e.dist)
		if cur.group != nil {
			gain -= gain / 16
		}
	case cur.group != nil && t.group != nil:
		gain += cur.GroupWeight(e.src, e.dist) - cur.GroupWeight(e.dst, e.dist)
	default:
		gain += cur.TaskWeight(e.src, e.dist) - cur.TaskWeight(e.dst, e.dist)
	}
	if cur.preferred == e.dst {
		gain -= gain / 16
	}
	if cur.preferred == e.src {
		gain += gain / 8
	}
	return gain
}

// take makes the CPU at hand, or an idle one, the best and reports whether the
// search can stop.
func (e *search) take(cur *Task, gain int64) bool {
	if cur == nil {
		cpu := e.dstIdle
		if cpu < 0 {
			cpu = e.dstCPU
		}
		if !e.q.Idle(cpu) && e.bestCPU >= 0 && e.q.Idle(e.bestCPU) {
			cpu = e.bestCPU
		}
		e.dstCPU = cpu
	}
	e.assign(cur, gain)
	if e.mayMove && cur == nil && e.bestCPU >= 0 && e.q.Idle(e.bestCPU) {
		return true
	}
	return !e.mayMove && e.bestTask != nil && e.bestTask.preferred == e.src
}

// assign reserves the destination CPU, or another idle one of its node if a
// concurrent plan has it, and records it as the best (fair.c task_numa_assign).
func (e *search) assign(cur *Task, gain int64) {
	if e.bestCPU != e.dstCPU {
		if e.sys.migrating.Has(e.dstCPU) && !e.findAlternative() {
			return
		}
		e.sys.migrating.Add(e.dstCPU)
		if e.bestCPU != -1 {
			e.sys.migrating.Remove(e.bestCPU)
		}
	}
	e.bestTask, e.bestGain, e.bestCPU = cur, gain, e.dstCPU
}

// findAlternative sets dstCPU to the next idle CPU of the node that no plan
// has reserved.
func (e *search) findAlternative() bool {
	cpus := &e.sys.topo.cpus[e.dst]
	start := e.dstCPU
	for cpu := cpus.NextWrap(start + 1); cpu != start; cpu = cpus.NextWrap(cpu + 1) {
		if cpu != e.bestCPU && e.q.Idle(cpu) && e.q.Allowed(e.t, cpu) && !e.sys.migrating.Has(cpu) {
			e.dstCPU = cpu
			return true
		}
	}
	return false
}
