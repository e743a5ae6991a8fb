package cas

import "casplay/core/kernel"

// Version is a row of the rules table: a version of the patches or of the
// kernel, with the rules that differ from 7.3.
type Version struct {
	Name     string
	Features kernel.Features
	// Groups is set where the state is in cache groups, which processes can
	// share, and not in the address space.
	Groups bool
}

// VersionNames is the rules table's first column, oldest first; FindVersion has
// the rest, and AboutVersions describes the rows.
var VersionNames = [...]string{"rfc-v1", "rfc-v2", "rfc-v3", "rfc-v4", "v1", "v2", "v3", "v4", "v7.2", "v7.3", "next"}

// FindVersion returns the row of a name. The rules are those of 7.3, and what
// each older version has not yet is taken back. A row does not change once it
// has been released: links name the version instead of its features.
func FindVersion(name string) (Version, bool) {
	v := Version{Name: name, Features: kernel.MergedFeatures(), Groups: true}
	f := &v.Features
	row := len(VersionNames) - 1
	for ; row >= 0 && VersionNames[row] != name; row-- {
		switch VersionNames[row] {
		case "v7.3":
			f.MisfitGuard, f.AsymFirst, f.ActiveIntent, f.RunnablePref, f.DomainBytes = false, false, false, false, false
		case "v7.2":
			v.Groups = false
			f.ThreadGate, f.RSSGate, f.GroupLine = kernel.ThreadsV3, true, kernel.LineFix
		case "v3":
			f.ThreadGate = kernel.ThreadsV1
		case "v1":
			f.ThreadGate, f.GroupLine = kernel.ThreadsRFC, kernel.LineRFC
		case "rfc-v4":
			f.ThreadGate, f.RSSGate, f.NoMemoryGate = kernel.ThreadsSingle, false, true
		case "rfc-v3":
			f.WakeLLC, f.WakeGuard, f.NoBalance, f.NumaConflict, f.ThreadGate = true, true, true, kernel.NumaFirst, kernel.ThreadsNone
		case "rfc-v2":
			f.WakeGuard = false
		}
	}
	f.VisitedCPUs = name == "next"
	return v, row >= 0
}

// Clash is a combination of features that cannot be.
type Clash struct {
	// Feature is the name under kernel.features, Reason why it cannot be set so.
	Feature, Reason string
}

// Check finds features that contradict each other or the version, which is
// the name of a row of the rules table.
func Check(f *kernel.Features, version string) (out []Clash) {
	add := func(bad bool, feature, reason string) {
		if bad {
			out = append(out, Clash{feature, reason})
		}
	}
	first := ""
	for _, g := range []struct {
		on   bool
		name string
	}{{f.NoMemoryGate, "no_memory_gate"}, {f.RSSGate, "rss_gate"}, {f.FailClosed, "fail_closed"}, {f.HitRate, "hit_rate"}} {
		if g.on {
			add(first != "", g.name, "cannot be on together with "+first+": a process has one memory gate; switch one of them off")
			first = g.name
		}
	}
	add(f.WakeGuard && !f.WakeLLC, "wake_guard", "guards what wake_llc does: switch that on too")
	add(f.NoBalance && !f.WakeLLC, "no_balance", "leaves nothing that acts on the preferred LLC: switch wake_llc on, or cas.enabled off")
	add(f.LLCPrefix && (f.NumaConflict == kernel.NumaFirst || f.NumaConflict == kernel.NumaIdeal), "llc_prefix", "orders LLCs by their distance, which numa_conflict="+string(f.NumaConflict)+" would override: use merged or cache-first")
	add(f.LLCPrefix && f.WakeLLC, "llc_prefix", "acts through the balancer: switch wake_llc off, which steers wakeups to one LLC")
	add(f.SyncWake && !f.WakeLLC, "sync_wake", "is an exception to wake_llc: switch that on too")
	add(f.SizeTolerance != 1 && !f.SplitTolerance, "size_tolerance", "is not read without split_tolerance: switch that on too, or leave it at 1")
	add(f.CASOverAsym && f.AsymFirst, "cas_over_asym", "is the contrary of asym_first: switch that off")
	add(f.AsymOff && f.CASOverAsym, "asym_off", "leaves cache-aware scheduling off where cas_over_asym would act: switch one of them off")
	add(f.VisitedCPUs && f.ScanMask == kernel.ScanNone, "scan_mask", "cannot scan nothing (none) with visited_cpus, which is SC_VISIT: use auto or node, or switch visited_cpus off")
	add(f.VisitedCPUs && f.NumaConflict == kernel.NumaFirst, "numa_conflict", "cannot restrict the scan to the preferred node with visited_cpus, which has taken the choice of nodes out of the scan")
	v, _ := FindVersion(version)
	add(f.Control != kernel.ControlGlobal && !v.Groups, "control", "needs cache groups, which the rules "+version+" do not have: use v7.2 or later, or control=global")
	return out
}
