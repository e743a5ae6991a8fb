package cas

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"casplay/core/kernel"
)

// variants.md section 2: 100 % or 80 % of the CPUs, with and without tolerance.
func TestThreadGates(t *testing.T) {
	for _, c := range []struct {
		gate                 kernel.ThreadGate
		threads              int
		avg, smt, cpus, most int64
		tol                  uint32
		veto                 bool
	}{
		{kernel.ThreadsV1, 9, 8, 1, 8, 8, 1, false}, // cover of v1: "nr_running_avg > 8"
		{kernel.ThreadsV1, 9, 9, 1, 8, 8, 1, true},
		{kernel.ThreadsV1, 900, 792, 1, 8, 792, 99, false}, // the cover says 785
		{kernel.ThreadsV1, 900, 793, 1, 8, 792, 99, true},
		{kernel.ThreadsV1, 900, 5000, 1, 8, Unlimited, 100, false},
		{kernel.ThreadsV1, 2, 0, 1, 8, 0, 0, false},
		{kernel.ThreadsV1, 2, 1, 8, 4, 0, 1, true}, // SMT8 with an LLC of 4 CPUs: never
		{kernel.ThreadsRFC, 9, 8, 1, 8, 8, 1, false},
		{kernel.ThreadsRFC, 9, 9, 1, 8, 8, 100, true}, // no tolerance
		{kernel.ThreadsRFC, 9, 8, 2, 16, 8, 1, false},
		{kernel.ThreadsRFC, 9, 9, 2, 16, 8, 1, true},
		{kernel.ThreadsNone, 999, 999, 2, 16, Unlimited, 1, false},
		{kernel.ThreadsNone, 1, 0, 2, 16, Unlimited, 1, false},
		{kernel.ThreadsSingle, 1, 0, 2, 16, Unlimited, 100, true},
		{kernel.ThreadsSingle, 2, 999, 2, 16, Unlimited, 1, false},
		{kernel.ThreadsMerged, 9, 6, 1, 8, 6, 1, false},
		{kernel.ThreadsMerged, 9, 7, 1, 8, 6, 1, true},
		{kernel.ThreadsMerged, 112, 112, 1, 144, 115, 1, false}, // MG on Sierra Forest
	} {
		assert.Equal(t, c.veto, InvalidThreads(c.gate, c.threads, c.avg, c.smt, c.cpus, c.tol), "%+v", c)
		assert.Equal(t, c.most, ThreadLimit(c.gate, c.smt, c.cpus, c.tol), "%+v", c)
		if most := ThreadLimit(c.gate, c.smt, c.cpus, c.tol); most > 0 && most < Unlimited {
			assert.False(t, InvalidThreads(c.gate, 2, most, c.smt, c.cpus, c.tol), "%+v", c)
			assert.True(t, InvalidThreads(c.gate, 2, most+1, c.smt, c.cpus, c.tol), "%+v", c)
		}
	}
}

// The memory gate of each variant on MG class D: 26.4 GiB resident, an LLC of 108 MiB.
func TestMemoryGatesOnMG(t *testing.T) {
	const gib = 1 << 30
	for _, c := range []struct {
		name string
		set  func(*Config)
		foot int64 // GiB
		tol  uint32
		veto bool
	}{
		{"merged, footprint 0", func(*Config) {}, 0, 1, false},
		{"merged, footprint known", func(*Config) {}, 26, 1, true},
		{"merged, no balancing", func(c *Config) { c.NumaBalancing = false }, 26, 1, false},
		{"rss", func(c *Config) { c.RSSGate = true }, 0, 1, true},
		{"rss, tolerance 2: 27.1 GiB pass", func(c *Config) { c.RSSGate = true }, 0, 2, false},
		{"fail closed", func(c *Config) { c.FailClosed = true }, 0, 1, true},
		{"fail closed, tolerance 2", func(c *Config) { c.FailClosed = true }, 0, 2, false},
		{"fail closed, tolerance 100", func(c *Config) { c.FailClosed = true }, 0, 100, false},
		{"no gate", func(c *Config) { c.NoMemoryGate = true }, 26, 1, false},
	} {
		s, g := testSystem(2, 144)
		s.LLCs[0].Bytes = 108 << 20
		g.RSSBytes = 264 * gib / 10
		g.Footprint = c.foot * gib / 4096
		s.Config.Tolerance = c.tol
		c.set(&s.Config)
		assert.Equal(t, c.veto, s.TooLarge(g, 0, 0), c.name)
	}
}

// RFC v4 keeps sampling an excluded process, so that it comes back; 7.3 and v1
// latch (cas.md section 8).
func TestLatchByGate(t *testing.T) {
	for gate, back := range map[kernel.ThreadGate]bool{kernel.ThreadsMerged: false, kernel.ThreadsV1: false, kernel.ThreadsRFC: true} {
		s, g := testSystem(2, 8)
		s.Config.ThreadGate = gate
		g.NrRunningAvg = 18
		for i := range int64(20) {
			s.Scan(0, 0, -1, running(16, 0, 1), 100+10*i, 0)
		}
		assert.Equal(t, back, g.NrRunningAvg < 18, gate)
	}
}

// What ends the scan of each version: RFC v3 scans the single thread that it
// leaves out, RFC v4 stops there and at the memory gate.
func TestGatesOfTheScan(t *testing.T) {
	for _, c := range []struct {
		gate    kernel.ThreadGate
		threads int
		rss     int64
		through bool
	}{
		{kernel.ThreadsNone, 1, 0, true},
		{kernel.ThreadsSingle, 1, 0, true},
		{kernel.ThreadsSingle, 2, 1 << 40, false},
		{kernel.ThreadsRFC, 1, 0, false},
		{kernel.ThreadsRFC, 99, 0, true},
		{kernel.ThreadsRFC, 99, 1 << 40, false},
		{kernel.ThreadsV1, 1, 0, false},
	} {
		s, g := testSystem(2, 8)
		s.Config.ThreadGate, s.Config.RSSGate = c.gate, true
		s.LLCs[0].Bytes, g.RSSBytes, g.Threads = 32<<20, c.rss, c.threads
		assert.Equal(t, c.through, s.Scan(0, 0, -1, running(16, 0, 1), 100, 0), "%+v", c)
	}
}

func TestHitRate(t *testing.T) {
	s, g := testSystem(2, 8)
	s.Config.HitRate = true
	hit := int64(10)
	s.Traffic = func(int32) (int64, int64) { return hit, 90 }
	assert.False(t, s.Gated(g, 0, 0), "nothing is known yet")
	assert.False(t, s.Scan(0, 0, -1, running(16, 0, 1), 100, 0))
	assert.EqualValues(t, 100, g.hits.avg, "the first sample is the average")
	assert.True(t, s.Gated(g, 0, 0))
	hit = 810 // 900 of 1000 from now on
	s.Scan(0, 0, -1, running(16, 0, 1), 110, 0)
	assert.EqualValues(t, 300, g.hits.avg)
	s.Scan(0, 0, -1, running(16, 0, 1), 120, 0)
	s.Scan(0, 0, -1, running(16, 0, 1), 130, 0)
	assert.False(t, s.Gated(g, 0, 0), "562 of 1000")
	hit = 10
	for i := range int64(hitProbe + 20) {
		s.Scan(0, 0, -1, running(16, 0), 140+10*i, 0)
	}
	assert.Less(t, g.hits.excluded, int64(20), "tried again after a while")
}

// numa-first scans the preferred node only; without occupancy there the
// preference goes. numa-ideal goes to its least loaded LLC once it lasts.
func TestNumaConflicts(t *testing.T) {
	scan := func(c kernel.NumaConflict, occupied, nid int32, rounds int64) *Group {
		s, g := testSystem(3, 4)
		s.Config.NumaConflict, s.Config.NumaStableMs = c, 50
		s.Account(g, occupied, 1_000_000, 100, 0)
		g.CPU = occupied
		for i := range rounds {
			s.Account(g, occupied, 1_000_000, 100+10*i, 0)
			s.Scan(0, occupied, nid, running(12, occupied), 100+10*i, i*10_000_000)
		}
		return g
	}
	for _, c := range []struct {
		conflict kernel.NumaConflict
		rounds   int64
		want     int32
	}{
		{kernel.NumaSuppress, 20, 0}, {kernel.CacheFirst, 20, 0},
		{kernel.NumaFirst, 2, -1}, {kernel.NumaIdeal, 5, 0}, {kernel.NumaIdeal, 7, 4},
	} {
		assert.Equal(t, c.want, scan(c.conflict, 0, 1, c.rounds).CPU, "%+v", c)
	}
	s, g := testSystem(2, 4)
	g.CPU = 0
	assert.EqualValues(t, -1, s.PreferredLLC(g, 1, 0), "7.3: the task has none")
	s.Config.NumaConflict = kernel.CacheFirst
	assert.EqualValues(t, 0, s.PreferredLLC(g, 1, 0))
}

// Row R68: one of 12 CPUs of a 16 MiB LLC goes offline.
func TestDomainBytes(t *testing.T) {
	assert.EqualValues(t, 15379114, DomainBytes(16777216, 11, 12))
	assert.EqualValues(t, 16777216, DomainBytes(16777216, 11, 11))
	assert.EqualValues(t, 8388608, DomainBytes(16777216, 6, 12), "a partition of half the LLC")
}

// contend has takers of epoch 7 on CPUs 0, 1, ... come at those times.
func contend(s *System, at ...int64) (submitted int) {
	var takers []Taker
	for i, t := range at {
		s.CPUs[i].Epoch = 7
		takers = append(takers, Taker{CPU: int32(i), At: t, Idle: true})
	}
	s.Contend(takers)
	for _, k := range takers {
		if k.Submitted {
			submitted++
		}
	}
	return submitted
}

// The takers of a lock with transfers of 100 ns, by hand. The first has the
// lock from 1000 to 1200: 100 ns of work, and its line back from the second. That
// has the epoch at 1110 and finds the lock taken, reads whose it is (1210) and
// swaps itself in (1310), where it is free: a wait of 200. Its hold is 100 ns and
// lockdep's line. The last comes when the epoch is written. A lock that is tried
// lets one through.
func TestTakers(t *testing.T) {
	for submission, want := range map[kernel.Submission]struct {
		submitted int
		stat      LockStat
	}{
		kernel.SubmitMerged:  {2, LockStat{Taken: 2, Contended: 1, WaitNs: 200, HoldNs: 400, MaxWaitNs: 200, MaxHoldNs: 200, Bounced: 2}},
		kernel.SubmitTrylock: {1, LockStat{Taken: 1, HoldNs: 200, MaxHoldNs: 200, Busy: 1, Bounced: 1}},
	} {
		s, g := testSystem(2, 8)
		s.Config.Submission = submission
		s.Pricing = Pricing{Transfer: hundred, Layout: kernel.LineMerged}
		assert.Equal(t, want.submitted, contend(s, 1000, 1010, 3000), submission)
		assert.Equal(t, want.stat, g.Stat(), submission)
	}
}

// Sixteen takers at once queue: the last waits for all others, and farther
// lines make longer holds. Takers apart do not meet.
func TestTakersQueue(t *testing.T) {
	wait := func(ns, apart int64) LockStat {
		s, g := testSystem(2, 8)
		s.Pricing.Transfer = func(a, b int32) int64 {
			if a/8 == b/8 {
				return 20
			}
			return ns
		}
		var at []int64
		for i := range int64(16) {
			at = append(at, 1000+i*apart)
		}
		contend(s, at...)
		return g.Stat()
	}
	near, far, alone := wait(20, 0), wait(200, 0), wait(200, 50_000)
	assert.EqualValues(t, 16, near.Taken, "all read the epoch before it was written")
	assert.EqualValues(t, 15, near.Contended)
	assert.GreaterOrEqual(t, near.MaxWaitNs, int64(14*holdNs), "fourteen holds at least")
	assert.Greater(t, far.HoldNs, near.HoldNs)
	assert.Greater(t, far.MaxWaitNs, near.MaxWaitNs)
	assert.LessOrEqual(t, far.WaitNs, far.Contended*far.MaxWaitNs)
	assert.Zero(t, alone.Contended)
	assert.EqualValues(t, 1, alone.Taken, "the others read the new epoch")
}

// The epoch race of July 2026: 7.3 lets a late writer set the epoch back.
func TestEpochRegression(t *testing.T) {
	for submission, want := range map[kernel.Submission]int64{kernel.SubmitMerged: 100, kernel.SubmitTrylock: 101} {
		s, g := testSystem(2, 8)
		s.Config.Submission = submission
		s.Pricing.Transfer = hundred
		s.CPUs[0].Epoch, s.CPUs[1].Epoch = 100, 101
		g.Epoch = 90
		s.Contend([]Taker{{CPU: 1, At: 1000, Idle: true}, {CPU: 0, At: 1010, Idle: true}})
		assert.Equal(t, want, g.Epoch, submission)
	}
}

// A scan that holds the lock keeps the next taker waiting.
func TestScanHoldsLock(t *testing.T) {
	s, g := testSystem(2, 8)
	s.Config.Submission = kernel.SubmitScanLock
	s.Pricing.Transfer = hundred
	ends := s.TimedScan(0, 0, -1, running(16), 100, 1000, 40)
	contend(s, 1100)
	assert.EqualValues(t, 1, g.Stat().Contended)
	assert.GreaterOrEqual(t, 1100+g.Stat().WaitNs, ends)
}

func TestScanLockWaits(t *testing.T) {
	s, g := testSystem(2, 8)
	s.Config.Submission = kernel.SubmitScanLock
	s.Pricing.Transfer = hundred
	ends := s.TimedScan(0, 0, -1, running(16), 100, 1000, 40)
	assert.GreaterOrEqual(t, ends, int64(1000+16*40))
	s.Charges = nil
	s.Submitted(g, 1, 1100)
	assert.Equal(t, ends-1100, s.Charges[0].WaitNs)
}

// Own tolerances of groups replace the global one.
func TestOwnTolerance(t *testing.T) {
	s, g := testSystem(2, 8)
	g.NrRunningAvg = 9
	assert.True(t, s.TooManyThreads(g, 0, 0))
	g.Own, g.Tolerance = true, 2
	assert.False(t, s.TooManyThreads(g, 0, 0))
}

// TestUpdateRunning: the average of v1 stays seven below a steady number from
// below and seven above from above; that of v3 and later follows an LLC of 16
// CPUs to within three.
func TestUpdateRunning(t *testing.T) {
	settle := func(gate kernel.ThreadGate, avg, n int64) int64 {
		for range 100 {
			avg = UpdateRunning(gate, avg, n, 16)
		}
		return avg
	}
	for _, c := range []struct {
		gate         kernel.ThreadGate
		from, n, avg int64
	}{
		{kernel.ThreadsV1, 0, 15, 8}, {kernel.ThreadsRFC, 0, 15, 8}, {kernel.ThreadsV1, 0, 7, 0}, {kernel.ThreadsV1, 40, 15, 22},
		{kernel.ThreadsV3, 0, 15, 12}, {kernel.ThreadsMerged, 0, 15, 12}, {kernel.ThreadsV3, 0, 3, 0},
	} {
		assert.Equal(t, c.avg, settle(c.gate, c.from, c.n), c)
	}
	assert.Equal(t, kernel.ThreadsV1, features(t, "v2").ThreadGate)
	assert.Equal(t, kernel.ThreadsV3, features(t, "v3").ThreadGate)
}

func features(t *testing.T, version string) kernel.Features {
	v, ok := FindVersion(version)
	assert.True(t, ok, version)
	return v.Features
}
