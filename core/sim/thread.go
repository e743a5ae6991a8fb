package sim

import (
	"casplay/core/kernel/numab"
	"casplay/core/memory"
	"casplay/core/workload"
)

// phase is what a thread is in the middle of.
type phase uint8

const (
	unborn    phase = iota
	spawning        // the main thread creates the others
	computing       // OpCompute or OpTouch
	spinning        // busy-waits at a barrier
	blocked         // waits for a wakeup
	ready           // was released and goes on when it gets a CPU
	exited
)

// unit is the fixed point of work: ns times memory.FullRate.
const unit = int64(memory.FullRate)

type thread struct {
	proc, index int32
	prog        []workload.Op
	pc          int32
	loops       []int64
	phase       phase
	parked      bool // put to sleep by the timeline
	dying       bool // must exit when it next runs

	cpu   int32 // where it runs, -1
	rate  uint32
	at    int64 // when work was last brought up to date
	stall int64 // ns of kernel time before work goes on
	work  int64 // left, in ns x FullRate
	total int64 // of the op
	endAt int64 // of the pending end event, 0 if none
	gen   uint32
	timer uint32

	profile int16
	// sweep is the range of chunks the op passes over, and how far it is.
	region             int16
	touch              bool
	from, to, position int32

	spawned int32
	bornAt  int64
	numa    *numab.Task
	slices  []int32 // index of the slice in each region
	pages   []int64 // scratch: pages of all slices by node
}

func newThread(w *workload.Proc, proc, index int32) thread {
	t := thread{proc: proc, index: index, prog: w.Progs[w.Threads[index].Prog], cpu: -1, profile: -1, region: -1}
	t.loops = make([]int64, len(t.prog))
	return t
}

// interrupted: a signal or timeline event waits to be acted on.
func (t *thread) interrupted() bool { return t.dying || t.parked }

func (t *thread) memProfile() int16 {
	if t.phase == computing {
		return t.profile
	}
	return -1
}

// progress brings the work of a running thread up to now.
func (s *Sim) progress(ti int32) {
	t := &s.threads[ti]
	if t.cpu < 0 {
		return
	}
	elapsed := s.now - t.at
	t.at = s.now
	if t.stall > 0 {
		d := min(t.stall, elapsed)
		t.stall -= d
		elapsed -= d
	}
	if elapsed > 0 && t.work > 0 {
		t.work = max(t.work-elapsed*int64(t.rate), 0)
	}
	if t.region >= 0 && t.phase == computing {
		s.sweep(ti)
	}
}

// arm makes sure that an end event comes no later than the op can end. An
// event that turns out early re-arms.
func (s *Sim) arm(ti int32) {
	t := &s.threads[ti]
	if t.cpu < 0 {
		return
	}
	end := s.now + t.stall
	switch t.phase {
	case computing, spinning, spawning:
		r := int64(t.rate)
		if t.phase == spinning {
			r = unit
		}
		end += (t.work + r - 1) / r
	case ready:
	default:
		return
	}
	if t.interrupted() {
		end = s.now + t.stall
	}
	if t.endAt != 0 && t.endAt <= end {
		return
	}
	t.gen++
	t.endAt = end
	s.q.push(event{at: end, kind: evEnd, a: ti, gen: t.gen})
}

// opEnd is the end event of a thread.
func (s *Sim) opEnd(ti int32, gen uint32) {
	t := &s.threads[ti]
	if t.gen != gen {
		return
	}
	t.endAt = 0
	if t.cpu < 0 {
		return
	}
	s.progress(ti)
	if t.stall > 0 || t.work > 0 && t.phase != ready && !t.interrupted() {
		s.arm(ti)
		return
	}
	cpu := t.cpu
	switch {
	case t.dying:
		s.exit(ti)
	case t.parked:
		s.block(ti)
	default:
		s.nextStep(ti)
	}
	s.sched.EndEvent(cpu)
	s.drain()
}

// nextStep goes on with a thread whose op has ended or that was released.
func (s *Sim) nextStep(ti int32) {
	t := &s.threads[ti]
	switch t.phase {
	case spawning:
		s.spawnNext(ti)
	case computing:
		t.pc++
		s.advance(ti)
	case spinning:
		s.barrierSleep(ti)
	case ready:
		t.pc++
		s.advance(ti)
	}
}

// begin starts a stretch of work of ns on the thread's CPU.
func (s *Sim) begin(ti int32, ph phase, ns int64, profile int16) {
	t := &s.threads[ti]
	t.phase, t.profile = ph, profile
	t.work = ns * unit
	t.total = t.work
	t.at = s.now
	if ph != computing {
		profile = -1
	}
	s.setMem(t.cpu, ti, profile)
	s.guessRate(ti)
	s.arm(ti)
}

// advance executes ops until one takes time or blocks.
func (s *Sim) advance(ti int32) {
	t := &s.threads[ti]
	p := &s.procs[t.proc]
	for {
		if t.parked {
			s.block(ti)
			return
		}
		op := &t.prog[t.pc]
		switch op.Kind {
		case workload.OpCompute, workload.OpTouch:
			s.compute(ti, op)
			return
		case workload.OpBarrier:
			if !s.arrive(ti, op) {
				return
			}
		case workload.OpSleep:
			s.sleepUntil(ti, s.now+op.A)
			return
		case workload.OpPeriod:
			if at := s.nextPeriod(t, op.A); at > s.now {
				s.sleepUntil(ti, at)
				return
			}
		case workload.OpSend:
			if !s.send(ti, int32(op.A)+p.w.Threads[t.index].ChannelBase, op.B) {
				return
			}
		case workload.OpRecv:
			if !s.recv(ti, int32(op.A)+p.w.Threads[t.index].ChannelBase) {
				return
			}
		case workload.OpLoop:
			t.loops[t.pc]++
			if op.A < 0 || t.loops[t.pc] < op.A {
				t.pc = int32(op.B)
				continue
			}
			t.loops[t.pc] = 0
		case workload.OpMark:
			if p.markedAt < 0 {
				p.markedAt = s.now
			}
		case workload.OpPark:
			t.parked = true
			continue
		case workload.OpExit:
			s.exit(ti)
			return
		}
		t.pc++
	}
}

// compute starts an OpCompute or OpTouch.
func (s *Sim) compute(ti int32, op *workload.Op) {
	t := &s.threads[ti]
	p := &s.procs[t.proc]
	ns := op.A
	t.region, t.touch = op.Region, op.Kind == workload.OpTouch
	if op.Region >= 0 {
		from, to := s.sliceChunks(p, t, op)
		t.from, t.to, t.position = from, to, from
		if t.touch {
			ns *= int64(to-from) * int64(p.w.Regions[op.Region].ChunkPages)
		}
	}
	if op.Jitter > 0 {
		ns += ns * (int64(s.rng.Below(uint64(2*op.Jitter+1))) - int64(op.Jitter)) / 1_000_000
	}
	profile := op.Profile
	if profile >= 0 {
		profile += p.profile0
	}
	s.begin(ti, computing, max(ns, 1), profile)
}

// nextPeriod is the next multiple of period since the thread's birth, shifted
// by its phase; the one that began before now has passed.
func (s *Sim) nextPeriod(t *thread, period int64) int64 {
	start := t.bornAt + s.procs[t.proc].w.Threads[t.index].PhaseNs
	t.loops[t.pc]++
	return start + t.loops[t.pc]*period
}

// block puts the running thread to sleep.
func (s *Sim) block(ti int32) {
	t := &s.threads[ti]
	t.phase = blocked
	s.sched.Block(t.cpu, false)
	s.drain()
}

// sleepUntil blocks the running thread until a time.
func (s *Sim) sleepUntil(ti int32, at int64) {
	t := &s.threads[ti]
	t.timer++
	s.q.push(event{at: at, kind: evTimer, a: ti, gen: t.timer})
	s.block(ti)
}

// timer ends a sleep, by an interrupt on the CPU on which it began.
func (s *Sim) timer(ti int32, gen uint32) {
	t := &s.threads[ti]
	if t.timer != gen || t.phase != blocked {
		return
	}
	s.release(ti, s.sched.Task(ti).CPU, -1, false)
	s.sched.EndEvent(s.sched.Task(ti).CPU)
	s.drain()
}

// release wakes a blocked thread from cpu; by is the waking task or -1.
func (s *Sim) release(ti, cpu, by int32, sync bool) {
	t := &s.threads[ti]
	if t.parked {
		return
	}
	t.phase = ready
	s.sched.Wake(ti, cpu, by, sync)
	s.drain()
}

// exit ends the running thread.
func (s *Sim) exit(ti int32) {
	t := &s.threads[ti]
	p := &s.procs[t.proc]
	t.phase = exited
	s.leaveProc(ti)
	if t.numa != nil {
		t.numa.Exit()
	}
	s.sched.Block(t.cpu, true)
	s.drain()
	p.alive--
	if p.alive == 0 {
		p.endedAt = s.now
		s.checkDone()
	}
}

// startProc forks a process from a CPU where a shell happens to run.
func (s *Sim) startProc(pi int32) {
	p := &s.procs[pi]
	w := p.w
	p.startedAt = s.now
	rss := w.RSSBytes
	if rss == 0 {
		for _, r := range w.Regions {
			rss += r.Bytes
		}
	}
	p.rss = rss
	p.group = s.sched.NewGroup(pi, rss)
	p.alive = int32(len(w.Threads))
	s.sched.CAS.Groups[p.group].Threads = 1
	shell := int32(s.rng.Below(uint64(len(s.m.CPUs))))
	p.mm = numab.NewMM(s.numa, &s.sched.CAS.Groups[p.group].Footprint, s.sched.Jiffies)
	s.createThread(p.first, -1)
	cpu := shell
	if w.Threads[0].Allowed.Len() > 0 && !w.Threads[0].Allowed.Has(int(cpu)) {
		cpu = int32(w.Threads[0].Allowed.NextWrap(int(cpu)))
	}
	s.forkTask(p.first, cpu)
	s.sched.EndEvent(cpu)
	s.drain()
	s.mapRegions(p, int(s.m.CPUs[s.sched.Task(p.first).CPU].Node))
}

// createThread makes the task of a thread; creator is the thread that clones it, or -1.
func (s *Sim) createThread(ti, creator int32) {
	t := &s.threads[ti]
	p := &s.procs[t.proc]
	w := &p.w.Threads[t.index]
	task := s.sched.Task(ti)
	task.Group = p.group
	pid := uint32(1000 + ti)
	if creator < 0 {
		t.numa = numab.NewProcess(p.mm, ti, pid)
	} else {
		t.numa = numab.NewThread(s.threads[creator].numa, ti, pid, s.sched.Jiffies)
		task.NumaPreferred = int32(t.numa.Preferred())
	}
	t.pages = make([]int64, len(s.m.Nodes))
	if w.AllowedUntilNs > 0 && !w.Allowed.Empty() {
		s.q.push(event{at: max(s.t0+w.AllowedUntilNs, s.now), kind: evAllow, a: ti})
	}
}

// forkTask starts a created thread from a CPU.
func (s *Sim) forkTask(ti, cpu int32) {
	t := &s.threads[ti]
	t.bornAt = s.now
	t.phase = ready
	t.pc = -1
	if t.index == 0 && len(s.procs[t.proc].w.Threads) > 1 {
		t.phase = spawning
	}
	s.sched.Fork(ti, cpu)
	s.joinProc(ti)
	s.drain()
}

// spawnNext creates the next thread, or lets the main thread begin its own program.
func (s *Sim) spawnNext(ti int32) {
	t := &s.threads[ti]
	p := &s.procs[t.proc]
	if t.spawned > 0 {
		child := p.first + t.spawned
		s.createThread(child, ti)
		s.sched.CAS.Groups[p.group].Threads++
		s.forkTask(child, t.cpu)
		s.addSlices(p, child)
	}
	t.spawned++
	if int(t.spawned) < len(p.w.Threads) {
		s.begin(ti, spawning, max(p.w.SpawnGapNs+p.w.Threads[t.spawned].DelayNs, 1), -1)
		return
	}
	t.pc = 0
	s.advance(ti)
}
