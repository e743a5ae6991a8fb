package result

import (
	"strconv"
	"strings"
)

// minSeeds is the smallest number of seeds an arm needs for any difference to
// be significant: two samples of 3 cannot give a two-sided p below 0.1.
const minSeeds = 4

// planWarnings lists what a reader must know before trusting the comparison.
func planWarnings(p Plan, byArm [][]*Run) []string {
	var out []string
	few := len(p.Arms) > 1
	for _, runs := range byArm {
		few = few && len(runs) < minSeeds
	}
	if few {
		out = append(out, plural(len(byArm[0]), "seed")+" an arm: no difference can be significant with fewer than "+
			strconv.Itoa(minSeeds))
	}
	for i, a := range p.Arms {
		if a.Steps > 1 {
			out = append(out, "arm "+a.Label+" differs from every arm before it in more than one setting; from "+p.Arms[0].Label+" in "+
				strings.Join(a.Changes, ", "))
		}
		if i > 0 && len(a.Changes) == 0 {
			out = append(out, "arm "+a.Label+" is the same as "+p.Arms[0].Label)
		}
		if a.Wanted && !a.Possible {
			out = append(out, "arm "+a.Label+": CAS is wanted but not possible, the machine has only one LLC to choose")
		}
		for _, name := range metricNames(byArm[i]) {
			if !Compared(name) {
				continue
			}
			if below, above, yes := bimodal(values(byArm[i], name)); yes {
				out = append(out, "arm "+a.Label+": "+name+" falls into two groups, "+plural(below, "run")+" below and "+strconv.Itoa(above)+
					" above; the median describes neither, look at the single runs and use more seeds")
			}
		}
		unfinished := 0
		for _, run := range byArm[i] {
			if !run.Done {
				unfinished++
			}
		}
		if unfinished > 0 && p.UntilDone {
			out = append(out, "arm "+a.Label+": "+plural(unfinished, "run")+" of "+strconv.Itoa(len(byArm[i]))+
				" hit the time limit before the workload ended; raise run.max_s")
		}
	}
	return out
}

// Compared reports whether a metric is one that people compare: runtimes,
// rates and tails of latency.
func Compared(metric string) bool {
	return metric == "runtime_s" || strings.HasPrefix(metric, "throughput_") || strings.Contains(metric, "_p99_")
}

func plural(n int, noun string) string {
	s := strconv.Itoa(n) + " " + noun
	if n != 1 {
		s += "s"
	}
	return s
}
