// Package replay compares every published row of the shipped scenarios with
// what the model gives: machine, workload, arm, published and simulated
// numbers, and the verdict of package result.
package replay

import (
	"fmt"
	"strings"

	"casplay/core/play"
	"casplay/core/result"
	"casplay/core/scenario"
)

// Row is one published row and its replay. Changes are in % of the arm that
// the row is compared with.
type Row struct {
	ID       string `json:"id"`
	Scenario string `json:"scenario"`
	Machine  string `json:"machine"`
	Workload string `json:"workload"`
	Arm      string `json:"arm"`
	Metric   string `json:"metric"`
	// PublishedDeltaPct and ModelDeltaPct are set for a published change.
	PublishedDeltaPct *float64 `json:"published_delta_pct"`
	ModelDeltaPct     *float64 `json:"model_delta_pct"`
	// Published is the published value of the arm, nil where only a change or
	// a bound was published; Bound is the bound as text.
	Published *float64 `json:"published"`
	Bound     string   `json:"bound,omitempty"`
	// Model is the simulated median, Spread the distance of the extremes over the seeds.
	Model  float64     `json:"model"`
	Spread float64     `json:"spread"`
	Role   result.Role `json:"role"`
	Pass   bool        `json:"pass"`
	// Note says why a row misses or could not be judged, or that it is judged
	// on the mean of its table.
	Note string `json:"note"`
	// Deviation is as in result.Verdict.
	Deviation float64 `json:"deviation"`
	noise     bool
}

// Noise reports whether the row's source calls its change noise.
func (r *Row) Noise() bool { return r.noise }

// Report is the replay of many scenarios.
type Report struct {
	Rows     []Row `json:"rows"`
	Passed   int   `json:"passed"`
	Total    int   `json:"total"`
	Training int   `json:"training"`
}

// Add appends the rows of one scenario and the result of its runs.
func (r *Report) Add(s *scenario.Scenario, res *result.Result) {
	for _, v := range res.Verdicts {
		row := Row{
			ID: ID(&v.Expect), Scenario: s.Name, Machine: machineName(s), Workload: workloadNames(s), Arm: v.Arm, Metric: v.Metric,
			PublishedDeltaPct: v.DeltaPct, Published: v.Value, Role: v.Role, Pass: v.Pass, Deviation: v.Deviation, Note: v.Miss, noise: v.MeanPct != nil,
		}
		if v.To != nil {
			row.Published = v.To
		}
		if v.DeltaPct != nil {
			model := v.Simulated
			row.ModelDeltaPct = &model
		}
		if v.Min != nil {
			row.Bound = fmt.Sprintf(">= %g", *v.Min)
		}
		if v.Max != nil {
			row.Bound = strings.TrimPrefix(row.Bound+", "+fmt.Sprintf("<= %g", *v.Max), ", ")
		}
		if v.Reason != "" {
			row.Note = v.Reason
		}
		for i := range res.Arms {
			if sum, ok := res.Arms[i].Metrics.Get(v.Metric); ok && res.Arms[i].Label == v.Arm {
				row.Model, row.Spread = sum.Median, sum.Max-sum.Min
			}
		}
		r.Rows = append(r.Rows, row)
	}
}

// Finish judges the noise rows of each table by their mean and counts.
func (r *Report) Finish() {
	for i := 0; i < len(r.Rows); {
		j := i + 1
		for j < len(r.Rows) && Table(r.Rows[j].Scenario) == Table(r.Rows[i].Scenario) {
			j++
		}
		judgeNoise(r.Rows[i:j])
		i = j
	}
	r.Passed, r.Total, r.Training = 0, len(r.Rows), 0
	for i := range r.Rows {
		if r.Rows[i].Pass {
			r.Passed++
		}
		if r.Rows[i].Role == result.Training {
			r.Training++
		}
	}
}

// judgeNoise replaces the verdicts of noise rows by one on their means.
func judgeNoise(rows []Row) {
	published, model, n := 0.0, 0.0, 0
	for i := range rows {
		if rows[i].noise {
			published += *rows[i].PublishedDeltaPct
			model += *rows[i].ModelDeltaPct
			n++
		}
	}
	if n == 0 {
		return
	}
	published, model = published/float64(n), model/float64(n)
	e := result.Expect{DeltaPct: &published}
	pass := e.Follows(model)
	for i := range rows {
		if rows[i].noise {
			rows[i].Pass = pass
			why := rows[i].Note
			rows[i].Note = fmt.Sprintf("noise in the source: judged on the mean of %d rows, published %+.1f %%, model %+.1f %%", n, published, model)
			if !pass && why != "" {
				rows[i].Note += "; " + why
			}
		}
	}
}

// ID is the id of a row in the list of published numbers: row, or what source
// begins with.
func ID(e *result.Expect) string {
	if e.Row != "" {
		return e.Row
	}
	id, _, _ := strings.Cut(e.Source, " ")
	return strings.TrimSuffix(id, ",")
}

// Table is the table that a scenario is a point of, or its own name.
func Table(name string) string {
	table, _, _ := strings.Cut(name, ".")
	return table
}

func machineName(s *scenario.Scenario) string {
	if s.Machine.Name != "" {
		return s.Machine.Name
	}
	return s.Machine.Spec.Name
}

func workloadNames(s *scenario.Scenario) string {
	var kinds []string
	for _, w := range s.Workload {
		kinds = append(kinds, w.Kind)
	}
	return strings.Join(kinds, "+")
}

// Scenarios opens the shipped scenarios that have published rows and whose
// name begins with the prefix.
func Scenarios(prefix string) ([]*scenario.Scenario, error) {
	var out []*scenario.Scenario
	for _, name := range play.Library().Presets() {
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		s, err := play.Open(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if len(s.Expect) > 0 {
			out = append(out, s)
		}
	}
	return out, nil
}
