package report

import (
	"strconv"

	"casplay/core/result"
)

// maxGates is how many rules are listed for an arm.
const maxGates = 8

// why lists the rules that were asked in each arm, with the numbers compared.
func (w *mail) why(r *result.Result) {
	for _, a := range r.Arms {
		w.line("")
		w.line(a.Label + ": " + facts(a.CAS))
		n := 0
		for _, d := range a.Decisions {
			if d.Evaluated == 0 {
				continue
			}
			if n++; n > maxGates {
				w.line("  ... more rules in the JSON")
				break
			}
			text := d.Text
			if text == "" {
				text = strconv.FormatInt(d.Value, 10) + " against " + strconv.FormatInt(d.Limit, 10) + " " + d.Unit
			}
			w.wrap("  ", d.Rule+": "+text+"; fired "+strconv.FormatInt(d.Fired, 10)+" of "+strconv.FormatInt(d.Evaluated, 10))
		}
	}
}

func facts(c result.CASFacts) string {
	switch {
	case !c.Wanted:
		return "CAS off"
	case !c.Possible:
		return "CAS wanted, not possible on this machine"
	case c.Preferring == 0:
		return "CAS active, no process got a preferred LLC"
	}
	return "CAS active, " + count(c.Preferring, "process") + " with a preferred LLC"
}
