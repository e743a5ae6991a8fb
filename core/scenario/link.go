package scenario

import (
	"bytes"
	"strconv"
	"strings"

	"casplay/core/machine"
)

// A readable link is, after the #,
//
//	1;<preset>;<key>=<value>;...;s=<seed>
//
// Keys are dotted paths or their short forms, "label:key" for one arm, "arms"
// for the list of labels. Keys of one letter belong to the link itself: s is
// run.seed; the others (engine, checksum, digest, view) are carried along.

// Link is what a link says.
type Link struct {
	Scenario *Scenario
	// Extra are the one-letter keys besides s, in the order of the link.
	Extra []Setting
}

// linkChars may appear in a link; the last character must be a letter or digit.
const linkChars = "-_.~;=,:/"

// ErrCustom is returned by FormatLink for a scenario that is no preset with
// changed settings: it has a machine, workload, text or row of its own.
var ErrCustom error = Problems{{Path: "link", Problem: "cannot be written for a scenario that is not a preset with changed settings; save it as JSON"}}

// ParseLink reads a link, with or without the address before the #. When the
// error (Problems) is not nil the Link may still hold the scenario of what
// could be read, to be shown beside the error and never to be run in its place.
func ParseLink(text string, lib Library) (*Link, error) {
	if i := strings.LastIndexByte(text, '#'); i >= 0 {
		text = text[i+1:]
	}
	if len(text) > MaxLink {
		return nil, linkProblem(text, "is too long: links have at most 8000 characters; open the scenario as JSON")
	}
	for _, c := range text {
		if !isLinkChar(c) {
			return nil, linkProblem(string(c), "is a character that no link has; it may be cut or wrapped")
		}
	}
	parts := strings.Split(text, ";")
	switch {
	case strings.HasPrefix(text, "1z"):
		return nil, linkProblem(text, "holds a whole scenario in compressed form, which this version does not read; open the scenario as JSON")
	case parts[0] != "1":
		return nil, linkProblem(parts[0], "must start with 1, the version of the format, then ; and the name of a preset")
	case len(parts) < 2 || parts[1] == "":
		return nil, linkProblem(text, "names no preset")
	}
	data := lib.Preset(parts[1])
	if data == nil {
		return nil, Problems{{Path: "link", Value: quote(parts[1]), Problem: "is not a known preset", Nearest: machine.NearestKey(parts[1], lib.Presets())}}
	}
	preset, err := Parse(data, lib)
	if err != nil {
		return nil, err
	}
	var changes []Setting
	var problems Problems
	link := &Link{}
	for _, part := range parts[2:] {
		set, err := ParseSetting(part)
		switch {
		case err != nil:
			problems = append(problems, Problem{Path: "link", Value: quote(part), Problem: "must be written key=value; the link may be cut"})
		case set.Path == "s":
			changes = append(changes, Setting{"run.seed", set.Value})
		case len(set.Path) == 1:
			link.Extra = append(link.Extra, set)
		default:
			changes = append(changes, set)
		}
	}
	s, bad := preset.with(changes)
	link.Scenario = s
	if problems = append(problems, bad...); len(problems) > 0 {
		return link, problems
	}
	return link, nil
}

func linkProblem(value, problem string) error {
	return Problems{{Path: "link", Value: quote(value), Problem: problem}}
}

func isLinkChar(c rune) bool {
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c < 128 && strings.IndexByte(linkChars, byte(c)) >= 0)
}

// FormatLink writes the part after the #: equal scenarios give equal links.
// It fails with ErrCustom when the scenario has no readable form.
func FormatLink(l *Link) (string, error) {
	changes, err := l.Scenario.Changes()
	if err != nil {
		return "", err
	}
	parts := []string{"1", l.Scenario.Name}
	var seed string
	for _, c := range changes {
		if c.Path == "run.seed" {
			seed = c.Value
			continue
		}
		parts = append(parts, c.Path+"="+c.Value)
	}
	if last := parts[len(parts)-1]; seed == "" && strings.IndexByte(linkChars, last[len(last)-1]) >= 0 {
		seed = strconv.FormatUint(l.Scenario.Run.Seed, 10) // mail programs drop punctuation at the end
	}
	if seed != "" {
		parts = append(parts, "s="+seed)
	}
	for _, x := range l.Extra {
		parts = append(parts, x.Path+"="+x.Value)
	}
	text := strings.Join(parts, ";")
	if len(text) > MaxLink {
		return "", linkProblem(text, "would be too long; save the scenario as JSON")
	}
	// The proof that nothing was lost.
	back, err := ParseLink(text, l.Scenario.lib)
	if err != nil || !bytes.Equal(back.Scenario.Canonical(), l.Scenario.Canonical()) {
		return "", ErrCustom
	}
	return text, nil
}

// Changes lists what turns the preset of the scenario's name into it, in
// canonical order and with short forms. It fails with ErrCustom when there is
// no such preset; a scenario with a workload of its own may need more than the
// list says.
func (s *Scenario) Changes() ([]Setting, error) {
	data := s.lib.Preset(s.Name)
	if data == nil {
		return nil, ErrCustom
	}
	at, err := Parse(data, s.lib)
	if err != nil {
		return nil, err
	}
	if len(at.Workload) != len(s.Workload) {
		return nil, ErrCustom
	}
	for i := range at.Workload {
		if at.Workload[i].Kind != s.Workload[i].Kind {
			return nil, ErrCustom
		}
	}
	var out []Setting
	if labels := strings.Join(s.labels(), ","); labels != strings.Join(at.labels(), ",") {
		out = append(out, Setting{"arms", labels})
		if bad := at.setArms(labels); len(bad) > 0 {
			return nil, bad
		}
	}
	fields := s.Fields()
	for _, f := range fields {
		if v := s.Value(f); !sameValue(v, at.Value(f)) {
			out = append(out, Setting{f.written(), f.Format(v)})
			at.set(f, v)
		}
	}
	for i := range s.Arms {
		want, have := s.Effective(i), at.Effective(i)
		for _, f := range fields {
			if v := want.Value(f); !sameValue(v, have.Value(f)) {
				out = append(out, Setting{s.Arms[i].Label + ":" + f.written(), f.Format(v)})
				have.set(f, v)
			}
		}
	}
	return out, nil
}

// written is the key of a field in a link.
func (f *Field) written() string {
	if f.Short != "" {
		return f.Short
	}
	return f.Path
}
