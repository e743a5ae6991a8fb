//go:build js && wasm

package main

import (
	"bytes"
	"runtime"
	"strconv"
	"syscall/js"

	"casplay/core/json"
	"casplay/core/play"
	"casplay/core/result"
	"casplay/core/scenario"
	"casplay/core/sim"
)

// sliceEvents is how many events pass between two looks at the clock: some
// milliseconds.
const sliceEvents = 20000

// partEvery is the distance of two partial results, in ms.
const partEvery = 100

// inProgress is one run that has begun.
type inProgress struct {
	s   *scenario.Scenario
	job play.Job
	sim *sim.Sim
	// samples and entries count what has been handed over of every curve and
	// of the log.
	samples, entries int
}

// run(scenario, arm, seed, onPart) simulates one run. onPart(json) gets a
// partial result about every 100 ms: new samples and log entries, all else as
// it stands. The answer is the whole run. CPU curves are always recorded for
// the drawing; they are part of the digest only when the scenario asks for them.
func run(args []js.Value) []byte {
	s, err := play.Open(text(args, 0))
	if err != nil {
		return failure(err, nil)
	}
	r := inProgress{s: s, job: play.Job{Arm: number(args, 1), Seed: uint64(number(args, 2))}}
	if r.job.Arm < 0 || r.job.Arm >= len(s.Arms) {
		return failure(scenario.Problems{{Path: "arms", Value: strconv.Itoa(r.job.Arm), Problem: "is not the index of an arm"}}, nil)
	}
	setup, err := s.Setup(r.job.Arm, r.job.Seed)
	if err != nil {
		return failure(err, nil)
	}
	setup.SampleCPUs = true
	if r.sim, err = sim.New(setup); err != nil {
		return failure(err, nil)
	}
	var onPart js.Value
	if len(args) > 3 && args[3].Type() == js.TypeFunction {
		onPart = args[3]
	}
	clock := js.Global().Get("performance")
	last := clock.Call("now").Float()
	for !r.sim.Step(sliceEvents) {
		runtime.Gosched() // nothing else lets the collector finish, and while it marks every pointer written costs a call
		if now := clock.Call("now").Float(); onPart.Truthy() && now-last >= partEvery {
			onPart.Invoke(string(r.part()))
			last = now
		}
	}
	whole, cpus := r.now()
	whole.Digest = result.DigestRun(whole)
	whole.Series = append(whole.Series, cpus...)
	return success(encodeRun(whole, 0))
}

// now is the run so far, with the CPU curves apart when the scenario has not
// asked for them.
func (r *inProgress) now() (*result.Run, []result.Series) {
	run := r.sim.Measured()
	run.Arm, run.Label, run.Seed = r.job.Arm, r.s.Arms[r.job.Arm].Label, r.job.Seed
	if r.s.Run.SampleCPUs {
		return run, nil
	}
	var rest, cpus []result.Series
	for _, series := range run.Series {
		if series.Kind == "cpu_busy" {
			cpus = append(cpus, series)
		} else {
			rest = append(rest, series)
		}
	}
	run.Series = rest
	return run, cpus
}

// part is what is new since the part before.
func (r *inProgress) part() []byte {
	run, cpus := r.now()
	run.Series = append(run.Series, cpus...)
	all := run.Log
	run.Log = all[r.entries:]
	b := append([]byte(`{"fraction":`), strconv.FormatFloat(float64(r.sim.Fraction())/1e6, 'f', -1, 64)...)
	b = append(append(b, `,"sim_ns":`...), strconv.FormatInt(r.sim.Now(), 10)...)
	b = append(append(b, `,"run":`...), encodeRun(run, r.samples)...)
	r.entries = len(all)
	if len(run.Series) > 0 {
		r.samples = len(run.Series[0].V)
	}
	return append(b, '}')
}

// encodeRun writes a run as JSON, curves from a sample on. The curves are
// written by hand: there are a million samples, and reflection takes ten
// times as long.
func encodeRun(run *result.Run, from int) []byte {
	brief := *run
	brief.Series = []result.Series{}
	// lists, never null
	brief.Metrics = append([]result.Metric{}, run.Metrics...)
	brief.Processes = append([]result.Process{}, run.Processes...)
	for i := range brief.Processes {
		brief.Processes[i].Preferred = append([][2]int64{}, brief.Processes[i].Preferred...)
	}
	brief.Decisions = append([]result.Decision{}, run.Decisions...)
	brief.Log = append([]result.Entry{}, run.Log...)
	b, err := json.Marshal(&brief)
	if err != nil {
		return []byte("null") // a Run has only finite numbers and text
	}
	const empty = `"series":[]` // in no JSON string: quotes are escaped there
	at := bytes.Index(b, []byte(empty)) + len(empty) - 1
	out := make([]byte, 0, len(b)+estimate(run, from))
	out = append(out, b[:at]...)
	for i := range run.Series {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendSeries(out, &run.Series[i], from)
	}
	return append(out, b[at:]...)
}

func estimate(run *result.Run, from int) int {
	n := 0
	for i := range run.Series {
		n += 100 + 4*max(0, len(run.Series[i].V)-from)
	}
	return n
}

// appendSeries writes one curve; its strings are names of the core, plain ASCII.
func appendSeries(b []byte, s *result.Series, from int) []byte {
	b = append(append(append(b, `{"kind":"`...), s.Kind...), `","index":`...)
	b = strconv.AppendInt(b, int64(s.Index), 10)
	b = strconv.AppendInt(append(b, `,"sub":`...), int64(s.Sub), 10)
	b = append(append(append(b, `,"unit":"`...), s.Unit...), `","scale":`...)
	b = strconv.AppendInt(b, int64(s.Scale), 10)
	b = strconv.AppendInt(append(b, `,"cap":`...), int64(s.Cap), 10)
	b = append(b, `,"v":[`...)
	for i := min(from, len(s.V)); i < len(s.V); i++ {
		if i > from {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(s.V[i]), 10)
	}
	return append(b, "]}"...)
}
