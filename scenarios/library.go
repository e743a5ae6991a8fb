// Package scenarios holds the scenario and machine files that ship with the
// program. After a change of a file run `go generate ./scenarios`: the
// WebAssembly build takes them from a generated table, because package embed
// and what it needs (time, io/fs) would add 115 KB to the compressed module.
package scenarios

import (
	"sort"
	"strings"

	"casplay/core/scenario/table"
)

//go:generate go run ./gen

// Library finds the shipped files by name; it is what scenario.Parse and
// scenario.ParseLink take.
type Library struct{}

// file is one shipped file.
type file struct {
	name string
	text string
}

// Preset returns the text of a scenario, nil when there is none: a file's, or
// the point "table.label" of a table.
func (Library) Preset(name string) []byte {
	name, label, point := strings.Cut(name, ".")
	text := find(presets(), name)
	t, _ := table.Open(text)
	switch {
	case point && t != nil:
		return t.Point(label)
	case point || t != nil:
		return nil
	}
	return text
}

// Machine returns the text of a machine file, nil when there is none.
func (Library) Machine(name string) []byte { return find(machines(), name) }

// Presets lists the scenarios by name, the points of a table in the order of
// the table.
func (l Library) Presets() []string {
	var out []string
	for _, name := range names(presets()) {
		if t := l.Table(name); t != nil {
			for _, label := range t.Labels() {
				out = append(out, name+"."+label)
			}
		} else {
			out = append(out, name)
		}
	}
	return out
}

// Table returns the table of a name, nil when it is none.
func (Library) Table(name string) *table.Table {
	t, _ := table.Open(find(presets(), name))
	return t
}

// Files lists the scenario files by name, a table as one.
func (Library) Files() []string { return names(presets()) }

// Machines lists the machines by name.
func (Library) Machines() []string { return names(machines()) }

func find(files []file, name string) []byte {
	for i := range files {
		if files[i].name == name {
			return []byte(files[i].text)
		}
	}
	return nil
}

func names(files []file) []string {
	out := make([]string, len(files))
	for i := range files {
		out[i] = files[i].name
	}
	sort.Stable(sort.StringSlice(out))
	return out
}
