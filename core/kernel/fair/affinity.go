package fair

import (
	"casplay/core/kernel/record"
	"casplay/core/machine"
)

// Widen lets a task run on more CPUs than before; allowed must hold its present CPU.
func (s *Sched) Widen(ti int32, allowed machine.Set) {
	t := &s.tasks[ti]
	t.Allowed = allowed
	t.setAllowed(s.m)
}

// Bind limits a running task to the CPUs of allowed and reports whether it had
// to leave its CPU for one of them (7.3 __set_cpus_allowed_ptr: the migration
// thread of the CPU moves it).
func (s *Sched) Bind(ti int32, allowed machine.Set) bool {
	s.Widen(ti, allowed)
	from := s.tasks[ti].CPU
	if allowed.Has(int(from)) {
		return false
	}
	s.push(ti, s.distribute(from, &allowed), record.ByAffinity)
	return true
}

// distribute picks a CPU of a mask, each time the next one after that of the
// last call on this CPU (7.3 cpumask_any_and_distribute). It does not look at
// what runs there.
func (s *Sched) distribute(cpu int32, mask *machine.Set) int32 {
	r := &s.rqs[cpu]
	r.lastDistributed = int32(mask.NextWrap(int(r.lastDistributed+1) % len(s.m.CPUs)))
	return r.lastDistributed
}
