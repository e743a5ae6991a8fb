package machine

import (
	"math"
	"strconv"
)

const (
	maxPackages = 64
	maxNodes    = 64
	maxText     = 400
)

// Validate reports everything that is wrong with a machine; nil if it can be built.
func (s *Spec) Validate() []FieldError {
	var es Errors
	add := func(path, value, problem string) {
		es = append(es, FieldError{Path: path, Value: value, Problem: problem})
	}
	count := func(path string, v, lo, hi int) bool {
		if v < lo || v > hi {
			add(path, strconv.Itoa(v), "must be between "+strconv.Itoa(lo)+" and "+strconv.Itoa(hi))
			return false
		}
		return true
	}
	if s.V != 1 {
		add("v", strconv.Itoa(s.V), "is the version of the format and must be 1")
	}
	if !validName(s.Name) {
		add("name", quote(s.Name), "must be 1 to 64 letters, digits, dashes, dots or underscores")
	}
	for _, t := range [...]struct{ path, text string }{{"title", s.Title}, {"source", s.Source}} {
		if len(t.text) > maxText {
			add(t.path, "", "must be at most "+strconv.Itoa(maxText)+" bytes")
		}
	}
	ok := count("packages", s.Packages, 1, maxPackages)
	ok = count("nodes", s.Nodes, 1, maxNodes) && ok
	if s.Numbering != Adjacent && s.Numbering != Split {
		add("cpu_numbering", quote(string(s.Numbering)), `must be "adjacent" or "split"`)
	}
	if !inRange(s.NodeMemGiB, 0, 1<<20) {
		add("node_mem_gib", formatFloat(s.NodeMemGiB), "must be between 0 and 1048576 GiB")
	}
	if s.ReclaimDistance != 0 {
		count("reclaim_distance", s.ReclaimDistance, 10, 255)
	}
	for i := range s.LLCs {
		if s.AsymCapacity && s.LLCs[i].SMT > 1 {
			add("asym_capacity", "true", "needs smt 1 in all llcs: hybrid x86 scales capacities only without SMT")
			break
		}
	}
	if s.SMTThreads != 0 {
		count("smt_threads", s.SMTThreads, 1, 8)
	}
	llcs := s.validateLLCs(&es)
	if ok && llcs > 0 {
		if s.Nodes >= s.Packages && s.Nodes%s.Packages != 0 || s.Nodes < s.Packages && s.Packages%s.Nodes != 0 {
			add("nodes", strconv.Itoa(s.Nodes), "must be a multiple or a divisor of packages ("+strconv.Itoa(s.Packages)+")")
		} else if s.Nodes > s.Packages && llcs%(s.Nodes/s.Packages) != 0 {
			add("nodes", strconv.Itoa(s.Nodes), "must divide the "+strconv.Itoa(llcs)+
				" LLCs of a package evenly; an LLC cannot span nodes (describe a sub-NUMA cluster as an LLC of its own, as Linux does)")
		}
	}
	s.validateDistances(&es)
	s.validatePerf(&es)
	return es.sorted()
}

// validateLLCs checks the LLC groups and returns the LLCs of a package, 0 if unusable.
func (s *Spec) validateLLCs(es *Errors) int {
	add := func(path, value, problem string) {
		*es = append(*es, FieldError{Path: path, Value: value, Problem: problem})
	}
	if len(s.LLCs) == 0 || len(s.LLCs) > MaxLLCs {
		add("llcs", strconv.Itoa(len(s.LLCs))+" groups", "must be a list of 1 to "+strconv.Itoa(MaxLLCs)+" groups of LLCs")
		return 0
	}
	llcs, cpus, bad := 0, 0, false
	for i, g := range s.LLCs {
		path := "llcs." + strconv.Itoa(i) + "."
		for _, f := range [...]struct {
			key       string
			v, lo, hi int
		}{{"count", g.Count, 1, MaxLLCs}, {"cores", g.Cores, 1, MaxCPUs}, {"smt", g.SMT, 1, 8}, {"cluster_cores", g.ClusterCores, 1, 16}, {"offline_cpus", g.Offline, 0, MaxCPUs}} {
			if f.v < f.lo || f.v > f.hi {
				add(path+f.key, strconv.Itoa(f.v), "must be between "+strconv.Itoa(f.lo)+" and "+strconv.Itoa(f.hi))
				bad = true
			}
		}
		if g.ClusterCores >= 1 && g.Cores >= 1 && g.Cores%g.ClusterCores != 0 {
			add(path+"cluster_cores", strconv.Itoa(g.ClusterCores), "must divide the "+strconv.Itoa(g.Cores)+" cores of the LLC")
			bad = true
		}
		checkParam(es, path+"size_mib", g.SizeMiB, 1.0/256, 1<<20)
		if g.FreqGHz != nil {
			checkParam(es, path+"freq_ghz", *g.FreqGHz, 0.1, 10)
		}
		if !bad {
			llcs += g.Count
			cpus += g.Count * g.Cores * g.SMT
			if llcs > MaxLLCs || cpus > MaxCPUs {
				bad = true // stop adding up: nothing can overflow
				llcs, cpus = min(llcs, MaxLLCs+1), min(cpus, MaxCPUs+1)
				break
			}
		}
	}
	p := min(max(s.Packages, 1), maxPackages)
	if llcs*p > MaxLLCs {
		add("llcs", "", "the machine must not have more than "+strconv.Itoa(MaxLLCs)+" LLCs")
		bad = true
	}
	if cpus*p > MaxCPUs {
		add("llcs", "", "the machine must not have more than "+strconv.Itoa(MaxCPUs)+" CPUs")
		bad = true
	}
	if bad {
		return 0
	}
	return llcs
}

// validateDistances checks the SLIT matrix.
func (s *Spec) validateDistances(es *Errors) {
	if s.Distances == nil {
		return
	}
	add := func(path, value, problem string) {
		*es = append(*es, FieldError{Path: path, Value: value, Problem: problem})
	}
	if len(s.Distances) != s.Nodes {
		add("distances", strconv.Itoa(len(s.Distances))+" rows", "must have one row for each of the "+strconv.Itoa(s.Nodes)+" nodes")
		return
	}
	for i, row := range s.Distances {
		path := "distances." + strconv.Itoa(i)
		if len(row) != s.Nodes {
			add(path, strconv.Itoa(len(row))+" values", "must have one value for each of the "+strconv.Itoa(s.Nodes)+" nodes")
			continue
		}
		for j, d := range row {
			switch p := path + "." + strconv.Itoa(j); {
			case i == j && d != 10:
				add(p, strconv.Itoa(d), "the distance of a node to itself must be 10")
			case i != j && (d < 11 || d > 254):
				add(p, strconv.Itoa(d), "must be between 11 and 254")
			case i > j && len(s.Distances[j]) == s.Nodes && s.Distances[j][i] != d:
				add(p, strconv.Itoa(d), "must equal distances."+strconv.Itoa(j)+"."+strconv.Itoa(i)+" ("+strconv.Itoa(s.Distances[j][i])+")")
			}
		}
	}
}

// validatePerf checks values and provenance of the performance parameters.
func (s *Spec) validatePerf(es *Errors) {
	for _, info := range Params() {
		checkParam(es, "perf."+info.Name, *info.field(&s.Perf), info.Min, info.Max)
	}
	idle := s.Perf.Idle
	checkProvenance(es, "perf.idle_states", idle.Source, idle.Why, idle.Rows)
	if len(idle.States) < 1 || len(idle.States) > 8 {
		*es = append(*es, FieldError{Path: "perf.idle_states.v", Value: strconv.Itoa(len(idle.States)) + " states", Problem: "must be a list of 1 to 8 states"})
		return
	}
	for i, st := range idle.States {
		path := "perf.idle_states.v." + strconv.Itoa(i) + "."
		for _, f := range [...]struct {
			key string
			v   int64
			lo  int64
		}{{"exit_ns", st.ExitNs, 0}, {"min_residency_ns", st.MinResidencyNs, 0}} {
			if f.v < f.lo || f.v > 1e9 {
				*es = append(*es, FieldError{Path: path + f.key, Value: strconv.FormatInt(f.v, 10), Problem: "must be between 0 and 1000000000 ns"})
			}
		}
		if i > 0 && (st.ExitNs < idle.States[i-1].ExitNs || st.MinResidencyNs < idle.States[i-1].MinResidencyNs) {
			*es = append(*es, FieldError{Path: path + "exit_ns", Value: strconv.FormatInt(st.ExitNs, 10), Problem: "states must be ordered, shallow first"})
		}
	}
}

// checkParam checks one parameter.
func checkParam(es *Errors, path string, p Param, lo, hi float64) {
	if !inRange(p.V, lo, hi) {
		*es = append(*es, FieldError{Path: path + ".v", Value: formatFloat(p.V), Problem: "must be between " + formatFloat(lo) + " and " + formatFloat(hi)})
	}
	checkProvenance(es, path, p.Source, p.Why, p.Rows)
}

// checkProvenance checks that a value says where it comes from.
func checkProvenance(es *Errors, path string, src ParamSource, why string, rows []string) {
	switch src {
	case FromSpec, FromPublic, FromGuess:
		if len(rows) > 0 {
			*es = append(*es, FieldError{Path: path + ".rows", Problem: `only a "fit" has training rows`})
		}
	case FromFit:
		if len(rows) == 0 {
			*es = append(*es, FieldError{Path: path + ".rows", Problem: "a fit must name the published rows it was trained on"})
		}
	default:
		*es = append(*es, FieldError{Path: path + ".source", Value: quote(string(src)), Problem: `must be "spec", "public", "fit" or "guess"`})
	}
	if len(why) == 0 || len(why) > maxText {
		*es = append(*es, FieldError{Path: path + ".why", Problem: "must say in 1 to " + strconv.Itoa(maxText) + " bytes where the value comes from"})
	}
	if len(rows) > 32 {
		*es = append(*es, FieldError{Path: path + ".rows", Problem: "must name at most 32 rows"})
	}
	for _, r := range rows {
		if r == "" || len(r) > 64 {
			*es = append(*es, FieldError{Path: path + ".rows", Problem: "a row id must have 1 to 64 bytes"})
			break
		}
	}
}

// inRange is false for NaN.
func inRange(v, lo, hi float64) bool { return v >= lo && v <= hi && !math.IsInf(v, 0) }

// validName accepts what is safe in a file name and a link.
func validName(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case (c == '-' || c == '.' || c == '_') && i > 0:
		default:
			return false
		}
	}
	return true
}

func formatFloat(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// quote shortens and quotes text for a message.
func quote(s string) string {
	if len(s) > 40 {
		s = s[:40] + "..."
	}
	return strconv.Quote(s)
}
