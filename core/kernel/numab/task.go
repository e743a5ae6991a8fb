package numab

// The statistics of a fault array, each with a counter for every node and
// {shared, private}. The first two are decayed averages, the others what
// accumulates until the next accounting (kernel/sched/sched.h enum
// numa_faults_stats).
const (
	statMem = iota
	statCPU
	statMemBuf
	statCPUBuf
)

const (
	shared  = 0
	private = 1
)

// Task is the NUMA balancing state of one thread.
type Task struct {
	// ID is the caller's own name for the task.
	ID int32
	// SingleMemNode says that the task's cpuset allows memory of one node
	// only; it then never scans.
	SingleMemNode bool

	mm  *MM
	pid uint32

	scanSeq       int
	scanPeriod    uint32 // ms of own CPU time
	scanPeriodMax uint32
	nodeStamp     int64 // ns of own CPU time
	preferred     int
	migrateRetry  int64 // jiffies
	workPending   bool
	scan          pendingScan
	exited        bool

	// faults is what the kernel allocates at the first fault; hasFaults says
	// that this has happened.
	faults      []int64
	hasFaults   bool
	totalFaults int64
	// footprint is that of the task's cache group, nil if nobody looks at it.
	footprint *int64
	locality  [3]int64 // pages: remote, local, failed migrations

	lastPlacement int64 // ns, 0 before the first
	lastRuntime   int64 // ns
	group         *Group
}

// NewProcess makes the first task of a fresh address space
// (7.3 fair.c init_numa_balancing without CLONE_VM). pid is its Linux PID: the
// low bits identify who touched a page last.
func NewProcess(mm *MM, id int32, pid uint32) *Task {
	mm.users++
	return &Task{
		ID: id, pid: pid, mm: mm, preferred: NoNode, footprint: mm.footprint,
		scanSeq: mm.scanSeq, scanPeriod: mm.sys.cfg.ScanDelayMs,
		faults: make([]int64, 2*mm.sys.nodePieces),
	}
}

// NewThread makes a task that creator clones (init_numa_balancing with
// CLONE_VM): it inherits the preferred node, waits for its first scan about two
// ticks longer than a process, and the first clone of a process restarts the
// scan delay and the sweep counter.
func NewThread(creator *Task, id int32, pid uint32, jiffies int64) *Task {
	mm := creator.mm
	creator.Forked(jiffies)
	// The stagger compares a period in ms with one in ns as 32-bit numbers
	// and adds the result to a time in ns.
	stagger := min(creator.scanMax(), uint32(uint64(creator.scanPeriod)*uint64(mm.users)*1_000_000))
	t := NewProcess(mm, id, pid)
	t.preferred = creator.preferred
	t.nodeStamp = int64(stagger + uint32(2*mm.sys.tickNs))
	return t
}

// CountIn has the task's faults counted in another footprint than that of its
// address space, before it has any.
func (t *Task) CountIn(footprint *int64) { t.footprint = footprint }

// Forked is what creating a process or thread does to the creator's address
// space: with a single user its scan delay and sweep counter restart.
// NewThread includes it.
func (t *Task) Forked(jiffies int64) {
	if mm := t.mm; mm.users == 1 {
		mm.nextScan = jiffies + mm.sys.msToJiffies(int64(mm.sys.cfg.ScanDelayMs))
		mm.scanSeq = 0
	}
}

// Exit takes the task out of its fault group and address space and its faults
// out of the footprint (7.3 fair.c task_numa_free; the footprint loses at most
// what it has). The caller removes it from System.Curr.
func (t *Task) Exit() {
	if t.exited {
		return
	}
	t.exited = true
	t.mm.users--
	if fp := t.footprint; fp != nil && !t.mm.sys.keep {
		*fp -= min(*fp, t.totalFaults)
	}
	if t.group != nil {
		t.group.remove(t)
		t.group = nil
	}
}

// MM is the task's address space.
func (t *Task) MM() *MM { return t.mm }

// Preferred is the preferred node, or NoNode.
func (t *Task) Preferred() int { return t.preferred }

// SetPreferred changes the preferred node when Access or PlanMove asks for it.
// The kernel does so with the task dequeued and queues it again (core.c
// sched_setnuma); so must the caller, or its counts of tasks by preference go
// wrong.
func (t *Task) SetPreferred(node int) { t.preferred = node }

// TotalFaults is the sum of the decayed memory fault averages in pages.
func (t *Task) TotalFaults() int64 { return t.totalFaults }

// Faults is the decayed average of faults on a node's memory in pages.
func (t *Task) Faults(node int) int64 {
	return t.faults[2*node+shared] + t.faults[2*node+private]
}

// ScanPeriodMs is the time between two scan attempts in ms of CPU time.
func (t *Task) ScanPeriodMs() uint32 { return t.scanPeriod }

// ScanSeq is the sweep that the task has accounted last.
func (t *Task) ScanSeq() int { return t.scanSeq }

// Group is the task's fault group, nil without one.
func (t *Task) Group() *Group { return t.group }

// at is the index of a counter in a fault array.
func (s *System) at(stat, node, priv int) int {
	return 2*(stat*s.topo.nodes+node) + priv
}
