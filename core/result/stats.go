package result

import (
	"math"
	"slices"
	"sort"
)

// Interval is a confidence interval of a median.
type Interval struct {
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
	// Pct is the confidence that the interval has, in %: the one asked for or
	// more, or less where so few values cannot give it.
	Pct float64 `json:"pct"`
}

// Summary describes a sample without assuming a distribution.
type Summary struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
	N      int     `json:"n"`
	// CI is the order-statistic (sign test) interval of the median for 95 %.
	// Five values reach 93.75 % at most, with the interval Min..Max.
	CI Interval `json:"ci"`
}

// confidence is asked of every interval, alpha is the level of every test.
const (
	confidence = 0.95
	alpha      = 0.05
)

// Summarize computes the summary of a sample, which must not be empty.
func Summarize(sample []float64) Summary {
	v := slices.Clone(sample)
	sort.Stable(sort.Float64Slice(v)) // package slices would add a sort for each type to the engine
	n := len(v)
	s := Summary{Median: medianSorted(v), Min: v[0], Max: v[n-1], N: n}
	k, cover := orderInterval(n)
	s.CI = Interval{Lo: v[k-1], Hi: v[n-k], Pct: cover * 100}
	return s
}

func medianSorted(v []float64) float64 {
	n := len(v)
	if n%2 == 1 {
		return v[n/2]
	}
	return (v[n/2-1] + v[n/2]) / 2
}

// orderInterval returns the largest k for which the k-th smallest and the
// k-th largest of n values enclose the median with at least the wanted
// confidence, and that confidence: 1 - 2 * sum_{i<k} C(n,i) / 2^n. With
// fewer than six values k is 1 and the confidence is what that gives.
func orderInterval(n int) (k int, cover float64) {
	half := 1.0 // 2^(n-1)
	for i := 1; i < n; i++ {
		half *= 2
	}
	term, tail := 1.0, 1.0 // C(n,i) and its sum over i < k
	k, cover = 1, 1-tail/half
	for i := 1; 2*(i+1) <= n; i++ {
		term = term * float64(n-i+1) / float64(i)
		tail += term
		if c := 1 - tail/half; c >= confidence {
			k, cover = i+1, c
		}
	}
	return k, cover
}

// exactPairs is the largest number of values for which MannWhitney counts
// every arrangement; beyond it the normal approximation is good to 1e-3.
const exactPairs = 50

// MannWhitney returns the two-sided p-value of the hypothesis that a and b
// come from one distribution (Wilcoxon rank sum). Up to 50 values it is the
// exact permutation distribution, ties included; above, the normal
// approximation with correction for ties and continuity. With an empty
// sample it is 1.
func MannWhitney(a, b []float64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 1
	}
	sizes, inA := tieGroups(a, b)
	if len(sizes) == 1 {
		return 1
	}
	if len(a)+len(b) <= exactPairs {
		return exactP(sizes, inA, len(a), len(b))
	}
	return normalP(sizes, inA, len(a), len(b))
}

// observation is a value of one of two samples.
type observation struct {
	v   float64
	isA bool
}

type observations []observation

func (o observations) Len() int           { return len(o) }
func (o observations) Less(i, j int) bool { return o[i].v < o[j].v }
func (o observations) Swap(i, j int)      { o[i], o[j] = o[j], o[i] }

// tieGroups sorts both samples together and returns, for each group of equal
// values, its size and how many of them are from a.
func tieGroups(a, b []float64) (sizes, inA []int) {
	all := make(observations, 0, len(a)+len(b))
	for _, v := range a {
		all = append(all, observation{v, true})
	}
	for _, v := range b {
		all = append(all, observation{v, false})
	}
	sort.Stable(all)
	for i, o := range all {
		if i == 0 || o.v != all[i-1].v {
			sizes, inA = append(sizes, 0), append(inA, 0)
		}
		sizes[len(sizes)-1]++
		if o.isA {
			inA[len(inA)-1]++
		}
	}
	return sizes, inA
}

// rankSum returns twice the rank sum of a, with mid-ranks for ties, so that
// it is a whole number.
func rankSum(sizes, inA []int) (twice int) {
	before := 0
	for g, t := range sizes {
		twice += inA[g] * (2*before + t + 1)
		before += t
	}
	return twice
}

// exactP counts, over all ways to choose which na of the values are "a", how
// many give a rank sum at least as far from its mean as the observed one.
// The counts are doubles: exact below 2^53, the same on every platform above.
func exactP(sizes, inA []int, na, nb int) float64 {
	n := na + nb
	maxSum := n * (n + 1)
	ways := make([][]float64, na+1) // ways[m][s]: m values chosen, doubled rank sum s
	for m := range ways {
		ways[m] = make([]float64, maxSum+1)
	}
	ways[0][0] = 1
	before := 0
	for _, t := range sizes {
		rank := 2*before + t + 1
		for m := na; m >= 1; m-- {
			choose := 1.0
			for k := 1; k <= min(t, m); k++ {
				choose = choose * float64(t-k+1) / float64(k)
				from, to := ways[m-k], ways[m]
				for s := 0; s+k*rank <= maxSum; s++ {
					if from[s] != 0 {
						to[s+k*rank] += float64(choose * from[s])
					}
				}
			}
		}
		before += t
	}
	mean := na * (n + 1) // of the doubled rank sum
	far := abs(rankSum(sizes, inA) - mean)
	total, tail := 0.0, 0.0
	for s, w := range ways[na] {
		total += w
		if abs(s-mean) >= far {
			tail += w
		}
	}
	return tail / total
}

// normalP is the normal approximation of exactP.
func normalP(sizes, inA []int, na, nb int) float64 {
	n := float64(na + nb)
	ties := 0.0
	for _, t := range sizes {
		f := float64(t)
		ties += float64(f*f*f) - f
	}
	variance := float64(na) * float64(nb) / 12 * (n + 1 - ties/(n*(n-1)))
	diff := float64(abs(rankSum(sizes, inA)-na*(na+nb+1))) / 2
	z := max(diff-0.5, 0) / math.Sqrt(variance)
	return twoSided(z)
}

// twoSided is the probability of a standard normal value beyond ±z, from
// erf(x) = 2/sqrt(pi) * exp(-x^2) * sum 2^k x^(2k+1) / (1*3*...*(2k+1)) at
// x = z/sqrt(2). Library exponentials differ between platforms in the last
// bit, so that it is summed here with the four operations alone.
func twoSided(z float64) float64 {
	if z > 8 {
		return 0
	}
	x2 := z * z / 2
	x := math.Sqrt(x2)
	term, sum := x, x
	for k := 1; k < 300; k++ {
		term = term * 2 * x2 / float64(2*k+1)
		sum += term
	}
	// exp(x2) by its series after halving ten times, then squared back.
	y := x2 / 1024
	e, t := 1.0, 1.0
	for k := 1; k < 20; k++ {
		t = t * y / float64(k)
		e += t
	}
	for range 10 {
		e = e * e
	}
	const twoOverRootPi = 1.1283791670955126
	return max(0, 1-twoOverRootPi*sum/e)
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}
