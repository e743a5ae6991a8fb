package cas

import (
	"casplay/core/kernel"
	"casplay/core/kernel/record"
	"casplay/core/kernel/why"
	"casplay/core/machine"
)

// Record is what a cache group keeps for one CPU: its decayed runtime there in ns.
type Record struct {
	Runtime uint64
	Epoch   int64
	// lastVisit is the epoch in which the group last ran here.
	lastVisit int64
	// by is the CPU that wrote the record last, plus 1.
	by int32
}

// CPUEpoch is what a run queue keeps: the decayed runtime in ns of all tasks
// with a group, its own epoch counter and the jiffy at which that advances.
type CPUEpoch struct {
	Runtime uint64
	Epoch   int64
	Next    int64
	by      int32 // CPU that wrote it last, plus 1
}

// advance halves once for each epoch that has passed, for the CPU and for one
// group's record of it (7.3 __update_mm_sched).
func (c *CPUEpoch) advance(r *Record, jiffies, period int64) {
	if delta := jiffies - c.Next; delta > 0 {
		n := (delta + period - 1) / period
		c.Epoch += n
		c.Next += n * period
		c.Runtime >>= min(uint64(n), 64)
	}
	if n := c.Epoch - r.Epoch; n != 0 {
		r.Epoch = c.Epoch
		r.Runtime >>= min(uint64(n), 64)
	}
}

// Occupancy is the group's share of the accounted time of a CPU, 2^20 = all of
// it (7.3 fraction_mm_sched).
func (c *CPUEpoch) Occupancy(r *Record, jiffies, period int64) int64 {
	c.advance(r, jiffies, period)
	return int64(r.Runtime << 20 / (c.Runtime + 1))
}

// Group is the state of one cache group: the threads of one address space.
type Group struct {
	// CPU lies in the preferred LLC; -1 is no preference.
	CPU int32
	// Process is the index under which decisions are counted.
	Process int32
	// Epoch is that of the last submitted scan; NextScan the earliest jiffy of the next.
	Epoch, NextScan int64
	NrRunningAvg    int64
	// Footprint in pages, from NUMA hint faults.
	Footprint int64
	// RSSBytes is the resident set; no rule of 7.3 reads it.
	RSSBytes int64
	// Threads is how many threads the process has.
	Threads int
	Records []Record
	// Runs counts entries of task_cache_work, Scans those that completed,
	// Visited the CPUs that they read.
	Runs, Scans, Visited int64

	// seen are the CPUs that the visited-CPUs proposal scans.
	seen  machine.Set
	lines lines
	hits  hitRate
	node  stableNode
	// scanEnds is when the last scan will have ended, in ns.
	scanEnds int64
	lock     lock
	prefix   prefix
	// Own is set for a group with a tolerance of its own (prctl), Off for one
	// that is switched off.
	Own, Off  bool
	Tolerance uint32
	// OwnSize is set with a SizeTolerance of its own; OveraggrPct above 0 is its own.
	OwnSize       bool
	SizeTolerance uint32
	OveraggrPct   int64
}

// Config is the part of the configuration that the rules read, as one flat
// table; a proposal that changes a gate adds a field here.
type Config struct {
	kernel.Features
	// Active is wanted (enabled) and possible (more than one LLC).
	Active        bool
	NumaBalancing bool
	Tolerance     uint32
	// Period is in jiffies (>= 1), Timeout in epochs.
	Period, Timeout int64
	Policy          Policy
	// WhatIf replaces rules by expressions.
	WhatIf kernel.WhatIf
}

// LLC is the view of one CPU's LLC that the gates need.
type LLC struct {
	// CPUs is the number of CPUs of the domain, Bytes the domain's share of the cache.
	CPUs, Bytes int64
	// nrLimit is the NrRunningLimit of the present configuration.
	nrLimit int64
}

// System is the CAS state of a machine.
type System struct {
	// Config is set by Configure, once LLCs are.
	Config Config
	// CPUs is indexed by CPU; LLCOf gives the LLC id, NodeOf the node.
	CPUs   []CPUEpoch
	LLCOf  []int32
	NodeOf []int32
	// LLCs are the LLC domains in the order of their first CPUs: one for each
	// LLC, or, where a partition cuts through one, for each part. DomainOf gives
	// that of a CPU (7.3 sd_llc, sd_llc_size, llc_bytes).
	LLCs     []LLC
	DomainOf []int32
	// NodeCPUs lists the CPUs of each node, LLCCPUs those of each LLC domain.
	NodeCPUs, LLCCPUs [][]int32
	// Distance is the matrix of node distances, nil for none.
	Distance [][]int
	Groups   []Group
	Book     *why.Book
	// Log collects records when it is not nil.
	Log *record.Log
	// OnScan, if set, is told of every run of a scan, at its entry and again
	// at its end when it looked at the CPUs.
	OnScan func(process int32, done bool, cpu int32, avg int64)
	// Pricing says what moving the lines of groups costs, Charges collects it.
	Pricing Pricing
	Charges []kernel.Charge
	// Traffic, if set, gives the hits and misses of the thread on a CPU, in
	// any unit common to all.
	Traffic func(cpu int32) (hit, miss int64)
	// Util, if set, is the utilisation of the task that runs on a CPU, 1024 = busy.
	Util func(cpu int32) int64

	llcSeen []bool
	all     LLC // the LLCs together
	whatIf  whatIf
	takers  []Taker
	events  []lockEvent
}

// Configure sets the configuration, now or in the middle of a run.
func (s *System) Configure(c Config) {
	s.Config = c
	s.compileWhatIf()
	s.all = LLC{}
	for i := range s.LLCs {
		l := &s.LLCs[i]
		s.all.CPUs += l.CPUs
		s.all.Bytes += l.Bytes
		l.nrLimit = ThreadLimit(c.ThreadGate, c.Policy.SMT, l.CPUs, c.Tolerance)
	}
}

// NewGroup makes the group of a new address space at a jiffy (7.3 mm_init_sched).
func (s *System) NewGroup(process int32, jiffies, rssBytes int64) int32 {
	g := Group{CPU: -1, Process: process, NextScan: jiffies, RSSBytes: rssBytes, node: stableNode{node: -1}, Records: make([]Record, len(s.CPUs))}
	for i := range s.CPUs {
		g.Records[i].Epoch, g.Records[i].lastVisit = s.CPUs[i].Epoch, s.CPUs[i].Epoch
		g.Epoch = s.CPUs[i].Epoch
	}
	s.Groups = append(s.Groups, g)
	return int32(len(s.Groups) - 1)
}

// tolerance is aggr_tolerance, or the group's own.
func (s *System) tolerance(g *Group) uint32 {
	if g.Own {
		return g.Tolerance
	}
	return s.Config.Tolerance
}

// sizeTolerance is the tolerance of the memory gate, which follows the other
// unless it is split off.
func (s *System) sizeTolerance(g *Group) uint32 {
	switch {
	case g.OwnSize:
		return g.SizeTolerance
	case s.Config.SplitTolerance && !g.Own:
		return s.Config.SizeTolerance
	}
	return s.tolerance(g)
}

// PolicyOf is the migration policy with the group's own numbers.
func (s *System) PolicyOf(g *Group) Policy {
	p := s.Config.Policy
	if g.OveraggrPct > 0 {
		p.OveraggrPct = g.OveraggrPct
	}
	return p
}

// TooManyThreads is the thread gate for the LLC of cpu.
func (s *System) TooManyThreads(g *Group, cpu int32, now int64) bool {
	l, smt, tol := s.room(g, cpu), s.Config.Policy.SMT, s.tolerance(g)
	v := InvalidThreads(s.Config.ThreadGate, g.Threads, g.NrRunningAvg, smt, l.CPUs, tol)
	value, limit := g.NrRunningAvg, l.nrLimit
	if g.Own || s.Config.LLCPrefix {
		limit = ThreadLimit(s.Config.ThreadGate, smt, l.CPUs, tol)
	}
	if p := s.whatIf.threads; p != nil {
		v, value, limit = s.judge(p, g, l, 1)
	}
	s.Book.Note(g.Process, why.InvalidLLCNr, now, v, value, limit)
	return v
}

// TooLarge is the memory gate for the LLC of cpu.
func (s *System) TooLarge(g *Group, cpu int32, now int64) bool {
	l := s.room(g, cpu)
	if p := s.whatIf.memory; p != nil {
		v, value, limit := s.judge(p, g, l, 256)
		s.Book.Note(g.Process, why.ExceedLLCCapacity, now, v, value, limit)
		return v
	}
	if s.Config.HitRate {
		return s.missesLLC(g, now)
	}
	size, read := s.sizeForGate(g)
	if !read {
		return false
	}
	tol := s.sizeTolerance(g)
	v := ExceedLLCCapacity(size, l.Bytes, tol)
	s.Book.Note(g.Process, why.ExceedLLCCapacity, now, v, size, CapacityLimit(l.Bytes, tol))
	return v
}

// sizeForGate is the size in bytes that the memory gate compares, and whether it
// compares at all: without NUMA balancing the merged rule checks nothing, and
// the fail-closed proposal falls back to the RSS while there is no footprint.
func (s *System) sizeForGate(g *Group) (int64, bool) {
	if s.Config.NoMemoryGate || s.Config.RSSGate {
		return g.RSSBytes, s.Config.RSSGate
	}
	if s.Config.NumaBalancing && (g.Footprint > 0 || !s.Config.FailClosed) {
		return g.Footprint * 4096, true
	}
	return g.RSSBytes, s.Config.FailClosed
}

// Latches says whether a scan stops at the thread gate, before it counts running
// threads: RFC v3 does not stop for threads, RFC v4 for a single one only.
func (s *System) Latches() bool {
	gate := s.Config.ThreadGate
	return !s.Config.LLCPrefix && gate != kernel.ThreadsRFC && gate != kernel.ThreadsSingle
}

// scanGated is Gated for the scan.
func (s *System) scanGated(g *Group, cpu int32, now int64) bool {
	if s.Latches() {
		return s.Gated(g, cpu, now)
	}
	alone := g.Threads <= 1 && s.Config.ThreadGate != kernel.ThreadsSingle
	return alone || !s.Config.LLCPrefix && s.TooLarge(g, cpu, now)
}

// Gated reports whether a gate keeps the process apart; both gates are asked
// in the kernel's order and the second only if the first lets pass.
func (s *System) Gated(g *Group, cpu int32, now int64) bool {
	return s.TooManyThreads(g, cpu, now) || s.TooLarge(g, cpu, now)
}

// Drop takes the preference away, if there is one.
func (s *System) Drop(g *Group, now int64) {
	if g.CPU != -1 {
		s.Book.Moved(g.Process, now, -1, int64(s.LLCOf[g.CPU]))
		g.CPU = -1
	}
}

// Hinted follows a gate that fired for a migration: the preference goes, except
// with RFC v4, which only lets the task pass (get_migrate_hint).
func (s *System) Hinted(g *Group, now int64) {
	if s.Config.ThreadGate != kernel.ThreadsRFC {
		s.Drop(g, now)
	}
}

// Account adds runtime of one of the group's threads on cpu and drops the
// preference when it is stale or gated (7.3 account_mm_sched, steps 1 and 2).
func (s *System) Account(g *Group, cpu int32, delta uint64, jiffies, now int64) {
	c := &s.CPUs[cpu]
	r := &g.Records[cpu]
	s.charge(cpu, kernel.CacheAccount, s.fetchEpoch(g, cpu, cpu), 0)
	c.advance(r, jiffies, s.Config.Period)
	r.Runtime += delta
	c.Runtime += delta
	if s.Config.VisitedCPUs {
		s.visit(g, cpu)
	}
	s.readGroup(g, cpu, now)
	age := c.Epoch - g.Epoch
	stale := age > s.Config.Timeout
	s.Book.Note(g.Process, why.EpochTimeout, now, stale, age, s.Config.Timeout)
	if stale || s.Gated(g, cpu, now) {
		if g.CPU != -1 || s.Pricing.Layout == kernel.LineRFC {
			s.postWrite(&g.lines.state, cpu, now)
		}
		s.Drop(g, now)
	}
}

// PreferredLLC is the LLC that a task of the group should prefer now, -1 for
// none; nid is its preferred node or -1 (7.3 get_pref_llc).
func (s *System) PreferredLLC(g *Group, nid int32, now int64) int32 {
	if g.CPU == -1 {
		return -1
	}
	if s.Config.NumaBalancing && nid >= 0 && s.Config.NumaConflict != kernel.CacheFirst {
		conflict := nid != s.NodeOf[g.CPU]
		s.Book.Note(g.Process, why.NumaConflict, now, conflict, int64(nid), int64(s.NodeOf[g.CPU]))
		if conflict {
			return -1
		}
	}
	return s.LLCOf[g.CPU]
}
