package fair

// Asym packing: CPUs differ in priority, and tasks are packed onto those of the
// highest (SD_ASYM_PACKING), on machines that say so. The clock of the LLC is
// the priority, and all domains above the core carry the flag (ours: x86 leaves
// both to the platform).

// buildAsym ranks the CPUs; prio stays nil on a machine without ranks.
func (s *Sched) buildAsym() {
	if s.m.AsymPacking {
		s.prio = make([]int64, len(s.m.CPUs))
	}
	for c := range s.prio {
		s.prio[c] = int64(s.m.LLCs[s.m.CPUs[c].LLC].FreqGHz * 1000)
	}
}

// useAsym reports whether a domain follows the priority of a CPU: between
// cores only if the core has nobody else running (7.3 sched_use_asym_prio).
func (s *Sched) useAsym(d *domain, cpu int32) bool {
	return s.prio != nil && d.flags&shareCapacity == 0 && (s.m.SMT == 1 || s.coreIdle(cpu))
}

// prefers reports whether a CPU has a higher priority than another.
func (s *Sched) prefers(a, b int32) bool { return s.prio[a] > s.prio[b] }

// casOverAsym: asym packing has no say between these CPUs, for the patch that
// let LLC affinity win (September 2026, row R63; ours: between LLCs, while
// cache-aware scheduling is active).
func (s *Sched) casOverAsym(a, b int32) bool {
	return s.cfg.Features.CASOverAsym && s.CAS.Config.Active && s.llcOf[a] != s.llcOf[b]
}

// asym: the destination may take for its priority (7.3 sched_asym).
func (s *Sched) asym(d *domain, dst, src int32) bool { return s.useAsym(d, dst) && s.prefers(dst, src) }

// asymFirst is asym for the rules of cache-aware scheduling that give way to
// it (7.3 with the fix of September 2026).
func (s *Sched) asymFirst(env *lbEnv, src int32) bool {
	return s.cfg.Features.AsymFirst && env.idle != notIdle && s.asym(env.d, env.dst, src)
}

// topCPU is the CPU of highest priority of a group (asym_prefer_cpu).
func (s *Sched) topCPU(g *group) int32 {
	top := g.cpus[0]
	for _, c := range g.cpus {
		if s.prefers(c, top) {
			top = c
		}
	}
	return top
}

// groupAsym: the idle destination is preferred to all of a group with tasks
// (7.3 sched_group_asym).
func (s *Sched) groupAsym(env *lbEnv, g *group, st *groupStats) bool {
	if s.prio == nil || env.idle == notIdle || st.nr == 0 || g.flags&shareCapacity != 0 && st.weight-st.idle != 1 {
		return false
	}
	top := s.topCPU(g)
	if s.casOverAsym(top, env.dst) {
		return false
	}
	return s.asym(env.d, env.dst, top)
}

// asymActive forces the running task over for its CPU's priority, or helps a
// core with busy siblings (7.3 asym_active_balance).
func (s *Sched) asymActive(env *lbEnv) bool {
	if s.casOverAsym(env.src, env.dst) {
		return false
	}
	return env.idle != notIdle && s.useAsym(env.d, env.dst) && (s.prefers(env.dst, env.src) || !s.useAsym(env.d, env.src))
}

// asymKick: an idle CPU would be preferred to this busy one (7.3 nohz_balancer_kick).
func (s *Sched) asymKick(cpu int32) bool {
	if s.prio == nil {
		return false
	}
	r := &s.rqs[cpu]
	top := &s.doms[r.dom0+r.ndom-1]
	for c := s.nohz.mask.First(); c >= 0; c = s.nohz.mask.Next(c + 1) {
		if s.asym(top, int32(c), cpu) {
			return true
		}
	}
	return false
}
