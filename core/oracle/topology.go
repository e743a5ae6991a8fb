package oracle

import (
	"errors"
	"slices"

	"casplay/core/machine"
	"casplay/core/sim"
)

// partitionLeadNs is how long before START the runner makes the partition.
const partitionLeadNs = 230 * msec

// partition adds what changes the machine or affinities: the cpuset partition
// of an experiment, with who runs in it; CPUs that are switched off and on;
// processes that the runner binds.
func partition(spec *Spec, setup *sim.Setup, startNs int64) error {
	m := setup.Machine
	var part, rest machine.Set
	for c := range m.CPUs {
		rest.Add(c)
	}
	for _, c := range spec.Part {
		if !rest.Has(c) {
			return errors.New("part: the machine has no CPU " + itoa(c))
		}
		rest.Remove(c)
		part.Add(c)
	}
	parts := []machine.Set{rest}
	if !part.Empty() {
		if rest.Empty() {
			return errors.New("part: must leave a CPU outside")
		}
		parts = []machine.Set{part, rest}
		setup.Events = append(setup.Events, sim.Event{AtNs: startNs - partitionLeadNs, Partitions: parts})
		for i := range setup.Workload.Procs {
			in := i < len(spec.Work) && spec.Work[i].Part != 0
			for k := range setup.Workload.Procs[i].Threads {
				t := &setup.Workload.Procs[i].Threads[k]
				if t.Allowed.Empty() {
					if t.Allowed = rest; in {
						t.Allowed = part
					}
					t.AllowedUntilNs = -1
				}
			}
		}
		for i := range setup.Daemons {
			setup.Daemons[i].Allowed = rest
		}
	}
	for i := range spec.At {
		c := &spec.At[i]
		if c.Knob != "cpuoff" && c.Knob != "cpuon" {
			continue
		}
		if c.Value >= len(m.CPUs) || c.Value == 0 || part.Has(c.Value) {
			return errors.New("at: " + c.Knob + " needs a CPU outside the partition, other than 0")
		}
		parts = slices.Clone(parts)
		rest := &parts[len(parts)-1]
		if rest.Remove(c.Value); c.Knob == "cpuon" {
			rest.Add(c.Value)
		}
		at, _ := spec.hotplug(c)
		setup.Events = append(setup.Events, sim.Event{AtNs: startNs + at, Partitions: parts})
	}
	for i := range spec.Work {
		w := &spec.Work[i]
		if w.Bind == 0 {
			continue
		}
		at := startNs + int64(w.BindAt)*msec
		llc := m.LLCs[min(w.Bind, len(m.LLCs))-1].CPUs
		setup.Events = append(setup.Events, sim.Event{AtNs: at, Proc: i, Bind: true, Allowed: llc})
		if w.BindMs > 0 {
			setup.Events = append(setup.Events, sim.Event{AtNs: at + int64(w.BindMs)*msec, Proc: i, Bind: true})
		}
	}
	return nil
}
