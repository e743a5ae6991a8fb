package fair

// wakeLLC is the previous CPU as the wakeup of a task sees it with the first
// RFCs, which steer wakeups: a CPU of the preferred LLC, unless NUMA balancing
// prefers another node (RFC v1), or that LLC is too busy (RFC v2: the limit is
// overaggr_pct of the published utilisation here; the cover names none).
// With SyncWake a waker that is about to sleep keeps its partner near.
func (s *Sched) wakeLLC(t *Task, prev int32, sync bool) int32 {
	f := &s.cfg.Features
	if !f.WakeLLC || sync && f.SyncWake || t.Group < 0 || !s.CAS.Config.Active {
		return prev
	}
	g := &s.CAS.Groups[t.Group]
	if g.CPU < 0 || s.llcOf[g.CPU] == s.llcOf[prev] || !t.Allowed.Has(int(g.CPU)) {
		return prev
	}
	if s.CAS.Config.NumaBalancing && t.NumaPreferred >= 0 && t.NumaPreferred != s.CAS.NodeOf[g.CPU] {
		return prev
	}
	l := &s.llcs[s.shareOf[g.CPU]]
	if f.WakeGuard && !s.CAS.Config.Policy.FitsLLC(l.util, l.capacity) {
		return prev
	}
	return g.CPU
}
