package cas

import (
	"math/rand"
	"testing"

	"casplay/core/kernel"

	"github.com/stretchr/testify/assert"
)

func hundred(from, to int32) int64 { return 100 }

// A read costs a transfer once after each write by another CPU.
func TestLineReads(t *testing.T) {
	var l Line
	ns, _ := l.Read(0, 0, hundred)
	assert.Zero(t, ns, "nobody has written it")
	ns, _ = l.Write(1, 0, hundred)
	assert.Zero(t, ns, "nobody owned it")
	ns, _ = l.Read(2, 1000, hundred)
	assert.EqualValues(t, 100, ns)
	ns, _ = l.Read(2, 2000, hundred)
	assert.Zero(t, ns, "it has a copy")
	ns, _ = l.Read(1, 2000, hundred)
	assert.Zero(t, ns, "the writer has one too")
	ns, _ = l.Write(1, 3000, hundred)
	assert.EqualValues(t, 100, ns, "the copies are taken away")
	ns, _ = l.Write(1, 4000, hundred)
	assert.Zero(t, ns, "alone")
	ns, _ = l.Read(2, 5000, hundred)
	assert.EqualValues(t, 100, ns)
}

// n CPUs that want a line at once get it one after another: the last waits for
// n-1 transfers, the sum is n(n+1)/2 transfers.
func TestLineQueues(t *testing.T) {
	for _, n := range []int64{1, 2, 10, 255} {
		var l Line
		l.Write(0, 0, hundred)
		var sum, waits, last int64
		for c := int32(1); int64(c) <= n; c++ {
			ns, wait := l.Read(c, 0, hundred)
			sum, waits, last = sum+ns, waits+wait, ns
		}
		assert.EqualValues(t, 100*n*(n+1)/2, sum)
		assert.EqualValues(t, sum-100*n, waits)
		assert.EqualValues(t, 100*n, last)
	}
}

// Whatever the sequence, a line never moves more often than it is asked for,
// and never serves two transfers at once.
func TestLineIsSerial(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	var l Line
	now, transfers, free := int64(0), int64(0), int64(0)
	for range 5000 {
		now += r.Int63n(150)
		var ns int64
		if r.Intn(4) == 0 {
			ns, _ = l.Write(int32(r.Intn(16)), now, hundred)
		} else {
			ns, _ = l.Read(int32(r.Intn(16)), now, hundred)
		}
		if ns > 0 {
			transfers++
			assert.GreaterOrEqual(t, now+ns, free+100)
			free = now + ns
		}
	}
	assert.LessOrEqual(t, transfers*100, now+100*5000)
	assert.Positive(t, transfers)
}

// Layouts: a process over the thread limit makes the posted layout pay at
// every accounting, the fixed and the merged ones hardly ever.
func TestGroupLineLayouts(t *testing.T) {
	cost := map[kernel.GroupLine]int64{}
	for _, layout := range []kernel.GroupLine{kernel.LineMerged, kernel.LineRFC, kernel.LineFix} {
		s, g := testSystem(2, 8)
		s.Pricing = Pricing{Transfer: hundred, Layout: layout}
		g.NrRunningAvg = 1000
		for i := range 2000 {
			s.Account(g, int32(i%16), 1000, 100, int64(i)*1000)
		}
		for _, c := range s.Charges {
			cost[layout] += c.Ns
		}
	}
	assert.Less(t, cost[kernel.LineFix], int64(100*16*3))
	assert.Less(t, cost[kernel.LineMerged], int64(100*16*3))
	assert.Greater(t, cost[kernel.LineRFC], int64(100*1900))
}

// Scanning costs two lines a CPU that others wrote, and nothing the second time.
func TestScanMovesLines(t *testing.T) {
	s, g := testSystem(2, 8)
	s.Pricing = Pricing{Transfer: hundred, Layout: kernel.LineMerged}
	for c := range int32(16) {
		s.Account(g, c, 1000, 100, 0)
	}
	scan := func(jiffies int64) (ns int64) {
		s.Charges = nil
		assert.True(t, s.Scan(0, 0, -1, running(16), jiffies, jiffies*1e6))
		for _, c := range s.Charges {
			if c.Function == kernel.CacheScan {
				ns += c.Ns
			}
		}
		return ns
	}
	first := scan(100)
	assert.GreaterOrEqual(t, first, int64(15*2*100))
	assert.Less(t, scan(200), int64(500))
}

// The proposal scans CPUs that the group used in the last timeout epochs, and
// forgets the others (variants.md section 4).
func TestVisitedCPUs(t *testing.T) {
	s, g := testSystem(2, 8)
	s.Config.VisitedCPUs = true
	for _, c := range []int32{1, 2, 9} {
		s.Account(g, c, 1_000_000, 100, 0)
	}
	assert.True(t, s.Scan(0, 1, -1, running(16), 100, 0))
	assert.EqualValues(t, 3, g.Visited)
	// Six epochs later only the CPU that ran since counts; the others are
	// looked at once more, and dropped.
	later := 100 + 7*s.Config.Period
	s.Account(g, 1, 1_000_000, later, 0)
	g.Visited = 0
	assert.True(t, s.Scan(0, 1, -1, running(16), later, 0))
	assert.EqualValues(t, 3, g.Visited)
	g.Visited = 0
	assert.True(t, s.Scan(0, 1, -1, running(16), later+s.Config.Period, 0))
	assert.EqualValues(t, 1, g.Visited)
}
