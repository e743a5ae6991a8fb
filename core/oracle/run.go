package oracle

import (
	"errors"

	"casplay/core/scenario"
)

// Seeds is how many runs of the model a verdict takes by default.
const Seeds = 20

// Verdict converts an experiment, runs it with seeds 1 to n and judges it.
func Verdict(e *Experiment, lib scenario.Library, n int) (Row, error) {
	sc, err := Convert(e, lib)
	if err != nil {
		return Row{}, errors.New(e.Name + ": " + err.Error())
	}
	var runs []Run
	for seed := range n {
		r, err := Measure(e, sc, uint64(seed+1))
		if err != nil {
			return Row{}, errors.New(e.Name + ": " + err.Error())
		}
		runs = append(runs, *r)
	}
	return Judge(e, runs), nil
}

// Add appends a row.
func (r *Report) Add(row Row) {
	r.Rows = append(r.Rows, row)
	r.Total++
	if row.Pass {
		r.Passed++
	}
}
