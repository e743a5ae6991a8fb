package scenario

import (
	"strconv"

	"casplay/core/json"
	"casplay/core/result"
)

// expect reads the published rows.
func (r *reader) expect(s *Scenario, n *json.Node) {
	for i, e := range r.list("expect", n, MaxExpect) {
		path := "expect." + strconv.Itoa(i)
		if !r.object(path, e, "arm", "metric", "value", "tol_pct", "delta_pct", "tol_points", "vs", "min", "max", "role", "source", "miss") {
			continue
		}
		x := result.Expect{Metric: r.metric(path+".metric", e.Get("metric")), Source: r.text(path+".source", e.Get("source")), Miss: r.text(path+".miss", e.Get("miss"))}
		x.Arm = r.armLabel(s, path+".arm", e.Get("arm"))
		forms := 0
		if e.Get("value") != nil {
			forms++
			x.Value = r.optional(path+".value", e.Get("value"))
			x.TolPct = r.tolerance(path+".tol_pct", e.Get("tol_pct"))
			if x.Value != nil && *x.Value == 0 {
				r.add(path+".value", e.Get("value"), "must not be 0, which has no deviation in %; use min and max")
			}
		} else if e.Get("tol_pct") != nil {
			r.add(path+".tol_pct", e.Get("tol_pct"), "belongs to value")
		}
		if e.Get("delta_pct") != nil {
			forms++
			x.DeltaPct = r.optional(path+".delta_pct", e.Get("delta_pct"))
			x.TolPoints = r.tolerance(path+".tol_points", e.Get("tol_points"))
			if e.Get("vs") != nil {
				x.Vs = r.armLabel(s, path+".vs", e.Get("vs"))
			}
		} else if e.Get("tol_points") != nil || e.Get("vs") != nil {
			r.add(path, e, "has tol_points or vs without delta_pct")
		}
		if e.Get("min") != nil || e.Get("max") != nil {
			forms++
			x.Min, x.Max = r.optional(path+".min", e.Get("min")), r.optional(path+".max", e.Get("max"))
			if x.Min != nil && x.Max != nil && *x.Min > *x.Max {
				r.add(path+".min", e.Get("min"), "must not exceed max")
			}
		}
		if forms != 1 {
			r.add(path, e, "must have one of: value with tol_pct, delta_pct with tol_points, min or max or both")
		}
		role := e.Get("role")
		switch {
		case role != nil && role.Text == string(result.Training):
			x.Role = result.Training
		case role != nil && role.Text == string(result.Predicted):
			x.Role = result.Predicted
		default:
			r.add(path+".role", role, "must be training or predicted")
		}
		s.Expect = append(s.Expect, x)
	}
}

// maxNumber bounds every number of an expectation.
const maxNumber = 1e15

func (r *reader) optional(path string, n *json.Node) *float64 {
	if n == nil {
		return nil
	}
	v := r.number(path, n, -maxNumber, maxNumber)
	return &v
}

func (r *reader) tolerance(path string, n *json.Node) float64 {
	if n == nil {
		r.add(path, nil, "is missing: the accepted deviation")
		return 0
	}
	return r.number(path, n, 0, 1000)
}

func (r *reader) armLabel(s *Scenario, path string, n *json.Node) string {
	if n == nil || n.Kind != json.String || s.ArmIndex(n.Text) < 0 {
		r.add(path, n, "must be the label of an arm")
		return ""
	}
	return n.Text
}

// metric reads the name of a metric: lower-case letters, digits, underscores.
func (r *reader) metric(path string, n *json.Node) string {
	ok := n != nil && n.Kind == json.String && n.Text != "" && len(n.Text) <= maxName
	if ok {
		for _, c := range n.Text {
			ok = ok && (c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
		}
	}
	if !ok {
		r.add(path, n, "must be the name of a metric, like runtime_s")
		return ""
	}
	return n.Text
}
