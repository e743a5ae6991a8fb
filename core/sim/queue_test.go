package sim

import (
	"math/rand"
	"sort"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The queue against a naive twin: a sorted slice.
func TestQueueAgainstSortedSlice(t *testing.T) {
	for seed := range int64(20) {
		r := rand.New(rand.NewSource(seed))
		now := r.Int63n(1e12)
		q := newQueue(now)
		type item struct {
			at  int64
			seq int
		}
		var twin []item
		seq := 0
		for range 5000 {
			if len(twin) == 0 || r.Intn(5) < 3 {
				span := []int64{1, 1000, 1e6, 1e7, 4e7, 1e9}[r.Intn(6)]
				at := now + r.Int63n(span)
				seq++
				q.push(event{at: at, a: int32(seq)})
				i := sort.Search(len(twin), func(i int) bool { return twin[i].at > at })
				twin = append(twin, item{})
				copy(twin[i+1:], twin[i:])
				twin[i] = item{at, seq}
				continue
			}
			e := q.pop()
			assert.Equal(t, twin[0].at, e.at)
			assert.Equal(t, int32(twin[0].seq), e.a)
			now = e.at
			twin = twin[1:]
		}
		assert.Equal(t, len(twin), q.n)
	}
}

func BenchmarkQueue(b *testing.B) {
	q := newQueue(0)
	r := rand.New(rand.NewSource(1))
	for range 500 {
		q.push(event{at: r.Int63n(1e6)})
	}
	b.ReportAllocs()
	for b.Loop() {
		e := q.pop()
		e.at += r.Int63n(2e6)
		q.push(e)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
