package cas

import (
	"slices"

	"casplay/core/kernel"
	"casplay/core/kernel/record"
	"casplay/core/kernel/why"
)

// Submit decides at a tick on cpu whether a scan is queued (7.3
// task_tick_cache). seen is the group's epoch as this CPU reads it: ticks of
// all CPUs are in phase and the test is outside the lock, so it may be older
// than g.Epoch. idle says whether the task's own work item is free.
func (s *System) Submit(g *Group, cpu int32, seen int64, idle bool) bool {
	e := s.CPUs[cpu].Epoch
	if seen >= e || !idle {
		return false
	}
	g.Epoch = e
	return true
}

// Running reports, for each CPU, the cache group of its current task, -1 for
// none, a kernel thread or an exiting task.
type Running []int32

// Scan is task_cache_work of 7.3, run by a task on cpu with preferred node nid
// (-1: none). It reports whether the scan went through to the end.
func (s *System) Scan(gi int32, cpu, nid int32, running Running, jiffies, now int64) bool {
	g := &s.Groups[gi]
	g.Runs++
	if s.OnScan != nil {
		s.OnScan(g.Process, false, g.CPU, g.NrRunningAvg)
	}
	if jiffies < g.NextScan {
		return false
	}
	g.NextScan = jiffies + s.Config.Period
	s.writeLine(&g.lines.state, cpu, now, kernel.CacheScan)
	if s.Config.HitRate || s.whatIf.hits {
		s.sampleHitRate(gi, running)
	}
	if s.scanGated(g, cpu, now) {
		s.Drop(g, now)
		return false
	}
	var best, current, nr, fetch, util int64
	bestCPU := int32(-1)
	home := int32(-1)
	if g.CPU != -1 {
		home = s.LLCOf[g.CPU]
	}
	s.beginScan(g, cpu, nid)
	var rec *record.Scan
	if s.Log != nil {
		rec = s.recordScan(g, cpu, now)
	}
	for l := range s.LLCs {
		if s.llcSeen[l] || len(s.LLCCPUs[l]) == 0 {
			continue
		}
		var sum, top int64
		topCPU := int32(-1)
		for _, i := range s.LLCCPUs[l] {
			if s.Config.VisitedCPUs && !g.seen.Has(int(i)) {
				continue
			}
			g.Visited++
			fetch += s.fetchEpoch(g, i, cpu)
			occ := s.CPUs[i].Occupancy(&g.Records[i], jiffies, s.Config.Period)
			if s.Config.VisitedCPUs && s.forget(g, i) {
				occ = 0
			}
			sum += occ
			if occ > top {
				top, topCPU = occ, i
			}
			if running[i] == gi {
				nr++
				if s.Config.LLCPrefix {
					util += s.Util(i)
				}
			}
		}
		llc := s.LLCOf[s.LLCCPUs[l][0]]
		if rec != nil {
			rec.Occupancy[llc] = max(rec.Occupancy[llc], 0) + sum
		}
		if sum > best {
			best, bestCPU = sum, topCPU
		}
		if llc == home {
			current = sum
		}
	}
	move := best > 2*current
	if p := s.whatIf.prefer; p != nil {
		move = bestCPU >= 0 && p.Run([]int64{best, current, int64(home)}).Value != 0
	}
	s.Book.Count(g.Process, why.PreferredLLC, now, move, best, 2*current)
	if s.Config.LLCPrefix && s.Gated(g, cpu, now) {
		move = false
	}
	if move {
		s.writeLine(&g.lines.state, cpu, now, kernel.CacheScan)
		s.Book.Moved(g.Process, now, int64(s.LLCOf[bestCPU]), int64(home))
		g.CPU = bestCPU
	}
	s.settleNuma(g, nid, best, now)
	s.charge(cpu, kernel.CacheScan, fetch, 0)
	s.writeLine(s.gateLine(g), cpu, now, kernel.CacheScan)
	g.NrRunningAvg = UpdateRunning(s.Config.ThreadGate, g.NrRunningAvg, nr, s.LLCs[s.DomainOf[cpu]].CPUs)
	s.settlePrefix(g, util, now)
	g.Scans++
	if rec != nil {
		rec.Running, rec.Average = nr, g.NrRunningAvg
	}
	if s.OnScan != nil {
		s.OnScan(g.Process, true, g.CPU, g.NrRunningAvg)
	}
	return true
}

// recordScan starts the record of a scan.
func (s *System) recordScan(g *Group, cpu int32, now int64) *record.Scan {
	r := &record.Scan{Process: g.Process, CPU: cpu, Occupancy: make([]int64, slices.Max(s.LLCOf)+1)}
	for l := range r.Occupancy {
		r.Occupancy[l] = -1
	}
	s.Log.Add(now, r)
	return r
}

// beginScan marks the LLCs that the scan leaves out: with NUMA balancing and a
// preferred node only the LLCs of that node, of the preferred LLC's and of the
// current one are visited (7.3 get_scan_cpumasks).
func (s *System) beginScan(g *Group, cpu, nid int32) {
	if len(s.llcSeen) != len(s.LLCs) {
		s.llcSeen = make([]bool, len(s.LLCs))
	}
	mask := s.Config.ScanMask
	restrict := s.Config.NumaBalancing && nid >= 0 && (!s.Config.VisitedCPUs || mask == kernel.ScanNode)
	for l := range s.llcSeen {
		s.llcSeen[l] = restrict || mask == kernel.ScanNone
	}
	if !restrict || mask == kernel.ScanNone {
		return
	}
	visit := func(node int32) {
		for _, c := range s.NodeCPUs[node] {
			s.llcSeen[s.DomainOf[c]] = false
		}
	}
	visit(nid)
	if s.Config.NumaConflict == kernel.NumaFirst {
		return
	}
	visit(s.NodeOf[cpu])
	if g.CPU != -1 {
		visit(s.NodeOf[g.CPU])
	}
}
