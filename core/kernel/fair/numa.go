package fair

import (
	"casplay/core/kernel/record"
	"casplay/core/kernel/why"
)

// What NUMA balancing adds to queueing and balancing; its own rules are in
// kernel/numab.

// numaHooks are set by the simulator when NUMA balancing is on.
type numaHooks struct {
	// tick is task_tick_numa for the running task of a CPU.
	tick func(task, cpu int32)
	// locality is migrate_degrades_locality: > 0 the move hurts, < 0 it helps.
	locality func(task, src, dst int32, srcRunning, srcPreferred int32, idle bool) int
	// migrated is called when a task changes its CPU.
	migrated func(task, from, to int32)
}

// SetNuma connects NUMA balancing.
func (s *Sched) SetNuma(tick func(task, cpu int32), locality func(task, src, dst int32, srcRunning, srcPreferred int32, idle bool) int, migrated func(task, from, to int32)) {
	s.numa = numaHooks{tick, locality, migrated}
}

// numaEnqueue counts tasks with a preferred node, and those on it (7.3 account_numa_enqueue).
func (s *Sched) numaEnqueue(r *RQ, t *Task) {
	t.numaCounted = 0
	if t.NumaPreferred < 0 {
		return
	}
	r.nrNuma++
	t.numaCounted = 1
	if t.NumaPreferred == s.m.CPUs[t.CPU].Node {
		r.nrNumaOK++
		t.numaCounted = 2
	}
}

func (s *Sched) numaDequeue(r *RQ, t *Task) {
	if t.numaCounted > 0 {
		r.nrNuma--
	}
	if t.numaCounted > 1 {
		r.nrNumaOK--
	}
	t.numaCounted = 0
}

// SetPreferredNode changes a queued or running task's preferred node and
// redoes its counters (7.3 sched_setnuma).
func (s *Sched) SetPreferredNode(ti, node int32) {
	t := &s.tasks[ti]
	if !t.OnQueue() {
		t.NumaPreferred = node
		return
	}
	r := &s.rqs[t.CPU]
	s.numaDequeue(r, t)
	t.NumaPreferred = node
	s.numaEnqueue(r, t)
}

// degradesLocality says whether a balance move takes a task off its node (> 0),
// brings it there (< 0) or neither (7.3 migrate_degrades_locality).
func (s *Sched) degradesLocality(env *lbEnv, t *Task) int {
	if s.numa.locality == nil || env.d.flags&numaLevel == 0 {
		return 0
	}
	if s.m.CPUs[env.src].Node == s.m.CPUs[env.dst].Node {
		return 0
	}
	r := &s.rqs[env.src]
	g := s.numa.locality(env.task, env.src, env.dst, r.nrRunning, r.nrNumaOK, env.idle == isIdle)
	if t.Process >= 0 && g != 0 {
		s.Book.Note(t.Process, why.NumaLocality, s.Now, g > 0, int64(s.m.CPUs[env.dst].Node), int64(t.NumaPreferred))
	}
	return g
}

// NumaDomain gives the imbalance percentage and allowed imbalance of a CPU's
// lowest domain that spans nodes; 0 if there is none.
func (s *Sched) NumaDomain(cpu int32) (pct, imbNumaNr int) {
	r := &s.rqs[cpu]
	for k := range r.ndom {
		if d := &s.doms[r.dom0+k]; d.flags&numaLevel != 0 {
			return int(d.imbalancePct), int(d.imbNumaNr)
		}
	}
	return 0, 0
}

// NodeSums adds up the run queues of a node (7.3 update_numa_stats).
func (s *Sched) NodeSums(node int32) (load, runnable, util int64, nr int) {
	for _, c := range s.CAS.NodeCPUs[node] {
		r := &s.rqs[c]
		load += r.avg.LoadAvg
		runnable += r.avg.RunnableAvg
		util += r.util()
		nr += int(r.runnable)
	}
	return
}

// HLoad is a task's hierarchical load.
func (s *Sched) HLoad(ti int32) int64 { return s.taskHLoad(&s.tasks[ti]) }

// NumaMove carries out a move to cpu, or an exchange with the task swap that
// is there, unless one of them has moved or stopped running meanwhile (7.3
// migrate_task_to, migrate_swap).
func (s *Sched) NumaMove(ti, cpu, swap int32) {
	t := &s.tasks[ti]
	from := t.CPU
	if t.State != Queued || from == cpu || !t.Allowed.Has(int(cpu)) {
		return
	}
	if swap >= 0 {
		o := &s.tasks[swap]
		if o.State != Queued || o.CPU != cpu || !o.Allowed.Has(int(from)) {
			return
		}
		s.push(swap, from, record.ByNuma)
	}
	if t.Process >= 0 {
		s.Book.Note(t.Process, why.NumaMove, s.Now, true, int64(s.m.CPUs[from].Node), int64(s.m.CPUs[cpu].Node))
	}
	s.push(ti, cpu, record.ByNuma)
}

// push moves a queued task, running or not, to another CPU.
func (s *Sched) push(ti, cpu int32, cause record.Cause) {
	from := s.tasks[ti].CPU
	r := &s.rqs[from]
	if r.Curr == ti {
		s.updateCurr(r)
		s.putPrev(r)
		s.running[from] = -1
		s.emit(Action{Kind: Switched, CPU: from, Task: -1, Prev: ti})
	}
	s.dequeueMove(r, ti)
	if s.Log != nil {
		s.recordMove(ti, cpu, cause, nil)
	}
	s.countMigration(ti, cpu)
	s.tasks[ti].execStart = 0
	s.enqueue(cpu, ti, false)
	s.wakeupPreempt(&s.rqs[cpu], ti, false)
	s.armSlice(cpu)
	if r.Curr < 0 {
		s.Schedule(from)
	}
	s.returnToUser(cpu)
}
