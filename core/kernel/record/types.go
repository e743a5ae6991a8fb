package record

import "casplay/core/kernel/why"

// Cause says what moved a task to another CPU.
type Cause uint8

const (
	// ByWakeup: CPU selection at a wakeup.
	ByWakeup Cause = iota
	// ByBalance: detached from a run queue by a balance pass.
	ByBalance
	// ByStopper and ByLLCStopper: pushed while running, by generic active
	// balance or by that of a migrate_llc_task pass.
	ByStopper
	ByLLCStopper
	// ByNuma: to its preferred node.
	ByNuma
	// ByAffinity: a new affinity mask excluded its CPU.
	ByAffinity
)

// Fork is the creation of Task on CPU by code on From.
type Fork struct{ Task, CPU, From int32 }

// Wakeup is CPU selection for Task, which last ran on Prev, by code on Waker.
type Wakeup struct {
	Task, CPU, Prev, Waker int32
	// Sync: the waker is about to sleep. Delayed: the task was still queued.
	Sync, Delayed bool
}

// Migration is a change of a task's CPU.
type Migration struct {
	Task, From, To int32
	Cause          Cause
	// Pass is the balance pass that did it, nil for other causes.
	Pass *Pass
}

// Pass names a balance pass: which CPU balanced which domain, and how idle it was.
type Pass struct {
	CPU int32
	// Level is the name of the domain, Idle one of busy, idle and newly idle.
	Level, Idle string
	// Kind is the migration type.
	Kind string
}

// Balance is a pass that found an imbalance and a queue to take from.
type Balance struct {
	Pass
	// Src is the CPU to take from, SrcRunning its nr_running.
	Src, SrcRunning int32
	// Class is that of the busiest group, Imbalance how much is to move.
	Class     string
	Imbalance int64
	// LocalRunning and BusiestRunning are nr_running of the two groups,
	// LocalIdle and BusiestIdle their idle CPUs.
	LocalRunning, BusiestRunning, LocalIdle, BusiestIdle int64
	// Failed is nr_balance_failed before the pass.
	Failed int64
	// Moved counts the tasks moved. When none: Protected tells that
	// alb_break_llc kept active balance off, Stopper that it was started,
	// Pinned that affinity forbade it, LLCPinned that LLC affinity kept a task.
	Moved                                 int
	Protected, Stopper, Pinned, LLCPinned bool
}

// Policy is a verdict of can_migrate_llc: for a group that is to be tagged
// llc_balance (Task -1), or for one task.
type Policy struct {
	Pass
	Task int32
	// Src and Dst are LLCs, SrcUtil and DstUtil what they would hold after the
	// move, SrcLimit and DstLimit where they no longer fit.
	Src, Dst                             int32
	SrcUtil, DstUtil, SrcLimit, DstLimit int64
	// Prefer is the number of queued tasks of the group that prefer Dst.
	Prefer int64
	// ToPref: Dst is the preferred LLC; else Src is.
	ToPref bool
	// Hint is N, Y or G.
	Hint string
}

// Override tells that a task may move against its LLC preference because its
// domain has failed to balance too often.
type Override struct {
	Pass
	Task          int32
	Failed, Limit int64
}

// Preferred is a change of a process's preferred LLC; -1 is none.
type Preferred struct{ Process, LLC, Was int32 }

// Verdict is a change of a gate's verdict for a process.
type Verdict struct {
	Process      int32
	Rule         why.Rule
	Fired        bool
	Value, Limit int64
}

// Scan is a completed run of task_cache_work on CPU.
type Scan struct {
	Process, CPU int32
	// Occupancy is that of each LLC, 2^20 for each CPU fully used; -1 for one
	// that the scan left out.
	Occupancy []int64
	// Running is how many threads of the process it saw running, Average
	// nr_running_avg after it.
	Running, Average int64
}

// Knob is a change of a setting of the kernel.
type Knob struct{ Name, Value string }

// Park is a timeline event that puts Threads threads of a process to sleep.
type Park struct {
	Process int32
	Threads int
}

// Kick is a nohz kick by a tick on From: CPU balances for all idle CPUs, or
// only ages their load (Balance false).
type Kick struct {
	From, CPU int32
	Balance   bool
	// Running is nr_running of From, BusyCPUs nr_busy_cpus of its LLC.
	Running, BusyCPUs int32
}

func (*Fork) record()      {}
func (*Wakeup) record()    {}
func (*Migration) record() {}
func (*Balance) record()   {}
func (*Policy) record()    {}
func (*Override) record()  {}
func (*Preferred) record() {}
func (*Verdict) record()   {}
func (*Scan) record()      {}
func (*Knob) record()      {}
func (*Park) record()      {}
func (*Kick) record()      {}
