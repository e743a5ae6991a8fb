//go:build js && wasm

package main

import (
	"casplay/core/json"
	"casplay/core/scenario"
)

// fieldError is one problem as the page shows it.
type fieldError struct {
	Path    string `json:"path"`
	Value   string `json:"value,omitempty"`
	Message string `json:"message"`
}

// refusal is the answer of a call that failed.
type refusal struct {
	OK     bool         `json:"ok"`
	Errors []fieldError `json:"errors"`
	Rest   *opened      `json:"rest,omitempty"`
}

// success wraps a value that is JSON already.
func success(value []byte) []byte {
	return append(append([]byte(`{"ok":true,"value":`), value...), '}')
}

// marshal wraps a value; structs come as pointers.
func marshal(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return failure(err, nil)
	}
	return success(b)
}

// failure lists the problems of err; rest is a link to what could still be
// read, or nil.
func failure(err error, rest *opened) []byte {
	a := refusal{Rest: rest}
	if problems, ok := err.(scenario.Problems); ok { // nobody wraps them, and errors.As needs reflection
		for _, p := range problems {
			m := p.Problem
			if p.Nearest != "" {
				m += ". Did you mean " + p.Nearest + "?"
			}
			a.Errors = append(a.Errors, fieldError{p.Path, p.Value, m})
		}
	} else {
		a.Errors = []fieldError{{Message: err.Error()}}
	}
	b, err := json.Marshal(&a)
	if err != nil {
		return []byte(`{"ok":false,"errors":[{"path":"","message":"the error could not be written down"}]}`)
	}
	return b
}
