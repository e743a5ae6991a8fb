//go:build js && wasm

package main

import (
	"syscall/js"

	"casplay/core/json"
	"casplay/core/play"
	"casplay/core/report"
	"casplay/core/result"
	"casplay/core/scenario"
)

// outcome opens a scenario and reads its runs, the first two arguments of
// every call that sums up.
func outcome(args []js.Value) (*scenario.Scenario, []*result.Run, error) {
	s, err := play.Open(text(args, 0))
	if err != nil {
		return nil, nil, err
	}
	var runs []*result.Run
	list := json.Items{Grow: func() json.Record {
		runs = append(runs, &result.Run{})
		return runs[len(runs)-1]
	}}
	if err := json.Unmarshal([]byte(text(args, 1)), list); err != nil {
		return nil, nil, scenario.Problems{{Path: "runs", Problem: "are not readable: " + err.Error()}}
	}
	return s, runs, nil
}

// summarise(scenario, runs) reduces runs, given without their curves.
func summarise(args []js.Value) []byte {
	s, runs, err := outcome(args)
	if err != nil {
		return failure(err, nil)
	}
	return marshal(play.Summarise(s, runs))
}

// mail(scenario, runs, link) is the report for a mail; link is the whole address.
func mail(args []js.Value) []byte {
	s, runs, err := outcome(args)
	if err != nil {
		return failure(err, nil)
	}
	return marshal(report.Text(report.Input{Scenario: s, Result: play.Summarise(s, runs), Link: text(args, 2)}))
}

// csv(scenario, runs) has a line for each sample of each run; runs have curves here.
func csv(args []js.Value) []byte {
	_, runs, err := outcome(args)
	if err != nil {
		return failure(err, nil)
	}
	return marshal(report.SeriesCSV(runs))
}

// summaryCSV(scenario, runs) has a line for each arm and metric.
func summaryCSV(args []js.Value) []byte {
	s, runs, err := outcome(args)
	if err != nil {
		return failure(err, nil)
	}
	return marshal(report.SummaryCSV(play.Summarise(s, runs)))
}

// resultJSON(scenario, runs) is the result as a document; runs have curves here.
func resultJSON(args []js.Value) []byte {
	s, runs, err := outcome(args)
	if err != nil {
		return failure(err, nil)
	}
	b, err := report.JSON(play.Summarise(s, runs))
	if err != nil {
		return failure(err, nil)
	}
	return marshal(string(b))
}
