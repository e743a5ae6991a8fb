package kernel

// Function is a part of the kernel whose time is accounted by itself.
type Function uint8

const (
	// Syscall is the body of reads, writes and other calls of the workload.
	Syscall Function = iota
	// Message is moving the lines of messages and of their pipes and sockets.
	Message
	// LockWait is waiting for the lock of a pipe or socket.
	LockWait
	// Switch is switching between tasks.
	Switch
	// Tick is the periodic tick.
	Tick
	// Wakeup is waking tasks: enqueueing, and moving the lines of task and queue.
	Wakeup
	// Balance is balance passes of busy CPUs.
	Balance
	// CacheScan is task_cache_work.
	CacheScan
	// CacheAccount is moving the lines that account_mm_sched reads and writes.
	CacheAccount
	// NumaWork is NUMA scanning, hint faults and page migration.
	NumaWork
	NumFunctions
)

// String is the name in metrics (sys_<name>_pct).
func (f Function) String() string {
	return [NumFunctions]string{"syscall", "message", "lock", "switch", "tick", "wakeup", "balance", "task_cache_work", "account_mm_sched", "numa"}[f]
}

// Charge is kernel time that a CPU has to spend: Ns in all, of which WaitNs
// was waiting for others.
type Charge struct {
	CPU        int32
	Function   Function
	Ns, WaitNs int64
}
