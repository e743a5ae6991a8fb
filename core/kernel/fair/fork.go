package fair

import (
	"math"

	"casplay/core/kernel/record"
	"casplay/core/machine"
)

// NewTask describes a task to create.
type NewTask struct {
	Group, Process int32
	Allowed        machine.Set
	// NumaPreferred is inherited; -1 for a new process.
	NumaPreferred int32
}

// Create makes a task that has not started yet and returns its index.
func (s *Sched) Create(n NewTask) int32 {
	t := Task{Group: n.Group, Process: n.Process, Allowed: n.Allowed, NumaPreferred: n.NumaPreferred, preferredLLC: -1, lastWakee: -1, detached: true, slice: s.baseSlice}
	t.setAllowed(s.m)
	s.tasks = append(s.tasks, t)
	return int32(len(s.tasks) - 1)
}

func (t *Task) setAllowed(m *machine.Machine) {
	if t.Allowed.Empty() {
		for c := range m.CPUs {
			t.Allowed.Add(c)
		}
	}
	t.pinnedToCPU = t.Allowed.Len() == 1
}

// Settle makes a created task one that sleeps on a CPU, as a worker that has
// run there before.
func (s *Sched) Settle(ti, cpu int32) {
	t := &s.tasks[ti]
	t.State, t.CPU, t.recentUsed, t.detached = Sleeping, cpu, cpu, false
	t.avg.LastUpdate = s.Now
}

// Fork starts a created task on behalf of code on CPU this; parent is its
// preferred node's owner (7.3 wake_up_new_task).
func (s *Sched) Fork(ti, this int32) {
	t := &s.tasks[ti]
	t.CPU = this
	cpu := s.selectFork(t, this)
	t.CPU, t.recentUsed = cpu, cpu
	if s.Log != nil {
		s.Log.Add(s.Now, &record.Fork{Task: ti, CPU: cpu, From: this})
	}
	r := &s.rqs[cpu]
	s.updateQueueAvg(r)
	s.initUtil(r, t)
	s.enqueue(cpu, ti, true)
	s.wakeupPreempt(r, ti, true)
	s.armSlice(cpu)
	s.finishRemote(cpu, this)
}

// initUtil gives a new task half of the CPU's spare utilisation at most (7.3
// post_init_entity_util_avg).
func (s *Sched) initUtil(r *RQ, t *Task) {
	spare := (Capacity - r.avg.UtilAvg) / 2
	t.avg.LoadAvg = 1024
	u := max(spare, 0)
	if r.avg.UtilAvg != 0 && spare > 0 {
		u = min(r.avg.UtilAvg*1024/(r.avg.LoadAvg+1), spare)
	}
	t.avg.UtilAvg, t.avg.RunnableAvg = u, u
}

// selectFork walks down the domains, choosing the idlest group and CPU of each
// (7.3 sched_balance_find_dst_cpu).
func (s *Sched) selectFork(t *Task, this int32) int32 {
	if t.pinnedToCPU {
		return int32(t.Allowed.First())
	}
	cpu := this
	r := &s.rqs[this]
	k := int32(-1)
	for i := range r.ndom {
		if s.doms[r.dom0+i].flags&balanceFork != 0 {
			k = i
		}
	}
	if k >= 0 && !s.doms[r.dom0+k].span.Intersects(&t.Allowed) {
		return int32(t.Allowed.First())
	}
	picked := this
	for k >= 0 {
		d := &s.doms[s.rqs[cpu].dom0+k]
		if d.flags&balanceFork == 0 {
			k--
			continue
		}
		g := s.idlestGroup(d, t, cpu)
		if g == nil {
			k--
			continue
		}
		next := s.idlestCPU(g, t, cpu)
		if next < 0 || next == cpu {
			k--
			continue
		}
		cpu, picked = next, next
		weight := d.weight
		k = -1
		nr := &s.rqs[cpu]
		for i := range nr.ndom {
			nd := &s.doms[nr.dom0+i]
			if nd.weight >= weight {
				break
			}
			if nd.flags&balanceFork != 0 {
				k = i
			}
		}
	}
	if !t.Allowed.Has(int(picked)) {
		picked = int32(t.Allowed.NextWrap(int(picked)))
	}
	return picked
}

// idlestGroup returns the group to place into, nil for the local one (7.3
// sched_balance_find_dst_group).
func (s *Sched) idlestGroup(d *domain, t *Task, this int32) *group {
	var local, best groupStats
	best.class, best.avgLoad = groupOverloaded, math.MaxInt64
	var idlest *group
	haveLocal := false
	for _, gi := range d.groups {
		g := &s.groups[gi]
		if !g.span.Intersects(&t.Allowed) {
			continue
		}
		var st groupStats
		s.gatherFork(d, g, t, &st)
		if g.span.Has(int(this)) {
			local, haveLocal = st, true
			continue
		}
		if idler(&st, &best) {
			best, idlest = st, g
		}
	}
	switch {
	case idlest == nil:
		return nil
	case !haveLocal:
		return idlest
	case local.class < best.class:
		return nil
	case local.class > best.class:
		return idlest
	}
	numa := d.flags&numaLevel != 0
	switch local.class {
	case groupOverloaded, fullyBusy:
		slack := 1024 * (d.imbalancePct - 100) / 100
		if numa && best.avgLoad+slack >= local.avgLoad {
			return nil
		}
		if best.avgLoad >= local.avgLoad+slack || 100*local.avgLoad <= d.imbalancePct*best.avgLoad {
			return nil
		}
	case misfit:
		if local.most >= best.most {
			return nil
		}
	case hasSpare:
		if numa {
			node := s.m.CPUs[this].Node
			if t.NumaPreferred == node && t.NumaPreferred >= 0 {
				return nil
			}
			if t.NumaPreferred >= 0 && s.m.CPUs[idlest.cpus[0]].Node == t.NumaPreferred {
				return idlest
			}
			imb := d.imbNumaNr
			allowed := t.Allowed
			allowed.And(&s.groups[d.groups[0]].span)
			imb = min(imb, int64(allowed.Len()))
			diff := max(local.idle-best.idle, best.idle-local.idle)
			if adjustNuma(diff, local.nr+1, imb) == 0 {
				return nil
			}
		}
		if local.idle >= best.idle {
			return nil
		}
	}
	return idlest
}

// gatherFork sums a group as a place for a new task (7.3 update_sg_wakeup_stats).
func (s *Sched) gatherFork(d *domain, g *group, t *Task, st *groupStats) {
	st.weight, st.capacity = int64(len(g.cpus)), int64(len(g.cpus))*Capacity
	for _, c := range g.cpus {
		r := &s.rqs[c]
		st.load += r.avg.LoadAvg
		st.util += r.util()
		st.runnable += r.avg.RunnableAvg
		st.runnableNr += int64(r.runnable)
		st.nr += int64(r.nrRunning)
		if r.Idle() {
			st.idle++
		}
	}
	if s.caps != nil {
		s.forkCapacity(d, g, t, st)
	}
	st.class = classify(d.imbalancePct, g, st, false, false)
	if st.class == fullyBusy || st.class == groupOverloaded {
		st.avgLoad = st.load * 1024 / st.capacity
	}
}

// idler reports whether a remote group is a better place than the best so far
// (7.3 update_pick_idlest).
func idler(st, best *groupStats) bool {
	if st.class != best.class {
		return st.class < best.class
	}
	switch st.class {
	case groupOverloaded, fullyBusy:
		return st.avgLoad < best.avgLoad
	case misfit:
		return st.most > best.most
	case hasSpare:
		return st.idle > best.idle || st.idle == best.idle && st.util < best.util
	}
	return false
}

// idlestCPU is the idle CPU of the group with the shallowest idle state, then
// the most recently idled, else the least loaded (7.3
// sched_balance_find_dst_group_cpu).
func (s *Sched) idlestCPU(g *group, t *Task, this int32) int32 {
	if len(g.cpus) == 1 {
		return g.cpus[0]
	}
	best, shallow := this, int32(-1)
	var latest int64
	minExit := int64(math.MaxInt64)
	minLoad := int64(math.MaxInt64)
	for _, c := range g.cpus {
		if !t.Allowed.Has(int(c)) {
			continue
		}
		r := &s.rqs[c]
		if r.Idle() {
			exit := s.exitLatency(r)
			if len(s.m.Perf.Idle) > 0 && exit < minExit {
				minExit, latest, shallow = exit, r.idleStamp, c
			} else if (len(s.m.Perf.Idle) == 0 || exit == minExit) && r.idleStamp > latest {
				latest, shallow = r.idleStamp, c
			}
		} else if shallow < 0 && r.avg.LoadAvg < minLoad {
			minLoad, best = r.avg.LoadAvg, c
		}
	}
	if shallow >= 0 {
		return shallow
	}
	return best
}
