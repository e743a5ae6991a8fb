package numab

import (
	"testing"

	"github.com/stretchr/testify/require"

	"casplay/core/kernel"
	"casplay/core/machine"
)

// 7.3 fair.c task_numa_placement, numa-balancing.md section 5: with F pages a
// window the footprint goes F, 1.5 F, 1.75 F to 2 F; without faults it decays.
func TestFootprintSeries(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), nil)
	p := newProcess(t, s, 1024*4096, 1, 2, 0)
	task := p.tasks[0]
	j := int64(0)
	window := func() { // a sweep, then the whole region faulted
		j = p.sweep(j) + 1000
		p.accessAll(task, 0, Clock{Jiffies: j})
	}
	window()
	require.Zero(t, p.footprint, "the first accounting sees an empty window")
	for i, want := range []int64{1024, 1536, 1792, 1920, 1984, 2016, 2032, 2040, 2044, 2046, 2047, 2048, 2048} {
		window()
		require.Equal(t, want, p.footprint, "window %d", i)
		require.Equal(t, want, task.TotalFaults())
		require.Equal(t, want, task.Faults(0))
	}
	require.Zero(t, p.Stats.GateStops-(p.Stats.PlacementCalls-p.Stats.FootprintWrites))

	// A single fault opens the gate; it counts for the next window.
	var got []int64
	task.faults[s.at(statMemBuf, 0, private)] = 0
	task.locality = [3]int64{}
	for range 14 {
		j += 1000
		p.scanSeq++
		task.placement(Clock{Jiffies: j})
		got = append(got, p.footprint)
	}
	require.Equal(t, []int64{1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1, 1, 1, 1}, got)
}

// The footprint is clamped after each single addition, so what other tasks
// lost in between is not made up for.
func TestFootprintClampsEachAddition(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), nil)
	p := newProcess(t, s, mib, 1, 2, 0)
	task := p.tasks[0]
	task.faults[s.at(statMem, 0, shared)] = 1000   // diff -500
	task.faults[s.at(statMemBuf, 1, private)] = 30 // diff +30
	task.totalFaults, p.footprint = 1000, 100
	p.scanSeq = 1
	task.locality[1] = 30
	task.placement(Clock{Jiffies: 1})
	require.EqualValues(t, 30, p.footprint, "not max(0, 100-500+30)")
	require.EqualValues(t, 530, task.TotalFaults())
}

func TestExitTakesFaultsOutOfTheFootprint(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), nil)
	p := newProcess(t, s, mib, 1, 3, 0)
	p.footprint = 100
	p.tasks[0].totalFaults = 30
	p.tasks[1].totalFaults = 300
	p.tasks[0].Exit()
	p.tasks[0].Exit()
	require.EqualValues(t, 70, p.footprint)
	require.Equal(t, 2, p.Users())
	p.tasks[1].Exit()
	require.Zero(t, p.footprint)
}

// Before it was taken out the footprint stayed; and a thread of another cache
// group than that of its address space counts in its own.
func TestExitKeepsTheFootprint(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), func(c *kernel.Config) { c.Features.KeepFootprint = true })
	p := newProcess(t, s, mib, 1, 3, 0)
	p.footprint = 100
	p.tasks[0].totalFaults = 30
	p.tasks[0].Exit()
	require.EqualValues(t, 100, p.footprint)
	s = testSystem(t, testMachine(2, 1, twoNodes), nil)
	p = newProcess(t, s, mib, 1, 3, 0)
	other := int64(50)
	p.footprint = 100
	p.tasks[1].CountIn(&other)
	p.tasks[1].totalFaults = 30
	p.tasks[1].Exit()
	require.EqualValues(t, 100, p.footprint)
	require.EqualValues(t, 20, other)
}

// The CPU half weighs faults with the share of time the task ran: PELT at the
// first accounting, run time since the last one after that.
func TestCPUFaultsAreWeighted(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), nil)
	p := newProcess(t, s, mib, 1, 2, 0)
	task := p.tasks[0]
	cpu := func() int64 { return task.faults[s.at(statCPU, 0, private)] }
	fill := func() {
		p.scanSeq++
		task.faults[s.at(statMemBuf, 0, private)] = 1000
		task.faults[s.at(statCPUBuf, 0, private)] = 1000
		task.locality[1] = 1000
	}
	fill()
	task.placement(Clock{Jiffies: 1, ExecStartNs: 5e9, RuntimeNs: 3e9, LoadSum: loadAvgMax / 2})
	share := int64(loadAvgMax/2) << 16 / (loadAvgMax + 1)
	first := share * 1000 / 1001
	require.Equal(t, first, cpu())
	fill()
	task.placement(Clock{Jiffies: 2, ExecStartNs: 6e9, RuntimeNs: 35e8})
	require.Equal(t, (int64(5e8)<<16/(1e9+1))*1000/1001+first-first/2, cpu())
	fill()
	second := cpu()
	task.placement(Clock{Jiffies: 3, ExecStartNs: 5e9, RuntimeNs: 35e8})
	require.Equal(t, second-second/2, cpu(), "a clock that goes back counts as no time")
}

// 7.3 fair.c task_numa_placement: most faults win, lowest node on a tie, a node
// without CPUs hands over to the nearest with.
func TestPreferredNode(t *testing.T) {
	for _, c := range []struct {
		name   string
		faults []int64
		noCPUs int
		before int
		want   int
	}{
		{"none", []int64{0, 0, 0}, -1, 2, 2},
		{"most", []int64{1, 5, 4}, -1, NoNode, 1},
		{"tie", []int64{0, 5, 5}, -1, NoNode, 1},
		{"node without CPUs", []int64{0, 5, 9}, 2, NoNode, 1},
	} {
		hw := testMachine(2, 1, [][]int{{10, 20, 30}, {20, 10, 20}, {30, 20, 10}})
		if c.noCPUs >= 0 {
			hw.Nodes[c.noCPUs].CPUs = machine.Set{}
		}
		s := testSystem(t, hw, nil)
		task := NewProcess(NewMM(s, nil, 0), 0, 1)
		task.preferred, task.mm.scanSeq = c.before, 1
		for n, f := range c.faults {
			task.faults[s.at(statMemBuf, n, private)] = f
			task.locality[1] += f
		}
		require.Equal(t, c.want, task.placement(Clock{Jiffies: 1}), c.name)
		require.Equal(t, c.before, task.Preferred(), "set by the caller only")
	}
}

// With a fault group its faults decide, and on machines with several hops the
// vicinity does (fair.c preferred_group_nid).
func TestPreferredNodeOfGroup(t *testing.T) {
	sockets := [][]int{{10, 12, 32, 32}, {12, 10, 32, 32}, {32, 32, 10, 12}, {32, 32, 12, 10}}
	ring := [][]int{{10, 20, 30, 20}, {20, 10, 20, 30}, {30, 20, 10, 20}, {20, 30, 20, 10}}
	flat := [][]int{{10, 20, 20, 20}, {20, 10, 20, 20}, {20, 20, 10, 20}, {20, 20, 20, 10}}
	for _, c := range []struct {
		name  string
		dist  [][]int
		group []int64
		want  int
	}{
		{"direct", flat, []int64{0, 40, 50, 0}, 2},
		{"backplane: best socket, then best node", sockets, []int64{50, 0, 40, 30}, 2},
		{"backplane: one node", sockets, []int64{0, 50, 0, 0}, 1},
		// A neighbour of the ring counts half: 45+50 beats 50+22.
		{"backplane: no faults", sockets, []int64{0, 0, 0, 0}, NoNode},
		{"mesh: between two", ring, []int64{50, 45, 50, 0}, 1},
		{"mesh: far apart", ring, []int64{50, 0, 20, 0}, 0},
	} {
		s := testSystem(t, testMachine(2, 1, c.dist), nil)
		task := NewProcess(NewMM(s, nil, 0), 0, 1)
		task.group = &Group{members: 2, activeNodes: 1, nodes: 4, faults: make([]int64, s.nodePieces)}
		for n, f := range c.group {
			task.group.faults[2*n+shared] = f
			task.group.totalFaults += f
		}
		task.mm.scanSeq = 1
		require.Equal(t, c.want, task.placement(Clock{Jiffies: 1}), c.name)
	}
}
