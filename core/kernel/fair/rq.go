package fair

import (
	"casplay/core/kernel/pelt"
)

// RQ is the run queue of one CPU.
type RQ struct {
	// Curr is the running task, -1 for the idle task.
	Curr int32
	// currQueued: the running task is still on the queue (it has not blocked).
	currQueued bool
	// inStopper: the stopper has preempted whatever ran.
	inStopper bool
	// resched and lazy are the two reschedule requests.
	resched, lazy bool

	// nrRunning counts all tasks, delayed included; runnable leaves them out.
	nrRunning, runnable int32
	// misfit is the load of a running task that is too big for the CPU.
	misfit int64
	// pendingWake counts tasks on the remote wakeup list.
	pendingWake int32

	// tree holds the queued tasks except the running one, by deadline.
	tree []int32
	// sumKey is the sum of (vruntime - zero) over tree.
	sumKey, zero int64
	// list orders all queued tasks for detaching: the end is the least recently run.
	list []int32

	avg                                       pelt.Avg
	removedLoad, removedUtil, removedRunnable int64
	utilEst                                   int64
	// hLoad is the queue's load cached once a jiffy.
	hLoad        int64
	hLoadJiffies int64

	// balancing
	nextBalance      int64 // jiffies
	activeBalance    bool
	activeLLC        bool
	pushCPU          int32
	dom0, ndom       int32
	nohzKick         uint8
	tickStopped      bool
	countedIdle      bool // its LLC domain does not count it as busy (7.3 sd->nohz_idle)
	offline          bool
	tickBalance      bool     // the tick raised the balance softirq
	tickIdle         idleType // and found the CPU so
	hasBlocked       bool
	blockedAt        int64 // jiffies of the last blocked-load update
	idleStamp        int64
	idleSince        int64
	lastIdle         int64 // ns of the last idle period
	idleTask         bool
	avgIdle          int64
	maxIdleCost      int64
	nrNuma, nrNumaOK int32

	// cache-aware scheduling
	nrLLCRunning, nrPrefLLCRunning int32
	llcCounts                      []int32

	hrtickGen uint32
	// lastDistributed is the CPU that the last change of affinity here chose.
	lastDistributed int32
	// BusyNs is the time fair tasks have run here, up to their last update.
	BusyNs int64
}

// Runnable is the number of fair tasks that want to run.
func (r *RQ) Runnable() int32 { return r.runnable }

// Idle reports whether the CPU is idle for placement: idle task current,
// nothing queued, no wakeup pending (7.3 idle_cpu); an offline CPU is not.
func (r *RQ) Idle() bool {
	return r.Curr < 0 && r.nrRunning == 0 && r.pendingWake == 0 && !r.inStopper && !r.offline
}

// listAdd puts a task at the head of the detach order.
func (r *RQ) listAdd(t int32) {
	r.list = append(r.list, 0)
	copy(r.list[1:], r.list)
	r.list[0] = t
}

func (r *RQ) listRemove(t int32) {
	for i, x := range r.list {
		if x == t {
			r.list = append(r.list[:i], r.list[i+1:]...)
			return
		}
	}
	panic("fair: task is not on the run queue's list")
}

func (r *RQ) listToHead(t int32) {
	if len(r.list) > 0 && r.list[0] == t {
		return
	}
	r.listRemove(t)
	r.listAdd(t)
}
