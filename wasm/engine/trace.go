//go:build js && wasm

package main

import (
	"runtime"
	"strconv"
	"syscall/js"

	"casplay/core/play"
	"casplay/core/scenario"
	"casplay/core/trace"
)

// maxTraced bounds the records of a trace: some 30 MB of JSON, which the page
// holds twice.
const maxTraced = 1 << 18

// chromeTrace(scenario, arm, seed) is one run as a Chrome trace, for Perfetto.
func chromeTrace(args []js.Value) []byte {
	s, err := play.Open(text(args, 0))
	if err != nil {
		return failure(err, nil)
	}
	arm, seed := number(args, 1), uint64(number(args, 2))
	if arm < 0 || arm >= len(s.Arms) {
		return failure(scenario.Problems{{Path: "arms", Value: strconv.Itoa(arm), Problem: "is not the index of an arm"}}, nil)
	}
	setup, err := s.Setup(arm, seed)
	if err != nil {
		return failure(err, nil)
	}
	rec, err := trace.Record(setup, maxTraced, runtime.Gosched)
	if err != nil {
		return failure(err, nil)
	}
	rec.Run.Label, rec.Run.Seed = s.Arms[arm].Label, seed
	return marshal(string(rec.Chrome()))
}
