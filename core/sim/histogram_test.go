package sim

import (
	"math/rand"
	"sort"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Buckets are ordered, gapless and at most 1/32 wide.
func TestHistogramBuckets(t *testing.T) {
	for b := range histogramSize - 1 {
		lo, hi := lower(b), lower(b+1)
		if hi < lo {
			break // beyond int64
		}
		assert.Less(t, lo, hi)
		assert.Equal(t, b, bucket(lo))
		assert.Equal(t, b, bucket(hi-1))
		assert.LessOrEqual(t, (hi-lo)*32, max(lo, 32))
	}
	assert.Equal(t, 0, bucket(-5))
}

// Quantiles agree with those of a sorted list to the width of a bucket.
func TestHistogramAgainstSorting(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 200 {
		var h histogram
		v := make([]int64, 1+r.Intn(500))
		for i := range v {
			v[i] = r.Int63n(1 << (1 + r.Intn(40)))
			h.add(v[i])
		}
		sort.Slice(v, func(i, j int) bool { return v[i] < v[j] })
		for _, q := range []int64{1, 50, 99, 100} {
			want := v[(int64(len(v))*q+99)/100-1]
			assert.InDelta(t, want, h.quantile(q, 100), float64(want)/32+1)
		}
	}
	var empty histogram
	assert.Zero(t, empty.quantile(99, 100))
}

func TestMulDiv(t *testing.T) {
	assert.EqualValues(t, 6, mulDiv(2, 9, 3))
	assert.EqualValues(t, 5_000_000_000_000, mulDiv(10_000_000_000, 1_000_000_000_000, 2_000_000_000))
	assert.Zero(t, mulDiv(1, 1, 0))
	assert.Zero(t, mulDiv(1<<62, 1<<62, 1), "too large to hold")
}
