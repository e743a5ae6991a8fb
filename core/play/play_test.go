package play_test

import (
	"bytes"
	"testing"

	"casplay/core/play"
	"casplay/core/result"
	"casplay/core/scenario"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tiny is a scenario that runs in a moment.
const tiny = `{"v":1,"name":"tiny","machine":"emu-t2x8","workload":[{"kind":"spin","threads":4}],
 "run":{"seeds":2,"seed":5,"until":"time","max_s":0.2},"arms":[{"label":"off","set":{"cas":false}},{"label":"on"}]}`

func TestOpen(t *testing.T) {
	preset, err := play.Open("mg-d-112")
	require.NoError(t, err)
	for _, text := range []string{" mg-d-112\n", "#mg-d-112", "#1;mg-d-112", "<https://example.org/#mg-d-112>", string(preset.Canonical()), string(preset.Indented())} {
		s, err := play.Open(text)
		require.NoError(t, err, text)
		assert.Equal(t, string(preset.Canonical()), string(s.Canonical()))
	}
	for text, want := range map[string]string{
		"mg-d-11":        "scenario: is not the name of a scenario, a link or JSON, got mg-d-11 (did you mean mg-d-112?)",
		"":               "scenario: is not the name",
		"#mg-d-11":       "link: is not a known preset",
		"mg-d-11;tol=2":  "link: is not a known preset",
		"1;mg-d-112;e=x": "link: is cut",
		"{":              "scenario: is not valid JSON",
		"1zAAAA":         "link: is cut",
		"#1;mg-d-112;":   "link",
	} {
		_, err := play.Open(text)
		require.Error(t, err, text)
		assert.Contains(t, err.Error(), want)
		assert.IsType(t, scenario.Problems{}, err)
	}
}

func TestPresetsAreComplete(t *testing.T) {
	presets := play.Presets()
	require.NotEmpty(t, presets)
	for _, p := range presets {
		s, err := play.Open(p.Name)
		require.NoError(t, err, p.Name)
		assert.Equal(t, p.Name, s.Name, "file name and name")
		assert.Equal(t, p.Title, s.Title)
		assert.NotEmpty(t, s.Title, p.Name)
		assert.NotEmpty(t, s.Purpose, p.Name)
		assert.NotEmpty(t, s.Source, p.Name)
		assert.NotEmpty(t, s.Notice, p.Name)
	}
}

// TestTrainingRows guards the rule that at most three of the report's eight
// runtimes may have been used in a fit.
func TestTrainingRows(t *testing.T) {
	training := map[string]bool{}
	for _, name := range []string{"mg-d-112", "mg-d-64", "mg-d-32", "mg-c-4"} {
		s, err := play.Open(name)
		require.NoError(t, err)
		for _, e := range s.Expect {
			if e.Value != nil && e.Metric == "runtime_s" && e.Role == result.Training {
				training[name+" "+e.Arm] = true
			}
		}
	}
	assert.LessOrEqual(t, len(training), 3)
}

func TestRunAll(t *testing.T) {
	s, err := play.Open(tiny)
	require.NoError(t, err)
	assert.Equal(t, []play.Job{{0, 5}, {1, 5}, {0, 6}, {1, 6}}, play.Jobs(s))
	calls := 0
	runs, err := play.RunAll(s, func(p play.Progress) bool {
		calls++
		assert.LessOrEqual(t, p.NowNs, int64(200_000_000))
		return true
	})
	require.NoError(t, err)
	assert.Positive(t, calls)
	require.Len(t, runs, 4)
	assert.Equal(t, "on", runs[3].Label)
	assert.EqualValues(t, 6, runs[3].Seed)
	for _, r := range runs {
		assert.Equal(t, result.DigestRun(r), r.Digest)
	}
	again, err := play.RunAll(s, nil)
	require.NoError(t, err)
	assert.Equal(t, play.Summarise(s, runs).Digest, play.Summarise(s, again).Digest, "same scenario, same bits")
}

func TestRunStops(t *testing.T) {
	s, err := play.Open(tiny)
	require.NoError(t, err)
	runs, err := play.RunAll(s, func(p play.Progress) bool { return p.Job.Arm == 0 })
	require.NoError(t, err)
	assert.Len(t, runs, 1, "the second job was stopped")
	_, err = play.Run(s, play.Job{Arm: 7, Seed: 1}, nil)
	assert.Error(t, err)
}

func TestResultHoldsTheScenario(t *testing.T) {
	s, err := play.Open(tiny)
	require.NoError(t, err)
	r := play.Summarise(s, nil)
	assert.True(t, bytes.Equal(s.Canonical(), r.Scenario))
	assert.Equal(t, play.Engine, r.Engine)
}
