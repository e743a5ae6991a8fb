package sim

import (
	"strconv"

	"casplay/core/kernel"
	"casplay/core/kernel/record"
	"casplay/core/kernel/why"
)

// startLog connects a log of at most max records to everything that decides.
func (s *Sim) startLog(max int) {
	if max <= 0 {
		return
	}
	l := &record.Log{Max: max, Start: s.t0}
	s.log, s.sched.Log, s.sched.CAS.Log = l, l, l
	s.sched.Book.OnEntry = func(e why.Entry) {
		switch {
		case e.Move:
			l.Add(e.At, &record.Preferred{Process: e.Process, LLC: int32(e.Value), Was: int32(e.Limit)})
		case e.Rule == why.InvalidLLCNr || e.Rule == why.ExceedLLCCapacity || e.Rule == why.EpochTimeout || e.Rule == why.NumaConflict:
			l.Add(e.At, &record.Verdict{Process: e.Process, Rule: e.Rule, Fired: e.Fired, Value: e.Value, Limit: e.Limit})
		}
	}
}

// Log is what has been recorded, nil when the Setup did not ask for it.
func (s *Sim) Log() *record.Log { return s.log }

// Tasks names all tasks, in the order of their indices in the log: the
// threads of the workload, then kernel threads.
func (s *Sim) Tasks() []string {
	var out []string
	for p := range s.procs {
		name := s.ProcessName(p)
		for i := range s.procs[p].w.Threads {
			out = append(out, name+"/"+strconv.Itoa(i))
		}
	}
	for i := range s.kthreads {
		out = append(out, s.kthreads[i].name)
	}
	return out
}

// ProcessName is the name of a process, with its number if others share the name.
func (s *Sim) ProcessName(p int) string {
	name := s.procs[p].w.Name
	for i := range s.procs {
		if i != p && s.procs[i].w.Name == name {
			return name + "." + strconv.Itoa(p)
		}
	}
	return name
}

// recordChange keeps what a timeline event changes.
func (s *Sim) recordChange(e *Event) {
	if e.Kernel != nil {
		was, is := knobs(&s.cfg), knobs(e.Kernel)
		for i, k := range is {
			if k != was[i] {
				s.log.Add(s.now, &k)
			}
		}
	}
	if e.Park {
		n := min(e.ParkTo, len(s.procs[e.Proc].w.Threads)) - e.ParkFrom
		s.log.Add(s.now, &record.Park{Process: int32(e.Proc), Threads: n})
	}
}

// knobs lists the settings that can change during a run.
func knobs(c *kernel.Config) []record.Knob {
	u := func(v uint32) string { return strconv.FormatUint(uint64(v), 10) }
	return []record.Knob{
		{Name: "enabled", Value: strconv.FormatBool(c.CAS.Enabled)},
		{Name: "aggr_tolerance", Value: u(c.CAS.AggrTolerance)},
		{Name: "epoch_period", Value: u(c.CAS.EpochPeriod)},
		{Name: "epoch_affinity_timeout", Value: u(c.CAS.EpochAffinityTimeout)},
		{Name: "overaggr_pct", Value: u(c.CAS.OveraggrPct)},
		{Name: "imb_pct", Value: u(c.CAS.ImbPct)},
		{Name: "numa_balancing", Value: strconv.FormatBool(c.NumaBalancing)},
	}
}
