package fair

import (
	"casplay/core/kernel"
	"casplay/core/kernel/cas"
)

// buildClusters finds out whether wakeups search the L2 cluster first.
func (s *Sched) buildClusters() {
	s.clustered = false
	s.clusterCPUs = make([][]int32, len(s.m.Clusters))
	for i := range s.doms {
		s.clustered = s.clustered || s.doms[i].level == levelCLS
	}
	for i := range s.m.CPUs {
		k := s.m.CPUs[i].Cluster
		s.clusterCPUs[k] = append(s.clusterCPUs[k], int32(i))
	}
}

// buildCAS lays out the CAS view of the machine.
func (s *Sched) buildCAS() {
	m, c := s.m, &s.CAS
	c.Book = s.Book
	c.CPUs = make([]cas.CPUEpoch, len(m.CPUs))
	c.LLCOf = s.llcOf
	c.NodeOf = make([]int32, len(m.CPUs))
	c.DomainOf = s.shareOf
	c.NodeCPUs = make([][]int32, len(m.Nodes))
	for i := range m.CPUs {
		p := &m.CPUs[i]
		c.NodeOf[i] = p.Node
		c.CPUs[i].Next = s.Jiffies
		c.NodeCPUs[p.Node] = append(c.NodeCPUs[p.Node], int32(i))
	}
	c.Distance = m.Distance
	c.Util = func(cpu int32) int64 { return s.tasks[s.rqs[cpu].Curr].avg.UtilAvg }
	c.Pricing.Transfer = func(from, to int32) int64 { return int64(m.TransferNs(int(from), int(to))) }
}

// Configure changes the knobs, now or in the middle of a run.
func (s *Sched) Configure(cfg kernel.Config) {
	s.cfg = cfg
	k := cfg.CAS
	s.CAS.Pricing.Layout = cfg.Features.GroupLine
	s.CAS.Configure(cas.Config{
		Active:        k.Enabled && cfg.Features.Control != kernel.ControlNever && s.multiLLC && !(cfg.Features.AsymOff && s.prio != nil),
		NumaBalancing: cfg.NumaBalancing && len(s.m.Nodes) > 1,
		Features:      cfg.Features,
		Tolerance:     k.AggrTolerance,
		Period:        int64(max(k.EpochPeriod, 1)),
		Timeout:       int64(k.EpochAffinityTimeout),
		Policy:        cas.Policy{OveraggrPct: int64(k.OveraggrPct), ImbPct: int64(k.ImbPct), SMT: int64(s.m.SMTThreads), DeadBand: cfg.Features.DeadBand},
		WhatIf:        cfg.WhatIf,
	})
}

// MultiLLC reports whether cache-aware scheduling is possible: some root domain
// has several LLCs (7.3 sched_cache_present).
func (s *Sched) MultiLLC() bool { return s.multiLLC }

// ReserveGroups makes room for that many cache groups, before the first: processes
// keep pointers to the footprints of theirs.
func (s *Sched) ReserveGroups(n int) { s.CAS.Groups = make([]cas.Group, 0, n) }

// NewGroup makes the cache group of a new process.
func (s *Sched) NewGroup(process int32, rssBytes int64) int32 {
	s.seen = append(s.seen, epochSeen{by: -1})
	return s.CAS.NewGroup(process, s.Jiffies, rssBytes)
}
