package fair

import (
	"casplay/core/kernel/why"
)

// balanceDomains walks a CPU's domains upward (7.3 sched_balance_domains).
func (s *Sched) balanceDomains(cpu int32, idle idleType) {
	r := &s.rqs[cpu]
	next := s.Jiffies + 60*int64(s.cfg.HZ)
	goOn := true
	busy := idle == notIdle
	updated := false
	for k := int32(0); k < r.ndom; k++ {
		d := &s.doms[r.dom0+k]
		s.decayCost(d)
		if !goOn {
			break
		}
		interval := s.interval(d, busy)
		if s.Jiffies >= d.lastBalance+interval {
			if s.balance(cpu, k, idle, &goOn) > 0 {
				idle = notIdle
				if r.Idle() {
					idle = isIdle
				}
				busy = idle == notIdle
			}
			d.lastBalance = s.Jiffies
			interval = s.interval(d, busy)
		}
		if d.lastBalance+interval < next {
			next = d.lastBalance + interval
			updated = true
		}
	}
	if updated {
		r.nextBalance = next
	}
}

// interval is how long a CPU waits between two passes of a domain, in jiffies
// (7.3 get_sd_balance_interval).
func (s *Sched) interval(d *domain, busy bool) int64 {
	ms := d.balanceInterval
	if busy {
		ms *= 16
	}
	j := s.msToJiffies(ms)
	if busy {
		j--
	}
	return min(max(j, 1), s.maxInterval)
}

func (s *Sched) msToJiffies(ms int64) int64 {
	hz := int64(s.cfg.HZ)
	return int64(uint64(ms*hz+999) / 1000) // a signed division is a call in WebAssembly
}

// RunStopper moves one task off a CPU with whatever runs there preempted (7.3
// active_load_balance_cpu_stop).
func (s *Sched) RunStopper(cpu int32) {
	r := &s.rqs[cpu]
	r.activeBalance = false
	dst := r.pushCPU
	if r.nrRunning == 0 {
		return
	}
	// Whatever runs is preempted and becomes a candidate like the rest.
	if prev := r.Curr; prev >= 0 {
		s.updateCurr(r)
		s.putPrev(r)
		s.running[cpu] = -1
		s.emit(Action{Kind: Switched, CPU: cpu, Task: -1, Prev: prev})
	}
	r.inStopper = true
	// The stopper counts in nr_running while it is queued (7.3 add_nr_running).
	s.overloaded[s.partOf[cpu]] = true
	env := s.beginPass()
	env.dst, env.src, env.idle, env.kind, env.active, env.activeLLC = dst, cpu, isIdle, migrateLoad, true, r.activeLLC
	dr := &s.rqs[dst]
	for k := range dr.ndom {
		if d := &s.doms[dr.dom0+k]; d.span.Has(int(cpu)) {
			env.d = d
			break
		}
	}
	if env.d != nil {
		for i := len(r.list) - 1; i >= 0; i-- {
			ti := r.list[i]
			if !s.canMigrate(env, ti) {
				continue
			}
			rule := why.ActiveGeneric
			if r.activeLLC {
				rule = why.ActiveLLC
			}
			if p := s.tasks[ti].Process; p >= 0 {
				s.Book.Note(p, rule, s.Now, true, int64(s.llcOf[cpu]), int64(s.llcOf[dst]))
			}
			s.detach(env, ti)
			env.d.nrBalanceFailed = 0
			s.attachTasks(env)
			break
		}
	}
	r.inStopper = false
	s.flushKicked()
	s.Schedule(cpu)
}
