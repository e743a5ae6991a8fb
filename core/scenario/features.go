package scenario

import (
	"strings"

	"casplay/core/kernel"
	"casplay/core/workload"
)

// feature is a setting under kernel.features: on or off without an enum.
type feature struct {
	name string
	enum []string
	// boot fixes it for a run.
	boot bool
	doc  string
	ref  func(*kernel.Features) any
}

// features are the settings under kernel.features, in canonical order.
var features = [...]feature{
	{"fail_closed", nil, false, "proposal: without a usable footprint aggregate only a process whose RSS fits", func(f *kernel.Features) any { return &f.FailClosed }},
	{"rss_gate", nil, false, "variant: the memory gate of the posted series compares the RSS, whatever NUMA balancing knows", func(f *kernel.Features) any { return &f.RSSGate }},
	{"visited_cpus", nil, false, "proposal: task_cache_work scans only CPUs that the process used lately", func(f *kernel.Features) any { return &f.VisitedCPUs }},
	{"llc_imb", nil, false, "proposal: the balancer tolerates a small imbalance between the LLCs of a node", func(f *kernel.Features) any { return &f.LLCImb }},
	{"no_memory_gate", nil, false, "no test on memory (RFC v1 to v3)", func(f *kernel.Features) any { return &f.NoMemoryGate }},
	{"hit_rate", nil, false, "idea: a process whose traffic misses the LLC stays apart; all numbers are ours", func(f *kernel.Features) any { return &f.HitRate }},
	{"wake_llc", nil, false, "wakeups go to the preferred LLC (RFC v1, v2)", func(f *kernel.Features) any { return &f.WakeLLC }},
	{"sync_wake", nil, false, "but not when the waker is about to sleep", func(f *kernel.Features) any { return &f.SyncWake }},
	{"wake_guard", nil, false, "but not when that LLC is busy (RFC v2)", func(f *kernel.Features) any { return &f.WakeGuard }},
	{"no_balance", nil, true, "the load balancer knows nothing of LLC preference (RFC v1, v2)", func(f *kernel.Features) any { return &f.NoBalance }},
	{"misfit_guard", nil, false, "no move for LLC affinity makes a task too big for its CPU, and tasks that are go first (fix of August 2026)", func(f *kernel.Features) any { return &f.MisfitGuard }},
	{"asym_off", nil, false, "no cache-aware scheduling on machines with asym packing (attempt of September 2026)", func(f *kernel.Features) any { return &f.AsymOff }},
	{"cas_over_asym", nil, false, "asym packing has no say between LLCs (attempt of September 2026)", func(f *kernel.Features) any { return &f.CASOverAsym }},
	{"asym_first", nil, false, "asym packing to an idle CPU goes before LLC affinity (fix of September 2026)", func(f *kernel.Features) any { return &f.AsymFirst }},
	{"active_intent", nil, false, "the stopper moves only a task that prefers the destination when the move is for LLC affinity (fix of September 2026)", func(f *kernel.Features) any { return &f.ActiveIntent }},
	{"runnable_pref", nil, true, "nr_pref_llc_running leaves out delayed tasks (fix of September 2026)", func(f *kernel.Features) any { return &f.RunnablePref }},
	{"domain_bytes", nil, true, "the size of an LLC follows the CPUs online (fix of September 2026)", func(f *kernel.Features) any { return &f.DomainBytes }},
	{"llc_prefix", nil, true, "proposal: a process prefers as many LLCs, nearest first, as hold it", func(f *kernel.Features) any { return &f.LLCPrefix }},
	{"dead_band", nil, true, "migration policy of scx_lavd: leave an LLC above 50 %, join one below 40 %", func(f *kernel.Features) any { return &f.DeadBand }},
	{"keep_footprint", nil, true, "threads that exit leave their faults in the footprint", func(f *kernel.Features) any { return &f.KeepFootprint }},
	{"split_tolerance", nil, false, "the memory gate has a tolerance of its own, size_tolerance", func(f *kernel.Features) any { return &f.SplitTolerance }},
	{"lock_stat", nil, true, "takers of sc_stat.lock wait in the order of their ticks and are counted (CONFIG_LOCK_STAT)", func(f *kernel.Features) any { return &f.LockStat }},
	{"thread_gate", []string{"merged", "v3", "v1", "rfc", "none", "cap16", "single"}, true, "thread gate: merged (80 % of the LLC's CPUs), v3 (100 %), v1 (100 %, average over eight samples), rfc (100 %, no tolerance, no latch), none, cap16 (more than 16), single (single threads only)", func(f *kernel.Features) any { return (*string)(&f.ThreadGate) }},
	{"submission", []string{"merged", "trylock", "work-last", "sclock"}, true, "submission of a scan: merged, trylock (test again under a lock that is only tried), work-last (work pending until the scan ends), sclock (lock held over the scan)", func(f *kernel.Features) any { return (*string)(&f.Submission) }},
	{"numa_conflict", []string{"merged", "numa-first", "numa-ideal", "cache-first"}, true, "task prefers another node: merged (no preferred LLC), numa-first (scan only that node), numa-ideal (move to its least loaded LLC), cache-first (keep the LLC)", func(f *kernel.Features) any { return (*string)(&f.NumaConflict) }},
	{"control", []string{"global", "always", "advise", "never"}, true, "prctl cache groups: global (7.3, none), always (shared groups, switches ignored), advise (switches honoured), never (off)", func(f *kernel.Features) any { return (*string)(&f.Control) }},
	{"group_line", []string{"merged", "rfc", "fix"}, true, "cache lines of a group: merged (one line, written on change), rfc (one line, written always when over the thread limit), fix (two lines, written on change)", func(f *kernel.Features) any { return (*string)(&f.GroupLine) }},
	{"scan_mask", []string{"auto", "node", "none"}, true, "CPUs of a scan: auto (by nodes, or those visited), node (by nodes, of those the visited with visited_cpus), none", func(f *kernel.Features) any { return (*string)(&f.ScanMask) }},
	{"size_tolerance", nil, false, "split_tolerance: aggr_tolerance of the memory gate", func(f *kernel.Features) any { return &f.SizeTolerance }},
	{"numa_stable_ms", nil, false, "numa-ideal: how long a preferred node must last", func(f *kernel.Features) any { return &f.NumaStableMs }},
}

// featureFields makes settings of the table.
func featureFields() []Field {
	out := make([]Field, len(features))
	for i := range features {
		f := &features[i]
		out[i] = toggle("features."+f.name, f.name, f.doc, func(s *Scenario) any { return f.ref(&s.Kernel.Features) })
		out[i].Live = !f.boot
		if k := &out[i].Key; f.enum != nil {
			k.Type, k.Enum = workload.String, f.enum
		} else if _, number := f.ref(new(kernel.Features)).(*uint32); number {
			k.Type, k.Max = workload.Int, maxUint32
			if f.name == "numa_stable_ms" {
				k.Unit = "ms"
			}
		}
	}
	out[0].Short = "failclosed"
	return out
}

// Switches names the features in which a version of the rules differs from the
// default one, with their values; "" for a name that is no version.
func Switches(version string) string {
	base, other := newScenario(defaultHZ, defaultRules, nil), newScenario(defaultHZ, version, nil)
	text := ""
	for _, f := range featureFields() {
		if now := f.Format(other.Value(f)); now != f.Format(base.Value(f)) {
			text += " " + f.Key.Name + "=" + now
		}
	}
	return strings.TrimPrefix(text, " ")
}
