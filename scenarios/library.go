// Package scenarios holds the scenario and machine files that ship with the
// program. After a change of a file run `go generate ./scenarios`: the
// WebAssembly build takes them from a generated table, because package embed
// and what it needs (time, io/fs) would add 115 KB to the compressed module.
package scenarios

import "sort"

//go:generate go run ./gen

// Library finds the shipped files by name; it is what scenario.Parse and
// scenario.ParseLink take.
type Library struct{}

// file is one shipped file.
type file struct {
	name string
	text string
}

// Preset returns the text of a scenario file, nil when there is none.
func (Library) Preset(name string) []byte { return find(presets(), name) }

// Machine returns the text of a machine file, nil when there is none.
func (Library) Machine(name string) []byte { return find(machines(), name) }

// Presets lists the scenarios by name.
func (Library) Presets() []string { return names(presets()) }

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
