package fair

import (
	"casplay/core/kernel/cas"
	"casplay/core/kernel/record"
	"casplay/core/kernel/why"
)

// How cache-aware scheduling hooks into queueing and balancing; its rules are
// in kernel/cas (kernel/sched/fair.c of Linux 7.3).

// llcShared is the shared object of an LLC (7.3 struct sched_domain_shared).
type llcShared struct {
	// nrBusy counts CPUs whose tick runs, for the nohz kick.
	nrBusy int32
	// hasIdleCores hints that a core is wholly idle (SMT only).
	hasIdleCores bool
	// nrIdleScan bounds the search of select_idle_cpu.
	nrIdleScan int32
	// util and capacity are the last published values.
	util, capacity int64
}

// account charges runtime to the task's cache group and refreshes the task's
// preferred LLC (7.3 account_mm_sched).
func (s *Sched) account(r *RQ, t *Task, delta int64) {
	if !s.CAS.Config.Active {
		return
	}
	if s.optedOut(t) {
		return
	}
	g := &s.CAS.Groups[t.Group]
	s.CAS.Account(g, t.CPU, uint64(delta), s.Jiffies, s.Now)
	want := s.CAS.PreferredLLC(g, t.NumaPreferred, s.Now)
	if want >= 0 && s.cfg.Features.LLCPrefix {
		want = s.prefersPrefix(g, t)
	}
	if want != t.preferredLLC && t.OnQueue() && !t.detached {
		s.setPreferred(r, t, want)
	}
}

func (s *Sched) setPreferred(r *RQ, t *Task, llc int32) {
	s.llcDequeue(r, t)
	t.preferredLLC = llc
	s.llcEnqueue(r, t)
}

// llcEnqueue counts a queued task for its preferred LLC (7.3 account_llc_enqueue).
func (s *Sched) llcEnqueue(r *RQ, t *Task) {
	if t.preferredLLC < 0 {
		return
	}
	r.nrLLCRunning++
	t.prefQueued = t.preferredLLC == s.llcOf[t.CPU]
	if s.countsPref(t) {
		r.nrPrefLLCRunning++
	}
	r.llcCounts[t.preferredLLC]++
}

// llcDequeue undoes llcEnqueue (7.3 account_llc_dequeue).
func (s *Sched) llcDequeue(r *RQ, t *Task) {
	if t.preferredLLC < 0 {
		return
	}
	r.nrLLCRunning--
	if s.countsPref(t) {
		r.nrPrefLLCRunning--
	}
	t.prefQueued = false
	if r.llcCounts[t.preferredLLC] > 0 {
		r.llcCounts[t.preferredLLC]--
	}
}

// countsPref reports a task that nr_pref_llc_running counts: one on its
// preferred LLC, and since 7.3 only while it is runnable, not delayed.
func (s *Sched) countsPref(t *Task) bool {
	return t.prefQueued && (t.State != Delayed || !s.cfg.Features.RunnablePref)
}

// prefDelayed follows a task that becomes delayed (by -1) or runnable again (1).
func (s *Sched) prefDelayed(r *RQ, t *Task, by int32) {
	if t.prefQueued && s.cfg.Features.RunnablePref {
		r.nrPrefLLCRunning += by
	}
}

// canMigrateLLC is the policy between the LLCs of two CPUs, on published values.
func (s *Sched) canMigrateLLC(src, dst int32, util int64, toPref bool) cas.Hint {
	a, b := &s.llcs[s.shareOf[src]], &s.llcs[s.shareOf[dst]]
	return s.CAS.Config.Policy.CanMigrate(a.util, a.capacity, b.util, b.capacity, util, toPref)
}

// canMigrateLLCTask judges one task (7.3 can_migrate_llc_task).
func (s *Sched) canMigrateLLCTask(src, dst int32, t *Task) cas.Hint {
	if t.Group < 0 {
		return cas.Unrestricted
	}
	g := &s.CAS.Groups[t.Group]
	if g.CPU < 0 || s.llcOf[src] == s.llcOf[dst] {
		return cas.Unrestricted
	}
	if s.asymFirst(&s.env, src) {
		return cas.Unrestricted
	}
	if s.CAS.Gated(g, dst, s.Now) {
		s.CAS.Hinted(g, s.Now)
		return cas.Unrestricted
	}
	home := s.llcOf[g.CPU]
	toPref, away := home == s.llcOf[dst], home == s.llcOf[src]
	if s.cfg.Features.LLCPrefix {
		toPref, away = s.CAS.Between(g, src, dst)
	}
	if !toPref && !away {
		return cas.Unrestricted
	}
	a, b := &s.llcs[s.shareOf[src]], &s.llcs[s.shareOf[dst]]
	policy := s.CAS.PolicyOf(g)
	h := policy.CanMigrate(a.util, a.capacity, b.util, b.capacity, t.avg.UtilAvg, toPref)
	s.noteFit(policy.BusyPct(), g.Process, src, dst, t.avg.UtilAvg, toPref, h)
	if s.Log != nil {
		s.recordPolicy(&s.env, s.env.task, src, dst, t.avg.UtilAvg, 0, toPref, h)
	}
	return h
}

// noteFit records a verdict of the migration policy with the utilisation of the
// preferred LLC after the move, in percent, and the limit of the policy.
func (s *Sched) noteFit(limit int64, process, src, dst int32, util int64, toPref bool, h cas.Hint) {
	l, u := &s.llcs[s.shareOf[dst]], util
	if !toPref {
		l, u = &s.llcs[s.shareOf[src]], -util
	}
	pct := int64(0)
	if l.capacity > 0 {
		pct = (l.util + u) * 100 / l.capacity
	}
	s.Book.Note(process, why.FitsLLCCapacity, s.Now, h == cas.Forbid, pct, limit)
}

// publishLLC stores a sched group's statistics in its LLC at the end of a
// periodic or nohz pass at the level above LLCs (7.3 record_sg_llc_stats).
func (s *Sched) publishLLC(env *lbEnv, g *group, st *groupStats) {
	if !s.CAS.Config.Active || env.idle == newlyIdle || !env.childIsLLC {
		return
	}
	l := &s.llcs[s.shareOf[g.cpus[0]]]
	l.util, l.capacity = st.util, st.capacity
}

// tagLLC decides whether a remote group becomes a source of tasks that prefer
// the destination's LLC (7.3 llc_balance).
func (s *Sched) tagLLC(env *lbEnv, g *group, st *groupStats) bool {
	if !s.CAS.Config.Active || s.cfg.Features.NoBalance || env.d.flags&shareLLC != 0 {
		return false
	}
	if st.asym && s.cfg.Features.AsymFirst || st.misfit > 0 && s.cfg.Features.MisfitGuard {
		return false
	}
	if env.d.nrBalanceFailed >= env.d.cacheNiceTries+1 || st.nrPrefDst == 0 {
		return false
	}
	h := s.canMigrateLLC(g.cpus[0], env.dst, 0, true)
	if s.Log != nil {
		s.recordPolicy(env, -1, g.cpus[0], env.dst, 0, st.nrPrefDst, true, h)
	}
	p := s.prefProcess(g, s.llcOf[env.dst])
	s.noteFit(s.CAS.Config.Policy.BusyPct(), p, g.cpus[0], env.dst, 0, true, h)
	s.Book.Note(p, why.LLCBalanceTag, s.Now, h == cas.MoveLLC, int64(st.nrPrefDst), 1)
	return h == cas.MoveLLC
}

// prefersPrefix is the LLC that a task of a group with a prefix prefers; one with
// room is one that fits_llc_capacity lets take more.
func (s *Sched) prefersPrefix(g *cas.Group, t *Task) int32 {
	d := s.CAS.Prefers(g, t.CPU, func(d int32) bool {
		l := &s.llcs[d]
		return l.capacity > 0 && !s.CAS.Config.Policy.FitsLLC(l.util, l.capacity)
	})
	return s.llcOf[s.CAS.LLCCPUs[d][0]]
}

// withinPrefix: the running task may move between the two LLCs as the generic
// balancer likes.
func (s *Sched) withinPrefix(r *RQ, env *lbEnv) bool {
	if !s.cfg.Features.LLCPrefix || r.Curr < 0 || s.tasks[r.Curr].Group < 0 {
		return false
	}
	toPref, away := s.CAS.Between(&s.CAS.Groups[s.tasks[r.Curr].Group], env.src, env.dst)
	return !toPref && !away
}

// prefProcess names a process that wants to move from a group to an LLC, for
// the decision counters.
func (s *Sched) prefProcess(g *group, llc int32) int32 {
	for _, c := range g.cpus {
		r := &s.rqs[c]
		if r.llcCounts[llc] == 0 {
			continue
		}
		for _, ti := range r.list {
			if t := &s.tasks[ti]; t.preferredLLC == llc && t.Process >= 0 {
				return t.Process
			}
		}
	}
	return 0
}

// degradesLLC reports whether LLC affinity keeps a task from moving (7.3
// migrate_degrades_llc).
func (s *Sched) degradesLLC(env *lbEnv, t *Task) bool {
	if !s.CAS.Config.Active || s.cfg.Features.NoBalance {
		return false
	}
	if env.d.nrBalanceFailed >= env.d.cacheNiceTries+1 {
		if t.Process >= 0 && t.preferredLLC >= 0 {
			s.Book.Note(t.Process, why.FailedOverride, s.Now, true, int64(env.d.nrBalanceFailed), int64(env.d.cacheNiceTries+1))
			if s.Log != nil {
				s.Log.Add(s.Now, &record.Override{Pass: env.record(), Task: env.task, Failed: env.d.nrBalanceFailed, Limit: env.d.cacheNiceTries + 1})
			}
		}
		return false
	}
	if env.kind == migrateLLCTask && s.wrongDst(env, t) {
		return true
	}
	if !s.makesMisfit(env, env.task) && s.canMigrateLLCTask(env.src, env.dst, t) != cas.Forbid {
		return false
	}
	// Expected behaviour, which must not count as a failure to balance.
	if env.kind != migrateLLCTask {
		env.llcPinned = true
	}
	return true
}

// wrongDst reports whether a pass for LLC affinity meets a task that prefers
// another LLC (7.3 migrate_llc_task_wrong_dst).
func (s *Sched) wrongDst(env *lbEnv, t *Task) bool {
	wrong := t.preferredLLC != s.llcOf[env.dst]
	if t.Process >= 0 {
		s.Book.Note(t.Process, why.MigrateLLCWrongDst, s.Now, wrong, int64(t.preferredLLC), int64(s.llcOf[env.dst]))
	}
	return wrong
}

// protectsLLC reports whether active balance must leave a CPU alone whose
// runnable tasks all prefer its LLC (7.3 alb_break_llc).
func (s *Sched) protectsLLC(env *lbEnv) bool {
	if !s.CAS.Config.Active || s.cfg.Features.NoBalance || s.llcOf[env.src] == s.llcOf[env.dst] {
		return false
	}
	r := &s.rqs[env.src]
	if r.nrPrefLLCRunning == 0 || s.withinPrefix(r, env) || env.kind == migrateMisfit && s.cfg.Features.MisfitGuard {
		return false
	}
	p := int32(-1)
	if r.Curr >= 0 {
		p = s.tasks[r.Curr].Process
	}
	protect := false
	if r.nrPrefLLCRunning == r.runnable {
		protect = true
		if r.nrRunning > 1 {
			util := int64(0)
			if r.Curr >= 0 {
				util = s.tasks[r.Curr].avg.UtilAvg
			}
			protect = s.makesMisfit(env, r.Curr) || s.canMigrateLLC(env.src, env.dst, util, false) == cas.Forbid
		}
	}
	if p >= 0 {
		s.Book.Note(p, why.AlbBreakLLC, s.Now, protect, int64(r.nrPrefLLCRunning), int64(r.runnable))
	}
	return protect
}
