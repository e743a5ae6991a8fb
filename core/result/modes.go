package result

import "sort"

// minModal is the smallest sample in which two groups are looked for.
const minModal = 5

// modalGap is how many times the widest gap inside the groups the gap between
// two groups must be, so that the sample counts as bimodal.
const modalGap = 5

// bimodal splits a sample at its widest gap and reports whether that makes two
// groups: each with two values and a quarter of all at least, the gap at least
// modalGap times any other and a twentieth of the median. It is a warning to
// look at the dots, not a test: of samples of five from one even spread 4 in a
// hundred look like two groups, of ten 4 in a thousand.
func bimodal(sample []float64) (below, above int, yes bool) {
	n := len(sample)
	if n < minModal {
		return 0, 0, false
	}
	v := append([]float64{}, sample...)
	sort.Stable(sort.Float64Slice(v))
	widest, second, at := 0.0, 0.0, 0
	for i := 1; i < n; i++ {
		switch gap := v[i] - v[i-1]; {
		case gap > widest:
			widest, second, at = gap, widest, i
		case gap > second:
			second = gap
		}
	}
	least := max(2, (n+3)/4)
	median := medianSorted(v)
	if median < 0 {
		median = -median
	}
	yes = at >= least && n-at >= least && widest >= float64(modalGap*second) && widest*20 >= median && widest > 0
	return at, n - at, yes
}
