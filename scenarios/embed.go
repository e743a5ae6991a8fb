// Package scenarios holds the scenario and machine files that ship with the
// program.
package scenarios

import (
	"embed"
	"slices"
	"strings"
)

//go:embed *.json machines/*.json
var files embed.FS

// Library finds the shipped files by name; it is what scenario.Parse and
// scenario.ParseLink take.
type Library struct{}

// Preset returns the text of a scenario file, nil when there is none.
func (Library) Preset(name string) []byte { return read("", name) }

// Machine returns the text of a machine file, nil when there is none.
func (Library) Machine(name string) []byte { return read("machines/", name) }

// Presets lists the scenarios by name.
func (Library) Presets() []string { return names(".") }

// Machines lists the machines by name.
func (Library) Machines() []string { return names("machines") }

func read(dir, name string) []byte {
	data, err := files.ReadFile(dir + name + ".json")
	if err != nil || strings.Contains(name, "/") {
		return nil
	}
	return data
}

// names lists the JSON files of a folder in order.
func names(dir string) []string {
	entries, err := files.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".json"); ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
