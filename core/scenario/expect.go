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
		if !r.object(path, e, "arm", "metric", "value", "tol_pct", "delta_pct", "tol_points", "from", "to", "vs", "spread_pct", "mean_pct", "min", "max", "role", "row", "source", "miss") {
			continue
		}
		x := result.Expect{Metric: r.metric(path+".metric", e.Get("metric")), Row: r.text(path+".row", e.Get("row")), Source: r.text(path+".source", e.Get("source")), Miss: r.text(path+".miss", e.Get("miss"))}
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
		if e.Get("delta_pct") != nil || e.Get("from") != nil || e.Get("to") != nil {
			forms++
			r.change(s, path, e, &x)
		} else {
			for _, key := range [...]string{"tol_points", "vs", "spread_pct", "mean_pct"} {
				if e.Get(key) != nil {
					r.add(path+"."+key, e.Get(key), "belongs to delta_pct, or to from and to")
				}
			}
		}
		if e.Get("min") != nil || e.Get("max") != nil {
			forms++
			x.Min, x.Max = r.optional(path+".min", e.Get("min")), r.optional(path+".max", e.Get("max"))
			if x.Min != nil && x.Max != nil && *x.Min > *x.Max {
				r.add(path+".min", e.Get("min"), "must not exceed max")
			}
		}
		if forms != 1 {
			r.add(path, e, "must have one of: value with tol_pct, delta_pct, from and to, min or max or both")
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

// change reads a published change: delta_pct, or from and to.
func (r *reader) change(s *Scenario, path string, e *json.Node, x *result.Expect) {
	if e.Get("vs") != nil {
		x.Vs = r.armLabel(s, path+".vs", e.Get("vs"))
	}
	if n := e.Get("tol_points"); n != nil {
		x.TolPoints = r.tolerance(path+".tol_points", n)
	}
	if n := e.Get("spread_pct"); n != nil {
		x.SpreadPct = r.number(path+".spread_pct", n, 0, 1000)
	}
	x.MeanPct = r.optional(path+".mean_pct", e.Get("mean_pct"))
	x.DeltaPct = r.optional(path+".delta_pct", e.Get("delta_pct"))
	x.From, x.To = r.optional(path+".from", e.Get("from")), r.optional(path+".to", e.Get("to"))
	switch {
	case x.From == nil && x.To == nil:
	case x.DeltaPct != nil || x.From == nil || x.To == nil || *x.From <= 0 || *x.To <= 0:
		r.add(path, e, "must have either delta_pct, or from and to, both above 0")
	default:
		pct := float64((*x.To / *x.From - 1) * 100)
		x.DeltaPct = &pct
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
