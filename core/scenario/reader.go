package scenario

import (
	"slices"
	"strconv"
	"strings"

	"casplay/core/json"
	"casplay/core/machine"
	"casplay/core/workload"
)

// reader turns JSON values into a scenario and collects problems.
type reader struct {
	problems Problems
	lib      Library
}

func (r *reader) add(path string, n *json.Node, problem string) {
	r.problems = append(r.problems, Problem{Path: path, Value: shown(n), Problem: problem})
}

// object checks that n is an object with known keys only.
func (r *reader) object(path string, n *json.Node, known ...string) bool {
	if n.Kind != json.Object {
		r.add(path, n, "must be an object")
		return false
	}
	for _, k := range n.Keys {
		if !slices.Contains(known, k) {
			r.problems = append(r.problems, Problem{
				Path: json.Join(path, shorten(k)), Problem: "is not a known key; known are " + orList(known),
				Nearest: machine.NearestKey(k, known),
			})
		}
	}
	return true
}

func (r *reader) list(path string, n *json.Node, most int) []*json.Node {
	switch {
	case n == nil:
		return nil
	case n.Kind != json.List:
		r.add(path, n, "must be a list")
		return nil
	case len(n.Items) > most:
		r.problems = append(r.problems, Problem{Path: path, Value: strconv.Itoa(len(n.Items)) + " entries", Problem: "must have at most " + strconv.Itoa(most) + " entries"})
		return nil
	}
	return n.Items
}

// text reads a free text; absent is empty.
func (r *reader) text(path string, n *json.Node) string {
	if n == nil {
		return ""
	}
	if n.Kind != json.String || len(n.Text) > maxText || !isPrintable(n.Text) {
		r.add(path, n, "must be a printable text of at most "+strconv.Itoa(maxText)+" bytes")
		return ""
	}
	return n.Text
}

// scenarioName reads the name of a scenario: a name, or that of a table, a dot
// and the label of a point.
func (r *reader) scenarioName(n *json.Node) string {
	if n != nil && n.Kind == json.String {
		if whole, label, point := strings.Cut(n.Text, "."); point && isName(whole, maxName) && isName(label, maxLabel) {
			return n.Text
		}
	}
	return r.name("name", n, maxName)
}

func (r *reader) name(path string, n *json.Node, most int) string {
	if n == nil || n.Kind != json.String || !isName(n.Text, most) {
		r.add(path, n, "must be a name of 1 to "+strconv.Itoa(most)+" lower-case letters, digits and dashes")
		return ""
	}
	return n.Text
}

// number reads a finite number in a range.
func (r *reader) number(path string, n *json.Node, lo, hi float64) float64 {
	f := Field{Key: workload.Key{Type: workload.Float, Min: lo, Max: hi}}
	if n.Kind == json.Num {
		if v, problem := f.parse(n.Text); problem == "" {
			return v.(float64)
		}
	}
	r.add(path, n, f.Allowed())
	return lo
}

func (r *reader) integer(path string, n *json.Node, lo, hi int64) int64 {
	if n == nil {
		return lo
	}
	f := Field{Key: workload.Key{Type: workload.Int, Min: float64(lo), Max: float64(hi)}}
	if n.Kind == json.Num {
		if v, problem := f.parse(n.Text); problem == "" {
			return v.(int64)
		}
	}
	r.add(path, n, f.Allowed())
	return lo
}
