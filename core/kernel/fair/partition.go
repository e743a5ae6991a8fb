package fair

import (
	"casplay/core/kernel/cas"
	"casplay/core/kernel/record"
	"casplay/core/machine"
)

// Repartition changes which CPUs balance among themselves: each set of parts
// becomes a root domain, and a CPU in none is offline. All domains are built
// anew and forget what they knew: the counts of tasks by preferred LLC, the
// statistics of the LLCs, failed passes, how far wakeups search. The new LLC
// domains count every CPU as busy; one whose tick is already stopped stays
// counted until it has run something (7.3 partition_sched_domains,
// build_sched_domains, sched_cpu_deactivate and sched_cpu_activate,
// nohz_balance_enter_idle).
func (s *Sched) Repartition(parts []machine.Set) {
	before := s.online()
	s.parts = parts
	now := s.online()
	for c := range s.rqs {
		r := &s.rqs[c]
		r.countedIdle = false
		clear(r.llcCounts)
		if before.Has(c) && !now.Has(c) {
			s.exitIdle(int32(c))
			r.offline = true
		}
	}
	s.buildTopology()
	for c := range s.rqs {
		switch {
		case before.Has(c) && !now.Has(c):
			s.evacuate(int32(c))
		case now.Has(c) && !before.Has(c):
			s.rqs[c].offline = false
			s.ticking.Add(c)
			s.stopTick(int32(c))
		}
	}
}

// online is the set of CPUs that take part.
func (s *Sched) online() (on machine.Set) {
	for i := range s.parts {
		on.Or(&s.parts[i])
	}
	return on
}

// refuge is the first CPU of its node that a task may use, else the first of
// all, when its own is offline; -1 if it may run nowhere else (7.3
// select_fallback_rq).
func (s *Sched) refuge(t *Task) int32 {
	allowed := s.online()
	allowed.And(&t.Allowed)
	near := allowed
	near.And(&s.m.Nodes[s.m.CPUs[t.CPU].Node].CPUs)
	if !near.Empty() {
		allowed = near
	}
	return int32(allowed.First())
}

// evacuate moves every task off a CPU that goes offline (7.3 balance_push). A
// sleeper follows at once instead of at its wakeup; the CPU's own worker stays.
func (s *Sched) evacuate(cpu int32) {
	for ti := range s.tasks {
		t := &s.tasks[ti]
		if t.CPU != cpu || t.State == Unborn || t.State == Dead {
			continue
		}
		to := s.refuge(t)
		switch {
		case to < 0:
		case t.OnQueue():
			s.push(int32(ti), to, record.ByAffinity)
		case t.State == Sleeping:
			s.leaveForWakeup(t)
			s.countMigration(int32(ti), to)
			t.CPU = to
		}
	}
	s.ticking.Remove(int(cpu))
}

// buildTopology lays out everything that follows from the root domains.
func (s *Sched) buildTopology() {
	s.overloaded = make([]bool, len(s.parts)+1) // the last is for CPUs that are offline
	for c := range s.partOf {
		s.partOf[c] = int32(len(s.parts))
		for i := range s.parts {
			if s.parts[i].Has(c) {
				s.partOf[c] = int32(i)
			}
		}
	}
	s.buildLLCs()
	s.buildDomains()
	s.buildClusters()
	s.Configure(s.cfg)
}

// buildLLCs lays out the LLC domains: what of an LLC lies in one root domain.
// Its share of the cache is that of its CPUs among those online (7.3
// update_top_cache_domain, get_effective_llc_bytes, sd_in_multi_llcs).
func (s *Sched) buildLLCs() {
	c := &s.CAS
	c.LLCs, c.LLCCPUs = nil, nil
	s.multiLLC = false
	for i := range s.shareOf {
		s.shareOf[i] = -1
	}
	for cpu := range s.shareOf {
		part := s.partOf[cpu]
		if s.shareOf[cpu] >= 0 || int(part) == len(s.parts) {
			continue
		}
		l := s.llcOf[cpu]
		hw, span := s.m.LLCs[l].CPUs, s.parts[part]
		span.And(&hw)
		on := s.online()
		hw.And(&on)
		var cpus []int32
		for _, k := range span.Members() {
			s.shareOf[k] = int32(len(c.LLCs))
			cpus = append(cpus, int32(k))
		}
		n := int64(len(cpus))
		s.multiLLC = s.multiLLC || n > 1 && !s.parts[part].SubsetOf(&hw)
		c.LLCs = append(c.LLCs, cas.LLC{CPUs: n, Bytes: s.llcBytes(l, n, int64(hw.Len()))})
		c.LLCCPUs = append(c.LLCCPUs, cpus)
	}
	s.llcs = make([]llcShared, len(c.LLCs), len(c.LLCs)+1)
	for i := range s.llcs {
		s.llcs[i].nrBusy = int32(c.LLCs[i].CPUs)
	}
	// A CPU that is offline counts as an LLC of its own.
	for cpu := range s.shareOf {
		if s.shareOf[cpu] < 0 {
			s.shareOf[cpu] = int32(len(c.LLCs))
		}
	}
	s.llcs = append(s.llcs, llcShared{})
	c.LLCs = append(c.LLCs, cas.LLC{CPUs: 1})
	c.LLCCPUs = append(c.LLCCPUs, nil)
}

// llcBytes is the share of LLC l that n of its CPUs have, online of which run;
// before the fix of September 2026 those that are switched off kept theirs.
func (s *Sched) llcBytes(l int32, n, online int64) int64 {
	m := &s.m.LLCs[l]
	if !s.cfg.Features.DomainBytes {
		online = int64(m.CPUs.Len() + m.Offline)
	}
	return cas.DomainBytes(m.Bytes, n, online)
}

// inside cuts layers down to a root domain.
func inside(ls []layer, part *machine.Set) []layer {
	out := make([]layer, len(ls))
	for i, l := range ls {
		out[i] = l
		out[i].span = func(cpu int) machine.Set {
			span := l.span(cpu)
			span.And(part)
			return span
		}
	}
	return out
}
