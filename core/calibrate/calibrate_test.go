package calibrate

import (
	"encoding/json"
	"strings"
	"testing"

	"casplay/core/machine"
	"casplay/core/play"
	"casplay/core/result"
	"casplay/core/scenario"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fake answers with metrics that follow from a parameter: no simulation.
func fake(path string, metric func(v float64) float64) Run {
	return func(s *scenario.Scenario) ([]*result.Run, error) {
		v, err := get(s, path)
		if err != nil {
			return nil, err
		}
		var out []*result.Run
		for i, a := range s.Arms {
			out = append(out, &result.Run{Arm: i, Label: a.Label, Seed: 1, Metrics: []result.Metric{
				{Name: s.Expect[0].Metric, Raw: int64(metric(v) * 1e6), Scale: 1e6},
			}})
		}
		return out, nil
	}
}

func TestFindsTheBottom(t *testing.T) {
	for _, p := range []Param{
		{"machine.perf.core_mlp_lines", 16, 64, 0.5},
		{"workload.0.array_mib", 100, 900, 1},
	} {
		f := Fit{Name: "test", Scenarios: []string{"stream-spr.scale"}, Rows: []string{"C16"}, Params: []Param{p}}
		want := p.value(p.steps() / 3)
		o, err := f.Do(fake(p.Path, func(v float64) float64 { return 24.04 * v / want }))
		require.NoError(t, err)
		assert.InDelta(t, want, o.Params[0].Fitted, 1e-9, p.Path)
		assert.False(t, o.Params[0].AtBound)
		assert.InDelta(t, 0, o.RMS, 1e-3)
		require.Len(t, o.Rows, 1, "only training rows")
		assert.Equal(t, "C16", o.Rows[0].ID)

		o, err = f.Do(fake(p.Path, func(v float64) float64 { return 24.04 * (2 - v/1e4) * 2 }))
		require.NoError(t, err)
		assert.True(t, o.Params[0].AtBound, "the bottom lies outside")
	}
}

// TestRestsAtItsOutcome: parameters that answer for each other move until
// neither gains, and a search that begins there stays.
func TestRestsAtItsOutcome(t *testing.T) {
	mlp, size := "machine.perf.core_mlp_lines", "workload.0.array_mib"
	f := Fit{Name: "test", Scenarios: []string{"stream-spr.scale"}, Rows: []string{"C16"}, Params: []Param{{mlp, 16, 64, 1}, {size, 100, 900, 10}}}
	run := func(s *scenario.Scenario) ([]*result.Run, error) {
		v, err := get(s, size)
		require.NoError(t, err)
		return fake(mlp, func(x float64) float64 {
			return 24.04 * (1 + (x-40)*(x-40)/1e3 + (v-600-10*(x-40))*(v-600-10*(x-40))/1e6)
		})(s)
	}
	o, err := f.Do(run)
	require.NoError(t, err)
	assert.Equal(t, []float64{40, 600}, []float64{o.Params[0].Fitted, o.Params[1].Fitted})
	base, err := f.open()
	require.NoError(t, err)
	s := search{fit: &f, base: base, run: run, seen: map[string]float64{}}
	for i, p := range f.Params {
		at := []int{24, 50}
		found, err := s.descend(at, i)
		require.NoError(t, err)
		assert.Equal(t, at[i], found, p.Path)
	}
}

func TestBadFits(t *testing.T) {
	for want, f := range map[string]Fit{
		`has no parameter "mlp"`:     {Scenarios: []string{"stream-spr.scale"}, Rows: []string{"C16"}, Params: []Param{{"machine.perf.mlp", 1, 2, 1}}},
		`has no setting "mlp"`:       {Scenarios: []string{"stream-spr.scale"}, Rows: []string{"C16"}, Params: []Param{{"mlp", 1, 2, 1}}},
		"has no training row of C99": {Scenarios: []string{"stream-spr.scale"}, Rows: []string{"C99"}},
		"is not the name":            {Scenarios: []string{"nope"}},
	} {
		_, err := f.Do(nil)
		assert.ErrorContains(t, err, want)
	}
}

// TestFitsAreDeclared: what a machine file calls a fit is in the table with
// the same rows, and every training row of a scenario belongs to a fit.
func TestFitsAreDeclared(t *testing.T) {
	lib := play.Library()
	for _, name := range lib.Machines() {
		spec, errs := machine.ParseSpec(lib.Machine(name))
		require.Empty(t, errs)
		for key, p := range params(t, &spec) {
			if p.Source != machine.FromFit {
				continue
			}
			rows := map[string]bool{}
			for _, r := range p.Rows {
				id, _, _ := strings.Cut(r, " ")
				rows[id] = true
			}
			assert.True(t, declared(t, name, "machine.perf."+key, rows), "%s: %s is a fit that calibrate does not redo", name, key)
		}
	}
}

// params reads the performance parameters of a machine by key.
func params(t *testing.T, spec *machine.Spec) map[string]machine.Param {
	b, err := json.Marshal(&spec.Perf)
	require.NoError(t, err)
	var raw map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(b, &raw))
	out := map[string]machine.Param{}
	for key, text := range raw {
		if key == "idle_states" {
			continue
		}
		var p machine.Param
		require.NoError(t, json.Unmarshal(text, &p))
		out[key] = p
	}
	return out
}

// declared looks for a fit of a parameter on a machine with those rows.
func declared(t *testing.T, machineName, path string, rows map[string]bool) bool {
	for _, f := range Fits() {
		s, err := play.Open(f.Scenarios[0])
		require.NoError(t, err)
		for _, p := range f.Params {
			if p.Path == path && s.Machine.Name == machineName {
				same := len(rows) == len(f.Rows)
				for _, r := range f.Rows {
					same = same && rows[r]
				}
				return same
			}
		}
	}
	return false
}

// TestFitsOpen: every fit finds its rows and its parameters, within bounds.
func TestFitsOpen(t *testing.T) {
	for _, f := range Fits() {
		all, err := f.open()
		require.NoError(t, err, f.Name)
		for _, s := range all {
			for _, p := range f.Params {
				v, err := get(s, p.Path)
				require.NoError(t, err, f.Name)
				assert.True(t, p.Lo <= v && v <= p.Hi, "%s: %s = %g", f.Name, p.Path, v)
				changed, err := with(s, p.Path, p.Lo)
				require.NoError(t, err)
				lo, err := get(changed, p.Path)
				require.NoError(t, err)
				assert.InDelta(t, p.Lo, lo, 1e-9)
				assert.Len(t, changed.Expect, len(s.Expect))
			}
		}
	}
}
