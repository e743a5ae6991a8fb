package numab

// NodeStats sums the run queues of a node.
type NodeStats struct {
	// Load, Runnable and Util are sums of cpu_load, cpu_runnable and
	// cpu_util_cfs; Capacity of capacity_of (1024 a full CPU).
	Load, Runnable, Util, Capacity int64
	// NrRunning is the sum of cfs.h_nr_queued less delayed dequeues.
	NrRunning int
}

// Queues lets PlanMove look at the run queues. PlanMove asks for no more than
// it needs, so that a plan with an idle CPU at hand stays cheap.
type Queues interface {
	NodeStats(node int) NodeStats
	// Idle reports a CPU without any task, running or queued.
	Idle(cpu int) bool
	// Load is the task's hierarchical load (task_h_load).
	Load(t *Task) int64
	// Allowed reports whether the task's affinity permits the CPU.
	Allowed(t *Task, cpu int) bool
}

// Domain is the lowest scheduling domain of the source CPU that spans nodes.
type Domain struct {
	// ImbalancePct is 117 by default; 0 says that there is no such domain.
	ImbalancePct int
	// ImbNumaNr is how many tasks a node may run without regard to balance.
	ImbNumaNr int
}

// Plan is where a task should go.
type Plan struct {
	// CPU is the destination, -1 to stay. Call System.MoveDone once the move
	// or swap has happened or failed.
	CPU int
	// Swap is the task to exchange places with, nil to just move.
	Swap *Task
	// Preferred is the node for SetPreferred, or NoNode if it stays. It comes
	// before the move.
	Preferred int
}

// MoveDone frees a CPU that a plan had reserved (rq.numa_migrate_on).
func (s *System) MoveDone(cpu int) { s.migrating.Remove(cpu) }

// load classes of a node (fair.c enum numa_type).
type class uint8

const (
	hasSpare class = iota
	fullyBusy
	overloaded
)

// classify tells how loaded a node of so many CPUs is (fair.c numa_classify).
func (n *NodeStats) classify(pct int64, cpus int) class {
	switch {
	case n.NrRunning > cpus && (n.Capacity*100 < n.Util*pct || n.Capacity*pct < n.Runnable*100):
		return overloaded
	case n.NrRunning < cpus || n.Capacity*100 > n.Util*pct && n.Capacity*pct > n.Runnable*100:
		return hasSpare
	}
	return fullyBusy
}

// AdjustImbalance forgives an imbalance of up to two tasks while the
// destination runs few (7.3 fair.c adjust_numa_imbalance).
func AdjustImbalance(imbalance, dstRunning, imbNumaNr int) int {
	if dstRunning <= imbNumaNr && imbalance <= 2 {
		return 0
	}
	return imbalance
}

// search is a plan in progress (struct task_numa_env).
type search struct {
	sys       *System
	t         *Task
	q         Queues
	srcCPU    int
	src, dst  int // nodes
	dstCPU    int
	dist      int
	pct       int64
	imbNumaNr int

	srcStats, dstStats NodeStats
	dstClass           class
	dstIdle            int

	taskGain, groupGain int64 // per mille
	mayMove             bool

	bestTask *Task
	bestGain int64
	bestCPU  int
}

// PlanMove looks for a better place for a task that has a preferred node and
// runs on a CPU of another: an idle CPU there, a task to swap with, else the same on
// other nodes (7.3 fair.c task_numa_migrate). It reserves the CPU it plans for.
func (t *Task) PlanMove(cpu int, dom Domain, q Queues) Plan {
	sys := t.mm.sys
	topo := &sys.topo
	plan := Plan{CPU: -1, Preferred: NoNode}
	e := search{
		sys: sys, t: t, q: q, srcCPU: cpu, src: int(topo.nodeOf[cpu]), dst: t.preferred,
		pct: int64(100 + (dom.ImbalancePct-100)/2), imbNumaNr: dom.ImbNumaNr, bestCPU: -1,
	}
	if dom.ImbalancePct == 0 {
		plan.Preferred = e.src
		return plan
	}
	e.dist = topo.dist[e.src][e.dst]
	taskWeight, groupWeight := t.TaskWeight(e.src, e.dist), t.GroupWeight(e.src, e.dist)
	e.srcStats = q.NodeStats(e.src)
	e.taskGain = t.TaskWeight(e.dst, e.dist) - taskWeight
	e.groupGain = t.GroupWeight(e.dst, e.dist) - groupWeight
	e.tryNode()

	g := t.group
	if e.bestCPU == -1 || g != nil && g.activeNodes > 1 {
		for node := range topo.nodes {
			if topo.weight[node] == 0 || node == e.src || node == t.preferred {
				continue
			}
			// The distance is that of the node tried before, as in the kernel.
			dist := topo.dist[e.src][e.dst]
			if topo.shape == backplane && dist != e.dist {
				taskWeight, groupWeight = t.TaskWeight(e.src, dist), t.GroupWeight(e.src, dist)
			}
			e.taskGain = t.TaskWeight(node, dist) - taskWeight
			e.groupGain = t.GroupWeight(node, dist) - groupWeight
			if e.taskGain < 0 && e.groupGain < 0 {
				continue
			}
			e.dist, e.dst = dist, node
			e.tryNode()
		}
	}
	if g != nil {
		node := e.src
		if e.bestCPU != -1 {
			node = int(topo.nodeOf[e.bestCPU])
		}
		if node != t.preferred {
			plan.Preferred = node
		}
	}
	plan.CPU, plan.Swap = e.bestCPU, e.bestTask
	return plan
}

// tryNode looks for a spot on the destination node (fair.c update_numa_stats
// and task_numa_find_cpu).
func (e *search) tryNode() {
	topo := &e.sys.topo
	e.dstStats = e.q.NodeStats(e.dst)
	e.dstClass = e.dstStats.classify(e.pct, topo.weight[e.dst])
	e.dstIdle = e.findIdle()
	e.mayMove = false
	if e.dstClass == hasSpare {
		dstRunning := e.dstStats.NrRunning + 1
		imbalance := max(0, dstRunning-(e.srcStats.NrRunning-1))
		if AdjustImbalance(imbalance, dstRunning, e.imbNumaNr) == 0 {
			e.mayMove = true
			if e.dstIdle >= 0 {
				e.dstCPU = e.dstIdle
				e.assign(nil, 0)
				return
			}
		}
	} else {
		e.mayMove = !e.worseBalance(e.q.Load(e.t))
	}
	cpus := &topo.cpus[e.dst]
	for cpu := cpus.First(); cpu >= 0; cpu = cpus.Next(cpu + 1) {
		if !e.q.Allowed(e.t, cpu) {
			continue
		}
		e.dstCPU = cpu
		if e.compare() {
			return
		}
	}
}

// findIdle is an idle CPU of the destination node, on a machine with SMT
// rather one whose siblings idle too, or -1. The kernel asks for such a core
// only while a hint says that the LLC has one; here the hint is always right.
func (e *search) findIdle() int {
	topo := &e.sys.topo
	cpus := &topo.cpus[e.dst]
	first := -1
	for cpu := cpus.First(); cpu >= 0; cpu = cpus.Next(cpu + 1) {
		if !e.q.Idle(cpu) || e.sys.migrating.Has(cpu) || !e.q.Allowed(e.t, cpu) {
			continue
		}
		if !topo.smt || e.coreIdle(cpu) {
			return cpu
		}
		if first < 0 {
			first = cpu
		}
	}
	return first
}

func (e *search) coreIdle(cpu int) bool {
	core := &e.sys.topo.cores[e.sys.topo.core[cpu]]
	for c := core.First(); c >= 0; c = core.Next(c + 1) {
		if c != cpu && !e.q.Idle(c) {
			return false
		}
	}
	return true
}

// worseBalance reports whether moving so much load from source to destination
// would grow their imbalance relative to capacity (fair.c load_too_imbalanced).
func (e *search) worseBalance(load int64) bool {
	skew := func(src, dst int64) int64 {
		d := dst*e.srcStats.Capacity - src*e.dstStats.Capacity
		return max(d, -d)
	}
	return skew(e.srcStats.Load-load, e.dstStats.Load+load) > skew(e.srcStats.Load, e.dstStats.Load)
}
