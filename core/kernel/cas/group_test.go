package cas

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/assert"

	"casplay/core/kernel/why"
)

// testSystem is a machine of llcs LLCs of n CPUs each, one node an LLC, with
// one multi-threaded group.
func testSystem(llcs, n int) (*System, *Group) {
	s := &System{Book: why.NewBook(1), Config: Config{Active: true, NumaBalancing: true, Tolerance: 1, Period: 10, Timeout: 5, Policy: Policy{OveraggrPct: 50, ImbPct: 20, SMT: 1}}}
	for l := range llcs {
		var cpus []int32
		for range n {
			cpus = append(cpus, int32(len(s.LLCOf)))
			s.LLCOf = append(s.LLCOf, int32(l))
			s.NodeOf = append(s.NodeOf, int32(l))
			s.CPUs = append(s.CPUs, CPUEpoch{Next: 100})
		}
		s.LLCCPUs = append(s.LLCCPUs, cpus)
		s.NodeCPUs = append(s.NodeCPUs, cpus)
		s.LLCs = append(s.LLCs, LLC{CPUs: int64(n), Bytes: 32 << 20})
	}
	s.DomainOf = s.LLCOf
	g := s.NewGroup(0, 100, 1<<30)
	s.Groups[g].Threads = 8
	return s, &s.Groups[g]
}

func running(n int, cpus ...int32) Running {
	r := make(Running, n)
	for i := range r {
		r[i] = -1
	}
	for _, c := range cpus {
		r[c] = 0
	}
	return r
}

// Each elapsed epoch halves; the boundary is strict (7.3 __update_mm_sched).
func TestEpochDecay(t *testing.T) {
	for _, c := range []struct {
		jiffies, epochs, next int64
		runtime               uint64
	}{
		{100, 0, 100, 1 << 20}, {101, 1, 110, 1 << 19}, {110, 1, 110, 1 << 19}, {111, 2, 120, 1 << 18},
		{130, 3, 130, 1 << 17}, {131, 4, 140, 1 << 16}, {1000, 90, 1000, 0},
	} {
		e := CPUEpoch{Runtime: 1 << 20, Next: 100}
		r := Record{Runtime: 1 << 20}
		e.advance(&r, c.jiffies, 10)
		assert.Equal(t, c.epochs, e.Epoch, "jiffy %d", c.jiffies)
		assert.Equal(t, c.next, e.Next, "jiffy %d", c.jiffies)
		assert.Equal(t, c.runtime, e.Runtime, "jiffy %d", c.jiffies)
		assert.Equal(t, e.Runtime, r.Runtime)
		assert.Equal(t, e.Epoch, r.Epoch)
	}
}

// Occupancy is a share of accounted time, not utilisation: a CPU that the
// process left idle keeps counting until the shifts reach 0 (cas.md section 4).
func TestOccupancyOfAnIdleCPU(t *testing.T) {
	for _, c := range []struct {
		runtime uint64
		epochs  int64
	}{{1_000_000, 20}, {10_000_000, 24}, {20_000_000, 25}} {
		e := CPUEpoch{Runtime: c.runtime, Next: 0}
		r := Record{Runtime: c.runtime}
		j := int64(0)
		for e.Occupancy(&r, j, 10) > 0 {
			j++
		}
		assert.InDelta(t, c.epochs, j/10, 1, "runtime %d", c.runtime)
	}
	e, r := CPUEpoch{Runtime: 1e6, Next: 1000}, Record{Runtime: 5e5}
	assert.InDelta(t, 1<<19, e.Occupancy(&r, 0, 10), 2, "half of the accounted time")
}

// A preference is dropped when the last scan is too many epochs old (7.3
// account_mm_sched), strictly.
func TestEpochTimeout(t *testing.T) {
	for age, want := range map[int64]int32{5: 3, 6: -1} {
		s, g := testSystem(2, 8)
		g.CPU = 3
		s.CPUs[0].Epoch, g.Records[0].Epoch = age, age
		s.Account(g, 0, 1000, 100, 0)
		assert.Equal(t, want, g.CPU, "age %d", age)
	}
}

// Accounting asks the thread gate first and the memory gate only if it passes.
func TestAccountingGates(t *testing.T) {
	s, g := testSystem(2, 8)
	g.CPU, g.NrRunningAvg, g.Footprint = 3, 7, 1<<40
	s.Account(g, 0, 1000, 100, 0)
	assert.Equal(t, int32(-1), g.CPU)
	assert.EqualValues(t, 1, s.Book.Counter(0, why.InvalidLLCNr).Fired)
	assert.EqualValues(t, 0, s.Book.Counter(0, why.ExceedLLCCapacity).Evaluated)

	s, g = testSystem(2, 8)
	g.CPU, g.Footprint = 3, 32<<20/4096+1
	s.Account(g, 0, 1000, 100, 0)
	assert.Equal(t, int32(-1), g.CPU)
	s.Config.NumaBalancing = false
	g.CPU = 3
	s.Account(g, 0, 1000, 100, 0)
	assert.Equal(t, int32(3), g.CPU, "nothing checks memory without NUMA balancing")
}

// The fail-closed proposal reads the RSS while there is no usable footprint
// (variants.md section 6).
func TestFailClosed(t *testing.T) {
	for _, c := range []struct {
		name           string
		numab, closed  bool
		footprint, rss int64 // pages, bytes
		gated          bool
	}{
		{"merged, no footprint, large RSS", true, false, 0, 26 << 30, false},
		{"closed, no footprint, large RSS", true, true, 0, 26 << 30, true},
		{"closed, no footprint, RSS of the LLC's size", true, true, 0, 32 << 20, false},
		{"closed, small footprint, large RSS", true, true, 1, 26 << 30, false},
		{"closed, large footprint, small RSS", true, true, 9000, 1 << 20, true},
		{"closed, no NUMA balancing, large RSS", false, true, 0, 26 << 30, true},
		{"merged, no NUMA balancing, large footprint", false, false, 1 << 30, 26 << 30, false},
	} {
		s, g := testSystem(2, 8)
		s.Config.NumaBalancing, s.Config.FailClosed = c.numab, c.closed
		g.Footprint, g.RSSBytes = c.footprint, c.rss
		assert.Equal(t, c.gated, s.Gated(g, 0, 0), c.name)
	}
}

// A task that prefers another node than the group's has no preferred LLC; the
// group keeps its CPU (7.3 get_pref_llc).
func TestNumaConflict(t *testing.T) {
	s, g := testSystem(2, 8)
	assert.EqualValues(t, -1, s.PreferredLLC(g, -1, 0), "no preference")
	g.CPU = 9
	assert.EqualValues(t, 1, s.PreferredLLC(g, -1, 0))
	assert.EqualValues(t, 1, s.PreferredLLC(g, 1, 0))
	assert.EqualValues(t, -1, s.PreferredLLC(g, 0, 0))
	assert.EqualValues(t, 9, g.CPU)
	s.Config.NumaBalancing = false
	assert.EqualValues(t, 1, s.PreferredLLC(g, 0, 0))
}

// Submission is judged by the epoch as the CPU reads it, outside the lock
// (7.3 task_tick_cache): late readers submit again, and may set it back.
func TestSubmit(t *testing.T) {
	s, g := testSystem(2, 8)
	s.CPUs[0].Epoch, s.CPUs[1].Epoch, s.CPUs[2].Epoch = 101, 100, 101
	g.Epoch = 99
	seen := g.Epoch
	assert.False(t, s.Submit(g, 0, seen, false), "the task's own work is pending")
	assert.True(t, s.Submit(g, 0, seen, true))
	assert.EqualValues(t, 101, g.Epoch)
	assert.False(t, s.Submit(g, 2, g.Epoch, true), "this epoch is taken")
	assert.True(t, s.Submit(g, 1, seen, true), "read before the first wrote")
	assert.EqualValues(t, 100, g.Epoch, "the race moves the epoch back")
}

// One scan a period, whoever comes first (7.3 task_cache_work).
func TestScanPeriod(t *testing.T) {
	s, g := testSystem(2, 8)
	run := running(16, 0, 1, 8)
	assert.True(t, s.Scan(0, 0, -1, run, 100, 0))
	assert.EqualValues(t, 110, g.NextScan)
	assert.False(t, s.Scan(0, 1, -1, run, 109, 0))
	assert.True(t, s.Scan(0, 1, -1, run, 112, 0))
	assert.EqualValues(t, 122, g.NextScan, "from the time of the scan, not the period's start")
	assert.EqualValues(t, 3, g.Runs)
	assert.EqualValues(t, 2, g.Scans)
	assert.EqualValues(t, 32, g.Visited)
}

// occupy makes CPUs fully used by the group.
func occupy(s *System, g *Group, cpus ...int32) {
	for _, c := range cpus {
		s.CPUs[c].Runtime, g.Records[c].Runtime = 1e9, 1e9
	}
}

// The preferred LLC moves only to one with more than twice the occupancy (2x
// rule; the oracle's hyst experiments), and to its CPU of largest occupancy.
func TestTwoTimesRule(t *testing.T) {
	for _, c := range []struct {
		home        int32
		here, there int32
		want        int32 // LLC
	}{
		{-1, 1, 2, 1}, {-1, 2, 2, 0}, {0, 1, 2, 0}, {0, 1, 3, 1}, {0, 2, 3, 0}, {0, 2, 5, 1}, {0, 0, 1, 1}, {1, 8, 1, 0}, {0, 8, 8, 0},
	} {
		s, g := testSystem(2, 8)
		s.Config.Tolerance = 100
		g.CPU = -1
		if c.home >= 0 {
			g.CPU = c.home*8 + 7
		}
		for i := range c.here {
			occupy(s, g, i)
		}
		for i := range c.there {
			occupy(s, g, 8+i)
		}
		s.Scan(0, 0, -1, running(16), 100, 0)
		assert.Equal(t, c.want, s.LLCOf[g.CPU], "%+v", c)
		if c.want == c.home {
			assert.Equal(t, c.home*8+7, g.CPU, "inside an LLC the CPU stays")
		}
	}
}

// Once the average is over the limit no scan samples it again: the process
// stays excluded until the tolerance is raised (the latch of cas.md section 8).
func TestLatch(t *testing.T) {
	s, g := testSystem(2, 8)
	j := int64(100)
	scan := func(n int) {
		var cpus []int32
		for c := range int32(n) {
			cpus = append(cpus, c*2)
		}
		s.Scan(0, 0, -1, running(16, cpus...), j, j)
		j += 10
	}
	for range 10 {
		scan(8)
	}
	assert.EqualValues(t, 7, g.NrRunningAvg)
	scans := g.Scans
	for range 100 {
		scan(1)
	}
	assert.EqualValues(t, 7, g.NrRunningAvg, "one running thread does not bring it down")
	assert.Equal(t, scans, g.Scans)
	assert.EqualValues(t, -1, g.CPU)
	s.Config.Tolerance = 2
	for range 10 {
		scan(1)
	}
	assert.EqualValues(t, 2, g.NrRunningAvg)
	s.Config.Tolerance = 1
	scan(1)
	assert.Greater(t, g.Scans, scans+10)
}

// With NUMA balancing and a preferred node only the LLCs of the preferred, the
// home and the current node are visited (7.3 get_scan_cpumasks).
func TestScanMask(t *testing.T) {
	for _, c := range []struct {
		name     string
		numab    bool
		nid, cpu int32
		home     int32
		visited  int64
	}{
		{"no preferred node: all", true, -1, 0, -1, 64},
		{"NUMA balancing off: all", false, 1, 0, -1, 64},
		{"preferred is current", true, 0, 0, -1, 8},
		{"preferred and current", true, 3, 0, -1, 16},
		{"preferred, current and home", true, 3, 0, 40, 24},
		{"home on the current node", true, 3, 0, 5, 16},
	} {
		s, g := testSystem(8, 8)
		s.Config.NumaBalancing = c.numab
		g.CPU = c.home
		s.Scan(0, c.cpu, c.nid, running(64), 100, 0)
		assert.Equal(t, c.visited, g.Visited, c.name)
	}
}

// twinScan is the scan in the plainest way: all CPUs, maps and sums.
func twinScan(s *System, g *Group, run Running) (cpu int32, avg int64) {
	sum, top, topCPU := map[int32]int64{}, map[int32]int64{}, map[int32]int32{}
	nr := int64(0)
	for c := range s.CPUs {
		l := s.LLCOf[c]
		occ := int64(g.Records[c].Runtime << 20 / (s.CPUs[c].Runtime + 1))
		sum[l] += occ
		if occ > top[l] {
			top[l], topCPU[l] = occ, int32(c)
		}
		if run[c] == 0 {
			nr++
		}
	}
	best := int32(-1)
	for l := range int32(len(s.LLCs)) {
		if sum[l] > 0 && (best < 0 || sum[l] > sum[best]) {
			best = l
		}
	}
	cur := int64(0)
	if g.CPU >= 0 {
		cur = sum[s.LLCOf[g.CPU]]
	}
	cpu = g.CPU
	if best >= 0 && sum[best] > 2*cur {
		cpu = topCPU[best]
	}
	return cpu, UpdateAvgScale(g.NrRunningAvg, nr, s.LLCs[0].CPUs)
}

func TestScanAgainstTwin(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 2000 {
		s, g := testSystem(1+r.Intn(5), 1+r.Intn(9))
		s.Config.Tolerance = 100
		run := running(len(s.CPUs))
		for c := range s.CPUs {
			s.CPUs[c].Runtime = uint64(r.Int63n(2e7))
			g.Records[c].Runtime = uint64(r.Int63n(int64(s.CPUs[c].Runtime + 1)))
			if r.Intn(3) == 0 {
				run[c] = 0
			}
			if r.Intn(8) == 0 {
				g.Records[c].Runtime = 0
			}
		}
		if r.Intn(3) > 0 {
			g.CPU = int32(r.Intn(len(s.CPUs)))
		}
		g.NrRunningAvg = int64(r.Intn(20))
		cpu, avg := twinScan(s, g, run)
		assert.True(t, s.Scan(0, 0, -1, run, 100, 0))
		assert.Equal(t, cpu, g.CPU)
		assert.Equal(t, avg, g.NrRunningAvg)
	}
}
