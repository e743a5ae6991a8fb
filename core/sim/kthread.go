package sim

import (
	"strconv"

	"casplay/core/kernel/fair"
	"casplay/core/machine"
)

// kthread is a kernel thread of the background. They matter because a second
// runnable task on a CPU, however short, marks the root domain as overloaded
// and so switches newly-idle balancing on; because it ends the protection of a
// lone runner (alb_break_llc); and because a CPU that has run one goes newly
// idle and balances.
type kthread struct {
	name     string
	task     int32
	cpu      int32 // where it runs, -1
	bound    bool
	timer    bool // woken by a timer of the wheel, which run after the tick
	due      bool // its timer waits for the tick of its CPU
	periodNs int64
	runNs    int64
	left     int64 // ns to run
	at       int64
	gen      uint32
}

// addKthreads makes a bound worker for every CPU, which runs about once a
// second while its CPU is busy (vmstat_update); a worker of the unbound
// workqueues for every LLC (WQ_AFFN_CACHE); and the grace-period thread of
// RCU, which wakes every few jiffies on whatever CPU it ran last (rcu_gp_fqs_loop).
func (s *Sim) addKthreads() {
	tm := &s.cfg.Timing
	if tm.KworkerPeriodNs > 0 {
		for c := range s.m.CPUs {
			var one machine.Set
			one.Add(c)
			s.addKthread("kworker/"+strconv.Itoa(c), one, true, tm.KworkerPeriodNs, tm.KworkerRunNs)
		}
	}
	if tm.UnboundPeriodNs > 0 {
		for l := range s.m.LLCs {
			s.addKthread("kworker/u"+strconv.Itoa(l), s.m.LLCs[l].CPUs, false, tm.UnboundPeriodNs, tm.UnboundRunNs)
		}
	}
	daemons := s.setup.Daemons
	if tm.RcuPeriodNs > 0 {
		daemons = append([]Daemon{{Name: "rcu_preempt", PeriodNs: tm.RcuPeriodNs, RunNs: tm.RcuRunNs}}, daemons...)
	}
	var all machine.Set
	for c := range s.m.CPUs {
		all.Add(c)
	}
	for _, d := range daemons {
		allowed := d.Allowed
		if allowed.Empty() {
			allowed = all
		}
		s.addKthread(d.Name, allowed, true, d.PeriodNs, d.RunNs)
	}
}

// addKthread makes a kernel thread that sleeps on one of its allowed CPUs.
func (s *Sim) addKthread(name string, allowed machine.Set, timer bool, periodNs, runNs int64) {
	n := fair.NewTask{Group: -1, Process: -1, NumaPreferred: -1, Allowed: allowed}
	cpus := allowed.Members()
	cpu := int32(cpus[s.noise.Below(uint64(len(cpus)))])
	k := kthread{name: name, task: s.sched.Create(n), cpu: -1, bound: len(cpus) == 1, timer: timer, periodNs: periodNs, runNs: runNs}
	s.sched.Settle(k.task, cpu)
	s.kthreads = append(s.kthreads, k)
	s.pushKwork(int32(len(s.kthreads)-1), s.t0+int64(s.noise.Below(uint64(periodNs))))
}

// pushKwork has a kernel thread woken at a time, or after the tick that follows it.
func (s *Sim) pushKwork(i int32, at int64) {
	if s.kthreads[i].timer {
		n := (max(at-softirqNs-s.tick0, 0) + s.sched.Tick - 1) / s.sched.Tick
		first := s.jiffies0 + 1 // at tick0
		g := wheelGranularity(s.kthreads[i].periodNs / s.sched.Tick)
		n = (first+n+g-1)/g*g - first
		at = s.tick0 + n*s.sched.Tick + softirqNs
	}
	s.q.push(event{at: at, kind: evKwork, a: i})
}

// wheelGranularity is to how many jiffies the timer wheel rounds up a timer so
// many jiffies ahead (7.3 kernel/time/timer.c): the timers of all CPUs' workers
// thus expire together, in a fixed phase to the passes of the load balancer.
func wheelGranularity(jiffies int64) int64 {
	g := int64(1)
	for limit := int64(64); jiffies >= limit && g < 1<<24; limit *= 8 {
		g *= 8
	}
	return g
}

// kwork is the timer of a kernel thread. That of a CPU's own worker is
// deferrable: it waits for a tick of the CPU, however long that idles. Where
// CPUs tick one after another, others wait for their turn.
func (s *Sim) kwork(i int32) {
	k := &s.kthreads[i]
	s.pushKwork(i, s.now+k.periodNs)
	cpu := int(s.sched.Task(k.task).CPU)
	switch {
	case k.bound:
		s.overdue.Add(cpu)
	case k.timer && s.cfg.Timing.TickTurnNs > 0 && s.sched.Ticks(cpu):
		if !k.due {
			s.due++
		}
		k.due = true
	default:
		s.wakeKthread(k)
	}
}

// softirqNs is from the scheduler's part of a tick to the timers. It matters
// that it is not nothing: the tick has just renewed the deadline of the running
// task, and one that wakes a moment later has a later deadline and waits.
const softirqNs = 2000

// runTimers is the softirq of the timers after a tick.
func (s *Sim) runTimers(cpu int32) {
	if s.overdue.Has(int(cpu)) {
		s.overdue.Remove(int(cpu))
		s.q.push(event{at: s.now + softirqNs, kind: evKwake, a: cpu}) // workers come first, in the order of their CPUs
	}
	if s.due == 0 {
		return
	}
	for i := range s.kthreads {
		if k := &s.kthreads[i]; k.due && s.sched.Task(k.task).CPU == cpu {
			k.due = false
			s.due--
			s.q.push(event{at: s.now + softirqNs, kind: evKwake, a: int32(i)})
		}
	}
}

func (s *Sim) wakeKthread(k *kthread) {
	if k.left > 0 {
		return
	}
	cpu := s.sched.Task(k.task).CPU
	s.interruptIdle(cpu)
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
