package numab

import (
	"testing"

	"github.com/stretchr/testify/require"

	"casplay/core/kernel"
	"casplay/core/machine"
)

const mib = 1 << 20

// twoNodes is a direct two-node distance matrix.
var twoNodes = [][]int{{10, 21}, {21, 10}}

// testMachine has cpus CPUs on each node, smt of them a core, and 64 GiB a
// node.
func testMachine(cpus, smt int, dist [][]int) *machine.Machine {
	m := &machine.Machine{Distance: dist, SMT: smt}
	for n := range dist {
		node := machine.Node{MemBytes: 64 << 30}
		for range cpus {
			c := len(m.CPUs)
			if c%smt == 0 {
				m.Cores = append(m.Cores, machine.Set{})
			}
			m.Cores[c/smt].Add(c)
			node.CPUs.Add(c)
			m.CPUs = append(m.CPUs, machine.CPU{Core: int32(c / smt), Node: int32(n)})
		}
		m.Nodes = append(m.Nodes, node)
	}
	return m
}

func testSystem(t testing.TB, m *machine.Machine, change func(*kernel.Config)) *System {
	t.Helper()
	cfg := kernel.Default(250)
	if change != nil {
		change(&cfg)
	}
	s, err := NewSystem(&cfg, m, Costs{})
	require.NoError(t, err)
	return s
}

// process is an address space with one region, touched on a node, and threads
// with PIDs from 100.
type process struct {
	*MM
	tasks     []*Task
	footprint int64
	region    int
}

func newProcess(t testing.TB, s *System, bytes int64, chunkPages, threads, node int) *process {
	t.Helper()
	p := &process{}
	p.MM = NewMM(s, &p.footprint, 0)
	var err error
	p.region, err = p.AddRegion(Region{Bytes: bytes, ChunkPages: chunkPages})
	require.NoError(t, err)
	_, err = p.Touch(p.region, 0, p.Chunks(p.region), node)
	require.NoError(t, err)
	p.tasks = append(p.tasks, NewProcess(p.MM, 0, 100))
	for i := 1; i < threads; i++ {
		p.tasks = append(p.tasks, NewThread(p.tasks[0], int32(i), uint32(100+i), 0))
	}
	return p
}

// scanNow is a scan that takes no time.
func scanNow(t *Task, node int, jiffies int64) Scan {
	out := t.Scan(node, jiffies, 0)
	if out.Ran && t.ScanDone(0) {
		out.Sweeps++
	}
	return out
}

// sweep lets the first task scan until a sweep completes and returns the jiffy.
func (p *process) sweep(jiffies int64) int64 {
	for seq := p.scanSeq; p.scanSeq == seq; {
		jiffies = max(jiffies, p.nextScan)
		scanNow(p.tasks[0], 0, jiffies)
	}
	return jiffies
}

// accessAll makes a task access the region, carrying out no moves.
func (p *process) accessAll(task *Task, cpu int, now Clock) (total Access) {
	for c := 0; c < p.Chunks(p.region); {
		a := task.Access(p.region, c, p.Chunks(p.region), cpu, now)
		if a.Preferred != NoNode {
			task.SetPreferred(a.Preferred)
		}
		total.Faults += a.Faults
		total.FaultPages += a.FaultPages
		total.MigratedPages += a.MigratedPages
		total.WantMove = total.WantMove || a.WantMove
		c = a.Next
	}
	return total
}
