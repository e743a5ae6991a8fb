// Package calibrate redoes the fits of the model: for each it searches the
// parameters that bring the training rows closest, by coordinates, in
// narrowing steps on a grid, from the committed values until none moves.
// So the outcome is the same everywhere, and once committed it is the outcome again.
package calibrate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"casplay/core/machine"
	"casplay/core/play"
	"casplay/core/replay"
	"casplay/core/result"
	"casplay/core/scenario"
)

// Param is one parameter of a fit and where it is searched: Lo + i*Step, up to Hi.
type Param struct {
	// Path is "machine.perf.<key>" for a number of the scenarios' machine file,
	// or the path of a setting.
	Path         string
	Lo, Hi, Step float64
}

// Fit is a set of parameters that were fitted together.
type Fit struct {
	Name   string
	Params []Param
	// Scenarios hold the training rows, those with the ids Rows.
	Scenarios, Rows []string
	// Seeds of each run; 0 means those of the scenarios.
	Seeds int
}

// Fits lists every fit of the shipped machines and workloads.
func Fits() []Fit {
	return []Fit{
		{
			// The steps are what the rows can tell: finer ones follow the noise of seeds.
			Name: "mg", Scenarios: []string{"mg-d-64", "mg-d-32"}, Rows: []string{"A02", "A03"}, Seeds: 3,
			Params: []Param{{"machine.perf.core_mlp_lines", 24, 56, 1}, {"machine.perf.llc_fill_gbps", 240, 330, 5}, {"machine.perf.queue_k_fill", 0.1, 1, 0.05}},
		},
		{
			Name: "mg-jitter", Scenarios: []string{"mg-d-64"}, Rows: []string{"A33"}, Seeds: 1,
			Params: []Param{{"workload.0.jitter_pct", 0, 40, 2}},
		},
		{
			Name: "stream-spr", Scenarios: []string{"stream-spr.scale"}, Rows: []string{"C16"},
			Params: []Param{{"machine.perf.core_mlp_lines", 16, 64, 0.5}},
		},
		{
			// Seeds differ by 10 %, as a step of 100 ns would make them.
			Name: "pipe", Scenarios: []string{"hackbench-spr.g16"}, Rows: []string{"C06"}, Seeds: 1,
			Params: []Param{{"workload.0.syscall_ns", 100, 400, 30}},
		},
		{
			Name: "wakeup", Scenarios: []string{"schbench-spr.w16"}, Rows: []string{"C11"},
			Params: []Param{{"kernel.timing.wake_lines", 4, 60, 1}},
		},
		{
			Name: "verilator", Scenarios: []string{"xiangshan-genoa"}, Rows: []string{"B10"},
			Params: []Param{{"workload.0.lines", 20, 1000, 5}},
		},
		{
			Name: "sysbench", Scenarios: []string{"sysbench-x256"}, Rows: []string{"E08"},
			Params: []Param{{"workload.0.query_us", 10, 200, 1}},
		},
	}
}

// Outcome is what a fit came to.
type Outcome struct {
	Name   string  `json:"name"`
	Params []Value `json:"params"`
	Rows   []Row   `json:"rows"`
	// RMS is the root mean square of the residuals in %.
	RMS float64 `json:"rms_pct"`
	// Runs counts the simulations of the training rows.
	Runs int `json:"runs"`
}

// Value is a fitted parameter beside the committed one.
type Value struct {
	Path      string  `json:"path"`
	Fitted    float64 `json:"fitted"`
	Committed float64 `json:"committed"`
	// AtBound is set when the search ended at Lo or Hi.
	AtBound bool `json:"at_bound,omitempty"`
}

// Row is a training row: residual in % of a published value, or in points of
// a published change.
type Row struct {
	ID       string  `json:"id"`
	Scenario string  `json:"scenario"`
	Arm      string  `json:"arm"`
	Residual float64 `json:"residual"`
}

// Run simulates every arm and seed of a scenario.
type Run func(*scenario.Scenario) ([]*result.Run, error)

// Do searches the parameters of a fit.
func (f *Fit) Do(run Run) (*Outcome, error) {
	base, err := f.open()
	if err != nil {
		return nil, err
	}
	s := search{fit: f, base: base, run: run, seen: map[string]float64{}}
	at := make([]int, len(f.Params))
	out := &Outcome{Name: f.Name}
	for i, p := range f.Params {
		v, err := get(base[0], p.Path)
		if err != nil {
			return nil, fmt.Errorf("fit %s: %w", f.Name, err)
		}
		at[i] = min(max(int((v-p.Lo)/p.Step+0.5), 0), p.steps())
		out.Params = append(out.Params, Value{Path: p.Path, Committed: v})
	}
	for last := []int(nil); !slices.Equal(last, at); {
		last = slices.Clone(at)
		for i := range f.Params {
			if at[i], err = s.descend(at, i); err != nil {
				return nil, err
			}
		}
	}
	for i, p := range f.Params {
		out.Params[i].Fitted = p.value(at[i])
		out.Params[i].AtBound = at[i] == 0 || at[i] == p.steps()
	}
	rows, err := s.rows(at)
	if err != nil {
		return nil, err
	}
	out.Rows, out.RMS, out.Runs = rows, rms(rows), s.runs
	return out, nil
}

func (p *Param) steps() int { return int((p.Hi-p.Lo)/p.Step + 0.5) }

// value is point i of the grid, rounded so that steps of 0.1 stay short.
func (p *Param) value(i int) float64 {
	return float64(int64((p.Lo+float64(float64(i)*p.Step))*1e6+0.5)) / 1e6
}

// open reads the scenarios and leaves only what the training rows need.
func (f *Fit) open() ([]*scenario.Scenario, error) {
	var out []*scenario.Scenario
	for _, name := range f.Scenarios {
		s, err := play.Open(name)
		if err != nil {
			return nil, err
		}
		c := *s
		c.Expect = nil
		need := map[string]bool{}
		for _, e := range s.Expect {
			if e.Role != result.Training || !f.trains(replay.ID(&e)) || (e.Value == nil && e.DeltaPct == nil) {
				continue
			}
			c.Expect = append(c.Expect, e)
			need[e.Arm] = true
			if e.DeltaPct != nil {
				vs := e.Vs
				if vs == "" {
					vs = s.Arms[0].Label
				}
				need[vs] = true
			}
		}
		if len(c.Expect) == 0 {
			return nil, fmt.Errorf("fit %s: scenario %s has no training row of %s", f.Name, name, strings.Join(f.Rows, ", "))
		}
		c.Arms = nil
		for _, a := range s.Arms {
			if need[a.Label] {
				c.Arms = append(c.Arms, a)
			}
		}
		if f.Seeds > 0 {
			c.Run.Seeds = f.Seeds
		}
		out = append(out, &c)
	}
	return out, nil
}

func (f *Fit) trains(id string) bool {
	for _, r := range f.Rows {
		if r == id {
			return true
		}
	}
	return false
}

// get reads a parameter of a scenario.
func get(s *scenario.Scenario, path string) (float64, error) {
	if key, ok := strings.CutPrefix(path, "machine.perf."); ok {
		var spec struct {
			Perf map[string]struct {
				V float64 `json:"v"`
			} `json:"perf"`
		}
		if err := decode(s, &spec); err != nil {
			return 0, err
		}
		p, ok := spec.Perf[key]
		if !ok {
			return 0, fmt.Errorf("machine %s has no parameter %q", s.Machine.Spec.Name, key)
		}
		return p.V, nil
	}
	f, ok := s.Field(path)
	if !ok {
		return 0, fmt.Errorf("scenario %s has no setting %q", s.Name, path)
	}
	switch v := s.Value(f).(type) {
	case int64:
		return float64(v), nil
	case float64:
		return v, nil
	}
	return 0, fmt.Errorf("setting %q is no number", path)
}

// decode reads the machine of a scenario; idle states, whose value is a list, are left out.
func decode(s *scenario.Scenario, into any) error {
	spec := s.Machine.Spec
	b, err := json.Marshal(&spec)
	if err != nil {
		return err
	}
	var doc map[string]any
	if err := json.Unmarshal(b, &doc); err != nil {
		return err
	}
	delete(doc["perf"].(map[string]any), "idle_states")
	if b, err = json.Marshal(doc); err != nil {
		return err
	}
	return json.Unmarshal(b, into)
}

// with returns the scenario with a parameter changed.
func with(s *scenario.Scenario, path string, v float64) (*scenario.Scenario, error) {
	key, ok := strings.CutPrefix(path, "machine.perf.")
	if !ok {
		c, err := s.With([]scenario.Setting{{Path: path, Value: fmt.Sprint(v)}})
		if err == nil {
			c.Expect = s.Expect // With drops the rows of what nobody measured
		}
		return c, err
	}
	b, err := json.Marshal(&s.Machine.Spec)
	if err != nil {
		return nil, err
	}
	var doc map[string]any
	if err := json.Unmarshal(b, &doc); err != nil {
		return nil, err
	}
	doc["perf"].(map[string]any)[key].(map[string]any)["v"] = v
	if b, err = json.Marshal(doc); err != nil {
		return nil, err
	}
	spec, errs := machine.ParseSpec(b)
	if len(errs) > 0 {
		return nil, fmt.Errorf("%s = %g: %w", path, v, errs[0])
	}
	c := *s
	c.Machine = scenario.MachineRef{Spec: spec}
	return &c, nil
}
