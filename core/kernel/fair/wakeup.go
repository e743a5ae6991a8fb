package fair

import (
	"casplay/core/kernel/record"
	"casplay/core/machine"
)

// CPU selection at wakeups (7.3 select_task_rq_fair, fast path). Cache-aware
// scheduling has no part in it.

// Wake makes a sleeping task runnable. waker is the CPU on which the wakeup
// happens; by is the task that wakes, -1 for an interrupt on an idle CPU; sync
// says that the waker is about to sleep. It reports whether the task needed waking.
func (s *Sched) Wake(ti, waker, by int32, sync bool) bool {
	t := &s.tasks[ti]
	switch t.State {
	case Delayed:
		r := &s.rqs[t.CPU]
		if s.Log != nil {
			s.Log.Add(s.Now, &record.Wakeup{Task: ti, CPU: t.CPU, Prev: t.CPU, Waker: waker, Sync: sync, Delayed: true})
		}
		s.requeueDelayed(r, ti)
		s.wakeupPreempt(r, ti, false)
		s.finishRemote(t.CPU, waker)
		return true
	case Sleeping:
	default:
		return false
	}
	if by >= 0 {
		s.recordWakee(by, ti)
	}
	cpu := s.selectWake(t, waker, by, sync)
	if s.Log != nil {
		s.Log.Add(s.Now, &record.Wakeup{Task: ti, CPU: cpu, Prev: t.CPU, Waker: waker, Sync: sync})
	}
	if cpu != t.CPU {
		if s.Log != nil {
			s.recordMove(ti, cpu, record.ByWakeup, nil)
		}
		s.leaveForWakeup(t)
		s.countMigration(ti, cpu)
		t.CPU = cpu
		t.execStart = 0
	}
	r := &s.rqs[cpu]
	if s.llcOf[cpu] != s.llcOf[waker] || cpu != waker && r.nrRunning == 0 {
		t.State = Waking
		r.pendingWake++
		s.emit(Action{Kind: WakeIPI, CPU: cpu, Task: ti, At: s.Now + s.m.Perf.IPINs + s.exitLatency(r)})
		return true
	}
	s.activate(cpu, ti)
	s.finishRemote(cpu, waker)
	return true
}

// Arrive enqueues a task from the remote wakeup list of cpu (7.3 sched_ttwu_pending).
func (s *Sched) Arrive(cpu, ti int32) {
	s.rqs[cpu].pendingWake--
	if s.rqs[cpu].offline {
		cpu = s.refuge(&s.tasks[ti])
		s.countMigration(ti, cpu)
	}
	s.activate(cpu, ti)
	s.returnToUser(cpu)
}

func (s *Sched) activate(cpu, ti int32) {
	s.enqueue(cpu, ti, false)
	s.wakeupPreempt(&s.rqs[cpu], ti, false)
	s.armSlice(cpu)
}

// finishRemote carries out an immediate reschedule of another CPU; the waker's
// own is taken when its event ends.
func (s *Sched) finishRemote(cpu, waker int32) {
	r := &s.rqs[cpu]
	if cpu != waker && (r.resched || r.Curr < 0) {
		s.returnToUser(cpu)
	}
}

// EndEvent is the return to user mode of a CPU on which the simulator let a
// task or an interrupt act.
func (s *Sched) EndEvent(cpu int32) { s.returnToUser(cpu) }

// exitLatency is what the idle state of a CPU costs at its wakeup.
func (s *Sched) exitLatency(r *RQ) int64 {
	if r.Curr >= 0 {
		return 0
	}
	var exit int64
	for _, st := range s.m.Perf.Idle {
		if s.Now-r.idleSince >= st.MinResidencyNs {
			exit = st.ExitNs
		}
	}
	return exit
}

// recordWakee counts how often a task wakes different others (7.3 record_wakee).
func (s *Sched) recordWakee(by, ti int32) {
	w := &s.tasks[by]
	if s.Now-w.flipDecay > 1e9 {
		w.wakeeFlips >>= 1
		w.flipDecay = s.Now
	}
	if w.lastWakee != ti {
		w.lastWakee = ti
		w.wakeeFlips++
	}
}

// wakeWide reports a waker and wakee with so many partners that pulling them
// together is pointless (7.3 wake_wide).
func (s *Sched) wakeWide(by int32, t *Task, cpu int32) bool {
	if by < 0 {
		return false
	}
	m, n := s.tasks[by].wakeeFlips, t.wakeeFlips
	if m < n {
		m, n = n, m
	}
	f := int32(len(s.CAS.LLCCPUs[s.shareOf[cpu]]))
	return n >= f && m >= n*f
}

func (s *Sched) selectWake(t *Task, this, by int32, sync bool) int32 {
	prev := t.CPU
	if t.pinnedToCPU {
		return int32(t.Allowed.First())
	}
	prev = s.wakeLLC(t, prev, sync)
	target := prev
	if t.Allowed.Has(int(this)) && !s.wakeWide(by, t, this) {
		if d := s.affineDomain(this, prev); d != nil && this != prev {
			target = s.wakeAffine(d, t, this, prev, by, sync)
		}
	}
	if !t.Allowed.Has(int(target)) {
		target = int32(t.Allowed.NextWrap(int(target)))
		if !t.Allowed.Has(int(prev)) {
			prev = target
		}
	}
	return s.idleSibling(t, prev, target, by)
}

// affineDomain is the lowest domain of this CPU that spans prev and lets
// wakeups pull across it.
func (s *Sched) affineDomain(this, prev int32) *domain {
	r := &s.rqs[this]
	for k := range r.ndom {
		if d := &s.doms[r.dom0+k]; d.flags&balanceFork != 0 && d.span.Has(int(prev)) {
			return d
		}
	}
	return nil
}

// wakeAffine chooses between the waker's CPU and the previous one (7.3
// wake_affine with WA_IDLE, WA_WEIGHT and WA_BIAS).
func (s *Sched) wakeAffine(d *domain, t *Task, this, prev, by int32, sync bool) int32 {
	tr, pr := &s.rqs[this], &s.rqs[prev]
	if tr.Idle() && s.llcOf[this] == s.llcOf[prev] {
		if pr.Idle() {
			return prev
		}
		return this
	}
	if sync && tr.runnable == 1 {
		return this
	}
	if pr.Idle() {
		return prev
	}
	load := tr.avg.LoadAvg
	if sync && by >= 0 {
		cur := s.taskHLoad(&s.tasks[by])
		if cur > load {
			return this
		}
		load -= cur
	}
	h := s.taskHLoad(t)
	thisLoad := (load + h) * 100 * Capacity
	prevLoad := (pr.avg.LoadAvg - h) * (100 + (d.imbalancePct-100)/2) * Capacity
	if sync {
		prevLoad++
	}
	if thisLoad < prevLoad {
		return this
	}
	return prev
}

// idleFor reports whether a task may take an idle CPU.
func (s *Sched) idleFor(cpu int32, t *Task) bool {
	return t.Allowed.Has(int(cpu)) && s.rqs[cpu].Idle()
}

// idleSibling looks for an idle CPU that shares the target's LLC (7.3
// select_idle_sibling).
func (s *Sched) idleSibling(t *Task, prev, target, by int32) int32 {
	if s.caps != nil {
		if c, ok := s.idleCapacity(t, target); ok {
			return c
		}
	}
	if s.idleFor(target, t) {
		return target
	}
	share := func(a, b int32) bool { return s.llcOf[a] == s.llcOf[b] }
	near := func(c int32) bool {
		return !s.clustered || s.m.CPUs[c].Cluster == s.m.CPUs[target].Cluster
	}
	prevAffine, recentAffine := int32(-1), int32(-1)
	if prev != target && share(prev, target) && s.idleFor(prev, t) {
		if near(prev) {
			return prev
		}
		prevAffine = prev
	}
	recent := t.recentUsed
	t.recentUsed = prev
	if recent != prev && recent != target && share(recent, target) && s.idleFor(recent, t) {
		if near(recent) {
			return recent
		}
		recentAffine = recent
	}
	l := s.shareOf[target]
	cores := s.m.SMT > 1 && s.llcs[l].hasIdleCores
	if s.m.SMT > 1 && !cores && share(prev, target) {
		for _, c := range s.siblings[prev] {
			if s.idleFor(c, t) && s.shareOf[c] == l {
				return c
			}
		}
	}
	if c := s.idleCPU(t, l, target, cores); c >= 0 {
		return c
	}
	if prevAffine >= 0 {
		return prevAffine
	}
	if recentAffine >= 0 {
		return recentAffine
	}
	return target
}

// idleCPU scans an LLC, the target's cluster first, wrapping from the CPU
// after the target (7.3 select_idle_cpu).
func (s *Sched) idleCPU(t *Task, llc, target int32, cores bool) int32 {
	shared := &s.llcs[llc]
	left := shared.nrIdleScan + 1
	if left == 1 {
		return -1
	}
	var seen machine.Set // cores that are not wholly idle
	first := int32(-1)
	try := func(c int32) (int32, bool) {
		if cores {
			found, whole := s.idleCore(t, c)
			if whole {
				return c, true
			}
			if first < 0 {
				first = found
			}
			seen.Or(&s.m.Cores[s.m.CPUs[c].Core])
			return -1, false
		}
		if left--; left <= 0 {
			return -1, true
		}
		if s.idleFor(c, t) {
			return c, true
		}
		return -1, false
	}
	scan := func(set []int32, skip int32) (int32, bool) {
		n := len(set)
		at := 0
		for at < n && set[at] <= target {
			at++
		}
		for i := range n {
			c := set[(at+i)%n]
			if !t.Allowed.Has(int(c)) || skip >= 0 && s.m.CPUs[c].Cluster == skip || cores && seen.Has(int(c)) {
				continue
			}
			if got, stop := try(c); stop {
				return got, true
			}
		}
		return -1, false
	}
	skip := int32(-1)
	if s.clustered {
		skip = s.m.CPUs[target].Cluster
		if got, stop := scan(s.clusterCPUs[skip], -1); stop {
			return got
		}
	}
	if got, stop := scan(s.CAS.LLCCPUs[llc], skip); stop {
		return got
	}
	if cores {
		shared.hasIdleCores = false
		return first
	}
	return -1
}

// idleCore reports whether the core of c is wholly idle, and the first idle
// CPU of it that the task may use (7.3 select_idle_core).
func (s *Sched) idleCore(t *Task, c int32) (found int32, whole bool) {
	found, whole = -1, true
	look := func(o int32) {
		switch {
		case !s.rqs[o].Idle():
			whole = false
		case t.Allowed.Has(int(o)) && (found < 0 || o < found):
			found = o
		}
	}
	look(c)
	for _, o := range s.siblings[c] {
		look(o)
	}
	return found, whole
}
