package sim

import (
	"casplay/core/kernel/numab"
	"casplay/core/workload"
)

func newThread(w *workload.Proc, proc, index int32) thread {
	t := thread{proc: proc, index: index, prog: w.Progs[w.Threads[index].Prog], cpu: -1, last: -1, profile: -1, region: -1}
	t.loops = make([]int64, len(t.prog))
	return t
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
	cpu := int32(s.rng.Below(uint64(len(s.m.CPUs))))
	first := &s.procs[pi].w.Threads[0]
	if !first.BindsItself && first.Allowed.Len() > 0 && !first.Allowed.Has(int(cpu)) {
		cpu = int32(first.Allowed.NextWrap(int(cpu)))
	}
	s.forkProc(pi, cpu)
	s.sched.EndEvent(cpu)
	s.drain()
}

// forkProc forks a process from a CPU.
func (s *Sim) forkProc(pi, cpu int32) {
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
	p.group = s.joinGroup(pi, rss)
	p.alive = int32(len(w.Threads))
	p.mm = numab.NewMM(s.numa, &s.sched.CAS.Groups[p.group].Footprint, s.sched.Jiffies)
	s.createThread(p.first, -1)
	s.forkTask(p.first, cpu)
	s.mapRegions(p, int(s.m.CPUs[s.sched.Task(p.first).CPU].Node))
}

// createThread makes the task of a thread; creator is the thread that clones it, or -1.
func (s *Sim) createThread(ti, creator int32) {
	t := &s.threads[ti]
	p := &s.procs[t.proc]
	w := &p.w.Threads[t.index]
	task := s.sched.Task(ti)
	task.Group = s.groupOf(p, t.index)
	pid := uint32(1000 + ti)
	if creator < 0 {
		t.numa = numab.NewProcess(p.mm, ti, pid)
	} else {
		t.numa = numab.NewThread(s.threads[creator].numa, ti, pid, s.sched.Jiffies)
		task.NumaPreferred = int32(t.numa.Preferred())
	}
	if task.Group != p.group {
		t.numa.CountIn(&s.sched.CAS.Groups[task.Group].Footprint)
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
	if s.observer != nil {
		s.observer.Born(int(t.proc), int(t.index), s.sched.Task(ti).CPU, s.Now())
	}
	s.drain()
}

// spawnNext creates the next thread, or lets the main thread begin its own program.
func (s *Sim) spawnNext(ti int32) {
	t := &s.threads[ti]
	p := &s.procs[t.proc]
	if t.spawned > 0 {
		child := p.first + t.spawned
		s.createThread(child, ti)
		s.sched.CAS.Groups[s.sched.Task(child).Group].Threads++
		s.forkTask(child, t.cpu)
		s.addSlices(p, child)
	}
	t.spawned++
	if int(t.spawned) < len(p.w.Threads) {
		s.begin(ti, spawning, max(p.w.SpawnGapNs+p.w.Threads[t.spawned].DelayNs, 1), -1)
		return
	}
	s.proceed(ti)
}
