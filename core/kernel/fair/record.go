package fair

import (
	"casplay/core/kernel/cas"
	"casplay/core/kernel/record"
)

// What the scheduler tells the log of a run; nothing here is called without one.

// String is how a story names the idle type.
func (i idleType) String() string { return [...]string{"busy", "idle", "newly idle"}[i] }

// String is the kernel's name of the class without its prefix.
func (c groupClass) String() string {
	return [...]string{"has_spare", "fully_busy", "misfit", "smt_balance", "asym_packing", "imbalanced", "llc_balance", "overloaded"}[c]
}

// String is the kernel's name of the migration type.
func (m migration) String() string {
	return [...]string{"migrate_load", "migrate_util", "migrate_task", "migrate_llc_task", "migrate_misfit"}[m]
}

func (env *lbEnv) record() record.Pass {
	return record.Pass{CPU: env.dst, Level: string(env.d.level), Idle: env.idle.String(), Kind: env.kind.String()}
}

// recordPass starts the record of a pass that found a queue to take from.
func (s *Sched) recordPass(env *lbEnv, ls *lbStats) *record.Balance {
	b := &record.Balance{
		Pass: env.record(), Src: env.src, SrcRunning: s.rqs[env.src].nrRunning, Class: ls.busiest.class.String(), Imbalance: env.imbalance,
		LocalRunning: ls.local.nr, BusiestRunning: ls.busiest.nr, LocalIdle: ls.local.idle, BusiestIdle: ls.busiest.idle, Failed: env.d.nrBalanceFailed,
	}
	s.Log.Add(s.Now, b)
	return b
}

// recordPolicy keeps a verdict of the LLC policy; task is -1 for a tag.
func (s *Sched) recordPolicy(env *lbEnv, task, src, dst int32, util, prefer int64, toPref bool, h cas.Hint) {
	a, b := &s.llcs[s.shareOf[src]], &s.llcs[s.shareOf[dst]]
	pct := s.CAS.Config.Policy.BusyPct()
	s.Log.Add(s.Now, &record.Policy{
		Pass: env.record(), Task: task, Src: s.llcOf[src], Dst: s.llcOf[dst], SrcUtil: max(a.util-util, 0), DstUtil: b.util + util,
		SrcLimit: a.capacity * pct / 100, DstLimit: b.capacity * pct / 100, Prefer: prefer, ToPref: toPref, Hint: h.String(),
	})
}

// recordMove keeps a change of a task's CPU; env is nil outside of balancing.
func (s *Sched) recordMove(ti, to int32, cause record.Cause, env *lbEnv) {
	m := &record.Migration{Task: ti, From: s.tasks[ti].CPU, To: to, Cause: cause}
	if env != nil {
		p := env.record()
		m.Pass = &p
	}
	s.Log.Add(s.Now, m)
}

// cause tells why a pass moves tasks.
func (env *lbEnv) cause() record.Cause {
	switch {
	case env.activeLLC:
		return record.ByLLCStopper
	case env.active:
		return record.ByStopper
	}
	return record.ByBalance
}
