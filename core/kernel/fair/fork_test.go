package fair

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// forkOn creates a running thread from a CPU and returns where it went.
func (s rig) forkOn(cpu int32) int32 {
	ti := s.Create(NewTask{Group: -1, Process: -1, NumaPreferred: -1})
	s.Fork(ti, cpu)
	s.EndEvent(cpu)
	return s.tasks[ti].CPU
}

// On an idle machine the threads of a process alternate between the LLCs of a
// node: the one with more idle CPUs, ties stay local (7.3
// sched_balance_find_dst_group; worked-examples.md: spin3 is born 2/1, spin4 2/2).
func TestForkAlternatesBetweenLLCs(t *testing.T) {
	s := newRig(t, twoLLCs, nil)
	parent := s.forkOn(0)
	var llcs [2]int
	llcs[s.llcOf[parent]]++
	for i := 1; i < 8; i++ {
		s.later(30_000)
		at := s.forkOn(parent)
		llcs[s.llcOf[at]]++
		d := llcs[0] - llcs[1]
		assert.Contains(t, []int{-1, 0, 1}, d, "after %d threads", i+1)
		assert.EqualValues(t, 1, s.rqs[at].nrRunning, "each on a CPU of its own")
	}
}

// Between nodes a difference of two threads is tolerated while this node runs
// at most imb_numa_nr with the new one (7.3 adjust_numa_imbalance in
// sched_balance_find_dst_group).
func TestForkStaysOnTheNode(t *testing.T) {
	s := newRig(t, "pack:2 numa:1 l3:1 core:32 pu:1", nil) // imb_numa_nr 32/8 = 4
	parent := s.forkOn(0)
	home := s.m.CPUs[parent].Node
	var nodes []bool
	for range 8 {
		s.later(30_000)
		nodes = append(nodes, s.m.CPUs[s.forkOn(parent)].Node == home)
	}
	// 2/0, 3/0, then 3/1, 4/1, 4/2; from five on the node with more idle CPUs.
	assert.Equal(t, []bool{true, true, false, true, false, false, false, true}, nodes)
}

// The idlest group by class, then by the class's own measure, against the
// local one (7.3 update_pick_idlest, sched_balance_find_dst_group).
func TestIdlestGroup(t *testing.T) {
	for _, c := range []struct {
		name         string
		numa         bool
		local        []int32 // tasks on each CPU of the local LLC (4 CPUs)
		remote       []int32
		loadL, loadR int64 // load of each CPU, for busy groups
		leaves       bool
	}{
		{"as many idle CPUs: stay", false, []int32{1, 0, 0, 0}, []int32{1, 0, 0, 0}, 0, 0, false},
		{"more idle CPUs there: go", false, []int32{1, 1, 0, 0}, []int32{1, 0, 0, 0}, 0, 0, true},
		{"fewer there: stay", false, []int32{1, 0, 0, 0}, []int32{1, 1, 0, 0}, 0, 0, false},
		{"NUMA: a small difference stays", true, []int32{0, 0, 0, 0}, []int32{0, 0, 0, 0}, 0, 0, false},
		{"local busy, spare there: go", false, []int32{2, 2, 2, 2}, []int32{1, 0, 0, 0}, 1024, 0, true},
		{"spare here, busy there: stay", false, []int32{1, 0, 0, 0}, []int32{2, 2, 2, 2}, 0, 1024, false},
		{"both overloaded, there within 17 %: stay", false, []int32{2, 2, 2, 2}, []int32{2, 2, 2, 2}, 1170, 1000, false},
		{"both overloaded, there lighter: go", false, []int32{2, 2, 2, 2}, []int32{2, 2, 2, 2}, 1171, 1000, true},
		{"the same between nodes needs a slack of 174 besides", true, []int32{2, 2, 2, 2}, []int32{2, 2, 2, 2}, 1174, 1000, false},
		{"and more: go", true, []int32{2, 2, 2, 2}, []int32{2, 2, 2, 2}, 1175, 1000, true},
	} {
		topology := "pack:2 l3:1 core:4 pu:1"
		level := levelPKG
		if c.numa {
			topology, level = "pack:2 numa:1 l3:1 core:4 pu:1", levelNUMA
		}
		s := newRig(t, topology, nil)
		put := func(base int32, tasks []int32, load int64) {
			for i, n := range tasks {
				cpu := base + int32(i)
				for range n {
					s.add(cpu, -1)
				}
				s.rqs[cpu].avg.LoadAvg = load
				if n > 1 {
					s.rqs[cpu].avg.UtilAvg, s.rqs[cpu].avg.RunnableAvg = 1024, 2048
				}
			}
		}
		put(0, c.local, c.loadL)
		put(4, c.remote, c.loadR)
		task := Task{NumaPreferred: -1}
		task.setAllowed(s.m)
		assert.Equal(t, c.leaves, s.idlestGroup(s.dom(0, level), &task, 0) != nil, c.name)
	}
}

// The preferred node decides between nodes with spare CPUs (7.3 sched_balance_find_dst_group).
func TestIdlestGroupAndThePreferredNode(t *testing.T) {
	s := newRig(t, "pack:2 numa:1 l3:1 core:4 pu:1", nil)
	for cpu := range int32(3) {
		s.add(cpu, -1)
	}
	for node, leaves := range map[int32]bool{-1: true, 0: false, 1: true} {
		task := Task{NumaPreferred: node}
		task.setAllowed(s.m)
		assert.Equal(t, leaves, s.idlestGroup(s.dom(0, levelNUMA), &task, 0) != nil, "node %d", node)
	}
}

// In a group of several CPUs the most recently idled one wins where idle
// states tell nothing, the least loaded where none idles (7.3
// sched_balance_find_dst_group_cpu).
func TestIdlestCPU(t *testing.T) {
	s := newRig(t, "pack:2 l3:1 core:4 pu:1", nil)
	s.m.Perf.Idle = nil
	g := &s.groups[s.dom(0, levelPKG).groups[1]]
	for i, stamp := range []int64{50, 70, 60, 70} {
		s.rqs[4+i].idleStamp = stamp
	}
	task := Task{}
	task.setAllowed(s.m)
	assert.Equal(t, int32(5), s.idlestCPU(g, &task, 0), "the first of the latest")
	s.add(5, -1)
	assert.Equal(t, int32(7), s.idlestCPU(g, &task, 0))
	task.Allowed = cpus(0, 4, 5, 6)
	assert.Equal(t, int32(6), s.idlestCPU(g, &task, 0), "of those allowed")
	for cpu := int32(4); cpu < 8; cpu++ {
		s.add(cpu, -1)
		s.rqs[cpu].avg.LoadAvg = 2000 - int64(cpu)
	}
	task.Allowed = cpus()
	task.setAllowed(s.m)
	assert.Equal(t, int32(7), s.idlestCPU(g, &task, 0))
	s.rqs[4].avg.LoadAvg = 1993
	assert.Equal(t, int32(4), s.idlestCPU(g, &task, 0), "the first of the least loaded")
}

// A new task starts with half of what its CPU has left, in proportion to its
// load on a busy one (7.3 post_init_entity_util_avg).
func TestNewTaskUtilisation(t *testing.T) {
	for _, c := range []struct{ util, load, want int64 }{
		{0, 0, 512}, {0, 1024, 512}, {512, 1024, 256}, {100, 1024, 99}, {1024, 1024, 0}, {1030, 1024, 0}, {400, 4096, 99},
	} {
		s := newRig(t, twoLLCs, nil)
		r := &s.rqs[0]
		r.avg.UtilAvg, r.avg.LoadAvg = c.util, c.load
		var task Task
		s.initUtil(r, &task)
		assert.Equal(t, c.want, task.avg.UtilAvg, "%+v", c)
		assert.Equal(t, c.want, task.avg.RunnableAvg)
		assert.EqualValues(t, 1024, task.avg.LoadAvg)
	}
}
