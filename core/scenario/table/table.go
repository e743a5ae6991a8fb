// Package table reads tables of scenarios: one file that holds a base scenario
// and a list of points, each of which changes some settings and has published
// rows of its own. A point is a scenario like any other; its name is that of
// the table, a dot and the point's label.
//
// A table is a scenario without "expect" that has these keys besides:
//
//	points   a list of {"label", "title", "set", "expect", ...}; set holds paths
//	         and values, title is put behind that of the table, and purpose,
//	         notice, machine, kernel, workload, events, run and arms replace
//	         those of the table; only label is required
//	row      keys that every row of every point has unless it says otherwise
//
// A row with "noise": true gets "mean_pct" in its place, the mean of the
// published changes of the table's noise rows.
package table

import (
	"strconv"
	"strings"

	"casplay/core/json"
)

// MaxPoints bounds the points of a table.
const MaxPoints = 128

// Table is a table whose frame has been checked; its points are checked as the
// scenarios that they come to.
type Table struct {
	Name, Title string
	root        *json.Node
	points      []*json.Node
	// mean is the mean published change of the noise rows, nil without any.
	mean *json.Node
}

// Open reads a table. It returns nil when the text is no table: no JSON object
// with "points". The problem, if any, says what is wrong with its frame.
func Open(data []byte) (t *Table, problem string) {
	if !strings.Contains(string(data), `"points"`) {
		return nil, ""
	}
	root, repeated, err := json.Parse(data)
	if err != nil || root.Kind != json.Object || root.Get("points") == nil {
		return nil, ""
	}
	t = &Table{root: root, Name: text(root, "name"), Title: text(root, "title"), points: root.Get("points").Items}
	row := root.Get("row")
	switch {
	case len(repeated) > 0:
		return t, string(repeated[0]) + " appears twice"
	case root.Get("points").Kind != json.List || len(t.points) == 0 || len(t.points) > MaxPoints:
		return t, "points must be a list of 1 to " + strconv.Itoa(MaxPoints) + " points"
	case row != nil && row.Kind != json.Object:
		return t, "row must be an object"
	case root.Get("expect") != nil:
		return t, "expect must stand in the points"
	}
	seen := map[string]bool{}
	for i, p := range t.points {
		label := text(p, "label")
		if p.Kind != json.Object || label == "" || seen[label] {
			return t, "points." + strconv.Itoa(i) + ".label must be a name that no other point has"
		}
		seen[label] = true
		for _, k := range p.Keys {
			switch k {
			case "label", "title", "set", "expect", "purpose", "notice", "machine", "kernel", "workload", "events", "run", "arms":
			default:
				return t, "points." + strconv.Itoa(i) + "." + k + " is not a known key; known are label, title, set, expect, purpose, notice, machine, kernel, workload, events, run and arms"
			}
		}
	}
	t.findMean(row)
	return t, ""
}

func text(n *json.Node, key string) string {
	if v := n.Get(key); v != nil && v.Kind == json.String {
		return v.Text
	}
	return ""
}

// Labels lists the points in the order of the file.
func (t *Table) Labels() []string {
	var out []string
	for _, p := range t.points {
		out = append(out, text(p, "label"))
	}
	return out
}

// PointTitle is the title of point i.
func (t *Table) PointTitle(i int) string {
	if own := text(t.points[i], "title"); own != "" {
		return t.Title + ": " + own
	}
	return t.Title + ": " + text(t.points[i], "label")
}

// Point is the scenario of a label as JSON, nil when there is none.
func (t *Table) Point(label string) []byte {
	for i, p := range t.points {
		if text(p, "label") == label {
			return t.scenario(i, p).Append(nil)
		}
	}
	return nil
}

// scenario is the base with what point i changes.
func (t *Table) scenario(i int, p *json.Node) *json.Node {
	out := &json.Node{Kind: json.Object}
	add := func(k string, v *json.Node) { out.Keys, out.Items = append(out.Keys, k), append(out.Items, v) }
	str := func(s string) *json.Node { return &json.Node{Kind: json.String, Text: s} }
	for j, k := range t.root.Keys {
		switch v := t.root.Items[j]; k {
		case "points", "row":
		case "name":
			add(k, str(t.Name+"."+text(p, "label")))
		case "title":
			add(k, str(t.PointTitle(i)))
		default:
			if own := p.Get(k); own != nil {
				v = own
			}
			add(k, v)
		}
	}
	for j, k := range p.Keys {
		if k != "label" && k != "set" && k != "expect" && t.root.Get(k) == nil {
			add(k, p.Items[j])
		}
	}
	if set := p.Get("set"); set != nil {
		add("set", set)
	}
	if rows := p.Get("expect"); rows != nil && rows.Kind != json.List {
		add("expect", rows)
	} else if rows != nil {
		full := &json.Node{Kind: json.List}
		for _, r := range rows.Items {
			full.Items = append(full.Items, t.row(r))
		}
		add("expect", full)
	}
	return out
}

// row adds to a row what the table says of all.
func (t *Table) row(r *json.Node) *json.Node {
	if r.Kind != json.Object {
		return r
	}
	out := &json.Node{Kind: json.Object}
	add := func(k string, v *json.Node) {
		if k == "noise" {
			if v.Text != "true" || t.mean == nil {
				return
			}
			k, v = "mean_pct", t.mean
		}
		out.Keys, out.Items = append(out.Keys, k), append(out.Items, v)
	}
	for j, k := range r.Keys {
		add(k, r.Items[j])
	}
	if all := t.root.Get("row"); all != nil {
		for j, k := range all.Keys {
			if r.Get(k) == nil {
				add(k, all.Items[j])
			}
		}
	}
	return out
}

// findMean averages the published changes of the noise rows.
func (t *Table) findMean(all *json.Node) {
	sum, n := 0.0, 0
	for _, p := range t.points {
		rows := p.Get("expect")
		if rows == nil {
			continue
		}
		for _, r := range rows.Items {
			noise := r.Get("noise")
			if noise == nil {
				noise = all.Get("noise")
			}
			if pct, ok := Change(r); ok && noise != nil && noise.Text == "true" {
				sum += pct
				n++
			}
		}
	}
	if n > 0 {
		t.mean = &json.Node{Kind: json.Num, Text: strconv.FormatFloat(sum/float64(n), 'f', 2, 64)}
	}
}

// Change is the published change of a row in %, from its delta_pct or its from and to.
func Change(r *json.Node) (pct float64, ok bool) {
	num := func(key string) (float64, bool) {
		v := r.Get(key)
		if v == nil || v.Kind != json.Num {
			return 0, false
		}
		x, err := strconv.ParseFloat(v.Text, 64)
		return x, err == nil
	}
	if pct, ok = num("delta_pct"); ok {
		return pct, true
	}
	from, ok1 := num("from")
	to, ok2 := num("to")
	if !ok1 || !ok2 || from == 0 {
		return 0, false
	}
	return float64((to/from - 1) * 100), true
}
