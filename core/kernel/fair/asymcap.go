package fair

// CPUs of different capacity (SD_ASYM_CPUCAPACITY), on machines that say so:
// 1024 for the LLCs of the highest clock, in proportion for the others. Utilisation
// here counts busy time; times the capacity of the CPU it was used on it is the
// scale-invariant utilisation that 7.3 has from its scaled clock (ours: a task
// that has moved keeps its old busy time until the average has followed).
// Left out, since x86 has them not together: SMT, uclamp, energy-aware placement.

// buildCapacity sets the capacities; caps stays nil where all are alike.
func (s *Sched) buildCapacity() {
	if !s.m.AsymCapacity {
		return
	}
	var top float64
	for i := range s.m.LLCs {
		top = max(top, s.m.LLCs[i].FreqGHz)
	}
	s.caps = make([]int64, len(s.m.CPUs))
	for c := range s.caps {
		s.caps[c] = int64(s.m.LLCs[s.m.CPUs[c].LLC].FreqGHz * Capacity / top)
	}
}

// markAsym flags the domains over CPUs of different capacity; their children
// do not spread tasks (7.3 sd_init).
func (s *Sched) markAsym(chain []domain) {
	for k := range chain {
		if s.caps == nil {
			return
		}
		first := s.caps[chain[k].span.First()]
		for _, c := range chain[k].span.Members() {
			if s.caps[c] != first {
				chain[k].flags |= asymCapacity
				if k > 0 {
					chain[k-1].flags &^= preferSibling
				}
				break
			}
		}
	}
}

// gatherCapacity redoes, for CPUs of different capacity, what gather has summed,
// and finds the biggest misfit task of a remote group that the destination helps.
func (s *Sched) gatherCapacity(env *lbEnv, g *group, local bool, st *groupStats) {
	st.util, st.capacity, st.misfit = 0, 0, 0
	for _, c := range g.cpus {
		r := &s.rqs[c]
		st.capacity += s.caps[c]
		if s.excluded.has(c) {
			continue
		}
		st.util += r.util() * s.caps[c] / Capacity
		if !local && r.misfit > 0 && !r.Idle() && s.asymDomain(env.d) {
			env.sawOverload = true
			if s.helpsMisfit(env, g) {
				st.misfit = max(st.misfit, r.misfit)
			}
		}
	}
}

// forkCapacity does the same for a group as a place for a new task; misfit is 1
// where the task fits none of its CPUs (7.3 update_sg_wakeup_stats).
func (s *Sched) forkCapacity(d *domain, g *group, t *Task, st *groupStats) {
	st.util, st.capacity = 0, 0
	fits := !s.asymDomain(d)
	for _, c := range g.cpus {
		st.capacity += s.caps[c]
		st.util += s.rqs[c].util() * s.caps[c] / Capacity
		fits = fits || t.Allowed.Has(int(c)) && s.fitsCPU(t, c)
	}
	_, st.most = s.capacities(g)
	if !fits {
		st.misfit = 1
	}
}

// asymDomain reports a domain over CPUs of different capacity.
func (s *Sched) asymDomain(d *domain) bool { return d.flags&asymCapacity != 0 }

// capacityGreater: noticeably greater, by 5 % (7.3 capacity_greater).
func capacityGreater(a, b int64) bool { return a*1024 > b*1078 }

// fitsCPU: the task takes less than 80 % of a CPU (7.3 task_fits_cpu).
func (s *Sched) fitsCPU(t *Task, cpu int32) bool {
	return max(t.avg.UtilAvg, t.utilEst)*s.caps[t.CPU]/Capacity*1280 < s.caps[cpu]*1024
}

// updateMisfit notes a running task that is too big for its CPU and could have
// a bigger one (7.3 update_misfit_status); -1: nothing runs.
func (s *Sched) updateMisfit(r *RQ, cpu, ti int32) {
	if s.caps == nil {
		return
	}
	r.misfit = 0
	if ti < 0 || s.caps[cpu] == Capacity {
		return
	}
	t := &s.tasks[ti]
	if !t.pinnedToCPU && !s.fitsCPU(t, cpu) {
		r.misfit = max(s.taskHLoad(t), 1)
	}
}

// makesMisfit: the move takes a task from a CPU that it fits to one that it does
// not (7.3 task_misfits_asym_cpu, first in can_migrate_llc_task).
func (s *Sched) makesMisfit(env *lbEnv, ti int32) bool {
	if s.caps == nil || !s.cfg.Features.MisfitGuard || ti < 0 || !s.asymDomain(env.d) {
		return false
	}
	t := &s.tasks[ti]
	return !s.fitsCPU(t, env.dst) && s.fitsCPU(t, env.src)
}

// helpsMisfit: the destination is bigger than all of a group with a misfit task.
func (s *Sched) helpsMisfit(env *lbEnv, g *group) bool {
	_, most := s.capacities(g)
	return capacityGreater(s.caps[env.dst], most)
}

// capacities are the smallest and the largest of a group.
func (s *Sched) capacities(g *group) (least, most int64) {
	least = Capacity
	for _, c := range g.cpus {
		least, most = min(least, s.caps[c]), max(most, s.caps[c])
	}
	return least, most
}

// betterThere: the group has a task a CPU at most, and its CPUs are all bigger than
// the destination, or it has misfits that the destination does not help (7.3
// update_sd_pick_busiest).
func (s *Sched) betterThere(env *lbEnv, ls *lbStats, st *groupStats) bool {
	if s.caps == nil || !s.asymDomain(env.d) {
		return false
	}
	if st.class == misfit {
		return ls.local.class != hasSpare || !s.helpsMisfit(env, st.group)
	}
	least, _ := s.capacities(st.group)
	return st.class <= fullyBusy && capacityGreater(least, s.caps[env.dst])
}

// idleCapacity looks in the domain of all capacities for an idle CPU that the
// task fits, else for the biggest idle one, from the target on (7.3
// select_idle_capacity); false where capacities are alike.
func (s *Sched) idleCapacity(t *Task, target int32) (cpu int32, ok bool) {
	r := &s.rqs[target]
	var d *domain
	for k := range r.ndom {
		if d = &s.doms[r.dom0+k]; s.asymDomain(d) {
			break
		}
	}
	if d == nil || !s.asymDomain(d) {
		return 0, false
	}
	best, most := target, int64(0)
	for c, n := d.span.NextWrap(int(target)), d.weight; n > 0; c, n = d.span.NextWrap(c+1), n-1 {
		if i := int32(c); s.idleFor(i, t) {
			if s.fitsCPU(t, i) {
				return i, true
			}
			if s.caps[i] > most {
				best, most = i, s.caps[i]
			}
		}
	}
	return best, true
}
