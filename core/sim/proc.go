package sim

import (
	"casplay/core/kernel/numab"
	"casplay/core/machine"
	"casplay/core/workload"
)

type proc struct {
	w        *workload.Proc
	first    int32 // index of its main thread
	profile0 int16
	group    int32
	mm       *numab.MM
	rss      int64
	alive    int32
	units    int64 // counted since the warm-up
	barriers []barrier

	startedAt, markedAt, endedAt int64
	// perLLC counts living threads by the LLC of their CPU.
	perLLC      []int32
	members     int32
	gatheredLLC int32 // LLC with 90 % of the threads, -1 if none
	gatheredAt  int64
	allBornAt   int64
	threadNs    []int64 // thread time on each LLC
}

// joinProc and leaveProc count a living thread where it sits.
func (s *Sim) joinProc(ti int32) {
	p := &s.procs[s.threads[ti].proc]
	p.members++
	p.perLLC[s.m.CPUs[s.sched.Task(ti).CPU].LLC]++
	if int(p.members) == len(p.w.Threads) {
		p.allBornAt = s.now
	}
	s.checkGathered(p)
}

func (s *Sim) leaveProc(ti int32) {
	p := &s.procs[s.threads[ti].proc]
	p.members--
	p.perLLC[s.m.CPUs[s.sched.Task(ti).CPU].LLC]--
}

// migrated follows a thread from CPU to CPU.
func (s *Sim) migrated(ti, from, to int32) {
	a, b := s.m.CPUs[from].LLC, s.m.CPUs[to].LLC
	if int(ti) >= len(s.threads) || s.threads[ti].phase == unborn {
		return
	}
	if s.observer != nil {
		t := &s.threads[ti]
		s.observer.Moved(int(t.proc), int(t.index), from, to, s.Now())
	}
	if a == b {
		return
	}
	p := &s.procs[s.threads[ti].proc]
	p.perLLC[a]--
	p.perLLC[b]++
	s.checkGathered(p)
}

// checkGathered keeps since when 90 % of a process's threads sit on one LLC.
func (s *Sim) checkGathered(p *proc) {
	for l, n := range p.perLLC {
		if n*10 >= p.members*9 && n > 0 {
			if p.gatheredLLC != int32(l) {
				p.gatheredLLC, p.gatheredAt = int32(l), s.now
			}
			return
		}
	}
	p.gatheredLLC = -1
}

// checkDone ends the run when all that counts has ended.
func (s *Sim) checkDone() {
	if !s.setup.UntilDone {
		return
	}
	for i := range s.procs {
		if p := &s.procs[i]; p.endedAt < 0 && !p.w.Background {
			return
		}
	}
	s.ended = true
	s.finish()
}

func (s *Sim) finish() {
	s.meter.finish(s)
	s.done = true
}

// progressOfPrograms is how far the main thread of the first process is, in
// millionths of the passes of its outermost loop.
func (s *Sim) progressOfPrograms() int64 {
	p := &s.procs[0]
	t := &s.threads[p.first]
	best := int64(0)
	for pc := range t.prog {
		if op := &t.prog[pc]; op.Kind == workload.OpLoop && op.A > 0 {
			best = t.loops[pc] * 1_000_000 / op.A
		}
	}
	if p.endedAt >= 0 {
		return 1_000_000
	}
	return best
}

// change applies a timeline event.
func (s *Sim) change(e *Event) {
	if s.log != nil {
		s.recordChange(e)
	}
	if e.Kernel != nil {
		s.cfg = *e.Kernel
		s.sched.Configure(s.cfg)
	}
	if e.Partitions != nil {
		s.sched.Repartition(e.Partitions)
		s.drain()
	}
	p := &s.procs[e.Proc]
	if e.Bind {
		for i := range p.w.Threads {
			if ti := p.first + int32(i); s.threads[ti].phase != exited {
				s.sched.Bind(ti, e.Allowed, s.sched.Task(p.first).CPU)
				s.drain()
			}
		}
	}
	if !e.Park {
		return
	}
	for i := e.ParkFrom; i < min(e.ParkTo, len(p.w.Threads)); i++ {
		ti := p.first + int32(i)
		t := &s.threads[ti]
		t.parked = true
		if t.cpu >= 0 {
			s.progress(ti)
			s.arm(ti)
		}
		if e.ParkNs > 0 {
			s.q.push(event{at: s.now + e.ParkNs, kind: evUnpark, a: ti})
		}
	}
}

func (s *Sim) unpark(ti int32) {
	t := &s.threads[ti]
	t.parked = false
	if t.phase == blocked {
		cpu := s.sched.Task(ti).CPU
		s.release(ti, cpu, -1, false)
		s.sched.EndEvent(cpu)
		s.drain()
	}
}

// kill makes all threads of a process exit: those that sleep are woken for it.
func (s *Sim) kill(pi int32) {
	p := &s.procs[pi]
	for i := range p.w.Threads {
		ti := p.first + int32(i)
		t := &s.threads[ti]
		if t.phase == unborn || t.phase == exited {
			continue
		}
		t.dying, t.parked = true, false
		switch {
		case t.cpu >= 0:
			s.progress(ti)
			s.arm(ti)
		case t.phase == blocked:
			cpu := s.sched.Task(ti).CPU
			s.release(ti, cpu, -1, false)
			s.sched.EndEvent(cpu)
			s.drain()
		}
	}
}

func (s *Sim) allowAll(ti int32) {
	var all machine.Set
	for c := range s.m.CPUs {
		all.Add(c)
	}
	s.sched.Widen(ti, all)
}
