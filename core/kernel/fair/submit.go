package fair

import (
	"casplay/core/kernel"
	"casplay/core/kernel/cas"
)

// tickCache queues a scan when this CPU's epoch is ahead of the group's (7.3
// task_tick_cache).
func (s *Sched) tickCache(cpu, ti int32) {
	t := &s.tasks[ti]
	if t.Group < 0 || !s.CAS.Config.Active {
		return
	}
	g := &s.CAS.Groups[t.Group]
	f := &s.cfg.Features
	if s.optedOut(t) || f.Submission == kernel.SubmitWorkLast && s.Now < t.workEnds {
		return
	}
	if f.LockStat {
		s.queueTaker(cas.Taker{Group: t.Group, CPU: cpu, Task: ti, At: s.Now + s.skew[cpu]*s.cfg.Timing.TickSpreadNs/max(s.cfg.Timing.TickSkewNs, 1), Idle: !t.cacheWork})
		return
	}
	seen := &s.seen[t.Group]
	epoch := g.Epoch
	if seen.by >= 0 && abs(s.skew[cpu]-s.skew[seen.by]) < s.cfg.Timing.SubmitWindowNs {
		if f.Submission == kernel.SubmitTrylock {
			return // the lock is taken
		}
		epoch = seen.epoch
	}
	if s.CAS.Submit(g, cpu, epoch, !t.cacheWork) {
		s.CAS.Submitted(g, cpu, s.Now)
		t.cacheWork = true
		if seen.by < 0 {
			seen.by = cpu
		}
	}
}

// queueTaker keeps takers in the order of their ticks.
func (s *Sched) queueTaker(t cas.Taker) {
	s.takers = append(s.takers, t)
	for i := len(s.takers) - 1; i > 0 && s.takers[i].At < s.takers[i-1].At; i-- {
		s.takers[i], s.takers[i-1] = s.takers[i-1], s.takers[i]
	}
}

// settleTakers has the takers of this jiffy get the lock one after another.
func (s *Sched) settleTakers() {
	if len(s.takers) == 0 {
		return
	}
	s.CAS.Contend(s.takers)
	for i := range s.takers {
		k := &s.takers[i]
		s.charge(k.CPU, kernel.CacheScan, k.Ns)
		s.tasks[k.Task].cacheWork = s.tasks[k.Task].cacheWork || k.Submitted
	}
	s.takers = s.takers[:0]
}

// optedOut reports a task whose group has switched cache-aware scheduling off,
// where the kernel lets it.
func (s *Sched) optedOut(t *Task) bool {
	return s.cfg.Features.Control == kernel.ControlAdvise && s.CAS.Groups[t.Group].Off
}

func abs(x int64) int64 { return max(x, -x) }
