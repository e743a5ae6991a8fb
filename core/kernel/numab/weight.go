package numab

// TaskWeight is the share of a task's faults on a node and its vicinity, per
// mille; dist is the distance of the move under consideration
// (7.3 fair.c task_weight).
func (t *Task) TaskWeight(node, dist int) int64 {
	return t.mm.sys.topo.weigh(t.faults, t.totalFaults, node, dist)
}

// GroupWeight is the same of the task's fault group, 0 without one
// (7.3 fair.c group_weight).
func (t *Task) GroupWeight(node, dist int) int64 {
	if t.group == nil {
		return 0
	}
	return t.mm.sys.topo.weigh(t.group.faults, t.group.totalFaults, node, dist)
}

func (t *topology) weigh(faults []int64, total int64, node, dist int) int64 {
	if total == 0 {
		return 0
	}
	return 1000 * (faults[2*node+shared] + faults[2*node+private] + t.nearby(faults, node, dist)) / total
}

// nearby scores the faults of nodes around one, on machines where not every
// pair is equally far apart (fair.c score_nearby_nodes).
func (t *topology) nearby(faults []int64, node, limit int) int64 {
	if t.shape == direct {
		return 0
	}
	score := int64(0)
	for n, dist := range t.dist[node] {
		if n == node || dist >= t.maxDist || t.shape == backplane && dist >= limit {
			continue
		}
		f := faults[2*n+shared] + faults[2*n+private]
		if t.shape == mesh {
			f = f * int64(t.maxDist-dist) / int64(t.maxDist-localDistance)
		}
		score += f
	}
	return score
}

// Degrades judges a load-balancing move between nodes: negative if it improves
// locality, positive if it hurts, 0 if neutral or unknown (7.3 fair.c
// migrate_degrades_locality, in a domain that spans nodes). dstIdle says that
// the destination balances as CPU_IDLE; srcRunning and srcPreferred are the
// source run queue's nr_running and nr_preferred_running.
func (t *Task) Degrades(srcNode, dstNode int, dstIdle bool, srcRunning, srcPreferred int) int64 {
	switch {
	case !t.hasFaults || srcNode == dstNode:
		return 0
	case srcNode == t.preferred:
		if srcRunning > srcPreferred {
			return 1
		}
		return 0
	case dstNode == t.preferred:
		return -1
	case dstIdle:
		return 0
	}
	dist := t.mm.sys.topo.dist[srcNode][dstNode]
	if t.group != nil {
		return t.GroupWeight(srcNode, dist) - t.GroupWeight(dstNode, dist)
	}
	return t.TaskWeight(srcNode, dist) - t.TaskWeight(dstNode, dist)
}
