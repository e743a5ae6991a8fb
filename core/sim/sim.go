package sim

import (
	"errors"

	"casplay/core/kernel"
	"casplay/core/kernel/fair"
	"casplay/core/kernel/numab"
	"casplay/core/kernel/record"
	"casplay/core/machine"
	"casplay/core/memory"
)

const (
	// bootS is the uptime at the start of a run, in s.
	bootS = 60
	// memQuantumNs is the shortest time between two solutions of the memory
	// model, memStepNs the longest while pages move.
	memQuantumNs = 100_000
	memStepNs    = 1_000_000
)

// Sim is one run in progress.
type Sim struct {
	setup  Setup
	m      *machine.Machine
	cfg    kernel.Config
	sched  *fair.Sched
	numa   *numab.System
	mem    *memory.Model
	q      *queue
	t0     int64 // ns of the scheduler's clock at the start of the run
	tick0  int64 // of the first tick
	now    int64
	events int64
	done   bool
	ended  bool // all processes ended by themselves

	threads  []thread
	procs    []proc
	channels []channel
	kthreads []kthread
	inTurn   int32       // CPU in whose turn the ticks are, -1 outside
	due      int         // kernel threads whose timers wait for the tick of their CPU
	overdue  machine.Set // CPUs whose worker waits for a tick
	noise    fair.Rand
	onCPU    []int32 // thread on each CPU, -1
	rng      fair.Rand

	jiffies0  int64
	jiffies   int64 // by the time; what the kernel sees may be one behind (tick.go)
	keeper    int32 // CPU whose tick advances it, -1 for none
	memDirty  bool
	memAt     int64 // last solution
	memQueued bool
	moves     []numaMove
	// traffic: some thread makes traffic below L2. loneRate and sharedRate are
	// the rates of one that makes none, alone on its core or not, by LLC.
	traffic              bool
	loneRate, sharedRate []uint32
	measure              measure
	meter                meter
	observer             Observer
	log                  *record.Log
	warnings             []string
}

// New prepares a run. It refuses a set-up that the machine cannot hold.
func New(setup Setup) (*Sim, error) {
	if setup.MaxNs <= 0 || setup.SampleNs <= 0 {
		return nil, errors.New("sim: MaxNs and SampleNs must be positive")
	}
	if err := setup.checkRules(); err != nil {
		return nil, err
	}
	s := &Sim{setup: setup, m: setup.Machine, cfg: setup.Kernel, rng: fair.NewRand(setup.Seed, 2), noise: fair.NewRand(setup.Seed, 3), inTurn: -1, keeper: -1}
	n := 0
	for i := range setup.Workload.Procs {
		n += len(setup.Workload.Procs[i].Threads)
	}
	s.jiffies0 = int64(bootS * s.cfg.HZ)
	s.jiffies = s.jiffies0
	s.sched = fair.New(s.m, s.cfg, n+len(s.m.CPUs)+len(s.m.LLCs)+1+len(setup.Daemons), len(setup.Workload.Procs), s.jiffies0, setup.Seed)
	s.t0 = s.sched.Now
	s.now = s.t0
	s.q = newQueue(s.t0)
	s.onCPU = make([]int32, len(s.m.CPUs))
	for c := range s.onCPU {
		s.onCPU[c] = -1
	}
	for i := range setup.Workload.Channels {
		s.channels = append(s.channels, newChannel(&setup.Workload.Channels[i]))
	}
	if err := s.build(); err != nil {
		return nil, err
	}
	// The first tick comes at a random point of a jiffy after the start.
	s.tick0 = s.t0 + int64(s.rng.Below(uint64(s.sched.Tick)))
	s.q.push(event{at: s.tick0, kind: evTick})
	s.addKthreads()
	s.startLog(setup.Record)
	s.sched.OnMigrate(s.migrated)
	s.q.push(event{at: s.t0 + setup.SampleNs, kind: evSample})
	s.startMeasure()
	for i, e := range setup.Events {
		s.q.push(event{at: s.t0 + e.AtNs, kind: evChange, a: int32(i)})
	}
	return s, nil
}

// build makes the processes, their address spaces and the memory model.
func (s *Sim) build() error {
	var err error
	if s.numa, err = numab.NewSystem(&s.cfg, s.m, s.numaCosts()); err != nil {
		return err
	}
	var profiles []memory.Profile
	total := 0
	for i := range s.setup.Workload.Procs {
		w := &s.setup.Workload.Procs[i]
		p := proc{w: w, first: int32(total), profile0: int16(len(profiles)), group: -1, startedAt: -1, markedAt: -1, endedAt: -1, perLLC: make([]int32, len(s.m.LLCs)), gatheredLLC: -1}
		p.barriers = make([]barrier, len(w.Barriers))
		profiles = append(profiles, w.Profiles...)
		total += len(w.Threads)
		s.procs = append(s.procs, p)
		if w.StartNs >= 0 {
			s.q.push(event{at: s.t0 + w.StartNs, kind: evStart, a: int32(i)})
		}
		if w.ExitNs > 0 {
			s.q.push(event{at: s.t0 + w.ExitNs, kind: evKill, a: int32(i)})
		}
		for k := range w.Threads {
			s.threads = append(s.threads, newThread(w, int32(i), int32(k)))
			n := fair.NewTask{Group: -1, Process: int32(i), NumaPreferred: -1}
			if !w.Threads[k].BindsItself {
				n.Allowed = w.Threads[k].Allowed
			}
			s.sched.Create(n)
		}
	}
	s.reserveGroups()
	s.mem = memory.New(s.m, profiles, total)
	s.sched.CAS.Traffic = s.mem.Traffic
	for i := range s.procs {
		s.mem.Ring(s.procs[i].first, int32(len(s.procs[i].w.Threads)))
	}
	s.traffic = len(profiles) > 0
	for l := range s.m.LLCs {
		speed := s.m.LLCs[l].FreqGHz / s.m.RefGHz()
		s.loneRate = append(s.loneRate, uint32(memory.FullRate*speed))
		s.sharedRate = append(s.sharedRate, uint32(memory.FullRate*speed*s.m.Perf.SMTShare))
	}
	s.meter.init(s)
	if numab.Active(&s.cfg, s.m) {
		s.sched.SetNuma(s.numaTick, s.numaLocality, s.numaMigrated)
	}
	return nil
}

// Now is the simulated time since the start in ns.
func (s *Sim) Now() int64 { return s.now - s.t0 }

// Fraction estimates how much of the run is done, in millionths: the longest
// program of the workload, or the time if programs never end.
func (s *Sim) Fraction() int32 {
	if s.done {
		return 1_000_000
	}
	f := s.Now() * 1_000_000 / s.setup.MaxNs
	if s.setup.UntilDone {
		f = max(f, s.progressOfPrograms())
	}
	return int32(min(f, 999_999))
}

// Step runs at most n events and reports whether the run has ended.
func (s *Sim) Step(n int) bool {
	for ; n > 0 && !s.done; n-- {
		e := s.q.pop()
		if e.at > s.t0+s.setup.MaxNs {
			s.setNow(s.t0 + s.setup.MaxNs)
			s.finish()
			break
		}
		s.setNow(e.at)
		s.events++
		s.handle(&e)
	}
	return s.done
}

// StepTo runs at most n of the events up to a moment, in ns after the start, and
// reports whether the moment has come or the run has ended.
func (s *Sim) StepTo(ns int64, n int) bool {
	for ; n > 0 && !s.done; n-- {
		if ns < s.setup.MaxNs && s.q.next() > s.t0+ns {
			s.setNow(s.t0 + ns)
			return true
		}
		s.Step(1)
	}
	return s.done
}

func (s *Sim) setNow(t int64) {
	s.now = t
	s.sched.Now = t
}

func (s *Sim) handle(e *event) {
	switch e.kind {
	case evTick:
		s.tick()
	case evTickCPU:
		s.tickCPU(e.a)
	case evStart:
		s.startProc(e.a)
	case evEnd:
		s.opEnd(e.a, e.gen)
	case evTimer:
		s.timer(e.a, e.gen)
	case evWake:
		s.interruptIdle(e.a)
		s.sched.Arrive(e.a, e.b)
		s.drain()
	case evStopper:
		s.sched.RunStopper(e.a)
		s.drain()
	case evNohz:
		s.interruptIdle(e.a)
		s.sched.NohzIPI(e.a)
		s.drain()
	case evSlice:
		s.sched.SliceEnd(e.a, e.gen)
		s.drain()
	case evSolve:
		s.memQueued = false
		s.solve()
	case evSample:
		s.meter.sample(s)
		s.q.push(event{at: s.now + s.setup.SampleNs, kind: evSample})
	case evChange:
		s.change(&s.setup.Events[e.a])
	case evUnpark:
		s.unpark(e.a)
	case evAllow:
		s.allowAll(e.a)
	case evNumaMove:
		s.numaMove(e.a)
	case evKill:
		s.kill(e.a)
	case evKwork:
		s.kwork(e.a)
	case evKwake:
		s.wakeKthread(&s.kthreads[e.a])
	case evKthreadEnd:
		s.kthreadEnd(e.a, e.gen)
	case evScanDone:
		s.threads[e.a].numa.ScanDone(s.sched.Task(e.a).SumExec)
	case evWarm:
		s.measure.begin(s)
	}
}

// drain carries out what the scheduler asked for.
func (s *Sim) drain() {
	for i := 0; i < len(s.sched.Actions); i++ {
		a := &s.sched.Actions[i]
		switch a.Kind {
		case fair.Switched:
			s.switched(a.CPU, a.Task, a.Prev)
		case fair.RunStopper:
			s.q.push(event{at: s.interruptAt(a.At, a.CPU), kind: evStopper, a: a.CPU})
		case fair.NohzKick:
			s.q.push(event{at: s.interruptAt(a.At, a.CPU), kind: evNohz, a: a.CPU})
		case fair.WakeIPI:
			s.q.push(event{at: s.interruptAt(a.At, a.CPU), kind: evWake, a: a.CPU, b: a.Task})
		case fair.SliceEnd:
			s.q.push(event{at: a.At, kind: evSlice, a: a.CPU, gen: a.Gen})
		}
	}
	s.sched.Actions = s.sched.Actions[:0]
	if len(s.sched.CAS.Charges) > 0 {
		s.takeCharges()
	}
}

// switched stops the clock of the thread that left a CPU and starts that of
// the one that came.
func (s *Sim) switched(cpu, next, prev int32) {
	user := int32(len(s.threads))
	if prev >= user {
		s.kthreadOff(prev - user)
	} else if prev >= 0 && s.threads[prev].cpu == cpu {
		s.progress(prev)
		s.threads[prev].cpu = -1
	}
	s.onCPU[cpu] = next
	if s.log != nil {
		s.log.Switch(s.now, cpu, next)
	}
	if next < 0 {
		s.numa.Curr[cpu] = nil
		s.setMem(cpu, -1, -1)
		return
	}
	if next >= user {
		s.numa.Curr[cpu] = nil
		s.setMem(cpu, -1, -1)
		s.kthreadOn(next-user, cpu)
		return
	}
	t := &s.threads[next]
	s.numa.Curr[cpu] = t.numa
	t.cpu = cpu
	t.at = s.now
	s.charge(next, kernel.Switch, s.cfg.Timing.SwitchNs)
	if s.sched.CAS.Config.Active {
		s.charge(next, kernel.CacheAccount, s.cfg.Timing.AccountNs)
	}
	s.fetchTask(next)
	s.wakeEnds(next)
	s.setMem(cpu, next, t.memProfile())
	s.guessRate(next)
	s.arm(next)
}
