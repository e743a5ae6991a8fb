package pelt

import (
	"math"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The table of inverses must be what its definition says.
func TestInverseTable(t *testing.T) {
	for k, got := range inverse {
		want := math.Floor((1<<32 - 1) * math.Pow(2, -float64(k)/32))
		assert.InDelta(t, want, float64(got), 1, "k=%d", k)
	}
}

// util after ms of running from 0 and from 512, and of blocking from 1024
// (wakeup-and-queue.md section 8; Linux 7.3 ___update_load_sum).
func TestUtilTables(t *testing.T) {
	run := func(a Avg, ms, stepMs int, running uint64) int64 {
		for i := stepMs; i <= ms; i += stepMs {
			if a.Accumulate(int64(i)*1e6, 1, running, running) {
				a.Average(1024)
			}
		}
		return a.UtilAvg
	}
	for _, c := range []struct {
		ms   int
		want int64
	}{{4, 81}, {8, 156}, {16, 288}, {20, 346}, {32, 495}, {64, 751}, {100, 894}, {128, 951}, {200, 1008}, {320, 1023}} {
		assert.Equal(t, c.want, run(Avg{}, c.ms, 1, 1), "from 0, %d ms", c.ms)
	}
	start := Avg{UtilAvg: 512, UtilSum: 512 * MinDivider}
	for _, c := range []struct {
		ms   int
		want int64
	}{{4, 552}, {8, 590}, {16, 656}, {20, 685}, {32, 759}, {64, 887}, {100, 959}, {128, 987}, {200, 1015}, {320, 1023}} {
		assert.InDelta(t, c.want, run(start, c.ms, 4, 1), 1, "from 512, %d ms", c.ms)
	}
	full := Avg{UtilAvg: 1024, UtilSum: 1024 * MinDivider}
	for _, c := range []struct {
		ms   int
		want int64
	}{{8, 867}, {16, 735}, {32, 528}, {64, 272}, {100, 129}, {128, 72}, {200, 16}, {320, 1}} {
		assert.InDelta(t, c.want, run(full, c.ms, 1, 0), 2, "blocked from 1024, %d ms", c.ms)
	}
}

// The averages never leave [0, 1024] for a task, whatever the update pattern.
func TestBounds(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 200 {
		var a Avg
		now := int64(0)
		for range 200 {
			now += r.Int63n(5e6)
			on := uint64(r.Intn(2))
			if a.Accumulate(now, on, on, on&uint64(r.Intn(2))) {
				a.Average(1024)
			}
			assert.LessOrEqual(t, a.UtilAvg, int64(1024))
			assert.LessOrEqual(t, a.LoadAvg, int64(1024))
			assert.GreaterOrEqual(t, a.UtilAvg, int64(0))
		}
	}
}

// Attaching and detaching the same task leaves the queue's averages alone.
func TestAttachDetach(t *testing.T) {
	q := Avg{UtilAvg: 300, UtilSum: 300 * MinDivider, LoadAvg: 2048, LoadSum: 2048 * MinDivider, RunnableAvg: 400, RunnableSum: 400 * MinDivider}
	a := Avg{UtilAvg: 200, LoadAvg: 700, RunnableAvg: 210}
	before := q
	a.Attach(&q)
	assert.EqualValues(t, 500, q.UtilAvg)
	q.Detach(&a)
	assert.Equal(t, before.UtilAvg, q.UtilAvg)
	assert.Equal(t, before.LoadAvg, q.LoadAvg)
	assert.Equal(t, before.RunnableAvg, q.RunnableAvg)
}

func BenchmarkAccumulate(b *testing.B) {
	var a Avg
	for i := range b.N {
		if a.Accumulate(int64(i)*1e6, 1, 1, 1) {
			a.Average(1024)
		}
	}
}
