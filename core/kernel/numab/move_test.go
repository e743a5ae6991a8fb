package numab

import (
	"testing"

	"github.com/stretchr/testify/require"

	"casplay/core/machine"
)

// queues is a fake of the run queues: each task counts as load 1024.
type queues struct {
	s       *System
	stats   map[int]NodeStats
	load    map[*Task]int64
	pinned  map[*Task]machine.Set
	asked   int
	blocked machine.Set // busy with a kernel thread
}

func (q *queues) NodeStats(node int) NodeStats {
	q.asked++
	if st, ok := q.stats[node]; ok {
		return st
	}
	st := NodeStats{}
	cpus := q.s.topo.cpus[node]
	for _, c := range cpus.Members() {
		st.Capacity += 1024
		if t := q.s.Curr[c]; t != nil {
			st.NrRunning++
			st.Load += q.Load(t)
			st.Util += 1024
			st.Runnable += 1024
		}
	}
	return st
}
func (q *queues) Idle(cpu int) bool { return q.s.Curr[cpu] == nil && !q.blocked.Has(cpu) }
func (q *queues) Load(t *Task) int64 {
	if l, ok := q.load[t]; ok {
		return l
	}
	return 1024
}
func (q *queues) Allowed(t *Task, cpu int) bool {
	set, ok := q.pinned[t]
	return !ok || set.Has(cpu)
}

// numaDomain is the NUMA domain of the tests.
var numaDomain = Domain{ImbalancePct: 117, ImbNumaNr: 1}

// crowd runs a task on each of the given CPUs; all have faults by node.
func crowd(t *testing.T, m *machine.Machine, faults map[int][2]int64) (*System, *queues, map[int]*Task) {
	s := testSystem(t, m, nil)
	q := &queues{s: s, load: map[*Task]int64{}, pinned: map[*Task]machine.Set{}, stats: map[int]NodeStats{}}
	tasks := map[int]*Task{}
	for cpu, f := range faults {
		task := NewProcess(NewMM(s, nil, 0), int32(cpu), uint32(100+cpu))
		setFaults(task, f[0], f[1])
		s.Curr[cpu] = task
		tasks[cpu] = task
	}
	return s, q, tasks
}

// setFaults gives a task memory faults by node and prefers the busier one.
func setFaults(t *Task, node0, node1 int64) {
	t.faults[private], t.faults[2+private] = node0, node1
	t.totalFaults, t.hasFaults = node0+node1, true
	t.preferred = 0
	if node1 > node0 {
		t.preferred = 1
	}
}

// 7.3 fair.c numa_classify with 8 CPUs of 1024 and imbalance 108 (117 halved).
func TestClassify(t *testing.T) {
	for _, c := range []struct {
		nr             int
		util, runnable int64
		want           class
	}{
		{7, 99999, 99999, hasSpare}, // fewer tasks than CPUs
		{8, 7585, 8847, hasSpare},   // 819200 > 7585*108, 884736 > 8847*100
		{8, 7586, 0, fullyBusy},
		{8, 0, 8848, fullyBusy},
		{8, 9999, 9999, fullyBusy},
		{9, 7585, 8847, hasSpare}, // more tasks, no pressure
		{9, 7586, 0, overloaded},
		{9, 0, 8848, overloaded},
	} {
		st := NodeStats{NrRunning: c.nr, Util: c.util, Runnable: c.runnable, Capacity: 8192}
		require.Equal(t, c.want, st.classify(108, 8), "%+v", c)
	}
}

// 7.3 fair.c adjust_numa_imbalance.
func TestAdjustImbalance(t *testing.T) {
	for _, c := range [][4]int{
		{0, 1, 1, 0}, {2, 1, 1, 0}, {3, 1, 1, 3}, {2, 2, 1, 2}, {1, 2, 1, 1}, {0, 2, 1, 0}, {2, 8, 8, 0}, {3, 8, 8, 3},
	} {
		require.Equal(t, c[3], AdjustImbalance(c[0], c[1], c[2]), "%v", c)
	}
}

// 7.3 fair.c task_weight, group_weight: per mille, rounded down.
func TestWeights(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), nil)
	task := NewProcess(NewMM(s, nil, 0), 0, 1)
	require.Zero(t, task.TaskWeight(0, 21))
	require.Zero(t, task.GroupWeight(0, 21))
	setFaults(task, 1, 2)
	require.EqualValues(t, 333, task.TaskWeight(0, 21))
	require.EqualValues(t, 666, task.TaskWeight(1, 21))
	task.group = &Group{nodes: 2, faults: make([]int64, 8)}
	require.Zero(t, task.GroupWeight(0, 21))
	task.group.faults[0], task.group.faults[2], task.group.totalFaults = 3, 1, 4
	require.EqualValues(t, 750, task.GroupWeight(0, 21))
}

// fair.c score_nearby_nodes.
func TestWeightsOfVicinity(t *testing.T) {
	sockets := [][]int{{10, 12, 32, 32}, {12, 10, 32, 32}, {32, 32, 10, 12}, {32, 32, 12, 10}}
	ring := [][]int{{10, 20, 30, 20}, {20, 10, 20, 30}, {30, 20, 10, 20}, {20, 30, 20, 10}}
	for _, c := range []struct {
		name string
		dist [][]int
		node int
		d    int
		want int64
	}{
		{"backplane, far move: the socket counts", sockets, 0, 32, 300},
		{"backplane, near move: the node counts", sockets, 0, 12, 100},
		{"mesh: neighbours by nearness", ring, 0, 30, 100 + (200+400)/2},
	} {
		s := testSystem(t, testMachine(2, 1, c.dist), nil)
		task := NewProcess(NewMM(s, nil, 0), 0, 1)
		for n := range 4 {
			task.faults[2*n] = int64(n+1) * 100
		}
		task.totalFaults = 1000
		require.EqualValues(t, c.want, task.TaskWeight(c.node, c.d), c.name)
	}
}

// 7.3 fair.c migrate_degrades_locality as load-balance.md section 7 puts it.
func TestDegrades(t *testing.T) {
	for _, c := range []struct {
		name                string
		noFaults, group     bool
		src, dst, preferred int
		idle                bool
		running, preferring int
		want                int64
	}{
		{name: "no faults", noFaults: true, dst: 1},
		{name: "same node", src: 1, dst: 1, preferred: 1},
		{name: "leaving, others there", dst: 1, preferred: 0, running: 2, preferring: 1, want: 1},
		{name: "leaving, all prefer it", dst: 1, preferred: 0, running: 2, preferring: 2},
		{name: "entering", dst: 1, preferred: 1, want: -1},
		{name: "entering, idle", dst: 1, preferred: 1, idle: true, want: -1},
		{name: "neither, idle", dst: 1, preferred: NoNode, idle: true},
		{name: "neither: weights", dst: 1, preferred: NoNode, want: 250 - 750},
		{name: "neither, back", src: 1, dst: 0, preferred: NoNode, want: 750 - 250},
		{name: "neither: group weights", group: true, dst: 1, preferred: NoNode, want: 900 - 100},
	} {
		s := testSystem(t, testMachine(2, 1, twoNodes), nil)
		task := NewProcess(NewMM(s, nil, 0), 0, 1)
		setFaults(task, 25, 75)
		task.hasFaults, task.preferred = !c.noFaults, c.preferred
		if c.group {
			task.group = &Group{nodes: 2, totalFaults: 10, faults: []int64{9, 0, 1, 0, 0, 0, 0, 0}}
		}
		require.Equal(t, c.want, task.Degrades(c.src, c.dst, c.idle, c.running, c.preferring), c.name)
	}
}
