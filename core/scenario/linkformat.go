package scenario

import (
	"bytes"
	"sort"
	"strconv"
	"strings"
)

// errCustom is returned for a scenario that is no preset with changed
// settings: it has a machine, workload, text or row of its own.
var errCustom error = Problems{{Path: "link", Problem: "has no readable form: the scenario is not a preset with changed settings"}}

// FormatLink writes the part after the #, readable when the scenario is a
// preset with changed settings: equal scenarios give equal links. It fails with
// Problems when the link would be too long or a part of it has characters that
// no link has.
func FormatLink(l *Link) (string, error) {
	text, err := l.Scenario.readable()
	if err != nil {
		text = strconv.Itoa(LinkVersion) + "z" + l.Scenario.pack()
	}
	var problems Problems
	part := func(key, value string, most int) {
		if problem := checkPart(value, most); problem != "" {
			problems = append(problems, Problem{Path: key, Value: quote(value), Problem: problem})
		}
		text += ";" + key + "=" + value
	}
	if l.Engine != "" {
		name, changes, changed := strings.Cut(strings.TrimPrefix(text, strconv.Itoa(LinkVersion)+";"), ";")
		if text[1] == ';' {
			text = strconv.Itoa(LinkVersion) + ";" + name
		}
		part("e", l.Engine, maxEngine)
		if text[1] == ';' && changed {
			text += ";" + changes
		}
	}
	extra := append([]Setting{}, l.Extra...)
	sort.Stable(byPath(extra))
	for i, x := range extra {
		bad := len(x.Path) != 1 || !isAlnum(x.Path[0]) || strings.Contains("cersv", x.Path) || (i > 0 && x.Path == extra[i-1].Path)
		for _, c := range x.Value {
			bad = bad || c == ';' || !isLinkChar(c)
		}
		if bad {
			problems = append(problems, Problem{Path: "link", Value: quote(x.Path + "=" + x.Value), Problem: "must be a key of one letter that is not taken, and a value of the characters that links have"})
		}
		text += ";" + x.Path + "=" + x.Value
	}
	if l.Digest != "" {
		part("r", l.Digest, maxDigest)
	}
	text += checkMark + checksum(text)
	if l.View != "" {
		part("v", l.View, maxView)
	}
	if size := MeasureLink(text); size.Verdict == LinkTooLong {
		problems = append(problems, Problem{Path: "link", Value: strconv.Itoa(size.Chars) + " characters", Problem: size.Advice})
	}
	if len(problems) > 0 {
		return "", problems
	}
	return text, nil
}

// readable is version, preset and changes; the proof that nothing was lost is
// that it reads back.
func (s *Scenario) readable() (string, error) {
	changes, err := s.Changes()
	if err != nil {
		return "", err
	}
	parts := []string{s.Name}
	seed := ""
	for _, c := range changes {
		if c.Path == "run.seed" {
			seed = ";s=" + c.Value
			continue
		}
		if _, path := s.splitPath(c.Path); strings.HasPrefix(path, "kernel.what_if.") {
			c.Value = linkText(c.Value)
		}
		parts = append(parts, c.Path+"="+c.Value)
	}
	text := strings.Join(parts, ";") + seed
	for _, c := range text {
		if !isLinkChar(c) {
			return "", errCustom
		}
	}
	back, err := readLink(LinkVersion, text, s.lib)
	if err != nil || !bytes.Equal(back.Scenario.Canonical(), s.Canonical()) {
		return "", errCustom
	}
	return strconv.Itoa(LinkVersion) + ";" + text, nil
}

// Changes lists what turns the preset of the scenario's name into it, in
// canonical order and with short forms. It fails when there is no such preset;
// a scenario with a workload of its own may need more than the list says.
func (s *Scenario) Changes() ([]Setting, error) {
	data := s.lib.Preset(s.Name)
	if data == nil {
		return nil, errCustom
	}
	at, err := Parse(data, s.lib)
	if err != nil {
		return nil, err
	}
	if len(at.Workload) != len(s.Workload) {
		return nil, errCustom
	}
	for i := range at.Workload {
		if at.Workload[i].Kind != s.Workload[i].Kind {
			return nil, errCustom
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

// LinkVerdict says how far a link of some length gets.
type LinkVerdict int

const (
	// LinkMail fits a line of a mail, so that nothing wraps it.
	LinkMail LinkVerdict = iota
	// LinkNormal fits the longest line that mail may have (RFC 5322, 2.1.1).
	LinkNormal
	// LinkLong passes through browsers and chats, and is wrapped by mail.
	LinkLong
	// LinkWarn is cut by some programs.
	LinkWarn
	// LinkTooLong is not made at all.
	LinkTooLong
)

// LinkSize is the length of a link, with the # and without the address.
type LinkSize struct {
	Chars   int
	Verdict LinkVerdict
	// Most is the longest length with this verdict, 0 for LinkTooLong.
	Most int
	// Advice says what it means, for people.
	Advice string
}

// MeasureLink judges the length of a link, given with or without its #.
func MeasureLink(text string) LinkSize {
	n := len(strings.TrimPrefix(text, "#")) + 1
	for verdict, step := range [...]struct {
		most   int
		advice string
	}{
		{72, "fits a line of a mail"},
		{998, "longer than a line of a mail, which may wrap it; a wrapped link still works"},
		{2000, "longer than any line of a mail; send it between < and >"},
		{MaxLink, "so long that some programs cut it; a cut link is noticed, the scenario as JSON is safer"},
	} {
		if n <= step.most {
			return LinkSize{n, LinkVerdict(verdict), step.most, step.advice}
		}
	}
	return LinkSize{n, LinkTooLong, 0, "is too long for a link, which has at most " + strconv.Itoa(MaxLink) + "; save the scenario as JSON and send the file"}
}
