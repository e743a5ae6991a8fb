package replay

import (
	"testing"

	"casplay/core/result"
	"casplay/core/scenario"
	"casplay/scenarios"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rows makes a scenario of a table with one row of each form.
const rows = `{"v":1,"name":"tab.p1","machine":"emu-t2x8","workload":[{"kind":"spin"}],"run":{"until":"time","max_s":0.1},
 "arms":[{"label":"off","set":{"cas":false}},{"label":"on"}],"expect":[
 {"arm":"on","metric":"m","from":10,"to":8,"role":"predicted","row":"X01"},
 {"arm":"on","metric":"m","value":8,"tol_pct":6,"role":"training","source":"X02, a comment"},
 {"arm":"on","metric":"m","min":1,"max":2,"role":"predicted","row":"X03","miss":"why"},
 {"arm":"on","metric":"m","delta_pct":30,"mean_pct":1,"role":"predicted","row":"X04"},
 {"arm":"on","metric":"m","delta_pct":-28,"mean_pct":1,"role":"predicted","row":"X05"}]}`

func TestRows(t *testing.T) {
	s, err := scenario.Parse([]byte(rows), scenarios.Library{})
	require.NoError(t, err)
	run := func(arm int, label string, raw int64) *result.Run {
		return &result.Run{Arm: arm, Label: label, Seed: 1, Metrics: []result.Metric{{Name: "m", Raw: raw, Scale: 100}}}
	}
	r := &Report{}
	r.Add(s, result.Summarise(s.Plan("e"), []*result.Run{run(0, "off", 1000), run(1, "on", 840)}))
	r.Finish()
	require.Len(t, r.Rows, 5)
	assert.Equal(t, 5, r.Total)
	assert.Equal(t, 1, r.Training)
	ids := []string{}
	for _, row := range r.Rows {
		ids = append(ids, row.ID)
		assert.InDelta(t, 8.4, row.Model, 1e-9)
		assert.Equal(t, "emu-t2x8", row.Machine)
	}
	assert.Equal(t, []string{"X01", "X02", "X03", "X04", "X05"}, ids)
	assert.InDelta(t, -20, *r.Rows[0].PublishedDeltaPct, 1e-9)
	assert.InDelta(t, -16, *r.Rows[0].ModelDeltaPct, 1e-9)
	assert.Equal(t, 8.0, *r.Rows[0].Published)
	assert.True(t, r.Rows[0].Pass)
	assert.True(t, r.Rows[1].Pass)
	assert.False(t, r.Rows[2].Pass)
	assert.Equal(t, "why", r.Rows[2].Note)
	assert.Equal(t, ">= 1, <= 2", r.Rows[2].Bound)
	assert.False(t, r.Rows[3].Pass, "mean of the model -16, of the source +1")
	assert.Contains(t, r.Rows[4].Note, "mean of 2 rows")
	assert.Equal(t, 2, r.Passed)

	calm := &Report{}
	calm.Add(s, result.Summarise(s.Plan("e"), []*result.Run{run(0, "off", 1000), run(1, "on", 1020)}))
	calm.Finish()
	assert.True(t, calm.Rows[3].Pass)
	assert.True(t, calm.Rows[4].Pass, "noise is judged on the mean")
}

func TestFollows(t *testing.T) {
	for _, c := range []struct {
		published, spread, simulated float64
		pass                         bool
	}{
		{-30, 0, -19, true}, {-30, 0, -17, false}, {-30, 0, -43, false}, {11, 0, -0.5, false}, {10, 0, 21, true},
		{1, 0, 6.9, true}, {1, 0, 7.1, false}, {-4.9, 0, 1, true}, {0, 0, -6, true},
		{7, 0, 0.1, true}, {7, 0, 50, true}, {7, 0, -0.1, false}, {7, 0, 0, false}, {7, 8, -6, true}, {7, 6, -6, false},
	} {
		e := result.Expect{DeltaPct: &c.published, SpreadPct: c.spread}
		assert.Equal(t, c.pass, e.Follows(c.simulated), "%+v", c)
	}
	e := result.Expect{DeltaPct: new(float64), TolPoints: 2}
	assert.False(t, e.Follows(3), "a tolerance of its own counts")
}
