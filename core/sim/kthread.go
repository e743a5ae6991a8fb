package sim

import "casplay/core/kernel/fair"

// kthread is a kernel thread of the background. They matter because a second
// runnable task on a CPU, however short, marks the root domain as overloaded
// and so switches newly-idle balancing on; because it ends the protection of a
// lone runner (alb_break_llc); and because a CPU that has run one goes newly
// idle and balances.
type kthread struct {
	task     int32
	cpu      int32 // where it runs, -1
	bound    bool
	periodNs int64
	runNs    int64
	left     int64 // ns to run
	at       int64
	gen      uint32
}

// addKthreads makes a bound worker for every CPU, which runs about once a
// second while its CPU is busy (vmstat_update), and the grace-period thread of
// RCU, which wakes every few jiffies on whatever CPU it ran last
// (rcu_gp_fqs_loop).
func (s *Sim) addKthreads() {
	tm := &s.cfg.Timing
	if tm.KworkerPeriodNs > 0 {
		for c := range s.m.CPUs {
			s.addKthread(int32(c), true, tm.KworkerPeriodNs, tm.KworkerRunNs)
		}
	}
	if tm.RcuPeriodNs > 0 {
		s.addKthread(int32(s.noise.Below(uint64(len(s.m.CPUs)))), false, tm.RcuPeriodNs, tm.RcuRunNs)
	}
}

func (s *Sim) addKthread(cpu int32, bound bool, periodNs, runNs int64) {
	n := fair.NewTask{Group: -1, Process: -1, NumaPreferred: -1}
	if bound {
		n.Allowed.Add(int(cpu))
	}
	k := kthread{task: s.sched.Create(n), cpu: -1, bound: bound, periodNs: periodNs, runNs: runNs}
	s.sched.Settle(k.task, cpu)
	s.kthreads = append(s.kthreads, k)
	s.q.push(event{at: s.t0 + int64(s.noise.Below(uint64(periodNs))), kind: evKwork, a: int32(len(s.kthreads) - 1)})
}

// kwork wakes a kernel thread. The worker of an idle CPU has nothing to fold
// (quiet_vmstat).
func (s *Sim) kwork(i int32) {
	k := &s.kthreads[i]
	s.q.push(event{at: s.now + k.periodNs, kind: evKwork, a: i})
	cpu := s.sched.Task(k.task).CPU
	if k.left > 0 || k.bound && s.onCPU[cpu] < 0 {
		return
	}
	k.left = k.runNs
	s.sched.Wake(k.task, cpu, -1, false)
	s.sched.EndEvent(cpu)
	s.drain()
}

// kthreadOn and kthreadOff are a kernel thread's part of a context switch.
func (s *Sim) kthreadOn(i, cpu int32) {
	k := &s.kthreads[i]
	k.cpu, k.at = cpu, s.now
	k.gen++
	s.q.push(event{at: s.now + k.left, kind: evKthreadEnd, a: i, gen: k.gen})
}

func (s *Sim) kthreadOff(i int32) {
	k := &s.kthreads[i]
	if k.cpu >= 0 {
		k.left = max(k.left-(s.now-k.at), 0)
		k.cpu = -1
	}
}

// kthreadEnd puts a kernel thread back to sleep.
func (s *Sim) kthreadEnd(i int32, gen uint32) {
	k := &s.kthreads[i]
	if k.gen != gen || k.cpu < 0 {
		return
	}
	cpu := k.cpu
	s.kthreadOff(i)
	s.sched.Block(cpu, false)
	s.drain()
}
