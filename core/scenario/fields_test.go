package scenario

import (
	"reflect"
	"strconv"
	"testing"

	"casplay/core/kernel"
	"casplay/core/workload"
	"casplay/scenarios"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func load(t testing.TB, name string) *Scenario {
	t.Helper()
	lib := scenarios.Library{}
	s, err := Parse(lib.Preset(name), lib)
	require.NoError(t, err)
	return s
}

// TestEveryKernelSettingHasAPath: what a kernel.Config holds can be written in
// a scenario, each field once.
func TestEveryKernelSettingHasAPath(t *testing.T) {
	s := newScenario(1000, defaultRules, nil)
	at := map[uintptr]string{}
	for _, f := range fixedFields {
		if f.ref == nil {
			continue
		}
		p := reflect.ValueOf(f.ref(s)).Pointer()
		assert.Empty(t, at[p], "%s and %s are one value", f.Path, at[p])
		at[p] = f.Path
	}
	var walk func(v reflect.Value, name string)
	walk = func(v reflect.Value, name string) {
		if v.Kind() != reflect.Struct {
			assert.NotEmpty(t, at[v.Addr().Pointer()], name+" has no path")
			return
		}
		for i := range v.NumField() {
			walk(v.Field(i), name+"."+v.Type().Field(i).Name)
		}
	}
	walk(reflect.ValueOf(&s.Kernel).Elem(), "kernel.Config")
	walk(reflect.ValueOf(&s.Run).Elem(), "Run")
}

func TestFieldsAreDocumented(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range load(t, "mg-d-112").Fields() {
		assert.NotEmpty(t, f.Key.Doc, f.Path)
		for _, name := range []string{f.Path, f.Short} {
			assert.False(t, seen[name] && name != "", "%s twice", name)
			seen[name] = true
		}
		assert.NotEqual(t, 1, len(f.Short), "one letter belongs to the link")
	}
}

// TestEveryValueSurvivesALink sets every setting, alone, to each of its edges
// and choices; what is accepted must come back from the link unchanged.
func TestEveryValueSurvivesALink(t *testing.T) {
	s := load(t, "mg-d-112")
	accepted := 0
	for _, f := range s.Fields() {
		values := f.Key.Enum
		switch f.Key.Type {
		case workload.Bool:
			values = []string{"0", "1"}
		case workload.Int, workload.Float:
			if len(values) == 0 {
				values = []string{strconv.FormatFloat(f.Key.Min, 'f', -1, 64), strconv.FormatFloat(f.Key.Max, 'f', -1, 64)}
			}
		}
		for _, v := range values {
			c, err := s.With([]Setting{{f.Path, v}})
			if err != nil { // contradicts another setting, or costs too much
				continue
			}
			accepted++
			text, err := FormatLink(&Link{Scenario: c})
			require.NoError(t, err, f.Path)
			back, err := ParseLink(text, s.lib)
			require.NoError(t, err, text)
			assert.Equal(t, string(c.Canonical()), string(back.Scenario.Canonical()), text)
			assert.Equal(t, c.Value(f), back.Scenario.Value(f), text)
		}
		for _, bad := range []string{"", "x", "-5", "1e99", "NaN", strconv.FormatFloat(f.Key.Max+1, 'f', -1, 64)} {
			if f.Key.Type == workload.String && len(f.Key.Enum) == 0 {
				continue
			}
			_, err := s.With([]Setting{{f.Path, bad}})
			if f.Key.Type == workload.Bool && bad == "1" { // Max + 1
				continue
			}
			assert.Error(t, err, "%s=%s", f.Path, bad)
		}
	}
	assert.Greater(t, accepted, 60)
}

func TestWithIsAllOrNothing(t *testing.T) {
	s := load(t, "mg-d-112")
	before := string(s.Canonical())
	_, err := s.With([]Setting{{"tol", "2"}, {"nope", "1"}, {"threads", "0"}})
	require.Error(t, err)
	assert.Len(t, err.(Problems), 2)
	c, err := s.With([]Setting{{"tol", "2"}, {"on:threads", "64"}})
	require.NoError(t, err)
	assert.EqualValues(t, 64, c.Effective(1).Workload[0].Int("threads"))
	assert.Equal(t, before, string(s.Canonical()), "the scenario itself is unchanged")
}

func TestDefaults(t *testing.T) {
	s := load(t, "mg-d-112")
	for path, want := range map[string]any{
		"kernel.cas.epoch_period": int64(kernel.Default(1000).CAS.EpochPeriod), "kernel.numa_balancing": true, "run.max_s": int64(120_000), "workload.0.place": "fork",
	} {
		f, ok := s.Field(path)
		require.True(t, ok, path)
		assert.Equal(t, want, s.Default(f), path)
	}
}

func TestMilli(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "1": 1000, "1.5": 1500, "0.001": 1, "600": 600_000, "12.340": 12_340} {
		m, ok := parseMilli(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, m, text)
		back, _ := parseMilli(formatMilli(m))
		assert.Equal(t, m, back)
	}
	for _, text := range []string{"", ".", "1.", ".5", "-1", "1.2345", "1e3", "1234567890", "٣"} {
		_, ok := parseMilli(text)
		assert.False(t, ok, text)
	}
}

func BenchmarkWith(b *testing.B) {
	s := load(b, "mg-d-112")
	for b.Loop() {
		if _, err := s.With([]Setting{{"on:tol", "2"}}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFormatLink(b *testing.B) {
	s := load(b, "mg-d-112")
	for b.Loop() {
		if _, err := FormatLink(&Link{Scenario: s}); err != nil {
			b.Fatal(err)
		}
	}
}
