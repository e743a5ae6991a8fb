//go:build js && wasm

package main

import (
	"syscall/js"

	"casplay/core/play"
)

// imported is a machine or a workload of the reader's own in a scenario.
type imported struct {
	Text     string   `json:"text"`
	Summary  string   `json:"summary"`
	Warnings []string `json:"warnings"`
}

// importMachine(text, scenario) reads lscpu, lstopo or a listing of /sys.
func importMachine(args []js.Value) []byte { return own(play.OwnMachine, args) }

// importRtapp(text, scenario) reads an rt-app file.
func importRtapp(args []js.Value) []byte { return own(play.OwnRtapp, args) }

func own(read func(text, base string) (*play.Own, error), args []js.Value) []byte {
	o, err := read(text(args, 0), text(args, 1))
	if err != nil {
		return failure(err, nil)
	}
	return marshal(&imported{o.Scenario, o.Summary, append([]string{}, o.Warnings...)})
}
