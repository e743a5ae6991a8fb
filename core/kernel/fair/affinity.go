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

// Bind limits a task to the CPUs of allowed, on behalf of code on CPU by, and
// reports whether it had to leave its CPU for one of them; a task that sleeps
// follows when it wakes (7.3 __set_cpus_allowed_ptr: the migration thread of
// the CPU moves it).
func (s *Sched) Bind(ti int32, allowed machine.Set, by int32) bool {
	s.Widen(ti, allowed)
	t := &s.tasks[ti]
	if t.Allowed.Has(int(t.CPU)) || !t.OnQueue() {
		return false
	}
	s.push(ti, s.distribute(by, &t.Allowed), record.ByAffinity)
	return true
}

// distribute picks a CPU of a mask, each time the next one after that of the
// last call on this CPU (7.3 cpumask_any_and_distribute). It does not look at
// what runs there.
func (s *Sched) distribute(cpu int32, mask *machine.Set) int32 {
	r := &s.rqs[cpu]
	online := s.online()
	online.And(mask)
	r.lastDistributed = int32(online.NextWrap(int(r.lastDistributed+1) % len(s.m.CPUs)))
	return r.lastDistributed
}
