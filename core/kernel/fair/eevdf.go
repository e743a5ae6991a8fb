package fair

// Earliest eligible virtual deadline first, with all weights equal: V is the
// plain mean of the virtual runtimes (kernel/sched/fair.c of Linux 7.3).

// avgVruntime is V over all queued tasks, rounded toward minus infinity; it
// moves the reference point of the queue there (7.3 avg_vruntime).
func (s *Sched) avgVruntime(r *RQ) int64 {
	n, sum := int64(len(r.tree)), r.sumKey
	var delta int64
	if r.currQueued {
		key := s.tasks[r.Curr].vruntime - r.zero
		if n == 0 {
			delta = key
		} else {
			n++
			sum += key
		}
	}
	if len(r.tree) > 0 {
		if sum < 0 {
			sum -= n - 1
		}
		delta = sum / n
	}
	r.sumKey -= int64(len(r.tree)) * delta
	r.zero += delta
	return r.zero
}

// eligible reports whether a task has not run ahead of V (7.3 entity_eligible).
func (s *Sched) eligible(r *RQ, t *Task) bool {
	n, sum := int64(len(r.tree)), r.sumKey
	if r.currQueued {
		n++
		sum += s.tasks[r.Curr].vruntime - r.zero
	}
	return sum >= (t.vruntime-r.zero)*n
}

// treeInsert puts a task into the tree, after those of equal deadline.
func (s *Sched) treeInsert(r *RQ, ti int32) {
	t := &s.tasks[ti]
	r.sumKey += t.vruntime - r.zero
	i := len(r.tree)
	r.tree = append(r.tree, ti)
	for i > 0 && s.tasks[r.tree[i-1]].deadline > t.deadline {
		r.tree[i] = r.tree[i-1]
		i--
	}
	r.tree[i] = ti
}

func (s *Sched) treeRemove(r *RQ, ti int32) {
	for i, x := range r.tree {
		if x == ti {
			r.tree = append(r.tree[:i], r.tree[i+1:]...)
			r.sumKey -= s.tasks[ti].vruntime - r.zero
			return
		}
	}
	panic("fair: task is not in the tree")
}

// place sets the virtual runtime and deadline of a task that joins the queue,
// preserving its lag (7.3 place_entity). others is the number of queued tasks
// without it.
func (s *Sched) place(r *RQ, t *Task, others int32, initial bool) {
	v := s.avgVruntime(r)
	t.slice = s.baseSlice
	var lag int64
	if others > 0 && t.vlag != 0 {
		w := int64(len(r.tree))
		if r.currQueued {
			w++
		}
		lag = t.vlag + t.vlag/max(w, 1)
	}
	t.vruntime = v - lag
	if t.relDeadline {
		t.deadline += t.vruntime
		t.relDeadline = false
		return
	}
	vs := t.slice
	if initial {
		vs /= 2
	}
	t.deadline = t.vruntime + vs
}

// updateLag stores V - vruntime within its bounds and reports whether that
// moved the task (7.3 update_entity_lag).
func (s *Sched) updateLag(r *RQ, t *Task) bool {
	v := s.avgVruntime(r)
	limit := s.baseSlice + s.Tick
	lag := min(max(v-t.vruntime, -limit), limit)
	if t.State == Delayed {
		lag = min(max(lag, t.vlag), 0)
	}
	t.vlag = lag
	return v-lag != t.vruntime
}

// updateCurr charges the running task and asks for a lazy reschedule when its
// slice or protection has ended (7.3 update_curr).
func (s *Sched) updateCurr(r *RQ) {
	if r.Curr < 0 || !r.running() {
		return
	}
	t := &s.tasks[r.Curr]
	delta := s.Now - t.execStart
	if delta <= 0 {
		return
	}
	t.execStart = s.Now
	t.SumExec += delta
	r.BusyNs += delta
	if t.Group >= 0 {
		s.account(r, t, delta)
	}
	t.vruntime += delta
	resched := false
	if t.vruntime >= t.deadline {
		t.slice = s.baseSlice
		t.deadline = t.vruntime + t.slice
		s.avgVruntime(r)
		resched = true
	}
	if r.nrRunning == 1 {
		return
	}
	if resched || t.vruntime >= t.vprot {
		s.reschedLazy(r)
	}
}

// running reports whether Curr is on the CPU rather than preempted by the stopper.
func (r *RQ) running() bool { return !r.inStopper }

// pick chooses the next task: the protected running one, else the eligible
// task with the earliest deadline (7.3 pick_eevdf); -1 if none is queued.
func (s *Sched) pick(r *RQ) int32 {
	if r.nrRunning == 1 {
		if r.currQueued {
			return r.Curr
		}
		return r.tree[0]
	}
	curr := int32(-1)
	if r.currQueued && s.eligible(r, &s.tasks[r.Curr]) {
		curr = r.Curr
		if t := &s.tasks[curr]; t.vruntime < t.vprot {
			return curr
		}
	}
	best := int32(-1)
	for _, ti := range r.tree {
		if s.eligible(r, &s.tasks[ti]) {
			best = ti
			break
		}
	}
	if best < 0 || curr >= 0 && s.tasks[curr].deadline < s.tasks[best].deadline {
		best = curr
	}
	if best < 0 && len(r.tree) > 0 {
		// Rounding can leave nobody eligible only if the sums are wrong.
		panic("fair: no eligible task")
	}
	return best
}

// pickNext is pick, dequeuing delayed tasks that come up (7.3 pick_next_entity).
func (s *Sched) pickNext(r *RQ) int32 {
	for r.nrRunning > 0 {
		ti := s.pick(r)
		if s.tasks[ti].State != Delayed {
			return ti
		}
		s.dequeueDelayed(r, ti)
	}
	return -1
}

// wakeupPreempt decides whether a task that has just been queued displaces
// the running one (7.3 wakeup_preempt_fair, equal slices).
func (s *Sched) wakeupPreempt(r *RQ, ti int32, fork bool) {
	if r.inStopper {
		return
	}
	if r.Curr < 0 {
		s.reschedNow(r)
		return
	}
	if r.Curr == ti {
		return
	}
	s.updateCurr(r)
	c := &s.tasks[r.Curr]
	if s.tasks[ti].State == Queued && !fork {
		if next := s.pickNext(r); next == ti {
			if c.vruntime < c.vprot {
				c.vprot = c.vruntime
			}
			s.reschedLazy(r)
			return
		}
	}
	c.vprot = min(c.vprot, min(c.vruntime, s.avgVruntime(r))+s.baseSlice)
}
