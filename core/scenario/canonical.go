package scenario

import (
	"strconv"
	"strings"

	"casplay/core/json"
	"casplay/core/result"
)

// Canonical is the scenario as JSON without spaces: keys in a fixed order,
// every default written out. Equal scenarios give equal bytes, and Parse reads
// them back to an equal scenario.
func (s *Scenario) Canonical() []byte { return s.write(writer{}) }

// terse is Canonical for links: without the features that the version of the
// rules brings, which its name stands for.
func (s *Scenario) terse() []byte { return s.write(writer{terse: true}) }

func (s *Scenario) write(w writer) []byte {
	w.open()
	w.key("v")
	w.raw(strconv.Itoa(Version))
	w.str("name", s.Name)
	w.str("title", s.Title)
	w.str("purpose", s.Purpose)
	w.str("source", s.Source)
	w.str("notice", s.Notice)
	w.key(MachinePath)
	w.raw(string(s.Machine.json()))
	w.group(s, "kernel")
	w.workload(s)
	w.events(s)
	w.group(s, "run")
	w.arms(s)
	w.expect(s.Expect)
	w.close()
	return w.b
}

// Indented is Canonical for people to read and edit.
func (s *Scenario) Indented() []byte {
	return append(json.Indent(s.Canonical(), "  "), '\n')
}

// json is the name as a string, or the whole description.
func (m MachineRef) json() []byte {
	if m.Name != "" {
		return json.AppendString(nil, m.Name)
	}
	b, err := json.Marshal(&m.Spec)
	if err != nil {
		return []byte("null") // a checked Spec has only finite numbers
	}
	return b
}

// writer writes JSON; it remembers whether a comma is due.
type writer struct {
	b     []byte
	comma bool
	terse bool
}

func (w *writer) sep() {
	if w.comma {
		w.b = append(w.b, ',')
	}
	w.comma = false
}

func (w *writer) key(k string) {
	w.sep()
	w.b = append(json.AppendString(w.b, k), ':')
}

func (w *writer) open()        { w.sep(); w.b = append(w.b, '{') }
func (w *writer) close()       { w.b = append(w.b, '}'); w.comma = true }
func (w *writer) openList()    { w.sep(); w.b = append(w.b, '[') }
func (w *writer) closeList()   { w.b = append(w.b, ']'); w.comma = true }
func (w *writer) raw(v string) { w.b = append(w.b, v...); w.comma = true }

func (w *writer) str(k, v string) {
	w.key(k)
	w.raw(string(json.AppendString(nil, v)))
}

func (w *writer) num(k string, v float64) {
	w.key(k)
	w.raw(strconv.FormatFloat(v, 'f', -1, 64))
}

func (w *writer) opt(k string, v *float64) {
	if v != nil {
		w.num(k, *v)
	}
}

// value writes a setting in the JSON type that reader.value expects.
func (w *writer) value(f *Field, v any) {
	switch x := v.(type) {
	case bool:
		w.raw(strconv.FormatBool(x))
	case string:
		w.raw(string(json.AppendString(nil, x)))
	case MachineRef:
		w.raw(string(x.json()))
	default:
		w.raw(f.Format(v))
	}
}

// group writes the fixed fields below a path, nested as their paths are.
func (w *writer) group(s *Scenario, path string) {
	w.key(path[strings.LastIndexByte(path, '.')+1:])
	w.open()
	for _, k := range groupKeys(path) {
		full := path + "." + k
		if f, ok := s.Field(full); ok {
			if w.terse && path == "kernel.features" && sameValue(s.Value(f), s.Default(f)) {
				continue
			}
			w.key(k)
			w.value(&f, s.Value(f))
		} else {
			w.group(s, full)
		}
	}
	w.close()
}

func (w *writer) workload(s *Scenario) {
	w.key("workload")
	w.openList()
	for i, e := range s.Workload {
		w.open()
		w.str("kind", e.Kind)
		for _, k := range keysOf(e.Kind) {
			f := workloadField(i, k)
			w.key(k.Name)
			w.value(&f, s.Value(f))
		}
		w.close()
	}
	w.closeList()
}

func (w *writer) overrides(s *Scenario, set []Override) {
	w.key("set")
	w.open()
	for _, o := range set {
		f, _ := s.Field(o.Path)
		w.key(o.Path)
		w.value(&f, o.Value)
	}
	w.close()
}

func (w *writer) events(s *Scenario) {
	w.key("events")
	w.openList()
	for _, e := range s.Events {
		w.open()
		w.num("at_ms", float64(e.AtMs))
		if e.Arm != "" {
			w.str("arm", e.Arm)
		}
		switch e.Kind {
		case EventSet:
			w.overrides(s, e.Set)
		case EventSleep:
			w.str("sleep", e.Sleep)
			w.num("threads", float64(e.Threads))
			w.num("for_ms", float64(e.ForMs))
		case EventOffline:
			w.num("offline", float64(e.CPU))
		}
		w.close()
	}
	w.closeList()
}

func (w *writer) arms(s *Scenario) {
	w.key("arms")
	w.openList()
	for _, a := range s.Arms {
		w.open()
		w.str("label", a.Label)
		w.overrides(s, s.effectiveSet(a.Set))
		w.close()
	}
	w.closeList()
}

// effectiveSet leaves out the overrides that repeat the value of the base.
func (s *Scenario) effectiveSet(set []Override) []Override {
	at := s.clone()
	var kept []Override
	for _, o := range set {
		if f, ok := at.Field(o.Path); ok && !sameValue(at.Value(f), o.Value) {
			at.set(f, o.Value)
			kept = append(kept, o)
		}
	}
	return kept
}

func (w *writer) expect(rows []result.Expect) {
	w.key("expect")
	w.openList()
	for _, e := range rows {
		w.open()
		w.str("arm", e.Arm)
		w.str("metric", e.Metric)
		if e.Value != nil {
			w.opt("value", e.Value)
			w.num("tol_pct", e.TolPct)
		}
		if e.DeltaPct != nil {
			if e.From == nil {
				w.opt("delta_pct", e.DeltaPct)
			}
			w.opt("from", e.From)
			w.opt("to", e.To)
			if e.TolPoints > 0 {
				w.num("tol_points", e.TolPoints)
			}
			if e.SpreadPct > 0 {
				w.num("spread_pct", e.SpreadPct)
			}
			w.opt("mean_pct", e.MeanPct)
			if e.Vs != "" {
				w.str("vs", e.Vs)
			}
		}
		w.opt("min", e.Min)
		w.opt("max", e.Max)
		w.str("role", string(e.Role))
		if e.Row != "" {
			w.str("row", e.Row)
		}
		w.str("source", e.Source)
		if e.Miss != "" {
			w.str("miss", e.Miss)
		}
		w.close()
	}
	w.closeList()
}
