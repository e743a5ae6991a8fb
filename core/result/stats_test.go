package result

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSummarize(t *testing.T) {
	cases := []struct {
		v                        []float64
		median, min, max, lo, hi float64
		pct                      float64
	}{
		{[]float64{3}, 3, 3, 3, 3, 3, 0},
		{[]float64{3, 1}, 2, 1, 3, 1, 3, 50},
		{[]float64{5, 1, 3}, 3, 1, 5, 1, 5, 75},
		{[]float64{1, 2, 3, 4, 5}, 3, 1, 5, 1, 5, 93.75},
		{[]float64{1, 2, 3, 4, 5, 6}, 3.5, 1, 6, 1, 6, 96.875},
		// Tables of the sign test: n=10 gives ranks 2 and 9 (97.85 %), n=20 ranks 6 and 15 (95.86 %).
		{seq(10), 5.5, 1, 10, 2, 9, 97.8515625},
		{seq(20), 10.5, 1, 20, 6, 15, 95.861053466796875},
	}
	for _, c := range cases {
		s := Summarize(c.v)
		assert.Equal(t, Summary{c.median, c.min, c.max, len(c.v), Interval{c.lo, c.hi, c.pct}}, s)
	}
}

func seq(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(i + 1)
	}
	return v
}

// TestMannWhitney has p-values that can be counted by hand: 2 over the number
// of ways to choose, for two samples that do not overlap.
func TestMannWhitney(t *testing.T) {
	cases := []struct {
		a, b []float64
		p    float64
	}{
		{nil, []float64{1}, 1},
		{[]float64{1, 1}, []float64{1, 1}, 1},
		{[]float64{1, 2, 3}, []float64{4, 5, 6}, 2.0 / 20},
		{[]float64{1, 2, 3, 4}, []float64{5, 6, 7, 8}, 2.0 / 70},
		{[]float64{1, 2, 3, 4, 5}, []float64{6, 7, 8, 9, 10}, 2.0 / 252},
		{[]float64{10, 9, 8, 7, 6}, []float64{1, 2, 3, 4, 5}, 2.0 / 252},
		{[]float64{1, 2, 3, 4, 6}, []float64{5, 7, 8, 9, 10}, 4.0 / 252},
		{[]float64{1, 1, 1, 1, 1}, []float64{2, 2, 2, 2, 2}, 2.0 / 252},
		// Five values, one tie of two: 6 of the 10 choices are as far from the mean of 6.
		{[]float64{1, 2}, []float64{2, 3, 4}, 3.0 / 10},
	}
	for _, c := range cases {
		assert.InDelta(t, c.p, MannWhitney(c.a, c.b), 1e-12, "%v %v", c.a, c.b)
		assert.Equal(t, MannWhitney(c.a, c.b), MannWhitney(c.b, c.a), "symmetric")
	}
}

// TestMannWhitneyAgainstEnumeration compares with a count over all subsets.
func TestMannWhitneyAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		a, b := make([]float64, 1+rng.IntN(5)), make([]float64, 1+rng.IntN(5))
		for i := range a {
			a[i] = float64(rng.IntN(6))
		}
		for i := range b {
			b[i] = float64(rng.IntN(6))
		}
		assert.InDelta(t, enumerate(a, b), MannWhitney(a, b), 1e-12, "%v %v", a, b)
	}
}

func enumerate(a, b []float64) float64 {
	all := append(append([]float64{}, a...), b...)
	u := func(member func(int) bool) float64 { // Mann-Whitney U of the members
		s := 0.0
		for i := range all {
			for j := range all {
				if member(i) && !member(j) {
					switch {
					case all[i] > all[j]:
						s++
					case all[i] == all[j]:
						s += 0.5
					}
				}
			}
		}
		return s
	}
	mean := float64(len(a)*len(b)) / 2
	seen := math.Abs(u(func(i int) bool { return i < len(a) }) - mean)
	total, tail := 0, 0
	for set := range 1 << len(all) {
		n := 0
		for i := range all {
			n += set >> i & 1
		}
		if n != len(a) {
			continue
		}
		total++
		if math.Abs(u(func(i int) bool { return set>>i&1 == 1 })-mean) >= seen {
			tail++
		}
	}
	return float64(tail) / float64(total)
}

func TestNormalApproximationMeetsTheExactValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		a, b := make([]float64, 25), make([]float64, 25)
		for i := range a {
			a[i], b[i] = math.Floor(20*rng.Float64()), math.Floor(20*rng.Float64()+2)
		}
		sizes, inA := tieGroups(a, b)
		assert.InDelta(t, exactP(sizes, inA, 25, 25), normalP(sizes, inA, 25, 25), 5e-3)
	}
}

func TestTwoSided(t *testing.T) {
	for z := 0.0; z < 6; z += 0.01 {
		assert.InDelta(t, math.Erfc(z/math.Sqrt2), twoSided(z), 1e-12, "z=%g", z)
	}
	assert.Zero(t, twoSided(50))
}
