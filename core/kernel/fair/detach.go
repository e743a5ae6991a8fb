package fair

// Taking tasks off a source queue and putting them onto the destination.

const migrationCost = 500_000 // ns, sysctl_sched_migration_cost

// canMigrate judges one task of env.src (7.3 can_migrate_task).
func (s *Sched) canMigrate(env *lbEnv, ti int32) bool {
	t := &s.tasks[ti]
	src, dst := &s.rqs[env.src], &s.rqs[env.dst]
	if t.State == Delayed && env.kind != migrateLoad {
		return false
	}
	if env.d.nrBalanceFailed == 0 && dst.nrRunning > 0 && !s.eligible(src, t) {
		return false
	}
	if t.Process < 0 && t.pinnedToCPU {
		// A worker of one CPU is where it has to be.
		return false
	}
	if !t.Allowed.Has(int(env.dst)) {
		s.notePinned(env, t)
		return false
	}
	env.allPinned = false
	if src.Curr == ti && src.running() {
		return false
	}
	if env.active {
		return !env.activeLLC || !s.CAS.Config.Active || !s.wrongDst(env, t)
	}
	env.task = ti
	var hot bool
	if g := s.degradesLocality(env, t); g == 0 {
		if s.degradesLLC(env, t) {
			return false
		}
		hot = s.taskHot(env, t)
	} else {
		hot = g > 0
	}
	return !hot || env.d.nrBalanceFailed > env.d.cacheNiceTries
}

// notePinned remembers that affinity hampers the pass, and another CPU of the
// local group that could take the task.
func (s *Sched) notePinned(env *lbEnv, t *Task) {
	env.somePinned = true
	if env.idle == newlyIdle || env.dstPinned || env.active {
		return
	}
	for _, c := range s.groups[env.d.groups[0]].mask {
		if t.Allowed.Has(int(c)) && !s.excluded.has(c) {
			env.dstPinned, env.newDst = true, c
			return
		}
	}
}

// taskHot: it ran on the source less than the migration cost ago (7.3 task_hot).
func (s *Sched) taskHot(env *lbEnv, t *Task) bool {
	if env.d.flags&shareCapacity != 0 {
		return false
	}
	if s.cfg.Features.WakeLLC && t.Group >= 0 && s.CAS.Config.Active {
		if g := &s.CAS.Groups[t.Group]; g.CPU >= 0 {
			switch s.llcOf[g.CPU] {
			case s.llcOf[env.dst]:
				return false
			case s.llcOf[env.src]:
				return true
			}
		}
	}
	return s.Now-t.execStart < migrationCost
}

// detachTasks takes up to env.imbalance off the source queue (7.3 detach_tasks).
func (s *Sched) detachTasks(env *lbEnv) int {
	r := &s.rqs[env.src]
	if r.nrRunning <= 1 {
		env.allPinned = false
		return 0
	}
	if env.imbalance <= 0 {
		return 0
	}
	n := 0
	for len(r.list) > 0 {
		if env.idle != notIdle && r.nrRunning <= 1 {
			break
		}
		env.loop++
		if env.loop > env.loopMax {
			break
		}
		ti := r.list[len(r.list)-1]
		t := &s.tasks[ti]
		amount, ok := int64(1), s.canMigrate(env, ti)
		if ok {
			shift := min(env.d.nrBalanceFailed, 63)
			switch env.kind {
			case migrateLoad:
				amount = max(s.taskHLoad(t), 1)
				ok = amount>>shift <= env.imbalance
			case migrateUtil:
				amount = max(t.avg.UtilAvg, t.utilEst)
				ok = amount>>shift <= env.imbalance
			case migrateMisfit:
				ok = !s.fitsCPU(t, env.src)
			}
		}
		if !ok {
			r.listToHead(ti)
			continue
		}
		env.imbalance -= amount
		s.detach(env, ti)
		n++
		if env.idle == newlyIdle || env.imbalance <= 0 {
			break
		}
	}
	return n
}

func (s *Sched) detach(env *lbEnv, ti int32) {
	s.dequeueMove(&s.rqs[env.src], ti)
	env.moved = append(env.moved, ti)
}

// attachTasks queues what was detached on the destination.
func (s *Sched) attachTasks(env *lbEnv) {
	for _, ti := range env.moved {
		t := &s.tasks[ti]
		if s.Log != nil {
			s.recordMove(ti, env.dst, env.cause(), env)
		}
		s.countMigration(ti, env.dst)
		t.execStart = 0
		delayed := t.State == Delayed
		s.enqueue(env.dst, ti, false)
		if delayed {
			s.delayAgain(&s.rqs[env.dst], t)
		}
		s.wakeupPreempt(&s.rqs[env.dst], ti, false)
		s.kicked = append(s.kicked, env.dst)
	}
	env.moved = env.moved[:0]
}

// delayAgain turns a task that moved while delayed back into a delayed one.
func (s *Sched) delayAgain(r *RQ, t *Task) {
	s.prefDelayed(r, t, -1)
	r.runnable--
	r.utilEst -= min(t.utilEst, r.utilEst)
	t.State = Delayed
}

// countMigration records a move of a task to cpu, which it is about to join.
func (s *Sched) countMigration(ti, cpu int32) {
	t := &s.tasks[ti]
	if t.CPU == cpu {
		return
	}
	a, b := s.m.CPUs[t.CPU], s.m.CPUs[cpu]
	t.Migrations++
	if a.LLC != b.LLC {
		t.LLCMigrations++
	}
	if a.Node != b.Node {
		t.NodeMigrations++
	}
	if s.numa.migrated != nil {
		s.numa.migrated(ti, t.CPU, cpu)
	}
	if s.trace != nil {
		s.trace(ti, t.CPU, cpu)
	}
}
