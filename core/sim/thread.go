package sim

import (
	"casplay/core/kernel"
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
	last  int32 // where it ran last, -1
	rate  uint32
	at    int64 // when work was last brought up to date
	stall int64 // ns of kernel time before work goes on
	work  int64 // left, in ns x FullRate
	total int64 // of the op
	// chunkWork is the work of an op for each chunk it passes over.
	chunkWork uint64
	endAt     int64 // of the pending end event, 0 if none
	gen       uint32
	timer     uint32

	// system: the op is kernel time. stamp is when the request began that the
	// thread works on, due the time of the last OpPeriod.
	system     bool
	stamp, due int64
	looked     bool  // it found nothing to read, or no room, and is about to sleep
	reply      int32 // channel for the answer to the message read last
	// wokenAt is when another thread began to wake it, 0 if it is awake; wakeDebt the
	// time to fetch its lines.
	wokenAt, wakeDebt int64
	// moveNs is what fetching it to its present CPU took.
	moveNs int64

	profile int16
	// sweep is the range of chunks the op passes over, and how far it is.
	region             int16
	touch              bool
	from, to, position int32

	spawned int32
	bound   bool
	bornAt  int64
	numa    *numab.Task
	slices  []int32 // index of the slice in each region, then of each slab
	pages   []int64 // scratch: pages of all slices by node
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
		if t.system {
			s.measure.sys[kernel.Syscall] += elapsed
		}
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
		end += int64(uint64(t.work+r-1) / uint64(r))
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
		s.block(ti)
	case ready:
		if n := len(s.procs[t.proc].w.Threads); t.index == 0 && n > 1 && int(t.spawned) < n {
			s.spawnNext(ti)
			return
		}
		s.proceed(ti)
	}
}

// proceed goes on with the next op; a thread that binds itself does so before its first.
func (s *Sim) proceed(ti int32) {
	t := &s.threads[ti]
	if w := &s.procs[t.proc].w.Threads[t.index]; w.BindsItself && !t.bound {
		t.bound = true
		t.phase = ready
		if s.sched.Bind(ti, w.Allowed, s.sched.Task(ti).CPU) {
			s.drain()
			return
		}
	}
	t.pc++
	s.advance(ti)
}

// begin starts a stretch of work of ns on the thread's CPU.
func (s *Sim) begin(ti int32, ph phase, ns int64, profile int16) {
	t := &s.threads[ti]
	t.phase, t.profile = ph, profile
	t.work = ns * unit
	t.total = t.work
	t.chunkWork = uint64(max(t.total/int64(max(t.to-t.from, 1)), 1))
	t.at = s.now
	if ph != computing {
		profile, t.system = -1, false
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
		case workload.OpReply:
			if !s.send(ti, t.reply, op.B) {
				return
			}
		case workload.OpLoop:
			t.loops[t.pc]++
			if op.A < 0 || t.loops[t.pc] < op.A {
				t.pc = int32(op.B)
				continue
			}
			t.loops[t.pc] = 0
		case workload.OpStamp:
			t.stamp = s.now
			if op.B == 1 {
				t.stamp = t.due
			}
		case workload.OpRecord:
			s.measure.request.add(s.now + t.stall - t.stamp)
		case workload.OpUnits:
			p.units += op.A
		case workload.OpGather:
			s.gather(ti, op)
		case workload.OpMark:
			if p.markedAt < 0 {
				p.markedAt = s.now
			}
		case workload.OpPark:
			t.parked = true
			continue
		case workload.OpFork:
			s.forkProc(int32(op.A), t.cpu)
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
	t.region, t.touch, t.system = op.Region, op.Kind == workload.OpTouch, op.System
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
	t.due = start + t.loops[t.pc]*period
	return t.due
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
	s.interruptIdle(s.sched.Task(ti).CPU)
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
	t.wokenAt = 0
	if by >= 0 {
		t.wokenAt = s.now
		s.charge(by, kernel.Wakeup, s.cfg.Timing.WakeNs)
	}
	s.sched.Wake(ti, cpu, by, sync)
	s.moveWakeLines(ti, cpu, by)
	s.drain()
}
