package table_test

import (
	"encoding/json"
	"strings"
	"testing"

	"casplay/core/scenario"
	"casplay/core/scenario/table"
	"casplay/scenarios"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const small = `{"v":1,"name":"tab","title":"A table","notice":"base","machine":"emu-t2x8","workload":[{"kind":"spin","threads":4}],
 "run":{"seeds":1,"until":"time","max_s":0.1},"arms":[{"label":"off","set":{"cas":false}},{"label":"on"}],
 "row":{"arm":"on","metric":"runtime_s","role":"predicted","noise":true},
 "points":[
  {"label":"t2","set":{"workload.0.threads":2},"expect":[{"row":"X01","from":10,"to":8}]},
  {"label":"t6","title":"six threads","notice":"own","arms":[{"label":"on"}],"events":[],"set":{"workload.0.threads":6,"run.max_s":0.2},
   "expect":[{"row":"X02","delta_pct":10},{"row":"X03","delta_pct":40,"noise":false,"tol_points":3}]}]}`

func TestPoints(t *testing.T) {
	tab, problem := table.Open([]byte(small))
	require.NotNil(t, tab)
	require.Empty(t, problem)
	assert.Equal(t, []string{"t2", "t6"}, tab.Labels())
	assert.Nil(t, tab.Point("t4"))

	s, err := scenario.Parse(tab.Point("t6"), scenarios.Library{})
	require.NoError(t, err)
	assert.Equal(t, "tab.t6", s.Name)
	assert.Equal(t, "A table: six threads", s.Title)
	assert.Equal(t, tab.PointTitle(1), s.Title)
	assert.Equal(t, "own", s.Notice)
	assert.EqualValues(t, 200, s.Run.MaxMs)
	require.Len(t, s.Arms, 1)
	assert.Equal(t, "on", s.Arms[0].Label)
	assert.EqualValues(t, 6, s.Workload[0].Values["threads"])
	require.Len(t, s.Expect, 2)
	require.NotNil(t, s.Expect[0].MeanPct)
	assert.Equal(t, -5.0, *s.Expect[0].MeanPct, "of -20 and 10; the row that is no noise is left out")
	assert.Nil(t, s.Expect[1].MeanPct)
	assert.Equal(t, 3.0, s.Expect[1].TolPoints)

	first, err := scenario.Parse(tab.Point("t2"), scenarios.Library{})
	require.NoError(t, err)
	assert.InDelta(t, -20, *first.Expect[0].DeltaPct, 1e-9)
	assert.Equal(t, "base", first.Notice)
	again, err := scenario.Parse(first.Canonical(), scenarios.Library{})
	require.NoError(t, err)
	assert.Equal(t, string(first.Canonical()), string(again.Canonical()))
}

func TestFrame(t *testing.T) {
	for text, want := range map[string]string{
		`{"points":{}}`:  "points must be a list",
		`{"points":[]}`:  "points must be a list",
		`{"points":[1]}`: "points.0.label must be a name",
		`{"points":[{"label":"a"},{"label":"a"}]}`:                                 "points.1.label must be a name that no other",
		`{"points":[{"label":"a","row":[]}]}`:                                      "points.0.row is not a known key",
		`{"points":[{"label":"a"}],"row":[]}`:                                      "row must be an object",
		`{"points":[{"label":"a"}],"expect":[]}`:                                   "expect must stand in the points",
		`{"points":[{"label":"a"}],"v":1,"v":1}`:                                   "v appears twice",
		`{"points":[` + strings.Repeat(`{"label":"a"},`, table.MaxPoints) + `{}]}`: "points must be a list of 1 to",
	} {
		tab, problem := table.Open([]byte(text))
		assert.NotNil(t, tab, text)
		assert.Contains(t, problem, want, text)
	}
	for _, text := range []string{"", "[]", `{"v":1}`, `{"points"`, `["points"]`} {
		tab, problem := table.Open([]byte(text))
		assert.Nil(t, tab, text)
		assert.Empty(t, problem)
	}
}

// TestParseRefusesATable: a table is not one scenario.
func TestParseRefusesATable(t *testing.T) {
	_, err := scenario.Parse([]byte(small), scenarios.Library{})
	assert.ErrorContains(t, err, "points: makes this a table of scenarios")
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(`{"points":[{"label":"a","expect":{"a":1}}],"row":{"noise":true}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		tab, problem := table.Open(data)
		if tab == nil || problem != "" {
			return
		}
		for i, label := range tab.Labels() {
			tab.PointTitle(i)
			assert.True(t, json.Valid(tab.Point(label)))
		}
	})
}
