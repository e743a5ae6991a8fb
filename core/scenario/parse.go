package scenario

import (
	"slices"
	"strconv"
	"strings"

	"casplay/core/json"
	"casplay/core/machine"
	"casplay/core/workload"
)

// Parse reads a scenario in JSON and checks all of it. The error is Problems,
// with everything that is wrong, in the order of the text.
func Parse(data []byte, lib Library) (*Scenario, error) {
	if len(data) > MaxBytes {
		return nil, Problems{{Path: "scenario", Problem: "must be at most " + strconv.Itoa(MaxBytes) + " bytes", Value: strconv.Itoa(len(data))}}
	}
	root, repeated, err := json.Parse(data)
	if err != nil {
		return nil, Problems{{Path: "scenario", Problem: "is not valid JSON: " + err.Error()}}
	}
	if root.Get("points") != nil {
		return nil, Problems{{Path: "points", Problem: "makes this a table of scenarios; open one of them by its name, as in hackbench-spr.g1"}}
	}
	r := reader{lib: lib}
	for _, path := range repeated {
		r.problems = append(r.problems, Problem{Path: shorten(string(path)), Problem: "appears twice"})
	}
	s := r.scenario(root)
	if len(r.problems) == 0 {
		r.problems = s.check()
	}
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	return s, nil
}

// Lengths of names.
const (
	maxName  = 40
	maxLabel = 16
)

func (r *reader) scenario(n *json.Node) *Scenario {
	n = r.upgraded(n)
	if !r.object("", n, "v", "name", "title", "purpose", "source", "notice", "machine", "kernel", "workload", "events", "run", "set", "arms", "expect") {
		return nil
	}
	s := newScenario(r.hz(n.Get("kernel")), r.rules(n.Get("kernel")), r.lib)
	s.Name = r.scenarioName(n.Get("name"))
	s.Title = r.text("title", n.Get("title"))
	s.Purpose = r.text("purpose", n.Get("purpose"))
	s.Source = r.text("source", n.Get("source"))
	s.Notice = r.text("notice", n.Get("notice"))
	s.Machine = r.machine(MachinePath, n.Get("machine"))
	r.group(s, "kernel", n.Get("kernel"))
	r.group(s, "run", n.Get("run"))
	r.workload(s, n.Get("workload"))
	s.apply(r.overrides(s, "set", n.Get("set"), func(*Field) string { return "" }))
	r.events(s, n.Get("events"))
	r.arms(s, n.Get("arms"))
	r.expect(s, n.Get("expect"))
	return s
}

// hz reads the tick rate ahead of the other keys, whose defaults depend on it.
func (r *reader) hz(kernelNode *json.Node) int {
	n := kernelNode.Get("hz")
	if f, _ := (&Scenario{}).Field("kernel.hz"); n != nil && n.Kind == json.Num {
		if v, problem := f.parse(n.Text); problem == "" {
			return int(v.(int64))
		}
	}
	return defaultHZ
}

// rules reads the version of the rules, on which the features depend.
func (r *reader) rules(kernelNode *json.Node) string {
	if n := kernelNode.Get("rules"); n != nil && n.Kind == json.String {
		return n.Text
	}
	return defaultRules
}

func (r *reader) machine(path string, n *json.Node) MachineRef {
	switch {
	case n != nil && n.Kind == json.String:
		m, problem := parseMachine(n.Text, r.lib)
		if problem != nil {
			problem.Path = path
			r.problems = append(r.problems, *problem)
		}
		return m
	case n != nil && n.Kind == json.Object:
		spec, errs := machine.ParseSpec(n.Append(nil))
		for _, e := range errs {
			e.Path = json.Join(path, e.Path)
			r.problems = append(r.problems, e)
		}
		return MachineRef{Spec: spec}
	}
	r.add(path, n, "must be the name of a machine, an inline machine or a synthetic string")
	return MachineRef{}
}

// group reads the fixed fields below a path, which may nest.
func (r *reader) group(s *Scenario, path string, n *json.Node) {
	if n == nil {
		return
	}
	if !r.object(path, n, groupKeys(path)...) {
		return
	}
	for i, k := range n.Keys {
		full := path + "." + k
		if f, ok := (&Scenario{}).Field(full); ok {
			if v, ok := r.value(full, &f, n.Items[i]); ok {
				s.put(f, v)
			}
		} else if len(groupKeys(full)) > 0 {
			r.group(s, full, n.Items[i])
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
func (r *reader) value(path string, f *Field, n *json.Node) (any, bool) {
	if f.Path == MachinePath {
		before := len(r.problems)
		m := r.machine(path, n)
		return m, len(r.problems) == before
	}
	want := json.Num
	switch f.Key.Type {
	case workload.Bool:
		want = json.Bool
	case workload.String:
		want = json.String
	}
	problem := f.Allowed()
	if n.Kind == want {
		var v any
		if v, problem = f.parse(n.Text); problem == "" {
			return v, true
		}
	}
	r.add(path, n, problem)
	if n.Kind == json.String {
		r.problems[len(r.problems)-1].Nearest = machine.NearestKey(n.Text, f.Key.Enum)
	}
	return nil, false
}

func (r *reader) workload(s *Scenario, n *json.Node) {
	var kinds []string
	for _, k := range workload.Kinds() {
		kinds = append(kinds, k.Name)
	}
	if n == nil {
		r.add("workload", nil, "must be a list of at least one workload")
	}
	for i, e := range r.list("workload", n, MaxWorkloads) {
		path := "workload." + strconv.Itoa(i)
		if e.Kind != json.Object {
			r.add(path, e, "must be an object")
			continue
		}
		kind := e.Get("kind")
		if kind == nil || kind.Kind != json.String || !slices.Contains(kinds, kind.Text) {
			p := Problem{Path: path + ".kind", Value: shown(kind), Problem: "must be " + orList(kinds)}
			if kind != nil {
				p.Nearest = machine.NearestKey(kind.Text, kinds)
			}
			r.problems = append(r.problems, p)
			continue
		}
		s.Workload = append(s.Workload, r.entry(path, kind.Text, e))
	}
}

func (r *reader) entry(path, kind string, n *json.Node) workload.Spec {
	spec := workload.Spec{Kind: kind, Values: map[string]any{}}
	known := []string{"kind"}
	for _, k := range keysOf(kind) {
		known = append(known, k.Name)
		spec.Values[k.Name] = k.Default
		if e := n.Get(k.Name); e != nil {
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
func (r *reader) overrides(s *Scenario, path string, n *json.Node, allowed func(*Field) string) []Override {
	if n == nil {
		return nil
	}
	if n.Kind != json.Object {
		r.add(path, n, "must be an object of paths and values")
		return nil
	}
	found := map[string]any{}
	for i, key := range n.Keys {
		at := json.Join(path, shorten(key))
		f, ok := s.Field(key)
		if !ok {
			r.problems = append(r.problems, Problem{Path: at, Problem: "is not the path of a setting", Nearest: s.nearest(key)})
			continue
		}
		if problem := allowed(&f); problem != "" {
			r.add(at, n.Items[i], problem)
			continue
		}
		if _, twice := found[f.Path]; twice {
			r.add(at, n.Items[i], "is set twice, as "+f.Path+" and as "+f.Short)
			continue
		}
		if v, ok := r.value(at, &f, n.Items[i]); ok {
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

func (r *reader) arms(s *Scenario, n *json.Node) {
	entries := r.list("arms", n, MaxArms)
	if n == nil || (n.Kind == json.List && len(n.Items) == 0) {
		r.add("arms", n, "must be a list of at least one arm")
	}
	for i, e := range entries {
		path := "arms." + strconv.Itoa(i)
		if !r.object(path, e, "label", "set") {
			continue
		}
		a := Arm{Label: r.name(path+".label", e.Get("label"), maxLabel)}
		if slices.Contains(reserved, a.Label) {
			r.add(path+".label", e.Get("label"), "is the first part of a path; choose another label")
		}
		if s.ArmIndex(a.Label) >= 0 {
			r.add(path+".label", e.Get("label"), "is the label of another arm")
		}
		a.Set = r.overrides(s, path+".set", e.Get("set"), allowedInArm)
		s.Arms = append(s.Arms, a)
	}
	for i, e := range s.Events {
		if e.Arm != "" && s.ArmIndex(e.Arm) < 0 {
			r.problems = append(r.problems, Problem{Path: "events." + strconv.Itoa(i) + ".arm", Value: quote(e.Arm), Problem: "must be the label of an arm", Nearest: machine.NearestKey(e.Arm, s.labels())})
		}
	}
}
