//go:build js && wasm

package main

import (
	"strconv"
	"strings"
	"syscall/js"

	"casplay/core/json"
	"casplay/core/kernel/cas"
	"casplay/core/play"
	"casplay/core/result"
	"casplay/core/scenario"
)

// opened is a valid scenario with all that the page shows before it runs.
type opened struct {
	// Text is the canonical JSON, to be passed back unchanged.
	Text string `json:"text"`
	// Link is the fragment with its #, empty when the scenario is too long for
	// one; LinkNote says how far a link of that length gets.
	Link     string `json:"link"`
	LinkNote string `json:"link_note"`
	// Digest is that of the result which the opened link promises; Repaired is
	// set when the link had been damaged on its way and was made whole.
	Digest   string `json:"digest,omitempty"`
	Repaired bool   `json:"repaired,omitempty"`
	// Engine, View and Extra are what the opened link says besides: the engine
	// it names, what was on screen, and keys that this engine does not know.
	Engine  string   `json:"engine,omitempty"`
	View    string   `json:"view,omitempty"`
	Extra   []string `json:"extra,omitempty"`
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Purpose string   `json:"purpose"`
	Source  string   `json:"source"`
	Notice  string   `json:"notice"`
	Machine layout   `json:"machine"`
	// Scenario is the same JSON as Text, Base that of the preset it was made
	// from: the page reads values and what "reset" means by the paths of Fields.
	Scenario json.RawMessage `json:"scenario"`
	Base     json.RawMessage `json:"base"`
	Arms     []armView       `json:"arms"`
	Fields   []fieldView     `json:"fields"`
	Seeds    []uint64        `json:"seeds"`
	Expect   []result.Expect `json:"expect"`
}

// armView is one arm.
type armView struct {
	Label string         `json:"label"`
	Set   map[string]any `json:"set"`
	// BusyLimitPct is the utilisation from which an LLC takes no more threads.
	BusyLimitPct int64 `json:"busy_limit_pct"`
	CAS          bool  `json:"cas"`
	// Rules are kernel.rules and kernel.features as they are in the arm, whose
	// version may be another than that of the scenario.
	Rules map[string]any `json:"rules"`
}

// fieldView documents one setting.
type fieldView struct {
	Path string   `json:"path"`
	Name string   `json:"name"`
	Type string   `json:"type"`
	Unit string   `json:"unit,omitempty"`
	Min  float64  `json:"min"`
	Max  float64  `json:"max"`
	Enum []string `json:"enum,omitempty"`
	Doc  string   `json:"doc"`
	// InArms is set for settings that an arm may override.
	InArms bool `json:"in_arms"`
}

// view describes a scenario for the page; extra are keys of its link that mean nothing here.
func view(s *scenario.Scenario, extra []scenario.Setting) (*opened, error) {
	m, err := s.Machine.Spec.Build()
	if err != nil {
		return nil, err
	}
	canonical := s.Canonical()
	o := &opened{
		Text: string(canonical), Name: s.Name, Title: s.Title, Purpose: s.Purpose, Source: s.Source, Notice: s.Notice,
		Machine: layOut(m), Scenario: canonical, Seeds: s.Seeds(), Expect: append([]result.Expect{}, s.Expect...),
	}
	if link, err := scenario.FormatLink(&scenario.Link{Scenario: s, Extra: extra}); err == nil {
		o.Link = "#" + link
		size := scenario.MeasureLink(link)
		o.LinkNote = strconv.Itoa(size.Chars) + " of " + strconv.Itoa(size.Most) + " characters: " + size.Advice + "."
	} else {
		o.LinkNote = err.Error()
	}
	if base, err := play.Open(s.Name); err == nil {
		o.Base = base.Canonical()
	} else {
		o.Base = canonical
	}
	for _, x := range extra {
		o.Extra = append(o.Extra, x.Path+"="+x.Value)
	}
	types := [...]string{"int", "float", "string", "bool"}
	for _, f := range s.Fields() {
		o.Fields = append(o.Fields, fieldView{f.Path, f.Key.Name, types[f.Key.Type], f.Key.Unit, f.Key.Min, f.Key.Max, f.Key.Enum, f.Key.Doc, f.InArms})
	}
	for i, a := range s.Arms {
		e := s.Effective(i)
		p := cas.Policy{OveraggrPct: int64(e.Kernel.CAS.OveraggrPct), SMT: int64(m.SMT)}
		v := armView{Label: a.Label, Set: map[string]any{}, BusyLimitPct: p.BusyPct(), CAS: e.Kernel.CAS.Enabled, Rules: map[string]any{}}
		for _, f := range e.Fields() {
			if f.Path == "kernel.rules" || strings.HasPrefix(f.Path, "kernel.features.") {
				v.Rules[f.Path] = e.Value(f)
			}
		}
		for _, set := range a.Set {
			v.Set[set.Path] = plain(set.Value)
		}
		o.Arms = append(o.Arms, v)
	}
	return o, nil
}

// plain is a value as JSON shows it; a machine by its name.
func plain(v any) any {
	if m, ok := v.(scenario.MachineRef); ok {
		return m.Name
	}
	return v
}

// extras reads keys of a link that mean nothing here, "q=1;z=2", as open has
// given them out; a scenario made from that of the link keeps them.
func extras(args []js.Value, i int) []scenario.Setting {
	var out []scenario.Setting
	for _, part := range strings.Split(text(args, i), ";") {
		if key, value, ok := strings.Cut(part, "="); ok {
			out = append(out, scenario.Setting{Path: key, Value: value})
		}
	}
	return out
}

// open(text, extra) reads JSON, a link or the name of a preset; extra are keys
// of the link that JSON was made from. When a link has errors, the answer also
// holds what could be read, under "rest".
func open(args []js.Value) []byte {
	link, err := play.OpenLink(strings.TrimSpace(text(args, 0)))
	if link == nil || link.Scenario == nil {
		return failure(err, nil)
	}
	o, bad := view(link.Scenario, append(link.Extra, extras(args, 1)...))
	if bad != nil {
		return failure(bad, nil)
	}
	if err != nil {
		return failure(err, o)
	}
	o.Digest, o.Repaired, o.Engine, o.View = link.Digest, link.Repaired, link.Engine, link.View
	return marshal(o)
}

// set(scenario, path, value, extra) changes one setting; value is written as in a link.
func set(args []js.Value) []byte {
	s, err := play.Open(text(args, 0))
	if err != nil {
		return failure(err, nil)
	}
	next, err := s.With([]scenario.Setting{{Path: text(args, 1), Value: text(args, 2)}})
	if err != nil {
		return failure(err, nil)
	}
	o, err := view(next, extras(args, 3))
	if err != nil {
		return failure(err, nil)
	}
	return marshal(o)
}

// link(scenario, engine, digest, extra) is the fragment for a mail: it names the
// engine and what came out, so that whoever opens it can tell whether it is the same.
func link(args []js.Value) []byte {
	s, err := play.Open(text(args, 0))
	if err != nil {
		return failure(err, nil)
	}
	l, err := scenario.FormatLink(&scenario.Link{Scenario: s, Engine: text(args, 1), Digest: text(args, 2), Extra: extras(args, 3)})
	if err != nil {
		return failure(err, nil)
	}
	return marshal("#" + l)
}

// indented(scenario) is the scenario file for people.
func indented(args []js.Value) []byte {
	s, err := play.Open(text(args, 0))
	if err != nil {
		return failure(err, nil)
	}
	return marshal(string(s.Indented()))
}
