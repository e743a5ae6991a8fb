package cas

import "casplay/core/kernel"

// The lock of a group (7.3 sc_stat.lock), which ticks take to submit a scan.

const (
	// holdNs is what a holder takes besides moving the group's line: task_work_add
	// and two stores (guess).
	holdNs = 100
	// lockLineNs is the line of a lock that nobody else has touched (guess).
	lockLineNs = 20
)

// LockStat is what CONFIG_LOCK_STAT counts; times in ns.
type LockStat struct {
	Taken, Contended, WaitNs, HoldNs int64
	// Busy counts tries that failed.
	Busy int64
}

// lock is when the lock will be free, who had it last (plus 1), and when the
// last writer's epoch became visible.
type lock struct {
	free, visible int64
	by            int32
	stat          LockStat
}

// Stat is the lock's statistic.
func (g *Group) Stat() LockStat { return g.lock.stat }

// Take is one taker of a group's lock, on cpu at time at; takers come in the
// order of at. seen is the epoch before this jiffy, which takers read until
// window ns after the first. It reports whether the
// taker submitted, and the ns that it spent.
func (s *System) Take(g *Group, cpu int32, seen, at, window int64, idle bool) (submitted bool, ns int64) {
	l := &g.lock
	e := s.CPUs[cpu].Epoch
	if at >= l.visible {
		seen = g.Epoch
	}
	if seen >= e || !idle {
		return false, 0
	}
	try := s.Config.Submission == kernel.SubmitTrylock
	if try && at < l.free {
		l.stat.Busy++
		return false, lockLineNs
	}
	wait := max(l.free-at, 0)
	hold := int64(holdNs)
	if l.by != cpu+1 && l.by != 0 && s.Pricing.Transfer != nil {
		hold += s.Pricing.Transfer(l.by-1, cpu)
	}
	l.stat.Taken++
	l.stat.HoldNs += hold
	if wait > 0 {
		l.stat.Contended++
		l.stat.WaitNs += wait
	}
	l.by = cpu + 1
	l.free = at + wait + hold
	if !try || g.Epoch < e {
		if g.Epoch < e {
			l.visible = max(l.free, at+window)
		}
		g.Epoch = e
		submitted = true
	}
	return submitted, wait + hold
}

// waitForScan is a taker waiting for a scan that holds the group's lock.
func (s *System) waitForScan(g *Group, cpu int32, now int64) {
	if wait := g.scanEnds - now; wait > 0 && s.Config.Submission == kernel.SubmitScanLock {
		s.charge(cpu, kernel.CacheScan, wait, wait)
	}
}

// TimedScan is Scan with its price, perCPU ns for each CPU visited besides the
// lines; it returns when the scan will have ended.
func (s *System) TimedScan(gi int32, cpu, nid int32, running Running, jiffies, now, perCPU int64) int64 {
	g := &s.Groups[gi]
	before, from := g.Visited, len(s.Charges)
	s.waitForScan(g, cpu, now)
	s.Scan(gi, cpu, nid, running, jiffies, now)
	s.charge(cpu, kernel.CacheScan, (g.Visited-before)*perCPU, 0)
	ends := now
	for i := range s.Charges[from:] {
		ends += s.Charges[from+i].Ns
	}
	g.scanEnds = max(g.scanEnds, ends)
	if s.Config.Submission == kernel.SubmitScanLock {
		g.lock.free = max(g.lock.free, g.scanEnds)
	}
	return ends
}
