package scenario

import (
	"slices"
	"strconv"
	"strings"

	"casplay/core/machine"
	"casplay/core/workload"
)

// Parse reads a scenario in JSON and checks all of it. The error is Problems,
// with everything that is wrong, in the order of the text.
func Parse(data []byte, lib Library) (*Scenario, error) {
	if len(data) > MaxBytes {
		return nil, Problems{{Path: "scenario", Problem: "must be at most " + strconv.Itoa(MaxBytes) + " bytes", Value: strconv.Itoa(len(data))}}
	}
	root, dup, err := readJSON(data)
	if err != nil {
		return nil, Problems{{Path: "scenario", Problem: "is not valid JSON: " + err.Error()}}
	}
	r := reader{problems: dup, lib: lib}
	s := r.scenario(root)
	if len(r.problems) == 0 {
		r.problems = s.check()
	}
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	return s, nil
}

// reader turns JSON values into a scenario and collects problems.
type reader struct {
	problems Problems
	lib      Library
}

func (r *reader) add(path string, n *node, problem string) {
	r.problems = append(r.problems, Problem{Path: path, Value: n.shown(), Problem: problem})
}

// object checks that n is an object with known keys only.
func (r *reader) object(path string, n *node, known ...string) bool {
	if n.kind != nodeObject {
		r.add(path, n, "must be an object")
		return false
	}
	for _, k := range n.keys {
		if !slices.Contains(known, k) {
			r.problems = append(r.problems, Problem{
				Path: join(path, shorten(k)), Problem: "is not a known key; known are " + orList(known),
				Nearest: machine.NearestKey(k, known),
			})
		}
	}
	return true
}

func (r *reader) list(path string, n *node, most int) []*node {
	switch {
	case n == nil:
		return nil
	case n.kind != nodeList:
		r.add(path, n, "must be a list")
		return nil
	case len(n.items) > most:
		r.problems = append(r.problems, Problem{Path: path, Value: strconv.Itoa(len(n.items)) + " entries", Problem: "must have at most " + strconv.Itoa(most) + " entries"})
		return nil
	}
	return n.items
}

// text reads a free text; absent is empty.
func (r *reader) text(path string, n *node) string {
	if n == nil {
		return ""
	}
	if n.kind != nodeString || len(n.text) > maxText || !isPrintable(n.text) {
		r.add(path, n, "must be a printable text of at most "+strconv.Itoa(maxText)+" bytes")
		return ""
	}
	return n.text
}

func (r *reader) name(path string, n *node, most int) string {
	if n == nil || n.kind != nodeString || !isName(n.text, most) {
		r.add(path, n, "must be a name of 1 to "+strconv.Itoa(most)+" lower-case letters, digits and dashes")
		return ""
	}
	return n.text
}

// number reads a finite number in a range.
func (r *reader) number(path string, n *node, lo, hi float64) float64 {
	f := Field{Key: workload.Key{Type: workload.Float, Min: lo, Max: hi}}
	if n.kind == nodeNumber {
		if v, problem := f.parse(n.text); problem == "" {
			return v.(float64)
		}
	}
	r.add(path, n, f.Allowed())
	return lo
}

func (r *reader) integer(path string, n *node, lo, hi int64) int64 {
	if n == nil {
		return lo
	}
	f := Field{Key: workload.Key{Type: workload.Int, Min: float64(lo), Max: float64(hi)}}
	if n.kind == nodeNumber {
		if v, problem := f.parse(n.text); problem == "" {
			return v.(int64)
		}
	}
	r.add(path, n, f.Allowed())
	return lo
}

// Lengths of names.
const (
	maxName  = 40
	maxLabel = 16
)

func (r *reader) scenario(n *node) *Scenario {
	if !r.object("", n, "v", "name", "title", "purpose", "source", "notice", "machine", "kernel", "workload", "events", "run", "arms", "expect") {
		return nil
	}
	if v := n.get("v"); v == nil || v.kind != nodeNumber || v.text != strconv.Itoa(Version) {
		r.add("v", v, "must be "+strconv.Itoa(Version)+", the version of the format")
	}
	s := newScenario(r.hz(n.get("kernel")), r.lib)
	s.Name = r.name("name", n.get("name"), maxName)
	s.Title = r.text("title", n.get("title"))
	s.Purpose = r.text("purpose", n.get("purpose"))
	s.Source = r.text("source", n.get("source"))
	s.Notice = r.text("notice", n.get("notice"))
	s.Machine = r.machine(MachinePath, n.get("machine"))
	r.group(s, "kernel", n.get("kernel"))
	r.group(s, "run", n.get("run"))
	r.workload(s, n.get("workload"))
	r.events(s, n.get("events"))
	r.arms(s, n.get("arms"))
	r.expect(s, n.get("expect"))
	return s
}

// hz reads the tick rate ahead of the other keys, whose defaults depend on it.
func (r *reader) hz(kernelNode *node) int {
	n := kernelNode.get("hz")
	if f, _ := (&Scenario{}).Field("kernel.hz"); n != nil && n.kind == nodeNumber {
		if v, problem := f.parse(n.text); problem == "" {
			return int(v.(int64))
		}
	}
	return defaultHZ
}

func (r *reader) machine(path string, n *node) MachineRef {
	switch {
	case n != nil && n.kind == nodeString:
		m, problem := parseMachine(n.text, r.lib)
		if problem != nil {
			problem.Path = path
			r.problems = append(r.problems, *problem)
		}
		return m
	case n != nil && n.kind == nodeObject:
		spec, errs := machine.ParseSpec(n.appendJSON(nil))
		for _, e := range errs {
			e.Path = join(path, e.Path)
			r.problems = append(r.problems, e)
		}
		return MachineRef{Spec: spec}
	}
	r.add(path, n, "must be the name of a machine, an inline machine or a synthetic string")
	return MachineRef{}
}

// group reads the fixed fields below a path, which may nest.
func (r *reader) group(s *Scenario, path string, n *node) {
	if n == nil {
		return
	}
	if !r.object(path, n, groupKeys(path)...) {
		return
	}
	for i, k := range n.keys {
		full := path + "." + k
		if f, ok := (&Scenario{}).Field(full); ok {
			if v, ok := r.value(full, &f, n.items[i]); ok {
				s.put(f, v)
			}
		} else if len(groupKeys(full)) > 0 {
			r.group(s, full, n.items[i])
		}
	}
}

// groupKeys lists the keys directly below a path.
func groupKeys(path string) []string {
	var keys []string
	for _, f := range fixedFields {
		if rest, ok := strings.CutPrefix(f.Path, path+"."); ok {
			key, _, _ := strings.Cut(rest, ".")
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// value reads one setting; the JSON type must be that of the field.
func (r *reader) value(path string, f *Field, n *node) (any, bool) {
	if f.Path == MachinePath {
		before := len(r.problems)
		m := r.machine(path, n)
		return m, len(r.problems) == before
	}
	want := nodeNumber
	switch f.Key.Type {
	case workload.Bool:
		want = nodeBool
	case workload.String:
		want = nodeString
	}
	problem := f.Allowed()
	if n.kind == want {
		var v any
		if v, problem = f.parse(n.text); problem == "" {
			return v, true
		}
	}
	r.add(path, n, problem)
	return nil, false
}

func (r *reader) workload(s *Scenario, n *node) {
	var kinds []string
	for _, k := range workload.Kinds() {
		kinds = append(kinds, k.Name)
	}
	if n == nil {
		r.add("workload", nil, "must be a list of at least one workload")
	}
	for i, e := range r.list("workload", n, MaxWorkloads) {
		path := "workload." + strconv.Itoa(i)
		if e.kind != nodeObject {
			r.add(path, e, "must be an object")
			continue
		}
		kind := e.get("kind")
		if kind == nil || kind.kind != nodeString || !slices.Contains(kinds, kind.text) {
			p := Problem{Path: path + ".kind", Value: kind.shown(), Problem: "must be " + orList(kinds)}
			if kind != nil {
				p.Nearest = machine.NearestKey(kind.text, kinds)
			}
			r.problems = append(r.problems, p)
			continue
		}
		s.Workload = append(s.Workload, r.entry(path, kind.text, e))
	}
}

func (r *reader) entry(path, kind string, n *node) workload.Spec {
	spec := workload.Spec{Kind: kind, Values: map[string]any{}}
	known := []string{"kind"}
	for _, k := range keysOf(kind) {
		known = append(known, k.Name)
		spec.Values[k.Name] = k.Default
		if e := n.get(k.Name); e != nil {
			f := workloadField(0, k)
			if v, ok := r.value(path+"."+k.Name, &f, e); ok {
				spec.Values[k.Name] = v
			}
		}
	}
	r.object(path, n, known...)
	return spec
}

// overrides reads an object of dotted paths and values into the order of Fields.
func (r *reader) overrides(s *Scenario, path string, n *node, allowed func(*Field) string) []Override {
	if n == nil {
		return nil
	}
	if n.kind != nodeObject {
		r.add(path, n, "must be an object of paths and values")
		return nil
	}
	found := map[string]any{}
	for i, key := range n.keys {
		at := join(path, shorten(key))
		f, ok := s.Field(key)
		if !ok {
			r.problems = append(r.problems, Problem{Path: at, Problem: "is not the path of a setting", Nearest: s.nearest(key)})
			continue
		}
		if problem := allowed(&f); problem != "" {
			r.add(at, n.items[i], problem)
			continue
		}
		if _, twice := found[f.Path]; twice {
			r.add(at, n.items[i], "is set twice, as "+f.Path+" and as "+f.Short)
			continue
		}
		if v, ok := r.value(at, &f, n.items[i]); ok {
			found[f.Path] = v
		}
	}
	return s.inOrder(found)
}

// inOrder sorts overrides into the order of Fields.
func (s *Scenario) inOrder(found map[string]any) []Override {
	var out []Override
	for _, f := range s.Fields() {
		if v, ok := found[f.Path]; ok {
			out = append(out, Override{f.Path, v})
		}
	}
	return out
}

func allowedInArm(f *Field) string {
	if !f.InArms {
		return "is shared by all arms; set it on the scenario"
	}
	return ""
}

func allowedLive(f *Field) string {
	if !f.Live {
		return "cannot change during a run"
	}
	return ""
}

// reserved words cannot be labels: on.tol would be read as a path.
var reserved = []string{"arms", "kernel", "machine", "run", "workload"}

func (r *reader) arms(s *Scenario, n *node) {
	entries := r.list("arms", n, MaxArms)
	if n == nil || (n.kind == nodeList && len(n.items) == 0) {
		r.add("arms", n, "must be a list of at least one arm")
	}
	for i, e := range entries {
		path := "arms." + strconv.Itoa(i)
		if !r.object(path, e, "label", "set") {
			continue
		}
		a := Arm{Label: r.name(path+".label", e.get("label"), maxLabel)}
		if slices.Contains(reserved, a.Label) {
			r.add(path+".label", e.get("label"), "is the first part of a path; choose another label")
		}
		if s.ArmIndex(a.Label) >= 0 {
			r.add(path+".label", e.get("label"), "is the label of another arm")
		}
		a.Set = r.overrides(s, path+".set", e.get("set"), allowedInArm)
		s.Arms = append(s.Arms, a)
	}
}

func (r *reader) events(s *Scenario, n *node) {
	for i, e := range r.list("events", n, MaxEvents) {
		path := "events." + strconv.Itoa(i)
		if !r.object(path, e, "at_ms", "set", "sleep", "threads", "for_ms") {
			continue
		}
		if e.get("at_ms") == nil {
			r.add(path+".at_ms", nil, "is missing: the time of the event in ms")
		}
		if (e.get("set") == nil) == (e.get("sleep") == nil) {
			r.add(path, e, "must have either set or sleep")
		}
		ev := Event{
			AtMs: r.integer(path+".at_ms", e.get("at_ms"), 0, MaxMs),
			Set:  r.overrides(s, path+".set", e.get("set"), allowedLive),
		}
		if sl := e.get("sleep"); sl != nil {
			ev.Sleep = r.text(path+".sleep", sl)
			ev.Threads = int(r.integer(path+".threads", e.get("threads"), 0, MaxThreads))
			ev.ForMs = r.integer(path+".for_ms", e.get("for_ms"), 0, MaxMs)
		} else if e.get("threads") != nil || e.get("for_ms") != nil {
			r.add(path, e, "has threads or for_ms without sleep")
		}
		s.Events = append(s.Events, ev)
	}
}
