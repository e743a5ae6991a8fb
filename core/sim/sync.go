package sim

import "casplay/core/workload"

type barrier struct {
	arrived int32
	waiting []int32
}

// arrive is a thread at a barrier: the last one lets all go and reports true,
// the others busy-wait and then sleep.
func (s *Sim) arrive(ti int32, op *workload.Op) bool {
	t := &s.threads[ti]
	p := &s.procs[t.proc]
	b := &p.barriers[op.A]
	b.arrived++
	if int(b.arrived) < p.w.Barriers[op.A].Parties {
		b.waiting = append(b.waiting, ti)
		if op.B > 0 {
			s.begin(ti, spinning, op.B, -1)
		} else {
			s.block(ti)
		}
		return false
	}
	b.arrived = 0
	n := len(b.waiting)
	for i := range n {
		s.letGo(b.waiting[i], ti)
	}
	b.waiting = append(b.waiting[:0], b.waiting[n:]...)
	return true
}

// letGo releases a waiter, wherever it is in its wait.
func (s *Sim) letGo(ti, by int32) {
	t := &s.threads[ti]
	switch t.phase {
	case spinning:
		t.phase, t.work = ready, 0
		if t.cpu >= 0 {
			t.endAt = 0
			s.arm(ti)
		}
	case blocked:
		s.release(ti, s.threads[by].cpu, by, false)
	}
}
