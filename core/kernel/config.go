// Package kernel holds what is common to the parts of the Linux model: the
// configuration of the kernel that is being simulated.
package kernel

// Config is the simulated kernel. Zero values are not defaults; use Default.
type Config struct {
	// HZ is the tick rate: 100, 250, 300 or 1000.
	HZ int
	// Rules names the version of the rules whose features were taken; it decides nothing itself.
	Rules string
	// NoHz stops the tick of idle CPUs (nohz=on).
	NoHz          bool
	NumaBalancing bool
	CAS           CAS
	Numa          Numa
	Features      Features
	WhatIf        WhatIf
	Timing        Timing
}

// CAS is debugfs sched/llc_balancing/.
type CAS struct {
	Enabled bool
	// AggrTolerance: 0 disables, 1..99 scale the size gates, >= 100 removes them.
	AggrTolerance uint32
	// EpochPeriod in jiffies; default HZ/100.
	EpochPeriod uint32
	// EpochAffinityTimeout in epochs; default 5.
	EpochAffinityTimeout uint32
	// OveraggrPct in % of LLC capacity; default 50 (x 3/2 without SMT).
	OveraggrPct uint32
	// ImbPct in % of utilisation; default 20.
	ImbPct uint32
}

// Numa is debugfs sched/numa_balancing/.
type Numa struct {
	// ScanDelayMs, ScanPeriodMinMs and ScanPeriodMaxMs in ms of CPU time; ScanSizeMB in MiB a scan.
	ScanDelayMs, ScanPeriodMinMs, ScanPeriodMaxMs, ScanSizeMB uint32
}

// WhatIf holds rules given as expressions (kernel/expr), empty for those of the
// version; kernel/cas says what each is and which variables it has.
type WhatIf struct {
	InvalidLLCNr, ExceedLLCCapacity, FitsLLCCapacity, CanMigrateLLC, PreferredLLC string
}

// Timing holds what the simulated kernel's own code costs, in ns.
type Timing struct {
	// StopperNs is the time from the request of an active balance to the
	// moment the stopper runs; SwitchNs is a context switch; WakeNs the
	// enqueue of a wakeup.
	StopperNs, SwitchNs, WakeNs int64
	// SubmitWindowNs is how long a submitted scan stays unseen by other CPUs'
	// ticks (reading the epoch, taking the group lock, writing).
	SubmitWindowNs int64
	// HintFaultNs is a NUMA hint fault, MigrateFolioNs the migration of one page,
	// huge or not, besides its copy (unmapping, flushing TLBs, statistics),
	// ScanEntryNs what the NUMA scanner takes for a page-table entry (guesses).
	HintFaultNs, MigrateFolioNs, ScanEntryNs int64
	// CacheScanCPUNs is what task_cache_work takes for each CPU that it visits,
	// besides moving the lines of that CPU: lock, decay, division (guess).
	CacheScanCPUNs int64
	// AccountNs is what account_mm_sched adds to a context switch besides moving
	// lines. The default is 0, since SwitchNs and the costs of calls were chosen
	// without it; row R58 has 220 ns on a 7950X3D.
	AccountNs int64
	// TickNs is a tick of a busy CPU, BalanceCPUNs what a balance pass takes for
	// each CPU of its domain (guesses).
	TickNs, BalanceCPUNs int64
	// WakeLines is how many cache lines of task, queue and futex or wait queue
	// a wakeup moves to the waker, and as many back to the CPU of the woken
	// task; MoveLines how many lines of its task, stacks and hottest data a
	// thread fetches when it runs on another CPU than before. WakeLines is a fit
	// to the wakeup latency of schbench with 16 threads (row C11: 9.2 us over
	// two LLCs, 6.2 us within one), MoveLines a guess.
	WakeLines, MoveLines int64
	// KworkerPeriodNs is how often the worker of a busy CPU runs (vm.stat_interval
	// is 1 s); 0 leaves workers out. KworkerRunNs is for how long.
	KworkerPeriodNs, KworkerRunNs int64
	// UnboundPeriodNs is how often the unbound worker of each LLC runs; an
	// otherwise idle server shows some hundred wakeups a second in all (guess).
	UnboundPeriodNs, UnboundRunNs int64
	// RcuPeriodNs is how often the grace-period thread of RCU looks for quiescent
	// states (jiffies_till_first_fqs: 1 to 3 jiffies by HZ, and one for each 256
	// CPUs); 0 leaves it out. RcuRunNs is for how long it runs.
	RcuPeriodNs, RcuRunNs int64
	// TickTurnNs, when not 0, has the CPUs take their ticks one after another,
	// this far apart and beginning anywhere, and InterruptSpreadNs is the longest
	// random delay of an interrupt to another CPU: an emulator that runs all
	// virtual CPUs on one thread does both.
	TickTurnNs, InterruptSpreadNs int64
	// TickSkewNs is the spread of the tick over the CPUs (they are in phase
	// but for interrupt latency).
	TickSkewNs int64
	// TickSpreadNs is that spread where the lock and its lines are played through
	// (lock_stat), instead of SubmitWindowNs: three scans of 13 to 16 CPUs on
	// three CPUs ended within one microsecond (row F08), so that the ticks came
	// within about 2 us.
	TickSpreadNs int64
}

// Default is a 7.3 kernel with HZ=hz and all knobs at their defaults.
func Default(hz int) Config {
	return Config{
		HZ: hz, Rules: "v7.3", NoHz: true, NumaBalancing: true,
		CAS:      CAS{Enabled: true, AggrTolerance: 1, EpochPeriod: uint32(max(hz/100, 1)), EpochAffinityTimeout: 5, OveraggrPct: 50, ImbPct: 20},
		Numa:     Numa{ScanDelayMs: 1000, ScanPeriodMinMs: 1000, ScanPeriodMaxMs: 60000, ScanSizeMB: 256},
		Features: MergedFeatures(),
		Timing: Timing{StopperNs: 6000, SwitchNs: 1500, WakeNs: 1000, TickSkewNs: 20000, TickSpreadNs: 2000, SubmitWindowNs: 1500,
			HintFaultNs: 1000, MigrateFolioNs: 5000, ScanEntryNs: 50, CacheScanCPUNs: 40, TickNs: 1000, BalanceCPUNs: 20, WakeLines: 19, MoveLines: 24,
			KworkerPeriodNs: 1e9, KworkerRunNs: 20000,
			RcuPeriodNs: rcuJiffies(hz) * 1e9 / int64(hz), RcuRunNs: 30000,
			UnboundPeriodNs: 7e6, UnboundRunNs: 30000},
	}
}

// rcuJiffies is RCU_JIFFIES_TILL_FORCE_QS of a tick rate.
func rcuJiffies(hz int) int64 {
	switch {
	case hz > 500:
		return 3
	case hz > 250:
		return 2
	}
	return 1
}
