package play

import (
	"strconv"
	"strings"

	"casplay/core/json"
	"casplay/core/machine"
	"casplay/core/machine/importer"
	"casplay/core/workload/rtapp"
)

// Own is a scenario made of somebody's machine or workload.
type Own struct {
	// Scenario is its JSON text; Open has accepted it.
	Scenario string
	// Part is the imported part alone: a machine, or an entry of "workload".
	Part string
	// Summary says in a line what was read, Warnings what was guessed or left out.
	Summary  string
	Warnings []string
}

// plain is the scenario that an import goes into when there is no other.
const plain = `{"v":1,"name":"own","machine":"emu-t2x8","workload":[{"kind":"spin","threads":4}],"run":{"seeds":3,"max_s":5,"until":"time"},"arms":[]}`

// OwnMachine puts the machine that text describes (see importer.Import) into
// base, a scenario in any form that Open reads, or into a small one if base is empty.
func OwnMachine(text, base string) (*Own, error) {
	r, err := importer.Import(text)
	if err != nil {
		return nil, err
	}
	m, err := r.Spec.Build()
	if err != nil {
		return nil, err
	}
	part, err := json.Marshal(&r.Spec)
	if err != nil {
		return nil, err
	}
	o := &Own{Part: string(part), Warnings: r.Warnings, Summary: summary(m)}
	return o, o.into(base, "machine", "Own machine: "+r.Spec.Title, r.Spec.Source, 0)
}

// summary counts what a machine has.
func summary(m *machine.Machine) string {
	s := ""
	for _, p := range [...]struct {
		n    int
		what string
	}{{len(m.Packages), "package"}, {len(m.Nodes), "NUMA node"}, {len(m.LLCs), "LLC"}, {len(m.Cores), "core"}, {len(m.CPUs), "CPU"}} {
		if s != "" {
			s += ", "
		}
		s += counted(p.n, p.what)
	}
	return m.Title + ": " + s + ", " + strconv.FormatFloat(float64(m.LLCs[0].Bytes>>10)/1024, 'f', -1, 64) + " MiB in the first LLC"
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

// OwnRtapp is OwnMachine for an rt-app file, which becomes the workload of base.
func OwnRtapp(text, base string) (*Own, error) {
	f, err := rtapp.Parse(text)
	if err != nil {
		return nil, err
	}
	threads := 0
	for _, t := range f.Tasks {
		threads += t.Instances
	}
	o := &Own{
		Part:     string(append(json.AppendString([]byte(`{"kind":"rtapp","file":`), f.Text), '}')),
		Warnings: f.Warnings, Summary: "rt-app: " + counted(len(f.Tasks), "task") + ", " + counted(threads, "thread"),
	}
	return o, o.into(base, "workload", "Own rt-app workload", "imported from an rt-app file", max(f.DurationS, 1))
}

// into makes the scenario: base with the part exchanged, CAS off and on, and
// nothing that was published about it.
func (o *Own) into(base, key, title, source string, seconds int64) error {
	text := []byte(plain)
	if base != "" {
		s, err := Open(base)
		if err != nil {
			return err
		}
		text = s.Canonical()
	}
	root, _, err := json.Parse(text)
	if err != nil {
		return err
	}
	exchange := map[string]string{
		key: o.Part, "name": `"own"`, "expect": "[]", "title": quoted(title), "source": quoted(source), "notice": quoted(strings.Join(o.Warnings, " ")), "purpose": quoted(o.Summary + "."),
		"arms": `[{"label":"off","set":{"kernel.cas.enabled":false}},{"label":"on","set":{"kernel.cas.enabled":true}}]`,
	}
	if key == "workload" {
		exchange[key] = "[" + o.Part + "]"
		exchange["run"] = `{"seeds":3,"until":"time","max_s":` + strconv.FormatInt(min(seconds, 10), 10) + "}"
		exchange["events"], exchange["set"] = "[]", "{}"
	}
	out := []byte{'{'}
	for i, k := range root.Keys {
		if _, ok := exchange[k]; !ok {
			out = root.Items[i].Append(append(json.AppendString(out, k), ':'))
			out = append(out, ',')
		}
	}
	for _, k := range [...]string{"name", "title", "purpose", "source", "notice", "machine", "workload", "run", "events", "set", "arms", "expect"} {
		if v, ok := exchange[k]; ok {
			out = append(append(append(json.AppendString(out, k), ':'), v...), ',')
		}
	}
	out[len(out)-1] = '}'
	o.Scenario = string(out)
	_, err = Open(o.Scenario)
	return err
}

// quoted is a text of a scenario: printable, and not too long.
func quoted(s string) string {
	const most = 1900
	return string(json.AppendString(nil, s[:min(len(s), most)]))
}
