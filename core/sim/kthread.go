package sim

import "casplay/core/kernel/fair"

// kthread is the kernel worker of one CPU: it wakes about once a period, as
// vmstat_update does, and runs for a moment. It matters because a second
// runnable task on a CPU, however short, marks the root domain as overloaded
// and so switches newly-idle balancing on, and ends the protection of a lone
// runner (alb_break_llc).
type kthread struct {
	task    int32
	left    int64 // ns to run
	at      int64
	running bool
	gen     uint32
}

// addKthreads makes a bound worker for every CPU.
func (s *Sim) addKthreads() {
	if s.cfg.Timing.KworkerPeriodNs <= 0 {
		return
	}
	s.kthreads = make([]kthread, len(s.m.CPUs))
	for c := range s.kthreads {
		n := fair.NewTask{Group: -1, Process: -1, NumaPreferred: -1}
		n.Allowed.Add(c)
		k := &s.kthreads[c]
		k.task = s.sched.Create(n)
		s.sched.Settle(k.task, int32(c))
		s.q.push(event{at: s.t0 + int64(s.noise.Below(uint64(s.cfg.Timing.KworkerPeriodNs))), kind: evKworker, a: int32(c)})
	}
}

// kworker wakes the worker of a busy CPU; an idle one has nothing to fold
// (quiet_vmstat).
func (s *Sim) kworker(cpu int32) {
	s.q.push(event{at: s.now + s.cfg.Timing.KworkerPeriodNs, kind: evKworker, a: cpu})
	k := &s.kthreads[cpu]
	if s.onCPU[cpu] < 0 || k.left > 0 {
		return
	}
	k.left = s.cfg.Timing.KworkerRunNs
	s.sched.Wake(k.task, cpu, -1, false)
	s.sched.EndEvent(cpu)
	s.drain()
}

// kthreadOn and kthreadOff are the worker's part of a context switch.
func (s *Sim) kthreadOn(cpu int32) {
	k := &s.kthreads[cpu]
	k.running, k.at = true, s.now
	k.gen++
	s.q.push(event{at: s.now + k.left, kind: evKthreadEnd, a: cpu, gen: k.gen})
}

func (s *Sim) kthreadOff(cpu int32) {
	k := &s.kthreads[cpu]
	if k.running {
		k.left = max(k.left-(s.now-k.at), 0)
		k.running = false
	}
}

// kthreadEnd puts the worker back to sleep.
func (s *Sim) kthreadEnd(cpu int32, gen uint32) {
	k := &s.kthreads[cpu]
	if k.gen != gen || !k.running {
		return
	}
	s.kthreadOff(cpu)
	s.sched.Block(cpu, false)
	s.drain()
}
