//go:build js && wasm

package main

import (
	"syscall/js"

	"casplay/core/kernel/cas"
	"casplay/core/play"
)

// site is what the page knows before it opens a scenario.
type site struct {
	Version  string        `json:"version"`
	Presets  []play.Preset `json:"presets"`
	Machines []string      `json:"machines"`
	// Versions are the values of kernel.rules, Proposals the settings under
	// kernel.features, NotSimulated what is under discussion and left out.
	Versions     []ruleRow `json:"versions"`
	Proposals    []ruleRow `json:"proposals"`
	NotSimulated []ruleRow `json:"not_simulated"`
}

// ruleRow is a row of the rules table.
type ruleRow struct {
	Name    string `json:"name"`
	Who     string `json:"who"`
	Where   string `json:"where"`
	Differs string `json:"differs"`
	// Ours is what the sources leave open and the model has chosen.
	Ours string `json:"ours,omitempty"`
}

func ruleRows(rows []cas.Row) []ruleRow {
	out := make([]ruleRow, len(rows))
	for i := range rows {
		out[i] = ruleRow(rows[i])
	}
	return out
}

// facts() tells the site.
func facts([]js.Value) []byte {
	return marshal(&site{
		play.Engine, play.Presets(), play.Library().Machines(),
		ruleRows(cas.AboutVersions()), ruleRows(cas.AboutProposals()), ruleRows(cas.NotSimulated()),
	})
}
