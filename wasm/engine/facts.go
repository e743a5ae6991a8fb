//go:build js && wasm

package main

import (
	"syscall/js"

	"casplay/core/play"
)

// site is what the page knows before it opens a scenario.
type site struct {
	Version  string        `json:"version"`
	Presets  []play.Preset `json:"presets"`
	Machines []string      `json:"machines"`
}

// facts() tells the site.
func facts([]js.Value) []byte {
	return marshal(&site{play.Engine, play.Presets(), play.Library().Machines()})
}
