package result

import (
	"strconv"

	"casplay/core/json"
)

// Plan is what Summarise has to know of the scenario behind the runs.
type Plan struct {
	// Engine names the build that simulates.
	Engine string
	// Scenario is its canonical JSON.
	Scenario []byte
	// UntilDone says that a run ends when its workload does, so that one that
	// does not has been cut off.
	UntilDone bool
	Arms      []PlanArm
	// Expect lists the published rows.
	Expect []Expect
}

// PlanArm describes one arm.
type PlanArm struct {
	Label string
	// Changes lists the settings that differ from the first arm, "path=value".
	Changes []string
	// Steps is the smallest number of settings in which the arm differs from
	// one before it.
	Steps int
	// Wanted and Possible are the first two of the three facts of CASFacts.
	Wanted, Possible bool
}

// Result is what all arms and seeds of a scenario came to.
type Result struct {
	Engine   string          `json:"engine"`
	Scenario json.RawMessage `json:"scenario"`
	// Digest hashes the digests of all runs, arm by arm, seed by seed.
	Digest   string    `json:"digest"`
	Arms     []Arm     `json:"arms"`
	Deltas   []Delta   `json:"deltas"`
	Verdicts []Verdict `json:"verdicts"`
	Warnings []string  `json:"warnings"`
}

// Arm is what the seeds of one arm came to.
type Arm struct {
	Label   string     `json:"label"`
	Changes []string   `json:"changes"`
	CAS     CASFacts   `json:"cas"`
	Metrics Metrics    `json:"metrics"`
	Seeds   []SeedLine `json:"seeds"`
	// Shown is the seed whose series and processes are given: the one with
	// the median runtime, or the first where there is no runtime.
	Shown     uint64       `json:"shown_seed"`
	SampleNs  int64        `json:"sample_ns"`
	Series    []Series     `json:"series"`
	Processes []Process    `json:"processes"`
	Decisions []ArmVerdict `json:"decisions"`
	Warnings  []string     `json:"warnings"`
}

// CASFacts are the facts that "CAS is on" blurs.
type CASFacts struct {
	// Wanted: llc_balancing/enabled is 1.
	Wanted bool `json:"wanted"`
	// Possible: the machine has LLCs to choose between (sched_cache_present).
	Possible bool `json:"possible"`
	// Active: both (sched_cache_active).
	Active bool `json:"active"`
	// Preferring counts the processes that had a preferred LLC in any seed.
	Preferring int `json:"preferring"`
}

// SeedLine is one run in brief.
type SeedLine struct {
	Seed    uint64   `json:"seed"`
	Digest  string   `json:"digest"`
	Done    bool     `json:"done"`
	SimNs   int64    `json:"sim_ns"`
	Events  int64    `json:"events"`
	Metrics []Metric `json:"metrics"`
}

// ArmVerdict is a Decision over all seeds: counts are sums, times the
// extremes, the example that of the first seed in which the rule fired.
type ArmVerdict struct {
	Decision
	// Seeds is how many seeds evaluated the rule, FiredSeeds in how many it fired.
	Seeds      int `json:"seeds"`
	FiredSeeds int `json:"fired_seeds"`
}

// Delta compares one metric of an arm with that of the first arm.
type Delta struct {
	Arm    string `json:"arm"`
	Metric string `json:"metric"`
	// Ref and Value are the medians of the first and of this arm.
	Ref   float64 `json:"ref"`
	Value float64 `json:"value"`
	// Pct is the change in % of Ref; nil when Ref is 0.
	Pct *float64 `json:"pct"`
	// P is the two-sided Mann-Whitney p-value over the seeds; Significant is P < 0.05.
	P           float64 `json:"p"`
	Significant bool    `json:"significant"`
}

// NamedSummary is the summary of one metric.
type NamedSummary struct {
	Name string
	Summary
}

// Metrics keeps the order in which the simulator reports; in JSON it is an
// object with that order of keys.
type Metrics []NamedSummary

// Get finds a metric by name.
func (ms Metrics) Get(name string) (Summary, bool) {
	for i := range ms {
		if ms[i].Name == name {
			return ms[i].Summary, true
		}
	}
	return Summary{}, false
}

// MarshalJSON writes an object, one member for each metric.
func (ms Metrics) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i := range ms {
		if i > 0 {
			b = append(b, ',')
		}
		val, err := json.Marshal(&ms[i].Summary)
		if err != nil {
			return nil, err
		}
		b = append(append(json.AppendString(b, ms[i].Name), ':'), val...)
	}
	return append(b, '}'), nil
}

// Summarise reduces the runs of a plan to medians, deltas and verdicts. The
// runs may come in any order and may be incomplete (some seeds still to
// come); those of unknown arms are ignored. A missing digest is computed.
func Summarise(p Plan, runs []*Run) *Result {
	r := &Result{Engine: p.Engine, Scenario: p.Scenario, Warnings: []string{}, Deltas: []Delta{}}
	byArm := make([][]*Run, len(p.Arms))
	for _, run := range runs {
		if run.Arm >= 0 && run.Arm < len(p.Arms) {
			byArm[run.Arm] = insertBySeed(byArm[run.Arm], run)
		}
	}
	var ordered []*Run
	for i, a := range p.Arms {
		for _, run := range byArm[i] {
			if run.Digest == "" {
				run.Digest = DigestRun(run)
			}
		}
		ordered = append(ordered, byArm[i]...)
		r.Arms = append(r.Arms, summariseArm(a, byArm[i]))
	}
	r.Digest = digestRuns(ordered)
	for i := 1; i < len(p.Arms); i++ {
		r.Deltas = append(r.Deltas, deltas(p.Arms[i].Label, r.Arms[i].Metrics, byArm[0], byArm[i])...)
	}
	r.Verdicts = Judge(p.Expect, r)
	r.Warnings = append(r.Warnings, planWarnings(p, byArm)...)
	return r
}

func insertBySeed(runs []*Run, run *Run) []*Run {
	i := len(runs)
	for i > 0 && runs[i-1].Seed > run.Seed {
		i--
	}
	runs = append(runs, nil)
	copy(runs[i+1:], runs[i:])
	runs[i] = run
	return runs
}

func summariseArm(p PlanArm, runs []*Run) Arm {
	a := Arm{
		Label: p.Label, Changes: append([]string{}, p.Changes...),
		CAS:     CASFacts{Wanted: p.Wanted, Possible: p.Possible, Active: p.Wanted && p.Possible},
		Metrics: Metrics{}, Seeds: []SeedLine{}, Series: []Series{}, Processes: []Process{}, Decisions: []ArmVerdict{}, Warnings: []string{},
	}
	if len(runs) == 0 {
		return a
	}
	for _, name := range metricNames(runs) {
		a.Metrics = append(a.Metrics, NamedSummary{name, Summarize(values(runs, name))})
	}
	for _, run := range runs {
		a.Seeds = append(a.Seeds, SeedLine{run.Seed, run.Digest, run.Done, run.SimNs, run.Events, run.Metrics})
	}
	shown := medianRun(runs)
	a.Shown, a.SampleNs = shown.Seed, shown.SampleNs
	a.Series = append(a.Series, shown.Series...)
	a.Processes = append(a.Processes, shown.Processes...)
	a.Decisions = append(a.Decisions, mergeDecisions(runs)...)
	a.CAS.Preferring = preferring(runs)
	a.Warnings = append(a.Warnings, mergeWarnings(runs)...)
	return a
}

// metricNames lists the metrics of all runs in the order they first appear.
func metricNames(runs []*Run) []string {
	var names []string
	seen := map[string]bool{}
	for _, run := range runs {
		for i := range run.Metrics {
			if n := run.Metrics[i].Name; !seen[n] {
				seen[n] = true
				names = append(names, n)
			}
		}
	}
	return names
}

// values returns one metric of every run that has it.
func values(runs []*Run, name string) []float64 {
	var v []float64
	for _, run := range runs {
		for i := range run.Metrics {
			if m := &run.Metrics[i]; m.Name == name && m.Scale > 0 {
				v = append(v, float64(m.Raw)/float64(m.Scale))
			}
		}
	}
	return v
}

// medianRun is the run with the lower median of the runtimes.
func medianRun(runs []*Run) *Run {
	v := values(runs, "runtime_s")
	if len(v) != len(runs) {
		return runs[0]
	}
	for i := range v {
		below, equalBefore, equal := 0, 0, 0
		for j := range v {
			switch {
			case v[j] < v[i]:
				below++
			case v[j] == v[i]:
				equal++
				if j < i {
					equalBefore++
				}
			}
		}
		if mid := (len(v) - 1) / 2; equalBefore == 0 && below <= mid && mid < below+equal {
			return runs[i]
		}
	}
	return runs[0]
}

func deltas(label string, ms Metrics, ref, runs []*Run) []Delta {
	var out []Delta
	for i := range ms {
		base := values(ref, ms[i].Name)
		if len(base) == 0 {
			continue
		}
		d := Delta{
			Arm: label, Metric: ms[i].Name, Ref: Summarize(base).Median, Value: ms[i].Median,
			P: MannWhitney(base, values(runs, ms[i].Name)),
		}
		if d.Ref != 0 {
			pct := (d.Value/d.Ref - 1) * 100
			d.Pct = &pct
		}
		d.Significant = d.P < alpha
		out = append(out, d)
	}
	return out
}

func mergeDecisions(runs []*Run) []ArmVerdict {
	var out []ArmVerdict
	for _, run := range runs {
		for _, d := range run.Decisions {
			i := 0
			for i < len(out) && (out[i].Rule != d.Rule || out[i].Process != d.Process) {
				i++
			}
			if i == len(out) {
				out = append(out, ArmVerdict{Decision: Decision{Rule: d.Rule, Process: d.Process, FirstNs: -1, LastNs: -1}})
			}
			out[i].add(d)
		}
	}
	return out
}

func (m *ArmVerdict) add(d Decision) {
	if m.Seeds == 0 || (m.FiredSeeds == 0 && d.Fired > 0) {
		m.AtNs, m.Value, m.Limit, m.Unit, m.Text = d.AtNs, d.Value, d.Limit, d.Unit, d.Text
	}
	m.Seeds++
	m.Evaluated += d.Evaluated
	m.Fired += d.Fired
	if d.Fired > 0 {
		m.FiredSeeds++
	}
	if d.FirstNs >= 0 && (m.FirstNs < 0 || d.FirstNs < m.FirstNs) {
		m.FirstNs = d.FirstNs
	}
	m.LastNs = max(m.LastNs, d.LastNs)
}

func preferring(runs []*Run) int {
	had := map[int]bool{}
	for _, run := range runs {
		for i := range run.Processes {
			for _, change := range run.Processes[i].Preferred {
				if change[1] >= 0 {
					had[i] = true
				}
			}
		}
	}
	return len(had)
}

// mergeWarnings lists each warning once, with the number of seeds that gave
// it when not all did.
func mergeWarnings(runs []*Run) []string {
	var texts []string
	count := map[string]int{}
	for _, run := range runs {
		seen := map[string]bool{}
		for _, w := range run.Warnings {
			if seen[w] {
				continue
			}
			seen[w] = true
			if count[w] == 0 {
				texts = append(texts, w)
			}
			count[w]++
		}
	}
	for i, w := range texts {
		if n := count[w]; n < len(runs) {
			texts[i] += " (" + strconv.Itoa(n) + " of " + strconv.Itoa(len(runs)) + " seeds)"
		}
	}
	return texts
}
