package numab

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// armAll arms every present chunk of the first region.
func (p *process) armAll() {
	w := walk{m: p.MM, node: NoNode}
	w.arm(&p.regions[0], p.regions[0].start, p.regions[0].end)
}

// 7.3 fair.c should_numa_migrate_memory, first match. The task has PID 100 and
// faults on CPU 2 of node 1 for a page of node 0.
func TestMigrationFilter(t *testing.T) {
	other0, other1 := accessor(0, 101), accessor(3, 101)
	for _, c := range []struct {
		name      string
		last      uint32
		preferred int
		seq       int
		noMem     bool
		// cpu and mem faults of the group by node; nil for no group
		cpu, mem []int64
		want     bool
	}{
		{name: "no memory", last: unset, preferred: NoNode, noMem: true},
		{name: "early, first fault", last: unset, preferred: NoNode, seq: 9, want: true},
		{name: "early, own page", last: accessor(0, 100), preferred: 1, seq: 4, want: true},
		{name: "early, PID collision", last: accessor(0, 356), preferred: 1, seq: 4, want: true},
		{name: "early, another's on the other node", last: other0, preferred: NoNode},
		{name: "early, another's on this node", last: other1, preferred: NoNode, want: true},
		{name: "late, first fault", last: unset, preferred: 1, seq: 5, want: true},
		{name: "late, own page, other node", last: accessor(0, 100), preferred: 1, seq: 5},
		{name: "late, own page, this node", last: accessor(3, 100), preferred: 1, seq: 5, want: true},
		{name: "PID 255 looks unset", last: accessor(0, 255), preferred: NoNode, want: true},
		{name: "group, 3 times is not more", last: other1, preferred: 1, seq: 5, cpu: []int64{10, 30}, mem: []int64{10, 100}},
		{name: "group, more than 3 times", last: other1, preferred: 1, seq: 5, cpu: []int64{10, 31}, mem: []int64{10, 100}, want: true},
		{name: "group, equal use: hysteresis", last: other1, preferred: 1, seq: 5, cpu: []int64{10, 10}, mem: []int64{10, 10}},
		{name: "group, 4/3 is not more", last: other1, preferred: 1, seq: 5, cpu: []int64{30, 40}, mem: []int64{10, 10}},
		{name: "group, above 4/3", last: other1, preferred: 1, seq: 5, cpu: []int64{30, 41}, mem: []int64{10, 10}, want: true},
	} {
		s := testSystem(t, testMachine(2, 1, twoNodes), nil)
		p := newProcess(t, s, mib, 1, 1, 0)
		task, r := p.tasks[0], &p.regions[0]
		s.topo.hasMem[1] = !c.noMem
		task.preferred, task.scanSeq = c.preferred, c.seq
		r.last[0] = c.last
		if c.cpu != nil {
			task.group = &Group{members: 2, nodes: 2, faults: []int64{c.mem[0], 0, 0, c.mem[1], c.cpu[0], 0, 0, c.cpu[1]}}
		}
		require.Equal(t, c.want, task.shouldMigrate(r, 0, 2, 0, 1), c.name)
		if c.noMem {
			require.Equal(t, c.last, r.last[0], c.name)
		} else {
			require.Equal(t, accessor(2, 100), r.last[0], "%s: every check records the access", c.name)
		}
	}
}

func TestAccessMovesFirstFaultsToTheCPU(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), nil)
	s.costs = Costs{FaultNs: 1000, MigrateFolioNs: 5000, CopyPageNs: []int64{0, 100, 200, 0}}
	p := newProcess(t, s, 20*mib, 512, 2, 0)
	slice, err := p.AddSlice(0, 2, 6)
	require.NoError(t, err)
	task := p.tasks[0]
	version := p.Version()

	got := task.Access(0, 0, 10, 2, Clock{Jiffies: 1})
	require.Equal(t, Access{Next: 10, Preferred: NoNode}, got, "nothing armed")
	p.armAll()
	got = task.Access(0, 2, 8, 2, Clock{Jiffies: 1})
	require.Equal(t, Access{
		Next: 8, Faults: 6, FaultPages: 3072, MigratedPages: 3072, From: []int64{3072, 0},
		CostNs: 6*1000 + 6*5000 + 3072*100, Preferred: NoNode,
	}, got)
	require.EqualValues(t, 4, p.regions[0].armed.count)
	require.EqualValues(t, 3072, p.NodePages(1))
	nodes := make([]int64, 2)
	p.SliceNodes(slice, nodes)
	require.Equal(t, []int64{0, 2048}, nodes)
	require.NotEqual(t, version, p.Version())
	require.Equal(t, [3]int64{3072, 0, 0}, task.locality, "remote when it faulted")
	require.EqualValues(t, 3072, task.faults[s.at(statMemBuf, 1, private)], "booked where the page ends up")
	require.EqualValues(t, 3072, task.faults[s.at(statCPUBuf, 1, private)])
	require.Equal(t, Stats{HintFaults: 6, FaultPages: 3072, PagesMigrated: 3072, PlacementCalls: 6, GateStops: 6}, p.Stats)

	got = task.Access(0, 0, 10, 0, Clock{Jiffies: 1})
	require.EqualValues(t, 4, got.Faults)
	require.Nil(t, got.From, "local pages stay")
	require.Equal(t, unset, p.regions[0].last[0], "and keep their last accessor (mpol_misplaced)")
	require.Equal(t, [3]int64{3072, 2048, 0}, task.locality)
}

func TestFailedMigration(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), nil)
	p := newProcess(t, s, 20*mib, 512, 2, 0)
	task := p.tasks[0]
	s.free[1] = 512
	p.armAll()
	got := task.Access(0, 0, 10, 2, Clock{Jiffies: 1})
	require.EqualValues(t, 512, got.MigratedPages)
	require.EqualValues(t, 9*512, got.FailedPages)
	require.EqualValues(t, 9*512, task.locality[2])
	require.EqualValues(t, 9*512, task.faults[s.at(statMemBuf, 0, private)])
	require.EqualValues(t, 9*512, p.Stats.MigrateFailed)
	require.Zero(t, s.FreePages(1))
}

// 7.3 fair.c task_numa_fault and numa_migrate_preferred: until a preferred
// node exists every fault calls the placement, after that one each interval.
func TestPlacementCadence(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), nil)
	p := newProcess(t, s, 400*4096, 1, 2, 0)
	task := p.tasks[0]
	j := p.sweep(0)
	task.Access(0, 0, 100, 0, Clock{Jiffies: j})
	require.EqualValues(t, 100, p.Stats.PlacementCalls)
	require.EqualValues(t, 99, p.Stats.GateStops, "the first one accounts, of an empty window")
	require.EqualValues(t, NoNode, task.Preferred())

	p.armAll()
	p.scanSeq++
	got := task.Access(0, 0, 400, 2, Clock{Jiffies: j + 1})
	require.Equal(t, 0, got.Preferred)
	require.True(t, got.WantMove)
	require.Equal(t, 1, got.Next, "stops for the move")
	require.EqualValues(t, 101, p.Stats.PlacementCalls)
	task.SetPreferred(got.Preferred)
	interval := s.msToJiffies(int64(task.ScanPeriodMs())) / 16
	require.EqualValues(t, j+1+interval, task.migrateRetry)

	got = task.Access(0, got.Next, 100, 2, Clock{Jiffies: j + 1 + interval})
	require.Equal(t, 100, got.Next, "not later than the retry")
	require.EqualValues(t, 101, p.Stats.PlacementCalls)
	got = task.Access(0, 100, 200, 2, Clock{Jiffies: j + 2 + interval})
	require.True(t, got.WantMove)
	require.Equal(t, NoNode, got.Preferred)
	require.Equal(t, 101, got.Next)
	got = task.Access(0, 101, 200, 0, Clock{Jiffies: j + 1000})
	require.False(t, got.WantMove, "already there")
	require.Equal(t, 200, got.Next)
}

// The interval is at most one second.
func TestRetryInterval(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), nil)
	p := newProcess(t, s, 4*4096, 1, 2, 0)
	task := p.tasks[0]
	task.preferred, task.scanPeriod = 0, 60000
	p.armAll()
	task.Access(0, 0, 1, 0, Clock{Jiffies: 1})
	require.EqualValues(t, 1+250, task.migrateRetry)
}
