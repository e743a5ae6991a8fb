// Package numab models automatic NUMA balancing as of Linux 7.3: the scanner
// that arms pages with hint faults, the faults, page migration, the fault
// statistics from which tasks get a preferred node, the plan for moving a task
// there, and the footprint that cache-aware scheduling compares with an LLC.
//
// A System holds what all processes share, an MM one address space, a Task the
// state of one thread. The package decides and accounts; its caller owns time,
// run queues and tasks, and carries out what is decided. Memory tiering is not
// covered. A page is 4 KiB; a jiffy is 1/HZ s.
//
// The rules are integer arithmetic of the same width as the kernel's where a
// width shows (kernel/sched/fair.c, mm/memory.c, mm/mempolicy.c).
package numab

import (
	"errors"
	"strconv"

	"casplay/core/kernel"
	"casplay/core/machine"
)

// NoNode is the preferred node of a task without one (NUMA_NO_NODE).
const NoNode = -1

const (
	// pageShift is log2 of the page size in bytes.
	pageShift = 12
	// hugePages is the number of pages of a 2 MiB huge page.
	hugePages = 512
	// maxNodes bounds the nodes of a System: node masks are one word.
	maxNodes = 64
	// localDistance is the ACPI SLIT distance of a node to itself.
	localDistance = 10
	// maxScanWindowMB is the fastest permitted scan, in MiB/s (MAX_SCAN_WINDOW).
	maxScanWindowMB = 2560
)

// Costs prices the kernel's own work. They are parameters of the machine, not
// of the rules; zero means free.
type Costs struct {
	// FaultNs is one hint fault (trap, lookup, statistics) in ns.
	FaultNs int64
	// MigrateFolioNs is the migration of one page, huge or not, in ns, without
	// the copy.
	MigrateFolioNs int64
	// CopyPageNs is how long a CPU of node b takes to copy 4 KiB from node a to
	// its own, in ns, at index a*nodes+b; nil: nothing.
	CopyPageNs []int64
	// ScanEntryNs is the scanner's cost in ns for each page-table entry that
	// it changes, whether it maps 4 KiB or 2 MiB.
	ScanEntryNs int64
}

// System is the part of NUMA balancing that all processes of a machine share.
type System struct {
	// Curr is the task that runs on each CPU, nil when none does. The caller
	// keeps it up to date, also when a task exits.
	Curr []*Task

	hz         int64
	tickNs     int64
	cfg        kernel.Numa
	keep       bool // threads that exit leave their faults in the footprint
	scanPages  int64
	costs      Costs
	topo       topology
	free       []int64 // free pages of each node
	moved      []int64 // scratch of Access
	migrating  machine.Set
	lastGroup  int32
	nodePieces int // length of a fault array half: 4 counters a node
}

// Active reports whether NUMA balancing runs at all: it is configured and the
// machine has more than one node (7.3 mm/mempolicy.c check_numabalancing_enable).
func Active(cfg *kernel.Config, m *machine.Machine) bool {
	return cfg.NumaBalancing && len(m.Nodes) > 1
}

// NewSystem prepares NUMA balancing for a machine. It refuses a tick rate
// outside 1..1000, a scan size outside 1..1048576 MiB, more than 64 nodes, a
// distance matrix of the wrong size, and a machine without memory or CPUs.
func NewSystem(cfg *kernel.Config, m *machine.Machine, costs Costs) (*System, error) {
	if cfg.HZ < 1 || cfg.HZ > 1000 {
		return nil, errors.New("numab: HZ is " + strconv.Itoa(cfg.HZ) + "; use 1 to 1000")
	}
	if s := cfg.Numa.ScanSizeMB; s < 1 || s > 1<<20 {
		return nil, errors.New("numab: scan_size_mb is " + strconv.Itoa(int(s)) + "; use 1 to 1048576")
	}
	if costs.FaultNs < 0 || costs.MigrateFolioNs < 0 || costs.ScanEntryNs < 0 {
		return nil, errors.New("numab: a cost is negative; use 0 or more ns")
	}
	topo, err := newTopology(m)
	if err != nil {
		return nil, err
	}
	s := &System{
		Curr: make([]*Task, len(m.CPUs)),
		hz:   int64(cfg.HZ), tickNs: int64((1_000_000_000 + cfg.HZ/2) / cfg.HZ),
		cfg: cfg.Numa, keep: cfg.Features.KeepFootprint, scanPages: int64(cfg.Numa.ScanSizeMB) << (20 - pageShift),
		costs: costs, topo: topo,
		free: make([]int64, topo.nodes), moved: make([]int64, topo.nodes),
		nodePieces: 4 * topo.nodes,
	}
	for n := range m.Nodes {
		s.free[n] = m.Nodes[n].MemBytes >> pageShift
	}
	return s, nil
}

// FreePages is the number of pages still free on a node.
func (s *System) FreePages(node int) int64 { return s.free[node] }

// msToJiffies rounds up (kernel/time/time.c __msecs_to_jiffies).
func (s *System) msToJiffies(ms int64) int64 { return (ms*s.hz + 999) / 1000 }
