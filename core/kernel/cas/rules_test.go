package cas

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// facts reads a table of integers from testdata.
func facts(t *testing.T, name string) [][]int64 {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	require.NoError(t, err)
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	rows, err := r.ReadAll()
	require.NoError(t, err)
	out := make([][]int64, len(rows))
	for i, row := range rows {
		for _, s := range row {
			v, err := strconv.ParseInt(s, 10, 64)
			require.NoError(t, err)
			out[i] = append(out[i], v)
		}
	}
	return out
}

// Every input that a real 7.3.4 kernel gave to can_migrate_llc has its result.
func TestCanMigrateExactPairs(t *testing.T) {
	rows := facts(t, "can_migrate_llc.csv")
	require.Greater(t, len(rows), 1000)
	for _, r := range rows {
		p := Policy{SMT: r[0], OveraggrPct: r[1], ImbPct: r[2]}
		// The probe saw the values after the task had been moved over.
		got := p.CanMigrate(r[3], r[4], r[5], r[6], 0, r[7] == 1)
		assert.Equal(t, Hint(r[8]), got, "%v", r)
	}
}

// Every pair of consecutive averages that a real 7.3.4 kernel had.
func TestNrRunningAvgExactPairs(t *testing.T) {
	rows := facts(t, "nr_running_avg.csv")
	require.Greater(t, len(rows), 100)
	for _, r := range rows {
		assert.Equal(t, r[3], UpdateAvgScale(r[1], r[2], r[0]), "%v", r)
	}
}

// 7.3 get_sched_cache_scale (cas.md section 8).
func TestScale(t *testing.T) {
	for _, c := range []struct {
		tol           uint32
		by1, by256    int64
		limit32, l108 int64 // bytes
	}{
		{0, 0, 0, 0, 0},
		{1, 1, 1, 32 << 20, 108 << 20},
		{2, 2, 257, 257 * 32 << 20, 257 * 108 << 20},
		{10, 10, 2305, 2305 * 32 << 20, 2305 * 108 << 20},
		{99, 99, 25089, 25089 * 32 << 20, 25089 * 108 << 20},
		{100, Unlimited, Unlimited, Unlimited, Unlimited},
		{101, Unlimited, Unlimited, Unlimited, Unlimited},
	} {
		assert.Equal(t, c.by1, Scale(c.tol, 1), "tolerance %d", c.tol)
		assert.Equal(t, c.by256, Scale(c.tol, 256), "tolerance %d", c.tol)
		assert.Equal(t, c.limit32, CapacityLimit(32<<20, c.tol), "tolerance %d", c.tol)
		assert.Equal(t, c.l108, CapacityLimit(108<<20, c.tol), "tolerance %d", c.tol)
	}
}

// 7.3 invalid_llc_nr: largest average allowed at tolerance 1, and the smallest
// constant number of running threads that ever trips the gate (cas.md section 8).
func TestThreadGate(t *testing.T) {
	for _, c := range []struct{ llc, smt, largest, trips int64 }{
		{4, 1, 3, 5}, {8, 1, 6, 8}, {8, 2, 3, 5}, {16, 1, 12, 16}, {16, 2, 6, 10},
		{32, 1, 25, 33}, {32, 2, 12, 20}, {60, 1, 47, 55}, {60, 2, 23, 31}, {144, 1, 115, 123}, {144, 2, 57, 65},
	} {
		assert.Equal(t, c.largest, NrRunningLimit(c.smt, c.llc, 1), "LLC of %d, SMT %d", c.llc, c.smt)
		assert.False(t, InvalidLLCNr(2, c.largest, c.smt, c.llc, 1))
		assert.True(t, InvalidLLCNr(2, c.largest+1, c.smt, c.llc, 1))
		settles := func(run int64) int64 {
			avg := int64(0)
			for range 1000 {
				avg = UpdateAvgScale(avg, run, c.llc)
			}
			return avg
		}
		assert.True(t, InvalidLLCNr(2, settles(c.trips), c.smt, c.llc, 1), "%d running on %d", c.trips, c.llc)
		assert.False(t, InvalidLLCNr(2, settles(c.trips-1), c.smt, c.llc, 1), "%d running on %d", c.trips-1, c.llc)
	}
	assert.True(t, InvalidLLCNr(1, 0, 1, 144, 100), "one thread is never aggregated, whatever the tolerance")
	assert.True(t, InvalidLLCNr(2, 0, 1, 144, 0), "nothing fits a scale of 0")
	assert.False(t, InvalidLLCNr(1000, 1000, 1, 8, 100))
	assert.Equal(t, int64(-1), NrRunningLimit(1, 144, 0))
}

// NrRunningLimit is the boundary of InvalidLLCNr everywhere.
func TestNrRunningLimitIsTheBoundary(t *testing.T) {
	for llc := int64(1); llc <= 300; llc++ {
		for smt := int64(1); smt <= 8; smt *= 2 {
			for tol := uint32(0); tol < 100; tol += 7 {
				l := NrRunningLimit(smt, llc, tol)
				assert.Equal(t, l < 0, InvalidLLCNr(2, max(l, 0), smt, llc, tol))
				assert.True(t, InvalidLLCNr(2, l+1, smt, llc, tol))
			}
		}
	}
}

// 7.3 exceed_llc_capacity: strict.
func TestMemoryGate(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		size, llc int64
		tol       uint32
		want      bool
	}{
		{0, 108 * mib, 1, false}, {108 * mib, 108 * mib, 1, false}, {108*mib + 4096, 108 * mib, 1, true},
		{4096, 108 * mib, 0, true}, {0, 108 * mib, 0, false},
		{27 << 30, 108 * mib, 2, false}, {28 << 30, 108 * mib, 2, true}, {1 << 50, 108 * mib, 100, false},
		{4096, 0, 1, true}, {0, 0, 1, false},
	} {
		assert.Equal(t, c.want, ExceedLLCCapacity(c.size, c.llc, c.tol), "%+v", c)
	}
}

// The averaging truncates toward zero: a dead band of divisor-1 on both sides
// (7.3 update_avg_scale).
func TestAverageDeadBand(t *testing.T) {
	up, down := int64(0), int64(200)
	for range 1000 {
		up, down = UpdateAvgScale(up, 112, 144), UpdateAvgScale(down, 112, 144)
	}
	assert.Equal(t, int64(105), up)
	assert.Equal(t, int64(119), down)
	assert.Equal(t, int64(0), UpdateAvgScale(0, 7, 144))
	for _, c := range []struct{ llc, div int64 }{{1, 2}, {11, 2}, {12, 3}, {15, 3}, {16, 4}, {20, 5}, {24, 6}, {28, 7}, {32, 8}, {144, 8}} {
		assert.Equal(t, 1000/c.div, UpdateAvgScale(0, 1000, c.llc), "LLC of %d", c.llc)
	}
}

// The matrices of cas.md section 11: adjusted percentages of source (rows) and
// destination (columns), LLCs of equal size (7.3 can_migrate_llc).
func TestPolicyMatrices(t *testing.T) {
	for _, m := range []struct {
		name   string
		smt    int64
		toPref bool
		dst    []int64
		rows   map[int64]string
	}{
		{"SMT, to preferred", 2, true, []int64{30, 40, 45, 50, 55, 60, 70}, map[int64]string{
			30: "YYYNNNN", 40: "YYYNNNN", 45: "YYYYNNN", 50: "YYYGGGG", 55: "YYYGGGG", 60: "YYYGGGG", 90: "YYYGGGG"}},
		{"SMT, away", 2, false, []int64{30, 40, 45, 50, 55, 60, 70}, map[int64]string{
			30: "NNNNNNN", 40: "NNNNNNN", 45: "NNNNNNN", 50: "YYNGGGG", 55: "YYYGGGG", 60: "YYYGGGG"}},
		{"no SMT, to preferred", 1, true, []int64{60, 65, 70, 75, 80, 90, 100}, map[int64]string{
			60: "YYYNNNN", 65: "YYYYNNN", 70: "YYYYYNN", 75: "YYYGGGG", 90: "YYYGGGG"}},
		{"no SMT, away", 1, false, []int64{50, 60, 65, 70, 75, 80, 90}, map[int64]string{
			70: "NNNNNNN", 75: "YYNNGGG", 80: "YYYNGGG", 90: "YYYYGGG"}},
	} {
		p := Policy{OveraggrPct: 50, ImbPct: 20, SMT: m.smt}
		for src, want := range m.rows {
			got := ""
			for _, dst := range m.dst {
				got += p.CanMigrate(src*1000, 100000, dst*1000, 100000, 0, m.toPref).String()
			}
			assert.Equal(t, want, got, "%s, source at %d %%", m.name, src)
		}
	}
	p := Policy{OveraggrPct: 50, ImbPct: 20, SMT: 2}
	assert.Equal(t, Unrestricted, p.CanMigrate(0, 0, 0, 0, 0, true), "nothing published yet")
	assert.Equal(t, MoveLLC, p.CanMigrate(500, 8192, 0, 8192, 600, true), "source utilisation does not fall below 0")
}
