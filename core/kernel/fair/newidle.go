package fair

// Balancing by a CPU that has just run out of tasks (7.3 sched_balance_newidle).

// newidleCPUCost is the modelled cost in ns of looking at one CPU.
const newidleCPUCost = 40

// newidle tries to pull a task to cpu before it goes idle and reports success.
func (s *Sched) newidle(cpu int32) bool {
	r := &s.rqs[cpu]
	if r.pendingWake > 0 {
		return false
	}
	r.idleStamp = s.Now
	if r.ndom == 0 {
		return false
	}
	next := s.Jiffies + int64(s.cfg.HZ)
	first := &s.doms[r.dom0]
	if !s.overloaded[s.partOf[cpu]] || r.avgIdle < first.maxCost {
		s.forwardBalance(r, s.nextOf(first, next))
		return false
	}
	pulled := false
	s.updateBlocked(r)
	var spent int64
	goOn := true
	for k := int32(0); k < r.ndom; k++ {
		d := &s.doms[r.dom0+k]
		next = s.nextOf(d, next)
		if r.avgIdle < spent+d.maxCost {
			break
		}
		weight := int64(1)
		if d.niRatio < 1024 {
			weight = 1 + d.niRatio
			if int64(s.rng.Uint32()%1024) > weight {
				s.recordNewidle(d, 0)
				continue
			}
			weight = (1024 + weight/2) / weight
		}
		pulled = s.balance(cpu, k, newlyIdle, &goOn) > 0
		cost := int64(d.weight) * newidleCPUCost
		spent += cost
		if cost > d.maxCost {
			d.maxCost, d.lastCostDecay = cost, s.Jiffies
		} else {
			s.decayCost(d)
		}
		if !pulled {
			weight = 0
		}
		s.recordNewidle(d, weight)
		if pulled || !goOn {
			break
		}
	}
	r.maxIdleCost = max(r.maxIdleCost, spent)
	pulled = pulled || r.nrRunning > 0
	s.forwardBalance(r, next)
	if pulled {
		r.idleStamp = 0
	} else if r.avgIdle >= migrationCost && s.nohz.hasBlocked && s.Jiffies >= s.nohz.nextBlocked {
		// A CPU about to idle for a while refreshes the idle CPUs' load.
		s.ilb(cpu, kickStats)
	}
	return pulled
}

func (s *Sched) nextOf(d *domain, next int64) int64 {
	return min(next, d.lastBalance+s.interval(d, false))
}

func (s *Sched) forwardBalance(r *RQ, next int64) { r.nextBalance = min(r.nextBalance, next) }

// recordNewidle keeps the success ratio of a domain's newly-idle balancing
// (7.3 update_newidle_stats with NI_RATE).
func (s *Sched) recordNewidle(d *domain, success int64) {
	d.niCall++
	d.niSuccess += success
	if d.niCall >= 1024 {
		d.niRatio = min(1024, d.niSuccess+(s.Now-d.niStamp)>>22)
		d.niStamp = s.Now
		d.niCall /= 2
		d.niSuccess /= 2
	}
}

// decayCost lets a domain's cost estimate age by about 1 % a second (7.3 update_newidle_cost).
func (s *Sched) decayCost(d *domain) {
	if s.Jiffies > d.lastCostDecay+int64(s.cfg.HZ) {
		d.maxCost = d.maxCost * 253 / 256
		d.lastCostDecay = s.Jiffies
	}
}

// leaveIdle averages the length of an idle period (7.3 update_rq_avg_idle).
func (s *Sched) leaveIdle(r *RQ) {
	if r.idleStamp == 0 {
		return
	}
	r.avgIdle += (s.Now - r.idleStamp - r.avgIdle) / 8
	r.avgIdle = min(r.avgIdle, 2*r.maxIdleCost)
	r.idleStamp = 0
}
