package result

// Expect is a published number, or a bound, for the median of one metric of
// one arm. Exactly one of three forms is set: Value with TolPct; DeltaPct
// (with From and To where they were published); Min, Max or both.
type Expect struct {
	Arm    string `json:"arm"`
	Metric string `json:"metric"`
	// Value is the published value, TolPct the accepted deviation in % of it.
	Value  *float64 `json:"value,omitempty"`
	TolPct float64  `json:"tol_pct,omitempty"`
	// DeltaPct is the published change in % against the arm Vs (the first arm
	// when empty), of the published values From and To where both are known.
	// TolPoints is the accepted deviation in percentage points; 0 leaves it to
	// the size of the change (see Follows).
	DeltaPct  *float64 `json:"delta_pct,omitempty"`
	From      *float64 `json:"from,omitempty"`
	To        *float64 `json:"to,omitempty"`
	TolPoints float64  `json:"tol_points,omitempty"`
	Vs        string   `json:"vs,omitempty"`
	// SpreadPct is the published spread of the runs in %, the larger of both arms.
	SpreadPct float64 `json:"spread_pct,omitempty"`
	// MeanPct is set for rows that their source calls noise: the mean of the
	// published changes of the whole table, which takes the place of DeltaPct.
	MeanPct *float64 `json:"mean_pct,omitempty"`
	// Min and Max bound the median, inclusive.
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
	// Role says whether the row was used in a fit.
	Role Role `json:"role"`
	// Row is the row's id in the list of published numbers.
	Row string `json:"row,omitempty"`
	// Source says who says so; without Row it begins with the row's id.
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
		v.Deviation = v.Simulated - e.published()
		v.Pass = e.Follows(v.Simulated)
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

// published is the change that the simulated one is compared with.
func (e *Expect) published() float64 {
	if e.MeanPct != nil {
		return *e.MeanPct
	}
	return *e.DeltaPct
}

// Points within which a change has to follow a published one: from bigChange %
// on with the right sign and within bigPoints, below smallChange % within smallPoints.
const (
	bigChange, bigPoints     = 10, 12
	smallChange, smallPoints = 5, 6
)

// Follows reports whether a simulated change in % agrees with the published
// one: within TolPoints where the row has them, else by the size of the
// published change. One of 5 to 10 % needs the right sign only, or both
// changes within the published spread.
func (e *Expect) Follows(simulated float64) bool {
	want := e.published()
	off, size := absf(simulated-want), absf(want)
	same := (simulated > 0) == (want > 0)
	switch {
	case e.TolPoints > 0:
		return off <= e.TolPoints
	case size >= bigChange:
		return same && off <= bigPoints
	case size < smallChange:
		return off <= smallPoints
	}
	return (same && simulated != 0) || (size <= e.SpreadPct && absf(simulated) <= e.SpreadPct)
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
