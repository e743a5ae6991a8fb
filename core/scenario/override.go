package scenario

import (
	"slices"
	"strconv"
	"strings"

	"casplay/core/machine"
	"casplay/core/result"
)

// Setting is one change as people write it: a dotted path or short form,
// prefixed by the label of an arm and a colon when it is for that arm only,
// and the value. The path "arms" takes a comma-separated list of labels: arms
// that are left out go, new labels are new arms without overrides.
type Setting struct{ Path, Value string }

// ParseSetting splits "path=value".
func ParseSetting(text string) (Setting, error) {
	path, value, ok := strings.Cut(text, "=")
	if !ok || path == "" {
		return Setting{}, Problems{{Path: shorten(text), Problem: "must be written path=value"}}
	}
	return Setting{path, value}, nil
}

// With returns the scenario with changes applied, all or none: the error is
// Problems with everything that is wrong. Published rows whose arm no longer
// is what was measured are dropped.
func (s *Scenario) With(changes []Setting) (*Scenario, error) {
	c, problems := s.with(changes)
	if len(problems) > 0 {
		return nil, problems
	}
	return c, nil
}

// with applies those changes that are in order and reports the others. When
// the outcome as a whole is not valid it is nil.
func (s *Scenario) with(changes []Setting) (*Scenario, Problems) {
	c := s.clone()
	var problems Problems
	seen := map[string]bool{}
	perArm := make(map[string]map[string]any)
	base := map[string]any{}
	once := func(key, written string) bool {
		if seen[key] {
			problems = append(problems, Problem{Path: shorten(written), Problem: "is set twice"})
			return false
		}
		seen[key] = true
		return true
	}
	for _, ch := range changes {
		if ch.Path == "arms" && once("arms", ch.Path) {
			problems = append(problems, c.setArms(ch.Value)...)
		}
	}
	for _, ch := range changes {
		if ch.Path == "arms" {
			continue
		}
		label, path := c.splitPath(ch.Path)
		f, ok := c.Field(path)
		switch {
		case label != "" && c.ArmIndex(label) < 0:
			problems = append(problems, Problem{Path: shorten(ch.Path), Problem: "names an arm that does not exist", Nearest: machine.NearestKey(label, c.labels())})
			continue
		case !ok:
			problems = append(problems, Problem{Path: shorten(ch.Path), Value: quote(ch.Value), Problem: "is not the path of a setting", Nearest: c.nearest(path)})
			continue
		case label != "" && !f.InArms:
			problems = append(problems, Problem{Path: shorten(ch.Path), Value: quote(ch.Value), Problem: allowedInArm(&f)})
			continue
		}
		key := f.Path
		if label != "" {
			key = label + ":" + f.Path
		}
		if !once(key, ch.Path) {
			continue
		}
		v, problem := c.read(&f, ch.Value)
		if problem != nil {
			problem.Path = shorten(ch.Path)
			problems = append(problems, *problem)
			continue
		}
		if label == "" {
			base[f.Path] = v
			continue
		}
		if perArm[label] == nil {
			perArm[label] = map[string]any{}
		}
		perArm[label][f.Path] = v
	}
	c.apply(c.inOrder(base))
	for i := range c.Arms {
		a := &c.Arms[i]
		merged := map[string]any{}
		for _, o := range a.Set {
			merged[o.Path] = o.Value
		}
		for path, v := range perArm[a.Label] {
			merged[path] = v
		}
		a.Set = c.inOrder(merged)
	}
	c.dropRows(s)
	if bad := c.check(); len(bad) > 0 {
		return nil, append(problems, bad...)
	}
	return c, problems
}

// read parses the text of a value.
func (s *Scenario) read(f *Field, text string) (any, *Problem) {
	if f.Path == MachinePath {
		m, problem := parseMachine(text, s.lib)
		return m, problem
	}
	v, problem := f.parse(text)
	if problem != "" {
		return nil, &Problem{Value: quote(text), Problem: problem}
	}
	return v, nil
}

// splitPath takes the label of an arm off a path: "on:tol" and, for short
// forms, "on.tol".
func (s *Scenario) splitPath(path string) (label, rest string) {
	if label, rest, ok := strings.Cut(path, ":"); ok {
		return label, rest
	}
	if label, rest, ok := strings.Cut(path, "."); ok && s.ArmIndex(label) >= 0 {
		return label, rest
	}
	return "", path
}

func (s *Scenario) labels() []string {
	var out []string
	for _, a := range s.Arms {
		out = append(out, a.Label)
	}
	return out
}

// setArms keeps, orders and adds arms by their labels.
func (s *Scenario) setArms(list string) Problems {
	labels := strings.Split(list, ",")
	if len(labels) > MaxArms {
		return Problems{{Path: "arms", Value: strconv.Itoa(len(labels)) + " labels", Problem: "must be 1 to " + strconv.Itoa(MaxArms) + " labels"}}
	}
	var arms []Arm
	for i, l := range labels {
		if !isName(l, maxLabel) || slices.Contains(reserved, l) || slices.Contains(labels[:i], l) {
			return Problems{{Path: "arms", Value: quote(l), Problem: "must be different labels of 1 to " + strconv.Itoa(maxLabel) + " lower-case letters, digits and dashes, with commas between"}}
		}
		if j := s.ArmIndex(l); j >= 0 {
			arms = append(arms, s.Arms[j])
		} else {
			arms = append(arms, Arm{Label: l})
		}
	}
	s.Arms = arms
	s.Events = slices.DeleteFunc(slices.Clone(s.Events), func(e Event) bool { return e.Arm != "" && s.ArmIndex(e.Arm) < 0 })
	return nil
}

// dropRows removes the published rows of arms that differ from those of the
// scenario before the change: nobody measured the new ones.
func (s *Scenario) dropRows(before *Scenario) {
	same := map[string]bool{}
	for i, a := range s.Arms {
		j := before.ArmIndex(a.Label)
		same[a.Label] = j >= 0 && sameRun(s.Effective(i), before.Effective(j))
	}
	s.Expect = slices.DeleteFunc(s.Expect, func(e result.Expect) bool {
		vs := e.Arm
		if e.DeltaPct != nil {
			if vs = e.Vs; vs == "" {
				vs = before.Arms[0].Label
				if s.Arms[0].Label != vs {
					return true
				}
			}
		}
		return !same[e.Arm] || !same[vs]
	})
}

// sameRun reports whether two effective scenarios of one family (the same
// workload kinds) differ at most in what they record.
func sameRun(a, b *Scenario) bool {
	for _, f := range a.Fields() {
		if !f.Observes && !sameValue(a.Value(f), b.Value(f)) {
			return false
		}
	}
	return true
}
