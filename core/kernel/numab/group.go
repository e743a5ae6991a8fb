package numab

// activeFraction: a node with more than a third of the busiest node's CPU
// faults is active for its group.
const activeFraction = 3

// Group is a set of tasks that share pages (struct numa_group).
type Group struct {
	id          int32
	members     int
	activeNodes int
	faults      []int64 // statMem and statCPU of all members
	totalFaults int64
	maxCPU      int64
	nodes       int
}

// Members is the number of tasks.
func (g *Group) Members() int { return g.members }

// ActiveNodes is the number of nodes that the group runs on actively.
func (g *Group) ActiveNodes() int { return g.activeNodes }

// memFaults and cpuFaults are decayed pages: faults on a node's memory, and
// the runtime-weighted ones from its CPUs.
func (g *Group) memFaults(node int) int64 {
	return g.faults[2*node+shared] + g.faults[2*node+private]
}

func (g *Group) cpuFaults(node int) int64 { return g.memFaults(node + g.nodes) }

// active reports whether a node is active (fair.c numa_is_active_node).
func (g *Group) active(node int) bool {
	return g.cpuFaults(node)*activeFraction > g.maxCPU
}

// countActive recounts the active nodes (fair.c
// numa_group_count_active_nodes).
func (g *Group) countActive(topo *topology) {
	g.maxCPU = 0
	for n := range topo.nodes {
		if topo.weight[n] > 0 {
			g.maxCPU = max(g.maxCPU, g.cpuFaults(n))
		}
	}
	g.activeNodes = 0
	for n := range topo.nodes {
		if topo.weight[n] > 0 && g.active(n) {
			g.activeNodes++
		}
	}
}

func (g *Group) add(t *Task) {
	for i := range g.faults {
		g.faults[i] += t.faults[i]
	}
	g.totalFaults += t.totalFaults
	g.members++
}

func (g *Group) remove(t *Task) {
	for i := range g.faults {
		g.faults[i] -= t.faults[i]
	}
	g.totalFaults -= t.totalFaults
	g.members--
}

// joinGroup is the grouping at a shared fault (7.3 fair.c task_numa_group):
// the task founds a group if it has none, then joins that of the page's last
// accessor if that task still runs where it was and its group is not the
// smaller one. The kernel breaks ties by memory address, this by age: the
// older group wins. It reports whether the accessor turned out to belong to
// another address space, which makes the fault private after all.
func (t *Task) joinGroup(last uint32) bool {
	sys := t.mm.sys
	if t.group == nil {
		sys.lastGroup++
		t.group = &Group{id: sys.lastGroup, activeNodes: 1, nodes: sys.topo.nodes, faults: make([]int64, sys.nodePieces)}
		t.group.add(t)
	}
	other := sys.Curr[last>>8]
	if other == nil || !sameTask(other, last) {
		return false
	}
	mine, theirs := t.group, other.group
	if theirs == nil || theirs == mine || mine.members > theirs.members ||
		mine.members == theirs.members && mine.id < theirs.id {
		return false
	}
	if other.mm != t.mm {
		return true
	}
	mine.remove(t)
	theirs.add(t)
	t.group = theirs
	return false
}
