package numab

import (
	"testing"

	"github.com/stretchr/testify/require"

	"casplay/core/machine"
)

// 7.3 fair.c task_numa_migrate, one case a rule. Two nodes of four CPUs (0-3,
// 4-7); the task runs on CPU 0 and prefers node 1.
func TestPlanMove(t *testing.T) {
	const all1 = 100 // faults, all on one node
	busy1 := map[int][2]int64{0: {0, all1}, 4: {0, all1}, 5: {0, all1}, 6: {0, all1}, 7: {0, all1}}
	for _, c := range []struct {
		name   string
		crowd  map[int][2]int64
		change func(*System, *queues, map[int]*Task)
		domain Domain
		cpu    int
		swap   int // CPU of the partner, 0 for none
		node   int
	}{
		{name: "room on the preferred node: first idle CPU", crowd: map[int][2]int64{0: {0, all1}, 4: {0, all1}, 1: {all1, 0}, 2: {all1, 0}},
			cpu: 5, node: NoNode},
		{name: "empty node: an imbalance of 2 is forgiven", crowd: map[int][2]int64{0: {0, all1}},
			cpu: 4, node: NoNode},
		{name: "more running there: imbalance, and no swap while it has room", crowd: map[int][2]int64{0: {0, all1}, 4: {all1, 0}, 5: {all1, 0}},
			cpu: -1, node: NoNode},
		{name: "busier machine: 2 more than the source keeps is forgiven", domain: Domain{ImbalancePct: 117, ImbNumaNr: 8},
			crowd: map[int][2]int64{0: {0, all1}, 1: {all1, 0}, 4: {all1, 0}, 5: {all1, 0}}, cpu: 6, node: NoNode},
		{name: "busier machine: 3 more is not", domain: Domain{ImbalancePct: 117, ImbNumaNr: 8},
			crowd: map[int][2]int64{0: {0, all1}, 4: {all1, 0}, 5: {all1, 0}}, cpu: -1, node: NoNode},
		{name: "no NUMA domain: prefers where it is", crowd: map[int][2]int64{0: {0, all1}}, domain: Domain{ImbalancePct: -1},
			cpu: -1, node: 0},
		{name: "not allowed there", crowd: map[int][2]int64{0: {0, all1}},
			change: func(_ *System, q *queues, tasks map[int]*Task) {
				var s machine.Set
				s.Add(0)
				q.pinned[tasks[0]] = s
			}, cpu: -1, node: NoNode},
		{name: "reserved CPU is passed over", crowd: map[int][2]int64{0: {0, all1}},
			change: func(s *System, _ *queues, _ map[int]*Task) { s.migrating.Add(4) }, cpu: 5, node: NoNode},
		{name: "full node: swap with who wants to leave", crowd: map[int][2]int64{0: {0, all1}, 4: {0, all1}, 5: {0, all1}, 6: {all1, 0}, 7: {0, all1}},
			cpu: 6, swap: 6, node: NoNode},
		{name: "partner's CPU reserved", crowd: map[int][2]int64{0: {0, all1}, 4: {0, all1}, 5: {0, all1}, 6: {all1, 0}, 7: {0, all1}},
			change: func(s *System, _ *queues, _ map[int]*Task) { s.migrating.Add(6) }, cpu: -1, node: NoNode},
		{name: "full node of settled tasks", crowd: busy1, cpu: -1, node: NoNode},
		{name: "partner pinned there", crowd: map[int][2]int64{0: {0, all1}, 4: {0, all1}, 5: {0, all1}, 6: {all1, 0}, 7: {0, all1}},
			change: func(_ *System, q *queues, tasks map[int]*Task) {
				var s machine.Set
				s.Add(6)
				q.pinned[tasks[6]] = s
			}, cpu: -1, node: NoNode},
		{name: "swap that skews the load", crowd: map[int][2]int64{0: {0, all1}, 4: {0, all1}, 5: {0, all1}, 6: {all1, 0}, 7: {0, all1}},
			change: func(_ *System, q *queues, tasks map[int]*Task) { q.load[tasks[0]] = 4096; q.load[tasks[6]] = 1 },
			cpu:    -1, node: NoNode},
		{name: "full node, full source: a move would skew, swap improves by 999 of 30", crowd: map[int][2]int64{
			0: {0, all1}, 1: {all1, 0}, 2: {all1, 0}, 3: {all1, 0}, 4: {0, all1}, 5: {all1, 0}, 6: {0, all1}, 7: {0, all1}},
			cpu: 5, swap: 5, node: NoNode},
	} {
		s, q, tasks := crowd(t, testMachine(4, 1, twoNodes), c.crowd)
		if c.change != nil {
			c.change(s, q, tasks)
		}
		dom := numaDomain
		switch {
		case c.domain.ImbalancePct < 0:
			dom = Domain{}
		case c.domain.ImbalancePct > 0:
			dom = c.domain
		}
		reserved := s.migrating
		got := tasks[0].PlanMove(0, dom, q)
		var swap *Task
		if c.swap != 0 {
			swap = tasks[c.swap]
		}
		require.Equal(t, c.cpu, got.CPU, c.name)
		require.Same(t, swap, got.Swap, c.name)
		require.Equal(t, c.node, got.Preferred, c.name)
		if got.CPU >= 0 {
			require.True(t, s.migrating.Has(got.CPU), c.name)
			s.MoveDone(got.CPU)
		}
		require.Equal(t, reserved, s.migrating, "%s: nothing else stays reserved", c.name)
	}
}

// A task off its preferred node that finds an idle CPU there asks for two
// nodes' statistics and no more.
func TestPlanMoveIsCheapWhenThereIsRoom(t *testing.T) {
	_, q, tasks := crowd(t, testMachine(4, 1, [][]int{{10, 20, 20}, {20, 10, 20}, {20, 20, 10}}), map[int][2]int64{0: {0, 9}})
	require.Equal(t, 4, tasks[0].PlanMove(0, numaDomain, q).CPU)
	require.Equal(t, 2, q.asked)
}

func TestPlanMovePrefersIdleCores(t *testing.T) {
	_, q, tasks := crowd(t, testMachine(4, 2, twoNodes), map[int][2]int64{0: {0, 9}, 1: {9, 0}, 2: {9, 0}, 4: {0, 9}})
	require.Equal(t, 6, tasks[0].PlanMove(0, numaDomain, q).CPU, "5 shares a core with 4")
}

// Gains of a swap, per mille (7.3 fair.c task_numa_compare).
func TestSwapGain(t *testing.T) {
	g, h := &Group{nodes: 2, totalFaults: 10, faults: []int64{2, 0, 8, 0, 0, 0, 0, 0}}, &Group{nodes: 2, totalFaults: 10, faults: []int64{6, 0, 4, 0, 0, 0, 0, 0}}
	for _, c := range []struct {
		name      string
		mine, his *Group
		preferred int
		want      int64
	}{
		{"no groups", nil, nil, NoNode, 500 + 200},
		{"same group: 1/16 less", g, g, NoNode, 700 - 700/16},
		{"same group, partner at home", g, g, 1, (700 - 700/16) - (700-700/16)/16},
		{"other group: group weights", g, h, NoNode, 600 + 200},
		{"partner goes home", g, h, 0, 800 + 800/8},
		{"partner without group: its task weight", g, nil, NoNode, 600 + 200},
		{"only the partner has one: its task weight", nil, h, NoNode, 500 + 200},
	} {
		_, q, tasks := crowd(t, testMachine(4, 1, twoNodes), map[int][2]int64{0: {25, 75}, 4: {60, 40}})
		me, him := tasks[0], tasks[4]
		me.group, him.group, him.preferred = c.mine, c.his, c.preferred
		e := search{sys: q.s, t: me, q: q, src: 0, dst: 1, dist: 21, taskGain: 500, groupGain: 600}
		move := e.taskGain
		if me.group != nil {
			move = e.groupGain
		}
		require.Equal(t, c.want, e.swapGain(him, move), c.name)
	}
}

// A swap needs a gain of 30, and more than 15 over the best so far.
func TestSwapThreshold(t *testing.T) {
	for _, c := range []struct {
		gain, best int64
		want       bool
	}{{29, 0, false}, {30, 0, true}, {100, 85, false}, {101, 85, true}} {
		_, q, tasks := crowd(t, testMachine(4, 1, twoNodes), map[int][2]int64{0: {25, 75}, 4: {50, 50}})
		tasks[4].preferred = NoNode
		e := search{sys: q.s, t: tasks[0], q: q, src: 0, dst: 1, dist: 21, dstCPU: 4, bestCPU: -1,
			taskGain: c.gain, bestGain: c.best, dstClass: fullyBusy}
		e.compare()
		require.Equal(t, c.want, e.bestTask == tasks[4], "%+v", c)
	}
}

// A task in a group takes the node found, or else its own, as preferred.
func TestPlanMoveOfGroupMember(t *testing.T) {
	three := [][]int{{10, 20, 20}, {20, 10, 20}, {20, 20, 10}}
	s, q, tasks := crowd(t, testMachine(2, 1, three), map[int][2]int64{0: {0, 90}, 2: {0, 9}, 3: {0, 9}})
	task := tasks[0]
	task.group = &Group{members: 2, activeNodes: 1, nodes: 3, totalFaults: 90, faults: make([]int64, s.nodePieces)}
	task.group.faults[2] = 90
	got := task.PlanMove(0, numaDomain, q)
	require.Equal(t, Plan{CPU: 4, Preferred: 2}, got, "the preferred node is full, the third is as good as the own")
	s.MoveDone(4)

	task.group.faults[0], task.group.faults[2] = 45, 45
	task.faults[private], task.faults[2+private] = 45, 45
	got = task.PlanMove(0, numaDomain, q)
	require.Equal(t, Plan{CPU: -1, Preferred: 0}, got, "both weights would fall on the third node: stay")

	task.group = nil
	// Without a group only one weight falls, so any node with room will do.
	require.Equal(t, Plan{CPU: 4, Preferred: NoNode}, task.PlanMove(0, numaDomain, q))
}

// Two plans never take the same CPU, and a reserved one is replaced by the
// next idle one (7.3 fair.c task_numa_assign).
func TestPlansDoNotCollide(t *testing.T) {
	s, q, tasks := crowd(t, testMachine(4, 1, twoNodes), map[int][2]int64{0: {0, 9}, 1: {0, 9}, 2: {0, 9}, 3: {0, 9}})
	seen := map[int]bool{}
	for cpu := range 4 {
		got := tasks[cpu].PlanMove(cpu, numaDomain, q)
		require.False(t, seen[got.CPU])
		seen[got.CPU] = true
	}
	require.Equal(t, map[int]bool{4: true, 5: true, 6: true, 7: true}, seen)
	for cpu := range seen {
		s.MoveDone(cpu)
	}
	require.True(t, s.migrating.Empty())

	e := search{sys: s, t: tasks[0], q: q, dst: 1, dstCPU: 7, bestCPU: -1}
	s.migrating.Add(7)
	e.assign(nil, 0)
	require.Equal(t, 4, e.bestCPU, "wraps around within the node")
	for c := 4; c < 8; c++ {
		s.migrating.Add(c)
	}
	e = search{sys: s, t: tasks[0], q: q, dst: 1, dstCPU: 7, bestCPU: -1}
	e.assign(nil, 0)
	require.Equal(t, -1, e.bestCPU)
}

// A destination that is busy, but less so than the source, takes the task
// itself, on an idle CPU if it has one.
func TestPlanMoveToABusyNode(t *testing.T) {
	settled, leaving := [2]int64{0, 100}, [2]int64{100, 0}
	neutral, barely, free := [2]int64{50, 50}, [2]int64{51, 49}, [2]int64{99, 1} // neutral and free prefer no node
	busy := NodeStats{Load: 2048, Util: 4096, Runnable: 4096, Capacity: 4096, NrRunning: 4}
	heavy := NodeStats{Load: 8192, Util: 4096, Runnable: 8192, Capacity: 4096, NrRunning: 8}
	level := NodeStats{Load: 4096, Util: 4096, Runnable: 4096, Capacity: 4096, NrRunning: 4}
	for _, c := range []struct {
		name     string
		crowd    map[int][2]int64
		src, dst NodeStats
		cpu      int
		swap     int
	}{
		{name: "idle CPU after a settled task", src: heavy, dst: busy, cpu: 7,
			crowd: map[int][2]int64{0: settled, 4: settled, 5: settled, 6: settled}},
		{name: "idle CPU met first", src: heavy, dst: busy, cpu: 4,
			crowd: map[int][2]int64{0: settled, 5: settled, 6: settled, 7: settled}},
		{name: "no idle CPU: behind a settled task", src: heavy, dst: busy, cpu: 4,
			crowd: map[int][2]int64{0: settled, 4: settled, 5: settled, 6: settled, 7: settled}},
		{name: "a swap with who goes home beats the move and stays best", src: heavy, dst: busy, cpu: 5, swap: 5,
			crowd: map[int][2]int64{0: settled, 4: settled, 5: leaving, 6: neutral, 7: settled}},
		{name: "a swap may gain more than the move", src: heavy, dst: busy, cpu: 4, swap: 4,
			crowd: map[int][2]int64{0: settled, 4: leaving, 5: neutral, 6: neutral, 7: settled}},
		{name: "who goes home is not replaced by who just gains more", src: heavy, dst: busy, cpu: 4, swap: 4,
			crowd: map[int][2]int64{0: settled, 4: barely, 5: free, 6: neutral, 7: settled}},
		{name: "no move, who goes home replaces a better swap and ends the search", src: level, dst: level, cpu: 5, swap: 5,
			crowd: map[int][2]int64{0: settled, 4: free, 5: barely, 6: leaving, 7: settled}},
	} {
		s, q, tasks := crowd(t, testMachine(4, 1, twoNodes), c.crowd)
		q.stats[0], q.stats[1] = c.src, c.dst
		for cpu, f := range c.crowd {
			if f == neutral || f == free {
				tasks[cpu].preferred = NoNode
			}
		}
		got := tasks[0].PlanMove(0, numaDomain, q)
		require.Equal(t, c.cpu, got.CPU, c.name)
		var swap *Task
		if c.swap != 0 {
			swap = tasks[c.swap]
		}
		require.Same(t, swap, got.Swap, c.name)
		s.MoveDone(got.CPU)
		require.True(t, s.migrating.Empty(), c.name)
	}
}

// An idle CPU found on one node is kept when a busier node would gain more.
func TestPlanKeepsTheIdleCPU(t *testing.T) {
	three := [][]int{{10, 20, 20}, {20, 10, 20}, {20, 20, 10}}
	s, q, tasks := crowd(t, testMachine(2, 1, three), map[int][2]int64{0: {0, 50}, 4: {0, 9}, 5: {0, 9}})
	task := tasks[0]
	for _, cpu := range []int{4, 5} { // settled on the third node
		tasks[cpu].faults[2+private], tasks[cpu].faults[4+private], tasks[cpu].preferred = 0, 9, 2
	}
	g := &Group{members: 2, activeNodes: 2, nodes: 3, totalFaults: 100, faults: make([]int64, s.nodePieces)}
	g.faults[2], g.faults[4] = 50, 50
	task.group = g
	q.stats[0] = NodeStats{Load: 8192, Util: 2048, Runnable: 8192, Capacity: 2048, NrRunning: 8}
	q.stats[2] = NodeStats{Load: 1024, Util: 2048, Runnable: 2048, Capacity: 2048, NrRunning: 2}
	got := task.PlanMove(0, numaDomain, q)
	require.Equal(t, Plan{CPU: 2, Preferred: NoNode}, got)
	s.MoveDone(2)
	require.True(t, s.migrating.Empty())
}

// A group that is active on several nodes looks beyond a spot on the preferred
// node, and the last node that is as good wins.
func TestPlanOfAScatteredGroup(t *testing.T) {
	three := [][]int{{10, 20, 20}, {20, 10, 20}, {20, 20, 10}}
	s, q, tasks := crowd(t, testMachine(2, 1, three), map[int][2]int64{0: {0, 50}})
	g := &Group{members: 2, activeNodes: 2, nodes: 3, totalFaults: 100, faults: make([]int64, s.nodePieces)}
	g.faults[2], g.faults[4] = 50, 50
	tasks[0].group = g
	require.Equal(t, Plan{CPU: 4, Preferred: 2}, tasks[0].PlanMove(0, numaDomain, q))
	s.MoveDone(4)
	g.activeNodes = 1
	require.Equal(t, Plan{CPU: 2, Preferred: NoNode}, tasks[0].PlanMove(0, numaDomain, q))
}

// On a machine with several hops the weights depend on the distance of the
// move (fair.c task_numa_migrate).
func TestPlanMoveAcrossSockets(t *testing.T) {
	sockets := [][]int{{10, 12, 32, 32}, {12, 10, 32, 32}, {32, 32, 10, 12}, {32, 32, 12, 10}}
	s, q, tasks := crowd(t, testMachine(2, 1, sockets), map[int][2]int64{0: {0, 0}, 1: {0, 0}, 2: {90, 0}, 3: {90, 0}, 4: {0, 9}, 5: {0, 9}})
	for _, cpu := range []int{4, 5} {
		tasks[cpu].faults[2+private], tasks[cpu].faults[4+private], tasks[cpu].preferred = 0, 9, 2
	}
	task := tasks[0]
	task.faults[4], task.faults[6], task.totalFaults, task.preferred = 50, 40, 90, 2
	got := task.PlanMove(0, numaDomain, q)
	require.Equal(t, Plan{CPU: 6, Preferred: NoNode}, got, "preferred node full: its neighbour")
	s.MoveDone(6)
}
