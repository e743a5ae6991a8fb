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
	Rules    []ruleView    `json:"rules"`
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

// facts() tells the site.
func facts([]js.Value) []byte {
	out := site{Version: play.Engine, Presets: play.Presets(), Machines: play.Library().Machines()}
	for i := range cas.WhatIfRules {
		r := &cas.WhatIfRules[i]
		v := ruleView{Name: r.Name, Doc: r.Doc, Words: r.Env.Words}
		for _, x := range r.Env.Vars {
			v.Vars = append(v.Vars, varView{x.Name, x.Type.String(), x.Doc})
		}
		out.Rules = append(out.Rules, v)
	}
	return marshal(&out)
}
