// Package kernel holds what is common to the parts of the Linux model: the
// configuration of the kernel that is being simulated.
package kernel

// Config is the simulated kernel. Zero values are not defaults; use Default.
type Config struct {
	// HZ is the tick rate: 100, 250, 300 or 1000.
	HZ int
	// Rules names the rules version: "v7.3".
	Rules string
	// NoHz stops the tick of idle CPUs (nohz=on).
	NoHz          bool
	NumaBalancing bool
	CAS           CAS
	Numa          Numa
	Features      Features
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

// Features are proposals and variants that differ from the merged rules.
type Features struct {
	// FailClosed permits aggregation without a usable footprint only if the
	// RSS fits (question 2 of the MG report).
	FailClosed bool
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
	// HintFaultNs is a NUMA hint fault, MigratePageNs the migration of one
	// 4 KiB page, ScanEntryNs what the NUMA scanner takes for a page-table entry.
	HintFaultNs, MigratePageNs, ScanEntryNs int64
	// CacheScanCPUNs is what task_cache_work takes for each CPU that it visits.
	CacheScanCPUNs int64
	// KworkerPeriodNs is how often the worker of a busy CPU runs (vm.stat_interval
	// is 1 s); 0 leaves workers out. KworkerRunNs is for how long.
	KworkerPeriodNs, KworkerRunNs int64
	// RcuPeriodNs is how often the grace-period thread of RCU looks for quiescent
	// states (jiffies_till_first_fqs: 1 to 3 jiffies by HZ, and one for each 256
	// CPUs); 0 leaves it out. RcuRunNs is for how long it runs.
	RcuPeriodNs, RcuRunNs int64
	// TickSkewNs is the spread of the tick over the CPUs (they are in phase
	// but for interrupt latency).
	TickSkewNs int64
}

// Default is a 7.3 kernel with HZ=hz and all knobs at their defaults.
func Default(hz int) Config {
	return Config{
		HZ: hz, Rules: "v7.3", NoHz: true, NumaBalancing: true,
		CAS:  CAS{Enabled: true, AggrTolerance: 1, EpochPeriod: uint32(max(hz/100, 1)), EpochAffinityTimeout: 5, OveraggrPct: 50, ImbPct: 20},
		Numa: Numa{ScanDelayMs: 1000, ScanPeriodMinMs: 1000, ScanPeriodMaxMs: 60000, ScanSizeMB: 256},
		Timing: Timing{StopperNs: 6000, SwitchNs: 1500, WakeNs: 1000, TickSkewNs: 20000, SubmitWindowNs: 1500,
			HintFaultNs: 1000, MigratePageNs: 350, ScanEntryNs: 100, CacheScanCPUNs: 80,
			KworkerPeriodNs: 1e9, KworkerRunNs: 20000,
			RcuPeriodNs: rcuJiffies(hz) * 1e9 / int64(hz), RcuRunNs: 30000},
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
