package numab

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// sharing is a process whose second task touched every page from CPU 3, node
// 1, and is running there, while the pages are on node 0 and armed.
func sharing(t *testing.T) (*System, *process) {
	s := testSystem(t, testMachine(2, 1, twoNodes), nil)
	p := newProcess(t, s, 64*4096, 1, 3, 0)
	p.armAll()
	for i := range p.regions[0].last {
		p.regions[0].last[i] = accessor(3, p.tasks[1].pid)
	}
	s.Curr[3] = p.tasks[1]
	return s, p
}

// 7.3 fair.c task_numa_group.
func TestJoin(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*System, *process)
		// members of the groups of task 0 and 1 afterwards, 0 for none
		first, second int
		shared        bool
	}{
		{name: "accessor has no group: found one alone", first: 1, shared: true,
			change: func(*System, *process) {}},
		{name: "accessor with a group: join", first: 2, second: 2, shared: true,
			change: func(s *System, p *process) { p.tasks[1].joinGroup(accessor(0, 1)) }},
		{name: "accessor not current there", first: 1, second: 1, shared: true,
			change: func(s *System, p *process) { p.tasks[1].joinGroup(accessor(0, 1)); s.Curr[3] = nil }},
		{name: "another task current there", first: 1, second: 1, shared: true,
			change: func(s *System, p *process) { p.tasks[1].joinGroup(accessor(0, 1)); s.Curr[3] = p.tasks[2] }},
		{name: "the older group of equals stays", first: 1, second: 1, shared: true,
			change: func(s *System, p *process) {
				p.tasks[0].joinGroup(accessor(0, 1))
				p.tasks[1].joinGroup(accessor(0, 1))
			}},
		{name: "the larger group stays", first: 2, second: 1, shared: true,
			change: func(s *System, p *process) {
				p.tasks[1].joinGroup(accessor(0, 1))
				s.Curr[0] = p.tasks[2]
				p.tasks[2].joinGroup(accessor(0, 1))
				p.tasks[0].joinGroup(accessor(0, p.tasks[2].pid))
			}},
		{name: "read-only mapping: no group", shared: true,
			change: func(_ *System, p *process) { p.regions[0].readOnly = true }},
		{name: "PID collision with another process: private", first: 1, second: 0,
			change: func(s *System, p *process) {
				m := NewMM(s, nil, 0)
				other := NewProcess(m, 9, p.tasks[1].pid+256)
				other.joinGroup(accessor(0, 1))
				s.Curr[3] = other
			}},
	} {
		s, p := sharing(t)
		c.change(s, p)
		task := p.tasks[0]
		task.Access(0, 0, 1, 1, Clock{Jiffies: 0})
		members := func(t *Task) int {
			if t.group == nil {
				return 0
			}
			return t.group.members
		}
		require.Equal(t, c.first, members(task), c.name)
		require.Equal(t, c.second, members(p.tasks[1]), c.name)
		priv := private
		if c.shared {
			priv = shared
		}
		require.EqualValues(t, 1, task.faults[s.at(statMemBuf, 0, priv)], c.name)
	}
}

// A group's faults are the sum of its members' at any time.
func TestJoinMovesFaults(t *testing.T) {
	_, p := sharing(t)
	a, b := p.tasks[0], p.tasks[1]
	for i := range 8 {
		a.faults[i], b.faults[i] = int64(i+1), int64(10*i)
	}
	a.totalFaults, b.totalFaults = 10, 60
	b.joinGroup(accessor(0, 1))
	a.joinGroup(accessor(3, b.pid))
	require.Same(t, b.group, a.group)
	require.EqualValues(t, 70, a.group.totalFaults)
	require.EqualValues(t, []int64{1, 12, 23, 34, 45, 56, 67, 78}, a.group.faults)
	a.Exit()
	require.Equal(t, 1, b.group.Members())
	require.EqualValues(t, 60, b.group.totalFaults)
}

// fair.c numa_group_count_active_nodes: more than a third of the busiest.
func TestActiveNodes(t *testing.T) {
	for _, c := range []struct {
		cpu    [2]int64
		active int
	}{{[2]int64{0, 0}, 0}, {[2]int64{9, 0}, 1}, {[2]int64{9, 3}, 1}, {[2]int64{9, 4}, 2}} {
		s := testSystem(t, testMachine(2, 1, twoNodes), nil)
		g := &Group{nodes: 2, faults: []int64{0, 0, 0, 0, c.cpu[0], 0, 0, c.cpu[1]}}
		g.countActive(&s.topo)
		require.Equal(t, c.active, g.ActiveNodes(), "%v", c.cpu)
	}
}

// Shared faults between two active nodes of a group count as local.
func TestSharedFaultsBetweenActiveNodesAreLocal(t *testing.T) {
	_, p := sharing(t)
	task := p.tasks[0]
	g := &Group{members: 1, nodes: 2, activeNodes: 2, maxCPU: 9, faults: []int64{100, 0, 100, 0, 9, 0, 9, 0}}
	task.group, task.preferred, task.scanSeq = g, 0, 9
	task.migrateRetry = 100
	p.tasks[1].group = g
	task.Access(0, 0, 1, 2, Clock{Jiffies: 0})
	require.Equal(t, [3]int64{0, 1, 0}, task.locality)
	require.Equal(t, 0, p.ChunkNode(0, 0), "equal use: the page stays")
	g.activeNodes = 1
	task.Access(0, 1, 2, 2, Clock{Jiffies: 0})
	require.Equal(t, [3]int64{1, 1, 0}, task.locality)
}
