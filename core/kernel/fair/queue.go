package fair

// Entering and leaving run queues, with the load tracking that goes along.

// updateQueueAvg moves a queue's averages to now, after folding in tasks that
// left for other CPUs (7.3 update_cfs_rq_load_avg).
func (s *Sched) updateQueueAvg(r *RQ) {
	if r.removedUtil|r.removedLoad|r.removedRunnable != 0 {
		r.avg.Remove(r.removedUtil, r.removedRunnable)
		r.avg.RemoveLoad(r.removedLoad)
		r.removedUtil, r.removedLoad, r.removedRunnable = 0, 0, 0
	}
	running := uint64(0)
	if r.Curr >= 0 && !r.inStopper {
		running = 1
	}
	if r.avg.Accumulate(s.Now, uint64(r.nrRunning)*1024, uint64(r.runnable), running) {
		r.avg.Average(1)
	}
}

// updateTaskAvg moves a queued task's averages to now (7.3 update_load_avg).
func (s *Sched) updateTaskAvg(r *RQ, ti int32) {
	t := &s.tasks[ti]
	var runnable, running uint64
	if t.State == Queued {
		runnable = 1
		if r.Curr == ti && !r.inStopper {
			running = 1
		}
	}
	if t.avg.Accumulate(s.Now, 1, runnable, running) {
		t.avg.Average(1024)
		t.utilChanged = true
	}
}

// syncBlocked ages a sleeping task's averages to the last update of its old
// queue, or to now if that CPU idles (7.3 sync_entity_load_avg and the idle estimate of
// migrate_se_pelt_lag).
func (s *Sched) syncBlocked(t *Task) {
	r := &s.rqs[t.CPU]
	at := r.avg.LastUpdate
	if r.Idle() {
		at = s.Now
	}
	if at > t.avg.LastUpdate && t.avg.Accumulate(at, 0, 0, 0) {
		t.avg.Average(1024)
	}
}

// leaveForWakeup takes a sleeping task's averages from its old queue, to be
// folded out at that queue's next update (7.3 remove_entity_load_avg).
func (s *Sched) leaveForWakeup(t *Task) {
	s.syncBlocked(t)
	r := &s.rqs[t.CPU]
	r.removedUtil += t.avg.UtilAvg
	r.removedLoad += t.avg.LoadAvg
	r.removedRunnable += t.avg.RunnableAvg
	t.detached = true
}

// enqueue puts a task on the queue of cpu (7.3 enqueue_task_fair). initial
// marks a new task.
func (s *Sched) enqueue(cpu, ti int32, initial bool) {
	r := &s.rqs[cpu]
	t := &s.tasks[ti]
	s.updateCurr(r)
	others := r.nrRunning
	s.updateQueueAvg(r)
	if t.detached {
		t.avg.Attach(&r.avg)
		t.detached = false
	} else if t.avg.Accumulate(s.Now, 0, 0, 0) {
		t.avg.Average(1024)
		t.utilChanged = true
	}
	t.CPU = cpu
	t.State = Queued
	t.QueuedAt = s.Now
	s.place(r, t, others, initial)
	s.treeInsert(r, ti)
	r.listAdd(ti)
	s.addRunning(r, t)
	r.runnable++
	r.utilEst += t.utilEst
	s.llcEnqueue(r, t)
}

// addRunning counts a task in nr_running; a second one overloads the root domain.
func (s *Sched) addRunning(r *RQ, t *Task) {
	r.nrRunning++
	if r.nrRunning == 2 {
		s.overloaded[s.partOf[t.CPU]] = true
	}
	s.numaEnqueue(r, t)
}

// requeueDelayed makes a delayed task runnable again (7.3 requeue_delayed_entity).
func (s *Sched) requeueDelayed(r *RQ, ti int32) {
	t := &s.tasks[ti]
	r.utilEst += t.utilEst
	s.updateCurr(r)
	if s.updateLag(r, t) {
		inTree := !(r.currQueued && r.Curr == ti)
		if inTree {
			s.treeRemove(r, ti)
		}
		s.place(r, t, r.nrRunning-1, false)
		if inTree {
			s.treeInsert(r, ti)
		}
	}
	s.updateQueueAvg(r)
	s.updateTaskAvg(r, ti)
	t.State = Queued
	t.QueuedAt = s.Now
	r.runnable++
	s.prefDelayed(r, t, 1)
}

// dequeueSleep takes the task off its queue to sleep; a task that has run
// ahead stays as delayed (7.3 dequeue_task_fair with DELAY_DEQUEUE).
func (s *Sched) dequeueSleep(r *RQ, ti int32, exit bool) {
	t := &s.tasks[ti]
	s.updateCurr(r)
	r.utilEst -= min(t.utilEst, r.utilEst)
	s.updateLag(r, t)
	if !exit && !s.eligible(r, t) {
		s.updateQueueAvg(r)
		s.updateTaskAvg(r, ti)
		s.utilEstUpdate(t)
		r.runnable--
		s.prefDelayed(r, t, -1)
		t.State = Delayed
		return
	}
	s.removeFromQueue(r, ti)
	r.runnable--
	s.utilEstUpdate(t)
	t.State = Sleeping
}

// dequeueDelayed really dequeues a delayed task that was picked.
func (s *Sched) dequeueDelayed(r *RQ, ti int32) {
	t := &s.tasks[ti]
	s.updateCurr(r)
	s.updateLag(r, t)
	s.removeFromQueue(r, ti)
	t.State = Sleeping
}

// dequeueMove takes a queued, not running task off its queue for another CPU
// and keeps its deadline relative (7.3 detach_task).
func (s *Sched) dequeueMove(r *RQ, ti int32) {
	t := &s.tasks[ti]
	s.updateCurr(r)
	wasDelayed := t.State == Delayed
	if !wasDelayed {
		r.utilEst -= min(t.utilEst, r.utilEst)
		r.runnable--
	}
	s.updateLag(r, t)
	s.removeFromQueue(r, ti)
	t.deadline -= t.vruntime
	t.relDeadline = true
	r.avg.Detach(&t.avg)
	t.detached = true
}

// removeFromQueue is what all dequeues share.
func (s *Sched) removeFromQueue(r *RQ, ti int32) {
	t := &s.tasks[ti]
	s.updateQueueAvg(r)
	s.updateTaskAvg(r, ti)
	s.llcDequeue(r, t)
	if r.currQueued && r.Curr == ti {
		r.currQueued = false
	} else {
		s.treeRemove(r, ti)
	}
	r.listRemove(ti)
	s.numaDequeue(r, t)
	r.nrRunning--
}

// utilEstUpdate follows the utilisation of a task's activations (7.3 util_est_update).
func (s *Sched) utilEstUpdate(t *Task) {
	if !t.utilChanged {
		return
	}
	t.utilChanged = false
	dq, ewma := t.avg.UtilAvg, t.utilEst
	if ewma <= dq {
		t.utilEst = dq
		return
	}
	diff := ewma - dq
	if diff < 10 || dq+10 < t.avg.RunnableAvg {
		return
	}
	t.utilEst = (4*ewma - diff) >> 2
}

// util is the utilisation of a CPU: the larger of tracked and estimated, at
// most its capacity (7.3 cpu_util).
func (r *RQ) util() int64 { return min(max(r.avg.UtilAvg, r.utilEst), Capacity) }

// taskHLoad is the load a task brings to its queue, in the scale of the
// queue's load cached once a jiffy (7.3 task_h_load).
func (s *Sched) taskHLoad(t *Task) int64 {
	r := &s.rqs[t.CPU]
	if r.hLoadJiffies != s.Jiffies {
		r.hLoadJiffies, r.hLoad = s.Jiffies, r.avg.LoadAvg
	}
	return t.avg.LoadAvg * r.hLoad / (r.avg.LoadAvg + 1)
}
