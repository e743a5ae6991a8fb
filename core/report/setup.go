package report

import (
	"strconv"
	"strings"

	"casplay/core/machine"
	"casplay/core/scenario"
)

// machineLine describes the hardware: name, CPUs, LLCs, nodes.
func machineLine(s *scenario.Scenario) string {
	m, err := s.Machine.Spec.Build()
	if err != nil {
		return s.Machine.Name
	}
	return m.Name + ": " + strconv.Itoa(len(m.CPUs)) + " CPUs, " + llcs(m) + ", " + count(len(m.Packages), "socket") + ", " +
		count(len(m.Nodes), "node") + ", " + smt(m)
}

// llcs is "16 LLCs of 8 CPUs and 32 MiB", or the sum where they differ.
func llcs(m *machine.Machine) string {
	cpus, bytes := m.LLCs[0].CPUs.Len(), m.LLCs[0].Bytes
	for i := range m.LLCs {
		if m.LLCs[i].CPUs.Len() != cpus || m.LLCs[i].Bytes != bytes {
			return count(len(m.LLCs), "LLC") + " of several sizes"
		}
	}
	return count(len(m.LLCs), "LLC") + " of " + count(cpus, "CPU") + " and " + number(float64(bytes)/(1<<20)) + " MiB"
}

func smt(m *machine.Machine) string {
	if m.SMT == 1 {
		return "SMT off"
	}
	return "SMT " + strconv.Itoa(m.SMT)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// kernelLine gives the rules and every knob that is not at its default.
func kernelLine(s *scenario.Scenario) string {
	parts := []string{s.Kernel.Rules, "HZ=" + strconv.Itoa(s.Kernel.HZ)}
	for _, f := range s.Fields() {
		path, ok := strings.CutPrefix(f.Path, "kernel.")
		if !ok || path == "rules" || path == "hz" {
			continue
		}
		always := path == "numa_balancing" || path == "cas.enabled" || path == "cas.aggr_tolerance" || path == "preempt"
		if always || s.Value(f) != s.Default(f) {
			parts = append(parts, path+"="+f.Format(s.Value(f)))
		}
	}
	return strings.Join(parts, " ")
}

// workloadLines describes each entry like a command: kind and the keys that
// are not at their default, threads and class always.
func workloadLines(s *scenario.Scenario) []string {
	lines := make([]string, len(s.Workload))
	for i, e := range s.Workload {
		lines[i] = e.Kind
	}
	for _, f := range s.Fields() {
		rest, ok := strings.CutPrefix(f.Path, "workload.")
		if !ok {
			continue
		}
		index, key, _ := strings.Cut(rest, ".")
		i, err := strconv.Atoi(index)
		if err == nil && (key == "threads" || key == "class" || s.Value(f) != s.Default(f)) {
			lines[i] += " " + key + "=" + f.Format(s.Value(f))
		}
	}
	return lines
}

func overrideText(s *scenario.Scenario, set []scenario.Override) string {
	var parts []string
	for _, o := range set {
		if f, ok := s.Field(o.Path); ok {
			parts = append(parts, f.Path+"="+f.Format(o.Value))
		}
	}
	return strings.Join(parts, " ")
}
