package cas

import (
	"testing"

	"casplay/core/kernel"

	"github.com/stretchr/testify/assert"
)

// fourLLCs are four LLCs of four CPUs on two nodes of two each.
func fourLLCs() (*System, *Group) {
	s, g := testSystem(4, 4)
	s.Config.LLCPrefix, s.Config.NumaBalancing = true, false
	s.Configure(s.Config)
	for c := range s.NodeOf {
		s.NodeOf[c] = int32(c / 8)
	}
	s.Distance = [][]int{{10, 20}, {20, 10}}
	g.Threads = 16
	return s, g
}

func TestAffinityOrder(t *testing.T) {
	s, _ := fourLLCs()
	assert.Equal(t, []int32{0, 1, 2, 3}, s.AffinityOrder(0))
	assert.Equal(t, []int32{1, 0, 2, 3}, s.AffinityOrder(1))
	assert.Equal(t, []int32{2, 3, 0, 1}, s.AffinityOrder(2), "its node first")
	s, _ = testSystem(3, 2)
	s.Distance = [][]int{{10, 30, 20}, {30, 10, 20}, {20, 20, 10}}
	assert.Equal(t, []int32{0, 2, 1}, s.AffinityOrder(0), "the nearer node first")
	assert.Equal(t, []int32{2, 0, 1}, s.AffinityOrder(2), "the lower number of two")
}

// The prefix is the shortest that holds the utilisation at 75 % and passes the
// gates: 3.2 running threads an LLC, and its bytes.
func TestPrefix(t *testing.T) {
	for _, c := range []struct {
		util, running, rss int64
		want               int
	}{
		{1024, 1, 0, 1}, {3 * 1024, 1, 0, 2}, {3*1024 - 1, 3, 0, 1}, {1024, 4, 0, 2}, {1024, 6, 0, 2}, {1024, 7, 0, 3},
		{1024, 1, 32 << 20, 1}, {1024, 1, 33 << 20, 2}, {1024, 1, 97 << 20, 4}, {16 * 1024, 1, 0, 4},
	} {
		s, g := fourLLCs()
		s.Config.RSSGate = true
		g.CPU, g.NrRunningAvg, g.RSSBytes = 4, c.running, c.rss
		g.prefix.util = c.util
		s.settlePrefix(g, c.util, 0)
		assert.Equal(t, c.want, g.prefix.n, "%+v", c)
		assert.EqualValues(t, 4*c.want, g.prefix.all.CPUs)
		assert.Equal(t, []int32{1, 0, 2, 3}, g.prefix.order)
	}
}

// Tasks stay anywhere in the prefix; others prefer its first LLC with room, and
// between two outside the earlier one.
func TestPrefixPrefers(t *testing.T) {
	s, g := fourLLCs()
	g.CPU = 4
	g.prefix.util = 5 * 1024
	s.settlePrefix(g, 5*1024, 0)
	assert.Equal(t, 2, g.prefix.n)
	full := func(ds ...int32) func(int32) bool {
		return func(d int32) bool {
			for _, f := range ds {
				if f == d {
					return true
				}
			}
			return false
		}
	}
	for _, c := range []struct {
		cpu  int32
		full []int32
		want int32
	}{{4, nil, 1}, {0, nil, 0}, {8, nil, 1}, {8, []int32{1}, 0}, {8, []int32{0, 1}, 0}, {0, []int32{0}, 0}} {
		assert.Equal(t, c.want, s.Prefers(g, c.cpu, full(c.full...)), "%+v", c)
	}
	for _, c := range []struct {
		src, dst     int32
		toPref, away bool
	}{{4, 0, false, false}, {8, 4, true, false}, {8, 0, true, false}, {0, 8, false, true}, {12, 8, true, false}, {8, 12, false, true}} {
		toPref, away := s.Between(g, c.src, c.dst)
		assert.Equal(t, []bool{c.toPref, c.away}, []bool{toPref, away}, "%+v", c)
	}
}

// A whole scan: six busy threads that 7.3 leaves alone prefer two LLCs.
func TestPrefixScan(t *testing.T) {
	for _, on := range []bool{false, true} {
		s, g := fourLLCs()
		s.Config.LLCPrefix = on
		s.Util = func(int32) int64 { return 1024 }
		at := []int32{0, 1, 2, 4, 8, 12}
		for round := range int64(20) {
			j := 100 + round*s.Config.Period
			for _, c := range at {
				s.Account(g, c, 10_000_000, j, j*1e6)
			}
			s.Scan(0, 0, -1, running(16, at...), j, j*1e6)
		}
		if !on {
			assert.EqualValues(t, -1, g.CPU, "7.3: 6 is not below 80 % of 4")
			continue
		}
		assert.EqualValues(t, 0, s.LLCOf[g.CPU])
		assert.Equal(t, 2, g.prefix.n)
	}
}

// The policy of scx_lavd: away above 50 %, in below 40 %, both with the task.
func TestDeadBand(t *testing.T) {
	p := Policy{OveraggrPct: 50, ImbPct: 20, SMT: 1, DeadBand: true}
	for _, c := range []struct {
		src, dst, util int64
		toPref         bool
		want           Hint
	}{
		{100, 300, 99, true, MoveLLC}, {100, 300, 100, true, Forbid}, {100, 700, 10, true, Forbid},
		{500, 100, 100, false, Forbid}, {501, 100, 100, false, Unrestricted}, {900, 900, 10, true, Unrestricted}, {900, 900, 10, false, Unrestricted},
	} {
		assert.Equal(t, c.want, p.CanMigrate(c.src, 1000, c.dst, 1000, c.util, c.toPref), "%+v", c)
	}
	p.DeadBand = false
	assert.Equal(t, MoveLLC, p.CanMigrate(100, 1000, 300, 1000, 100, true), "7.3 takes it")
	assert.False(t, InvalidThreads(kernel.ThreadsCap, 1, 16, 2, 8, 1), "single threads and any LLC")
	assert.True(t, InvalidThreads(kernel.ThreadsCap, 99, 17, 1, 144, 1))
	assert.EqualValues(t, 16, ThreadLimit(kernel.ThreadsCap, 2, 8, 1))
}

// The two tolerances can be split, globally and for a group; a group can have
// its own busy limit.
func TestSplitTolerance(t *testing.T) {
	s, g := testSystem(2, 8)
	s.Config.RSSGate = true // of 1 GiB against 32 MiB
	s.Config.Tolerance = 100
	assert.False(t, s.TooLarge(g, 0, 0))
	s.Config.SplitTolerance, s.Config.SizeTolerance = true, 1
	assert.True(t, s.TooLarge(g, 0, 0))
	assert.False(t, s.TooManyThreads(g, 0, 0), "the other is not touched")
	g.Own, g.Tolerance = true, 2
	assert.False(t, s.TooLarge(g, 0, 0), "a group's own counts for both")
	g.OwnSize, g.SizeTolerance = true, 1
	assert.True(t, s.TooLarge(g, 0, 0))
	assert.EqualValues(t, 75, s.PolicyOf(g).BusyPct())
	g.OveraggrPct = 20
	assert.EqualValues(t, 30, s.PolicyOf(g).BusyPct())
}
