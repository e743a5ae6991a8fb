package result

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestBimodal(t *testing.T) {
	cases := []struct {
		name string
		v    []float64
		yes  bool
	}{
		{"two groups", []float64{10, 10.1, 20, 10.2, 20.1, 20.2}, true},
		{"order does not matter", []float64{20.2, 20.1, 10.2, 20, 10.1, 10}, true},
		{"too few to tell", []float64{10, 10.1, 20, 20.1}, false},
		{"the seeds of a shipped scenario", []float64{10, 10.1, 20, 20.1, 20.2}, true},
		{"one outlier", []float64{10, 10.1, 10.2, 10.3, 10.4, 20}, false},
		{"even spread", []float64{1, 2, 3, 4, 5, 6, 7, 8}, false},
		{"equal values", []float64{1, 1, 1, 1, 1, 1}, false},
		{"groups of equal values", []float64{0, 0, 0, 5, 5, 5}, true},
		{"a gap that nobody cares about", []float64{10, 10.0001, 10.0002, 10.01, 10.0101, 10.0102}, false},
	}
	for _, c := range cases {
		below, above, yes := bimodal(c.v)
		assert.Equal(t, c.yes, yes, c.name)
		if yes {
			assert.Equal(t, len(c.v), below+above, c.name)
		}
	}
}

// The warning names the arm, the metric and the sizes of the groups.
func TestBimodalArmIsWarnedOf(t *testing.T) {
	var runs []*Run
	for i, ms := range []int64{1000, 1001, 1002, 2000, 2001, 2002} {
		runs = append(runs, &Run{Seed: uint64(i + 1), Done: true, Metrics: []Metric{{Name: "runtime_s", Raw: ms, Scale: 1000}, {Name: "migrations", Raw: ms, Scale: 1}}})
	}
	r := Summarise(Plan{Arms: []PlanArm{{Label: "on"}}}, runs)
	assert.Equal(t, []string{"arm on: runtime_s falls into two groups, 3 runs below and 3 above; the median describes neither, look at the single runs and use more seeds"}, r.Warnings)
}
