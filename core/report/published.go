package report

import (
	"strconv"

	"casplay/core/result"
)

// published writes the rows with published values, and which of them are no
// evidence because the model was fitted on them.
func (w *mail) published(r *result.Result) {
	if len(r.Verdicts) == 0 {
		return
	}
	w.line("")
	w.line(left("published rows", 34) + right("published", 10) + right("simulated", 10) + right("off by", 9))
	hits, training, known := 0, 0, ""
	for _, v := range r.Verdicts {
		if v.Pass {
			hits++
		}
		w.verdict(v)
		if !v.Pass && v.Miss != "" {
			if v.Miss == known {
				w.line("    known: as above")
			} else {
				w.wrap("    ", "known: "+v.Miss)
			}
			known = v.Miss
		}
		if v.Role == result.Training {
			training++
		}
	}
	w.line("")
	text := strconv.Itoa(hits) + " of " + count(len(r.Verdicts), "row") + " within tolerance"
	if training > 0 {
		text += "; t marks rows used to fit the model: no evidence"
	}
	w.wrap("", text)
}

func (w *mail) verdict(v result.Verdict) {
	what := v.Arm + " " + v.Metric
	var published, deviation string
	simulated := number(v.Simulated)
	switch {
	case v.Value != nil:
		published, deviation = number(*v.Value), signed(v.Deviation, 1)+"%"
	case v.DeltaPct != nil:
		what += " change"
		if v.Vs != "" {
			what += "/" + v.Vs
		}
		published, simulated, deviation = signed(*v.DeltaPct, 0)+"%", signed(v.Simulated, 1)+"%", signed(v.Deviation, 1)+"p"
	default:
		switch {
		case v.Min != nil && v.Max != nil:
			published = number(*v.Min) + ".." + number(*v.Max)
		case v.Min != nil:
			published = ">=" + number(*v.Min)
		default:
			published = "<=" + number(*v.Max)
		}
		if !v.Pass {
			deviation = number(v.Deviation)
			if v.Deviation > 0 {
				deviation = "+" + deviation
			}
		}
	}
	if v.Reason != "" {
		simulated, deviation = "-", "-"
	}
	mark := "  ok"
	if !v.Pass {
		mark = "  MISS"
	}
	if v.Role == result.Training {
		mark += " t"
	}
	width := max(34-max(len(published)-9, 0), 20)
	if len(what) > width {
		what = what[:width-1] + "."
	}
	w.line(left(what, width) + right(published, 44-width) + right(simulated, 10) + " " + right(deviation, 8) + mark)
	if v.Reason != "" {
		w.wrap("    ", v.Reason)
	}
}
