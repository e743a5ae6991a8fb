package fair

import (
	"casplay/core/kernel/record"
	"casplay/core/machine"
)

// Balancing on behalf of idle CPUs whose tick is stopped.

const (
	kickBalance uint8 = 1 << iota
	kickStats
	kickNext
)

// nohzState is shared by all CPUs (7.3 nohz in fair.c).
type nohzState struct {
	mask        machine.Set
	nextBalance int64 // jiffies
	nextBlocked int64 // jiffies
	hasBlocked  bool
	needsUpdate bool
}

// Ticks reports whether the tick of a CPU is running.
func (s *Sched) Ticks(cpu int) bool { return s.ticking.Has(cpu) }

// Ticking is the set of CPUs whose tick is running.
func (s *Sched) Ticking() machine.Set { return s.ticking }

// stopsTickAtOnce decides what becomes of the tick of a CPU that goes idle
// (7.3 cpuidle_idle_call). Without a choice of idle states it comes once more
// and stops when it has found the CPU idle: the CPU then balances for itself.
// With a choice it stops at once if the governor expects to idle beyond the
// next tick; ours expects what was last.
func (s *Sched) stopsTickAtOnce(r *RQ) bool {
	return len(s.m.Perf.Idle) > 1 && r.lastIdle >= s.Tick
}

// stopTick stops the tick of an idle CPU and hands its balancing over (7.3
// nohz_balance_enter_idle).
func (s *Sched) stopTick(cpu int32) {
	r := &s.rqs[cpu]
	if !s.cfg.NoHz || r.offline {
		return
	}
	s.ticking.Remove(int(cpu))
	r.hasBlocked = true
	if !r.tickStopped {
		r.tickStopped = true
		s.nohz.mask.Add(int(cpu))
		if !r.countedIdle {
			r.countedIdle = true
			s.llcs[s.shareOf[cpu]].nrBusy--
		}
		s.nohz.needsUpdate = true
	}
	s.nohz.hasBlocked = true
}

// exitIdle is the first busy tick after idling (7.3 nohz_balance_exit_idle).
func (s *Sched) exitIdle(cpu int32) {
	r := &s.rqs[cpu]
	if !r.tickStopped {
		return
	}
	r.tickStopped = false
	s.nohz.mask.Remove(int(cpu))
	if r.countedIdle {
		r.countedIdle = false
		s.llcs[s.shareOf[cpu]].nrBusy++
	}
}

// kick asks an idle CPU to balance for all idle ones when it looks worth it
// (7.3 nohz_balancer_kick).
func (s *Sched) kick(cpu int32) {
	r := &s.rqs[cpu]
	s.exitIdle(cpu)
	var flags uint8
	if s.nohz.hasBlocked && s.Jiffies > s.nohz.nextBlocked {
		flags = kickStats
	}
	if s.Jiffies >= s.nohz.nextBalance {
		if s.nohz.mask.Empty() {
			return
		}
		if r.nrRunning >= 2 || s.caps == nil && s.llcs[s.shareOf[cpu]].nrBusy > 1 || s.asymKick(cpu) || r.misfit > 0 {
			flags = kickStats | kickBalance
		}
	}
	if s.nohz.needsUpdate {
		flags |= kickNext
	}
	if flags != 0 {
		s.kickILB(cpu, flags)
	}
}

// kickILB picks the idle CPU and interrupts it on behalf of cpu (7.3 kick_ilb, find_new_ilb).
func (s *Sched) kickILB(cpu int32, flags uint8) {
	if flags&kickBalance != 0 {
		s.nohz.nextBalance = s.Jiffies + 1
	}
	ilb := s.findILB()
	if ilb < 0 {
		return
	}
	r := &s.rqs[ilb]
	old := r.nohzKick
	if old&flags == flags {
		return
	}
	r.nohzKick |= flags
	if old == 0 {
		if s.Log != nil {
			s.Log.Add(s.Now, &record.Kick{From: cpu, CPU: ilb, Balance: flags&kickBalance != 0, Running: s.rqs[cpu].nrRunning, BusyCPUs: s.llcs[s.shareOf[cpu]].nrBusy})
		}
		s.emit(Action{Kind: NohzKick, CPU: ilb, At: s.Now + s.m.Perf.IPINs})
	}
}

// findILB prefers an idle CPU on a wholly idle core.
func (s *Sched) findILB() int32 {
	first := int32(-1)
	for c := s.nohz.mask.First(); c >= 0; c = s.nohz.mask.Next(c + 1) {
		if !s.rqs[c].Idle() {
			continue
		}
		if s.coreIdle(int32(c)) {
			return int32(c)
		}
		if first < 0 {
			first = int32(c)
		}
	}
	return first
}

// NohzIPI is the interrupt at the kicked CPU: if it still idles it runs the
// balance of all idle CPUs (7.3 nohz_csd_func, nohz_idle_balance).
func (s *Sched) NohzIPI(cpu int32) {
	r := &s.rqs[cpu]
	flags := r.nohzKick
	r.nohzKick = 0
	if flags == 0 || !r.Idle() {
		return
	}
	s.ilb(cpu, flags)
	s.flushKicked()
	s.returnToUser(cpu)
}

// ilb visits all idle CPUs, those after cpu first and cpu last (7.3 _nohz_idle_balance).
func (s *Sched) ilb(cpu int32, flags uint8) {
	next := s.Jiffies + 60*int64(s.cfg.HZ)
	update, blocked := false, false
	if flags&kickStats != 0 {
		s.nohz.hasBlocked = false
	}
	if flags&kickNext != 0 {
		s.nohz.needsUpdate = false
	}
	aborted := false
	mask := &s.nohz.mask
	n := mask.Len()
	for c := mask.NextWrap(int(cpu) + 1); n > 0 && c >= 0; c, n = mask.NextWrap(c+1), n-1 {
		r := &s.rqs[c]
		if !r.Idle() {
			continue
		}
		if me := &s.rqs[cpu]; me.nrRunning > 0 && me.resched {
			blocked = blocked || flags&kickStats != 0
			s.nohz.needsUpdate = s.nohz.needsUpdate || flags&kickNext != 0
			aborted = true
			break
		}
		if flags&kickStats != 0 {
			blocked = s.nohzStats(r, c) || blocked
		}
		if s.Jiffies >= r.nextBalance && flags&kickBalance != 0 {
			s.balanceDomains(int32(c), isIdle)
		}
		if r.nextBalance < next {
			next, update = r.nextBalance, true
		}
	}
	if !aborted {
		if update {
			s.nohz.nextBalance = next
		}
		if flags&kickStats != 0 {
			s.nohz.nextBlocked = s.Jiffies + s.msToJiffies(32)
		}
	}
	if blocked {
		s.nohz.hasBlocked = true
	}
}

// nohzStats ages an idle CPU's load and reports whether any is left (7.3 update_nohz_stats).
func (s *Sched) nohzStats(r *RQ, cpu int) bool {
	if !r.hasBlocked || !s.nohz.mask.Has(cpu) {
		return false
	}
	if s.Jiffies > r.blockedAt {
		s.updateBlocked(r)
	}
	return r.hasBlocked
}

// updateBlocked ages a queue's averages (7.3 sched_balance_update_blocked_averages).
func (s *Sched) updateBlocked(r *RQ) {
	r.blockedAt = s.Jiffies
	s.updateQueueAvg(r)
	a := &r.avg
	if a.LoadAvg|a.UtilAvg|a.RunnableAvg == 0 {
		r.hasBlocked = false
	}
}
