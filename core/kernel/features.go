package kernel

// Features are the rules in which versions and proposals differ. kernel/cas has
// a table of versions, each a value of this struct, and one of proposals, which
// says for each field who proposed it and what the sources leave open.
type Features struct {
	// ThreadGate is the test on the number of running threads (7.3 invalid_llc_nr).
	ThreadGate ThreadGate
	// NoMemoryGate leaves out the test on memory; RSSGate compares the RSS, with
	// and without NUMA balancing; FailClosed does so while there is no footprint;
	// HitRate excludes a process whose accesses miss the LLC. At most one is set;
	// with none the footprint decides (7.3 exceed_llc_capacity).
	NoMemoryGate, RSSGate, FailClosed, HitRate bool
	// SplitTolerance gives the memory gate a tolerance of its own, SizeTolerance.
	SplitTolerance bool
	SizeTolerance  uint32
	// KeepFootprint leaves the faults of a thread that exits in the footprint.
	KeepFootprint bool
	// ScanMask is how a scan chooses CPUs, whatever VisitedCPUs says.
	ScanMask ScanMask
	// DeadBand is another migration policy, with a band in which nothing moves.
	DeadBand bool
	// VisitedCPUs scans only CPUs used in the last EpochAffinityTimeout epochs.
	VisitedCPUs bool
	// LLCPrefix prefers the shortest prefix of the LLCs that holds a process.
	LLCPrefix bool
	// Submission is how a tick submits a scan (7.3 task_tick_cache).
	Submission Submission
	// NumaConflict is what happens when a task prefers another node than that of
	// the preferred LLC (7.3 get_pref_llc, get_scan_cpumasks).
	NumaConflict NumaConflict
	// NumaStableMs is how long (ms) a preferred node must last before NumaIdeal
	// acts on it.
	NumaStableMs uint32
	// LLCImb tolerates a small imbalance between the LLCs of a node.
	LLCImb bool
	// Control says what a process can decide for itself.
	Control Control
	// WakeLLC steers wakeups to the preferred LLC; NoBalance takes the rules of
	// cache-aware scheduling out of the load balancer (first RFCs).
	// WakeGuard leaves a wakeup alone whose preferred LLC is too busy.
	// SyncWake leaves alone one whose waker is about to sleep.
	WakeLLC, WakeGuard, SyncWake, NoBalance bool
	// MisfitGuard forbids moves for LLC affinity that take a task from a CPU that
	// it fits to one that it does not, and lets misfit tasks go first (7.3).
	MisfitGuard bool
	// AsymFirst lets asym packing to an idle CPU go before LLC affinity;
	// ActiveIntent has the stopper remember that a move is for LLC affinity;
	// RunnablePref counts only runnable tasks in nr_pref_llc_running;
	// DomainBytes sizes an LLC by the CPUs that are online (fixes of 7.3).
	// CASOverAsym drops asym packing between LLCs, AsymOff cache-aware scheduling
	// where there is asym packing (two attempts before AsymFirst).
	CASOverAsym, AsymOff                               bool
	AsymFirst, ActiveIntent, RunnablePref, DomainBytes bool
	// GroupLine is the layout of a cache group in memory.
	GroupLine GroupLine
	// LockStat orders the takers of sc_stat.lock by the time of their ticks,
	// has them wait, and reports it (CONFIG_LOCK_STAT); no rule.
	LockStat bool
}

// MergedFeatures are those of 7.3.
func MergedFeatures() Features {
	return Features{
		ThreadGate: ThreadsMerged, SizeTolerance: 1, ScanMask: ScanAuto, Submission: SubmitMerged, NumaConflict: NumaSuppress, NumaStableMs: 1000, Control: ControlGlobal, GroupLine: LineMerged,
		MisfitGuard: true, AsymFirst: true, ActiveIntent: true, RunnablePref: true, DomainBytes: true,
	}
}

// ThreadGate names a test on the number of running threads.
type ThreadGate string

const (
	// ThreadsMerged is 7.3: below 80 % of the LLC's CPUs, scaled by the tolerance.
	ThreadsMerged ThreadGate = "merged"
	// ThreadsV3 is the posted series: at most all CPUs, scaled by the tolerance.
	ThreadsV3 ThreadGate = "v3"
	// ThreadsV1 is the same on an average over eight samples whatever the LLC
	// (v1 and v2; v3 introduced update_avg_scale for small LLCs).
	ThreadsV1 ThreadGate = "v1"
	// ThreadsRFC is RFC v4: at most all CPUs, whatever the tolerance, on the
	// average of v1; the scan itself goes on, so that an excluded process can come back.
	ThreadsRFC ThreadGate = "rfc"
	// ThreadsNone is RFC v1 and v2: nothing looks at threads.
	ThreadsNone ThreadGate = "none"
	// ThreadsSingle is RFC v3: a single thread is left out, and scanned for all the same.
	ThreadsSingle ThreadGate = "single"
	// ThreadsCap lets up to 16 running threads pass, single ones too (scx_lavd).
	ThreadsCap ThreadGate = "cap16"
)

// ScanMask names a choice of the CPUs that a scan looks at.
type ScanMask string

const (
	// ScanAuto is by nodes (7.3), or by visited CPUs where VisitedCPUs is set.
	ScanAuto ScanMask = "auto"
	// ScanNode is by nodes, and of those the visited CPUs with VisitedCPUs (SC_NODE).
	ScanNode ScanMask = "node"
	// ScanNone is no CPU (neither SC_NODE nor SC_VISIT).
	ScanNone ScanMask = "none"
)

// Submission names a way to submit a scan.
type Submission string

const (
	// SubmitMerged is 7.3: test without the lock, then lock, then submit.
	SubmitMerged Submission = "merged"
	// SubmitTrylock tests again under a lock that is only tried.
	SubmitTrylock Submission = "trylock"
	// SubmitWorkLast keeps the work of a task pending until its scan has ended.
	SubmitWorkLast Submission = "work-last"
	// SubmitScanLock holds the group's lock over the scan.
	SubmitScanLock Submission = "sclock"
)

// NumaConflict names an answer to a task whose node is not that of the preferred LLC.
type NumaConflict string

const (
	// NumaSuppress is 7.3: that task has no preferred LLC.
	NumaSuppress NumaConflict = "merged"
	// NumaFirst scans only the preferred node of the scanning task.
	NumaFirst NumaConflict = "numa-first"
	// NumaIdeal moves the preference to the least loaded LLC of a preferred node that lasts.
	NumaIdeal NumaConflict = "numa-ideal"
	// CacheFirst keeps the preferred LLC.
	CacheFirst NumaConflict = "cache-first"
)

// Control names what a process can decide for itself.
type Control string

const (
	// ControlGlobal is 7.3: debugfs, and a cache group for each address space.
	ControlGlobal Control = "global"
	// ControlAlways has cache groups that processes share, and ignores their switch.
	ControlAlways Control = "always"
	// ControlAdvise honours the switch of a group.
	ControlAdvise Control = "advise"
	// ControlNever is off.
	ControlNever Control = "never"
)

// GroupLine is how the fields of a cache group lie in cache lines and when
// they are written (variants.md section 3).
type GroupLine string

const (
	// LineMerged is 7.3: one line holds all fields and is written on change.
	LineMerged GroupLine = "merged"
	// LineRFC is the posted [25/28] of the fourth RFC: one line, and a process
	// over the thread limit writes its invalid preference at every accounting.
	LineRFC GroupLine = "rfc"
	// LineFix is the answer to the report against it: nr_running_avg has a
	// line of its own, and writes happen on change.
	LineFix GroupLine = "fix"
)
