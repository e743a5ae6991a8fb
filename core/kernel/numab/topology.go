package numab

import (
	"errors"
	"math"
	"strconv"

	"casplay/core/machine"
)

// shape is how nodes are wired (7.3 kernel/sched/topology.c, enum
// numa_topology_type).
type shape uint8

const (
	direct    shape = iota // one hop between any two nodes
	mesh                   // glueless mesh: some traffic passes through a node
	backplane              // groups of nodes around a controller
)

// topology is the part of a machine that NUMA balancing looks at.
type topology struct {
	nodes   int
	nodeOf  []int32       // by CPU
	cpus    []machine.Set // by node
	weight  []int         // CPUs by node
	core    []int32       // by CPU
	cores   []machine.Set
	smt     bool
	hasMem  []bool
	dist    [][]int
	maxDist int
	shape   shape
}

func newTopology(m *machine.Machine) (topology, error) {
	n := len(m.Nodes)
	if n < 1 || n > maxNodes {
		return topology{}, errors.New("numab: machine has " + strconv.Itoa(n) + " nodes; use 1 to " + strconv.Itoa(maxNodes))
	}
	if len(m.Distance) != n {
		return topology{}, errors.New("numab: distance matrix has " + strconv.Itoa(len(m.Distance)) + " rows for " + strconv.Itoa(n) + " nodes")
	}
	t := topology{nodes: n, dist: m.Distance, cores: m.Cores, smt: m.SMT > 1}
	mem, cpus := false, 0
	for i := range m.Nodes {
		if len(m.Distance[i]) != n {
			return topology{}, errors.New("numab: row " + strconv.Itoa(i) + " of the distance matrix has " + strconv.Itoa(len(m.Distance[i])) + " entries for " + strconv.Itoa(n) + " nodes")
		}
		w := m.Nodes[i].CPUs.Len()
		cpus += w
		t.cpus = append(t.cpus, m.Nodes[i].CPUs)
		t.weight = append(t.weight, w)
		t.hasMem = append(t.hasMem, m.Nodes[i].MemBytes > 0)
		mem = mem || m.Nodes[i].MemBytes > 0
	}
	if !mem || cpus == 0 {
		return topology{}, errors.New("numab: the machine needs at least one node with memory and one with CPUs")
	}
	for _, c := range m.CPUs {
		t.nodeOf = append(t.nodeOf, c.Node)
		t.core = append(t.core, c.Core)
	}
	t.classify()
	return t, nil
}

// classify finds the wiring from the distances between nodes with CPUs
// (7.3 kernel/sched/topology.c init_numa_topology_type).
func (t *topology) classify() {
	var distances []int
	for a := range t.dist {
		for b := range t.dist {
			if t.weight[a] > 0 && t.weight[b] > 0 && !contains(distances, t.dist[a][b]) {
				distances = append(distances, t.dist[a][b])
				t.maxDist = max(t.maxDist, t.dist[a][b])
			}
		}
	}
	if len(distances) <= 2 {
		return
	}
	for a := range t.dist {
		for b := range t.dist {
			if t.weight[a] == 0 || t.weight[b] == 0 || t.dist[a][b] < t.maxDist {
				continue
			}
			t.shape = backplane
			for c := range t.dist {
				if t.weight[c] > 0 && t.dist[a][c] < t.maxDist && t.dist[b][c] < t.maxDist {
					t.shape = mesh
				}
			}
			return
		}
	}
}

func contains(list []int, v int) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}

// nearestWithCPUs is node itself if it has CPUs, else the nearest that has,
// lowest number first (7.3 mm/mempolicy.c numa_nearest_node). NoNode stays.
func (t *topology) nearestWithCPUs(node int) int {
	if node == NoNode || t.weight[node] > 0 {
		return node
	}
	best, bestDist := node, math.MaxInt
	for n, d := range t.dist[node] {
		if t.weight[n] > 0 && d < bestDist {
			best, bestDist = n, d
		}
	}
	return best
}
