//go:build js && wasm

package main

import (
	"syscall/js"

	"casplay/core/kernel/cas"
	"casplay/core/play"
	"casplay/core/scenario"
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
	// WhatIf are the rules that an expression can replace.
	WhatIf []ruleView `json:"what_if"`
}

// ruleView documents a rule that kernel.what_if.<name> gives as an expression.
type ruleView struct {
	Name  string    `json:"name"`
	Doc   string    `json:"doc"`
	Vars  []varView `json:"vars"`
	Words []string  `json:"words,omitempty"`
}

// varView is a variable of a rule; Type says "a number" or "a truth value".
type varView struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Doc  string `json:"doc"`
}

func whatIfRules() []ruleView {
	var out []ruleView
	for i := range cas.WhatIfRules {
		r := &cas.WhatIfRules[i]
		v := ruleView{Name: r.Name, Doc: r.Doc, Words: r.Env.Words}
		for _, x := range r.Env.Vars {
			v.Vars = append(v.Vars, varView{x.Name, x.Type.String(), x.Doc})
		}
		out = append(out, v)
	}
	return out
}

// ruleRow is a row of the rules table.
type ruleRow struct {
	Name    string `json:"name"`
	Who     string `json:"who"`
	Where   string `json:"where"`
	Differs string `json:"differs"`
	// Ours is what the sources leave open and the model has chosen.
	Ours string `json:"ours,omitempty"`
	// Switches of a version are the features in which it differs from the default one.
	Switches string `json:"switches,omitempty"`
}

func ruleRows(rows []cas.Row) []ruleRow {
	out := make([]ruleRow, len(rows))
	for i := range rows {
		r := &rows[i]
		out[i] = ruleRow{r.Name, r.Who, r.Where, r.Differs, r.Ours, scenario.Switches(r.Name)}
	}
	return out
}

// facts() tells the site.
func facts([]js.Value) []byte {
	return marshal(&site{
		play.Engine, play.Presets(), play.Library().Machines(),
		ruleRows(cas.AboutVersions()), ruleRows(cas.AboutProposals()), ruleRows(cas.NotSimulated()), whatIfRules(),
	})
}
