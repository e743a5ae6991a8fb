//go:build js && wasm

package main

import (
	"runtime"
	"syscall/js"

	"casplay/core/explain"
	"casplay/core/json"
	"casplay/core/play"
	"casplay/core/scenario"
	"casplay/core/sim"
)

// setup lays out the run of an arm, by index, that call arguments name.
func setup(args []js.Value, arm, seed int) (sim.Setup, error) {
	s, err := play.Open(text(args, 0))
	if err != nil {
		return sim.Setup{}, err
	}
	return s.Setup(number(args, arm), uint64(number(args, seed)))
}

// reasons(scenario, arm, seed, process, everyMs) says why a process, by index,
// is or is not gathered, at moments of the run that are so many ms apart at first.
func reasons(args []js.Value) []byte {
	run, err := setup(args, 1, 2)
	if err != nil {
		return failure(err, nil)
	}
	p := number(args, 3)
	if p < 0 || p >= len(run.Workload.Procs) {
		return failure(scenario.Problems{{Path: "process", Problem: "is not the index of a process"}}, nil)
	}
	answers, err := explain.Along(run, p, int64(max(1, number(args, 4)))*1e6, runtime.Gosched)
	if err != nil {
		return failure(err, nil)
	}
	return marshal(json.Items{Len: len(answers), At: func(i int) json.Record { return answers[i] }})
}

// difference(scenario, arm, arm, seed) finds where two arms part.
func difference(args []js.Value) []byte {
	a, err := setup(args, 1, 3)
	if err != nil {
		return failure(err, nil)
	}
	b, err := setup(args, 2, 3)
	if err != nil {
		return failure(err, nil)
	}
	d, err := explain.First(a, b)
	if err != nil {
		return failure(err, nil)
	}
	return marshal(&d)
}
