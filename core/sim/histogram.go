package sim

import "math/bits"

// histogram counts durations in log-linear buckets: 32 to a power of two, so
// that a quantile is exact to 3 %.
type histogram struct {
	n      int64
	counts [histogramSize]int64
}

const (
	subBits       = 5
	histogramSize = (64 - subBits) << subBits
)

// bucket is the bucket of a duration in ns; negative ones count as 0.
func bucket(ns int64) int {
	v := uint64(max(ns, 0))
	if v < 1<<subBits {
		return int(v)
	}
	e := bits.Len64(v) - subBits - 1
	return (e+1)<<subBits + int(v>>e) - 1<<subBits
}

// lower is the smallest duration of a bucket.
func lower(b int) int64 {
	if b < 1<<subBits {
		return int64(b)
	}
	e := b>>subBits - 1
	return int64(b&(1<<subBits-1)+1<<subBits) << e
}

func (h *histogram) add(ns int64) {
	h.n++
	h.counts[bucket(ns)]++
}

// quantile is the middle of the bucket below which num of den durations lie,
// or 0 if there are none.
func (h *histogram) quantile(num, den int64) int64 {
	need := (h.n*num + den - 1) / den
	var sum int64
	for b, c := range h.counts {
		if sum += c; sum >= need && sum > 0 {
			return (lower(b) + lower(b+1)) / 2
		}
	}
	return 0
}
