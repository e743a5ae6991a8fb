package fair

import "casplay/core/kernel"

// BeginTick starts a jiffy: ticks of all CPUs are in phase, so each may read
// the epoch that a group had before.
func (s *Sched) BeginTick(jiffies int64) {
	s.Jiffies = jiffies
	for i := range s.seen {
		s.seen[i] = epochSeen{epoch: s.CAS.Groups[i].Epoch, by: -1}
	}
}

// TickCPU is the scheduler tick of a CPU (7.3 sched_tick, task_tick_fair,
// sched_balance_trigger). Ticks are in phase, so all CPUs come here before any
// gets to EndTick.
func (s *Sched) TickCPU(cpu int32) {
	r := &s.rqs[cpu]
	r.resched = r.resched || r.lazy
	idle := isIdle
	if r.Curr >= 0 && !r.inStopper {
		ti := r.Curr
		s.charge(cpu, kernel.Tick, s.cfg.Timing.TickNs)
		s.updateCurr(r)
		s.updateQueueAvg(r)
		s.updateTaskAvg(r, ti)
		if s.numa.tick != nil {
			s.numa.tick(ti, cpu)
		}
		s.tickCache(cpu, ti)
		s.updateMisfit(r, cpu, ti)
		idle = notIdle
	} else if !r.Idle() {
		idle = notIdle
	}
	r.tickIdle, r.tickBalance = idle, s.Jiffies >= r.nextBalance
	if idle == notIdle {
		s.kick(cpu)
	}
}

// EndTick is the balance softirq of a tick and the return to user mode, where
// a cache scan runs.
func (s *Sched) EndTick(cpu int32) {
	s.settleTakers()
	r := &s.rqs[cpu]
	if r.tickBalance {
		r.tickBalance = false
		s.updateBlocked(r)
		s.balanceDomains(cpu, r.tickIdle)
	}
	s.flushKicked()
	s.returnToUser(cpu)
	if r.idleTask {
		s.stopTick(cpu)
	}
}
