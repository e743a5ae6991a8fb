package result

// Expect is a published number, or a bound, for the median of one metric of
// one arm. Exactly one of three forms is set: Value with TolPct; DeltaPct
// with TolPoints; Min, Max or both.
type Expect struct {
	Arm    string `json:"arm"`
	Metric string `json:"metric"`
	// Value is the published value, TolPct the accepted deviation in % of it.
	Value  *float64 `json:"value,omitempty"`
	TolPct float64  `json:"tol_pct,omitempty"`
	// DeltaPct is the published change in % against the arm Vs (the first arm
	// when empty), TolPoints the accepted deviation in percentage points.
	DeltaPct  *float64 `json:"delta_pct,omitempty"`
	TolPoints float64  `json:"tol_points,omitempty"`
	Vs        string   `json:"vs,omitempty"`
	// Min and Max bound the median, inclusive.
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
	// Role says whether the row was used in a fit.
	Role Role `json:"role"`
	// Source is the row's id in the list of published numbers, or who says so.
	Source string `json:"source,omitempty"`
	// Miss says why the model does not reproduce the row, where that is known.
	Miss string `json:"miss,omitempty"`
}

// Role says what an expectation was used for.
type Role string

const (
	// Training rows were used to fit a machine or workload parameter: that
	// they come out is no evidence.
	Training Role = "training"
	// Predicted rows took part in no fit.
	Predicted Role = "predicted"
)

// Verdict compares one expectation with a result.
type Verdict struct {
	Expect
	// Simulated is the median, or the delta in % for a delta row.
	Simulated float64 `json:"simulated"`
	// Deviation is in % of the published value, or in percentage points for a
	// delta row; for a bound, how far outside it the median is (0 inside).
	Deviation float64 `json:"deviation"`
	Pass      bool    `json:"pass"`
	// Reason says why a row could not be judged; empty otherwise.
	Reason string `json:"reason,omitempty"`
}

// Judge compares every expectation with the medians of a result. A row whose
// arm or metric is missing fails with a reason.
func Judge(expect []Expect, r *Result) []Verdict {
	out := make([]Verdict, 0, len(expect))
	for _, e := range expect {
		out = append(out, judge(e, r))
	}
	return out
}

func judge(e Expect, r *Result) Verdict {
	v := Verdict{Expect: e}
	median, ok := r.median(e.Arm, e.Metric)
	if !ok {
		v.Reason = "no metric " + e.Metric + " in arm " + e.Arm
		return v
	}
	v.Simulated = median
	switch {
	case e.Value != nil:
		if *e.Value == 0 {
			v.Reason = "a published 0 has no deviation in %; use min and max"
			return v
		}
		v.Deviation = (median / *e.Value - 1) * 100
		v.Pass = absf(v.Deviation) <= e.TolPct
	case e.DeltaPct != nil:
		vs := e.Vs
		if vs == "" && len(r.Arms) > 0 {
			vs = r.Arms[0].Label
		}
		ref, ok := r.median(vs, e.Metric)
		if !ok || ref == 0 {
			v.Reason = "no metric " + e.Metric + " to compare with in arm " + vs
			return v
		}
		v.Simulated = float64((median/ref - 1) * 100) // no fused operation with the next line
		v.Deviation = v.Simulated - *e.DeltaPct
		v.Pass = absf(v.Deviation) <= e.TolPoints
	default:
		v.Pass = true
		if e.Min != nil && median < *e.Min {
			v.Deviation, v.Pass = median-*e.Min, false
		}
		if e.Max != nil && median > *e.Max {
			v.Deviation, v.Pass = median-*e.Max, false
		}
	}
	return v
}

func (r *Result) median(arm, metric string) (float64, bool) {
	for i := range r.Arms {
		if r.Arms[i].Label != arm {
			continue
		}
		if s, ok := r.Arms[i].Metrics.Get(metric); ok {
			return s.Median, true
		}
	}
	return 0, false
}

func absf(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}
