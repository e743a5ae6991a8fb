package scenario

import (
	"strconv"

	"casplay/core/machine"
	"casplay/core/result"
)

// Plan is what result.Summarise has to know of the scenario.
func (s *Scenario) Plan(engine string) result.Plan {
	p := result.Plan{Engine: engine, Scenario: s.Canonical(), UntilDone: s.Run.Until == "done", Expect: s.Expect}
	effective := make([]*Scenario, len(s.Arms))
	for i, a := range s.Arms {
		e := s.Effective(i)
		effective[i] = e
		steps := 0
		for j, before := range effective[:i] {
			if n := len(changes(before, e)); j == 0 || n < steps {
				steps = n
			}
		}
		possible := false
		if m, err := e.Machine.Spec.Build(); err == nil {
			possible = casPossible(m)
		}
		p.Arms = append(p.Arms, result.PlanArm{
			Label: a.Label, Changes: changes(effective[0], e), Steps: steps,
			Wanted: e.Kernel.CAS.Enabled, Possible: possible,
		})
	}
	return p
}

// changes lists the settings in which b differs from a, "path=value".
func changes(a, b *Scenario) []string {
	var out []string
	for _, f := range b.Fields() {
		if v := b.Value(f); !sameValue(v, a.Value(f)) {
			text := f.Format(v)
			if text == "" && f.Path == MachinePath {
				text = "(inline)"
			}
			out = append(out, f.Path+"="+text)
		}
	}
	for _, e := range b.Events {
		if e.Arm == "" || e.Arm != b.arm {
			continue
		}
		from := "from " + formatMilli(e.AtMs) + " s on: "
		switch e.Kind {
		case EventSet:
			for _, o := range e.Set {
				f, _ := b.Field(o.Path)
				out = append(out, from+o.Path+"="+f.Format(o.Value))
			}
		case EventSleep:
			out = append(out, from+e.Sleep+" sleeps")
		case EventOffline:
			out = append(out, from+"CPU "+strconv.Itoa(e.CPU)+" offline")
		}
	}
	return out
}

// casPossible is sched_cache_present: some LLC of more than one CPU lies in a
// domain that spans more than that LLC.
func casPossible(m *machine.Machine) bool {
	for i := range m.LLCs {
		if m.LLCs[i].CPUs.Len() > 1 {
			return len(m.LLCs) > 1
		}
	}
	return false
}
