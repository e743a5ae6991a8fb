// Package fair is the fair scheduling class of Linux 7.3 with its load
// balancer and the hooks of cache-aware scheduling: run queues, EEVDF,
// wakeup and fork placement, sched domains. It has no clock: the simulator
// sets Now, calls in at events, and carries out the Actions that come back.
package fair

import (
	"casplay/core/kernel"
	"casplay/core/kernel/cas"
	"casplay/core/kernel/record"
	"casplay/core/kernel/why"
	"casplay/core/machine"
)

// Capacity of one CPU.
const Capacity = 1024

// ActionKind is what the scheduler asks of the simulator.
type ActionKind uint8

const (
	// Switched tells that CPU now runs Task instead of Prev (-1: idle).
	Switched ActionKind = iota
	// RunStopper wants Sched.RunStopper(CPU) at At.
	RunStopper
	// NohzKick wants Sched.NohzIPI(CPU) at At.
	NohzKick
	// WakeIPI wants Sched.Arrive(CPU, Task) at At.
	WakeIPI
	// SliceEnd wants Sched.SliceEnd(CPU, Gen) at At.
	SliceEnd
)

// Action is one request to the simulator.
type Action struct {
	Kind       ActionKind
	CPU        int32
	Task, Prev int32
	Gen        uint32
	At         int64
}

// Sched is the scheduler of one machine.
type Sched struct {
	// Now is the time in ns and Jiffies the tick count; the simulator sets both.
	Now, Jiffies int64
	// Tick is the length of a jiffy in ns.
	Tick int64
	CAS  cas.System
	Book *why.Book
	// Log collects records when it is not nil.
	Log *record.Log
	// Actions is drained by the simulator after each call.
	Actions []Action

	m           *machine.Machine
	cfg         kernel.Config
	rqs         []RQ
	tasks       []Task
	doms        []domain
	groups      []group
	llcs        []llcShared
	llcOf       []int32
	shareOf     []int32       // index of the CPU's LLC domain in llcs
	parts       []machine.Set // root domains
	partOf      []int32       // that of each CPU, -1 offline
	siblings    [][]int32     // other hardware threads of the core
	running     cas.Running
	nohz        nohzState
	overloaded  []bool // by root domain
	multiLLC    bool   // some root domain has several LLCs (7.3 sched_cache_present)
	baseSlice   int64
	maxInterval int64
	rng         Rand
	env         lbEnv
	excluded    excluded
	lbStats     lbStats
	numa        numaHooks
	kicked      []int32 // idle CPUs that were given a task
	trace       func(task, from, to int32)
	clustered   bool
	clusterCPUs [][]int32
	seen        []epochSeen
	takers      []cas.Taker
	prio        []int64 // of the CPUs, nil if all are alike
	caps        []int64 // capacities of the CPUs, nil if all are alike
	skew        []int64 // offset of each CPU's tick in ns
	ticking     machine.Set
}

// New makes the scheduler of a booted, idle machine for at most tasks tasks of
// processes processes. jiffies is the time since boot.
func New(m *machine.Machine, cfg kernel.Config, tasks, processes int, jiffies int64, seed uint64) *Sched {
	s := &Sched{m: m, cfg: cfg, Tick: 1e9 / int64(cfg.HZ), Jiffies: jiffies, Book: why.NewBook(processes), rng: NewRand(seed, 1)}
	// Processes keep pointers to the footprints of their groups: no growing.
	s.CAS.Groups = make([]cas.Group, 0, processes)
	s.Now = jiffies * s.Tick
	n := len(m.CPUs)
	s.rqs = make([]RQ, n)
	s.tasks = make([]Task, 0, tasks)
	s.llcOf = make([]int32, n)
	s.siblings = make([][]int32, n)
	s.running = make(cas.Running, n)
	s.skew = make([]int64, n)
	counts := make([]int32, n*len(m.LLCs))
	used := NewRand(seed, 4)
	for c := range m.CPUs {
		r := &s.rqs[c]
		*r = RQ{Curr: -1, llcCounts: counts[c*len(m.LLCs) : (c+1)*len(m.LLCs)], nextBalance: jiffies, avgIdle: 1_000_000, maxIdleCost: migrationCost, idleTask: true}
		r.avg.LastUpdate = s.Now
		r.idleSince = s.Now - 1e6 - int64(s.rng.Below(200e6))
		r.idleStamp = r.idleSince
		r.lastDistributed = int32(used.Below(uint64(n)))
		s.running[c] = -1
		s.skew[c] = int64(s.rng.Below(uint64(max(cfg.Timing.TickSkewNs, 1))))
		s.llcOf[c] = m.CPUs[c].LLC
		for _, o := range m.Cores[m.CPUs[c].Core].Members() {
			if o != c {
				s.siblings[c] = append(s.siblings[c], int32(o))
			}
		}
	}
	// 0.7 ms x (1 + log2 of up to 8 CPUs), 7.3 update_sysctl.
	s.baseSlice = 700_000
	for k := min(n, 8); k > 1; k >>= 1 {
		s.baseSlice += 700_000
	}
	s.maxInterval = int64(cfg.HZ) * int64(n) / 10
	s.partOf = make([]int32, n)
	s.shareOf = make([]int32, n)
	var all machine.Set
	for c := range m.CPUs {
		all.Add(c)
	}
	s.parts = []machine.Set{all}
	s.buildAsym()
	s.buildCapacity()
	s.buildCAS()
	s.buildTopology()
	for i := range s.doms {
		// An idle machine: the last passes were balanced and long ago.
		d := &s.doms[i]
		d.balanceInterval = d.maxInterval
		d.lastBalance = jiffies - s.msToJiffies(d.maxInterval) - int64(s.rng.Below(uint64(cfg.HZ)))
	}
	for i := range s.llcs {
		s.llcs[i].hasIdleCores = true
		s.llcs[i].nrIdleScan = int32(len(s.CAS.LLCCPUs[i]))
	}
	for c := range m.CPUs {
		s.ticking.Add(c)
		s.stopTick(int32(c))
	}
	return s
}

// charge has a CPU spend kernel time.
func (s *Sched) charge(cpu int32, f kernel.Function, ns int64) {
	if ns > 0 {
		s.CAS.Charges = append(s.CAS.Charges, kernel.Charge{CPU: cpu, Function: f, Ns: ns})
	}
}

func (s *Sched) emit(a Action) { s.Actions = append(s.Actions, a) }

// RQ returns the run queue of a CPU and Task a task, for reading.
func (s *Sched) RQ(cpu int32) *RQ { return &s.rqs[cpu] }

// Task returns a task.
func (s *Sched) Task(ti int32) *Task { return &s.tasks[ti] }

// reschedNow asks for a reschedule at the end of the event.
func (s *Sched) reschedNow(r *RQ) { r.resched = true }

// reschedLazy asks for one at the CPU's next return to user mode (7.3
// resched_curr_lazy with PREEMPT_LAZY).
func (s *Sched) reschedLazy(r *RQ) { r.lazy = true }

// returnToUser is the end of kernel code on a CPU: requests are honoured, then
// pending work of the task runs.
func (s *Sched) returnToUser(cpu int32) {
	r := &s.rqs[cpu]
	if r.inStopper {
		return
	}
	if r.lazy || r.resched {
		s.Schedule(cpu)
	}
	if r.Curr >= 0 {
		s.runWork(cpu)
	}
}

// runWork carries out a queued cache scan of the running task.
func (s *Sched) runWork(cpu int32) {
	r := &s.rqs[cpu]
	t := &s.tasks[r.Curr]
	if !t.cacheWork || !s.CAS.Config.Active {
		return
	}
	t.cacheWork = false
	t.workEnds = s.CAS.TimedScan(t.Group, cpu, t.NumaPreferred, s.running, s.Jiffies, s.Now, s.cfg.Timing.CacheScanCPUNs)
}

// Schedule picks the next task of a CPU and switches to it (7.3 __schedule).
func (s *Sched) Schedule(cpu int32) {
	r := &s.rqs[cpu]
	r.resched, r.lazy = false, false
	prev := r.Curr
	if prev >= 0 && r.currQueued {
		s.updateCurr(r)
		r.lazy = false
	}
	next := s.pickNext(r)
	if next < 0 && s.newidle(cpu) {
		next = s.pickNext(r)
	}
	r.resched, r.lazy = false, false
	if next == prev && next >= 0 {
		return
	}
	s.putPrev(r)
	if next < 0 {
		s.goIdle(cpu, prev)
		return
	}
	s.setNext(cpu, next, prev)
}

// putPrev takes the running task off the CPU and back into the tree if it is
// still queued (7.3 put_prev_entity).
func (s *Sched) putPrev(r *RQ) {
	if r.Curr >= 0 && r.currQueued {
		s.updateQueueAvg(r)
		s.updateTaskAvg(r, r.Curr)
		// A scan that is preempted goes on when its task runs again.
		t := &s.tasks[r.Curr]
		t.workLeft = max(t.workEnds-s.Now, 0)
		r.currQueued = false
		s.treeInsert(r, r.Curr)
	}
	r.Curr, r.currQueued = -1, false
}

// setNext puts a queued task onto the CPU (7.3 set_next_task_fair).
func (s *Sched) setNext(cpu, ti, prev int32) {
	r := &s.rqs[cpu]
	t := &s.tasks[ti]
	if r.idleTask {
		r.idleTask = false
		r.lastIdle = s.Now - r.idleSince
		s.ticking.Add(int(cpu))
		s.leaveIdle(r)
	}
	s.treeRemove(r, ti)
	s.updateQueueAvg(r)
	s.updateTaskAvg(r, ti)
	r.Curr, r.currQueued = ti, true
	r.listToHead(ti)
	t.execStart = s.Now
	t.vprot = t.deadline
	if t.workLeft > 0 {
		t.workEnds, t.workLeft = s.Now+t.workLeft, 0
	}
	s.running[cpu] = t.Group
	s.emit(Action{Kind: Switched, CPU: cpu, Task: ti, Prev: prev})
	s.updateMisfit(r, cpu, ti)
	s.armSlice(cpu)
	s.runWork(cpu)
}

// goIdle switches to the idle task and stops the tick.
func (s *Sched) goIdle(cpu, prev int32) {
	r := &s.rqs[cpu]
	if r.idleTask {
		return
	}
	r.idleTask = true
	r.idleSince = s.Now
	s.running[cpu] = -1
	if s.m.SMT > 1 && s.coreIdle(cpu) {
		s.llcs[s.shareOf[cpu]].hasIdleCores = true
	}
	s.emit(Action{Kind: Switched, CPU: cpu, Task: -1, Prev: prev})
	if s.stopsTickAtOnce(r) {
		s.stopTick(cpu)
	}
}

// flushKicked lets CPUs that were given a task by a balance pass reschedule.
func (s *Sched) flushKicked() {
	for len(s.kicked) > 0 {
		n := len(s.kicked) - 1
		cpu := s.kicked[n]
		s.kicked = s.kicked[:n]
		if r := &s.rqs[cpu]; r.Curr < 0 && r.nrRunning > 0 {
			s.returnToUser(cpu)
		}
	}
}

// OnMigrate sets a function that is told of every change of a task's CPU.
func (s *Sched) OnMigrate(f func(task, from, to int32)) { s.trace = f }

// armSlice starts the timer that ends the running task's slice when others
// wait (7.3 hrtick_start_fair).
func (s *Sched) armSlice(cpu int32) {
	r := &s.rqs[cpu]
	r.hrtickGen++
	if r.Curr < 0 || r.nrRunning < 2 || r.inStopper {
		return
	}
	t := &s.tasks[r.Curr]
	left := t.deadline - t.vruntime - (s.Now - t.execStart)
	s.emit(Action{Kind: SliceEnd, CPU: cpu, Gen: r.hrtickGen, At: s.Now + max(left, 10_000)})
}

// SliceEnd is that timer.
func (s *Sched) SliceEnd(cpu int32, gen uint32) {
	r := &s.rqs[cpu]
	if r.hrtickGen != gen || r.Curr < 0 || r.inStopper {
		return
	}
	s.updateCurr(r)
	r.resched = true
	s.returnToUser(cpu)
}

// Block takes the running task off its CPU to sleep, or for good.
func (s *Sched) Block(cpu int32, exit bool) {
	r := &s.rqs[cpu]
	ti := r.Curr
	if exit {
		s.running[cpu] = -1
	}
	s.dequeueSleep(r, ti, exit)
	if exit {
		s.tasks[ti].State = Dead
		r.avg.Detach(&s.tasks[ti].avg)
	}
	s.Schedule(cpu)
}

// epochSeen is a group's epoch at the start of a jiffy and the first CPU that
// submitted a scan in it.
type epochSeen struct {
	epoch int64
	by    int32
}

// BusyNs is the time fair tasks have run on a CPU until now.
func (s *Sched) BusyNs(cpu int32) int64 {
	r := &s.rqs[cpu]
	if r.Curr < 0 {
		return r.BusyNs
	}
	return r.BusyNs + s.Now - s.tasks[r.Curr].execStart
}
