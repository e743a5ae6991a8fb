package calibrate

import (
	"fmt"
	"math"
	"slices"

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

// coarse is how many intervals the first pass over a parameter has.
const coarse = 8

// descend finds the best value of parameter i on its grid, the others held: it
// looks over the whole range in wide steps, then around the best in ever
// narrower ones. The noise of seeds makes dents in the valley that a search
// which compares two points at a time (golden section) would get caught in.
func (s *search) descend(at []int, i int) (int, error) {
	at = slices.Clone(at)
	best, least := at[i], math.Inf(1)
	try := func(x int) error {
		at[i] = x
		l, err := s.loss(at)
		if err == nil && l < least {
			best, least = x, l
		}
		return err
	}
	steps := s.fit.Params[i].steps()
	if err := try(best); err != nil {
		return 0, err
	}
	stride := max(steps/coarse, 1)
	for lo, hi := 0, steps; ; lo, hi = max(best-2*stride, 0), min(best+2*stride, steps) {
		for x := lo; x <= hi; x += stride {
			if err := try(x); err != nil {
				return 0, err
			}
		}
		if stride == 1 {
			return best, nil
		}
		stride = (stride + 2) / 3
	}
}
