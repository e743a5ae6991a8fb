package fair

import (
	"casplay/core/kernel/pelt"
	"casplay/core/machine"
)

// State is what a task is doing, from the scheduler's point of view.
type State uint8

const (
	// Unborn has not been created yet.
	Unborn State = iota
	// Sleeping waits for a wakeup and is on no run queue.
	Sleeping
	// Waking was woken for a remote CPU and waits for its interrupt there.
	Waking
	// Queued is on a run queue, running or waiting.
	Queued
	// Delayed sleeps but stays on the run queue until its lag is repaid.
	Delayed
	// Dead has exited.
	Dead
)

// Task is one thread, at nice 0: weight 2^20, virtual time is real time.
type Task struct {
	State State
	// CPU is where it is queued, or was last.
	CPU int32
	// Group is its cache group, -1 for a kernel thread.
	Group int32
	// Process is the index for decisions; -1 for a kernel thread.
	Process int32
	// slice, vruntime, deadline, vlag and vprot are in ns of virtual time.
	slice, vruntime, deadline, vlag, vprot int64
	relDeadline                            bool
	execStart                              int64
	// SumExec is the CPU time used, in ns.
	SumExec int64

	avg pelt.Avg
	// detached: the averages belong to no queue (before the first enqueue,
	// and between a wakeup elsewhere and the enqueue there).
	detached    bool
	utilEst     int64
	utilChanged bool

	preferredLLC int32
	prefQueued   bool
	cacheWork    bool
	workEnds     int64 // ns; when its last scan will have ended
	workLeft     int64 // ns that a preempted scan has still to do

	// NumaPreferred is the preferred node, -1 for none.
	NumaPreferred int32
	numaCounted   int8

	lastWakee   int32
	wakeeFlips  int32
	flipDecay   int64
	recentUsed  int32
	pinnedToCPU bool

	// Allowed is the affinity mask.
	Allowed machine.Set

	// Migrations counts changes of CPU, LLCMigrations and NodeMigrations those across LLCs and nodes.
	Migrations, LLCMigrations, NodeMigrations int64
	// QueuedAt is when it last became runnable.
	QueuedAt int64
}

// PreferredLLC is the LLC the task prefers, -1 for none.
func (t *Task) PreferredLLC() int32 { return t.preferredLLC }

// Util is the task's util_avg, 1024 = one CPU.
func (t *Task) Util() int64 { return t.avg.UtilAvg }

// OnQueue reports whether the task is on a run queue, delayed or not.
func (t *Task) OnQueue() bool { return t.State == Queued || t.State == Delayed }

// LoadSum is the task's load sum, 0..47742.
func (t *Task) LoadSum() int64 { return int64(t.avg.LoadSum) }
