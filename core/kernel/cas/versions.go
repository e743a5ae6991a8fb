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

// Versions is the rules table, oldest first. About describes the rows.
func Versions() []Version {
	merged := kernel.MergedFeatures()
	v72 := merged
	v72.AsymFirst, v72.ActiveIntent, v72.RunnablePref, v72.DomainBytes = false, false, false, false
	v1 := v72
	v1.ThreadGate, v1.RSSGate, v1.GroupLine = kernel.ThreadsV1, true, kernel.LineFix
	rfc4 := v1
	rfc4.ThreadGate, rfc4.GroupLine = kernel.ThreadsRFC, kernel.LineRFC
	rfc3 := rfc4
	rfc3.ThreadGate, rfc3.RSSGate, rfc3.NoMemoryGate = kernel.ThreadsNone, false, true
	rfc2 := rfc3
	rfc2.WakeLLC, rfc2.WakeGuard, rfc2.NoBalance, rfc2.NumaConflict = true, true, true, kernel.NumaFirst
	rfc1 := rfc2
	rfc1.WakeGuard = false
	next := merged
	next.VisitedCPUs = true
	return []Version{
		{"rfc-v1", rfc1, false}, {"rfc-v2", rfc2, false}, {"rfc-v3", rfc3, false}, {"rfc-v4", rfc4, false},
		{"v1", v1, false}, {"v2", v1, false}, {"v3", v1, false}, {"v4", v1, false},
		{"v7.2", v72, true}, {"v7.3", merged, true}, {"next", next, true},
	}
}

// FindVersion returns the row of a name.
func FindVersion(name string) (Version, bool) {
	for _, v := range Versions() {
		if v.Name == name {
			return v, true
		}
	}
	return Version{}, false
}

// VersionNames lists the names of the rules table.
func VersionNames() []string {
	var out []string
	for _, v := range Versions() {
		out = append(out, v.Name)
	}
	return out
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
	add(f.VisitedCPUs && f.NumaConflict == kernel.NumaFirst, "numa_conflict", "cannot restrict the scan to the preferred node with visited_cpus, which has taken the choice of nodes out of the scan")
	v, _ := FindVersion(version)
	add(f.Control != kernel.ControlGlobal && !v.Groups, "control", "needs cache groups, which the rules "+version+" do not have: use v7.2 or later, or control=global")
	return out
}
