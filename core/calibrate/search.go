package calibrate

import (
	"fmt"
	"math"

	"casplay/core/play"
	"casplay/core/replay"
	"casplay/core/scenario"
)

// search remembers what has been simulated.
type search struct {
	fit  *Fit
	base []*scenario.Scenario
	run  Run
	seen map[string]float64
	runs int
}

// rows simulates the training rows at a point of the grid.
func (s *search) rows(at []int) ([]Row, error) {
	s.runs++
	var out []Row
	for _, sc := range s.base {
		for i := range s.fit.Params {
			p := &s.fit.Params[i]
			var err error
			if sc, err = with(sc, p.Path, p.value(at[i])); err != nil {
				return nil, err
			}
		}
		runs, err := s.run(sc)
		if err != nil {
			return nil, err
		}
		for _, v := range play.Summarise(sc, runs).Verdicts {
			if v.Reason != "" {
				return nil, fmt.Errorf("fit %s, %s: %s", s.fit.Name, sc.Name, v.Reason)
			}
			out = append(out, Row{ID: replay.ID(&v.Expect), Scenario: sc.Name, Arm: v.Arm, Residual: v.Deviation})
		}
	}
	return out, nil
}

func rms(rows []Row) float64 {
	sum := 0.0
	for _, r := range rows {
		sum += float64(r.Residual * r.Residual)
	}
	return math.Sqrt(sum / float64(len(rows)))
}

// loss is the RMS residual at a point.
func (s *search) loss(at []int) (float64, error) {
	key := fmt.Sprint(at)
	if l, ok := s.seen[key]; ok {
		return l, nil
	}
	rows, err := s.rows(at)
	if err != nil {
		return 0, err
	}
	s.seen[key] = rms(rows)
	return s.seen[key], nil
}

// golden finds the best value of parameter i on its grid, the others held: a
// golden-section search, which expects one valley, and then the neighbours
// of what it found and of where it began.
func (s *search) golden(at []int, i int) (int, error) {
	const ratio = 0.6180339887498949
	at = append([]int{}, at...)
	best, bestLoss := at[i], math.Inf(1)
	try := func(x int) (float64, error) {
		at[i] = x
		l, err := s.loss(at)
		if err == nil && l < bestLoss {
			best, bestLoss = x, l
		}
		return l, err
	}
	steps := s.fit.Params[i].steps()
	lo, hi := 0, steps
	if _, err := try(best); err != nil {
		return 0, err
	}
	for hi-lo > 3 {
		a := hi - int(float64(float64(hi-lo)*ratio)+0.5)
		b := lo + hi - a
		if a >= b {
			break
		}
		la, err := try(a)
		if err != nil {
			return 0, err
		}
		lb, err := try(b)
		if err != nil {
			return 0, err
		}
		if la <= lb {
			hi = b
		} else {
			lo = a
		}
	}
	for x := max(lo, 0); x <= min(hi, steps); x++ {
		if _, err := try(x); err != nil {
			return 0, err
		}
	}
	return best, nil
}
