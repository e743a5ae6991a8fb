package explain

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"casplay/core/scenario"
)

func along(t *testing.T, everyMs int64, text, arm string, more ...scenario.Setting) []*Answer {
	t.Helper()
	out, err := Along(setup(t, text, arm, more...), 0, everyMs*1e6, func() {})
	require.NoError(t, err)
	return out
}

// TestAlongIsWhy: looking on changes nothing of the run, and each answer is the
// one that a run up to that moment gives.
func TestAlongIsWhy(t *testing.T) {
	for _, c := range []struct{ text, arm string }{{"mg-c-4", "on"}, {spin(14, ""), "base"}} {
		answers := along(t, 10, c.text, c.arm)
		require.Greater(t, len(answers), 150)
		for _, i := range []int{0, 1, 40, 130, len(answers) - 3} {
			ms := answers[i].AtNs / 1e6
			require.Equal(t, ms*1e6, answers[i].AtNs)
			assert.Equal(t, at(t, ms, c.text, c.arm), answers[i], "%s at %d ms", c.arm, ms)
		}
		for i, a := range answers[1:] {
			assert.LessOrEqual(t, a.AtNs-answers[i].AtNs, max(10e6, answers[i].AtNs/looksFor))
		}
	}
	last := along(t, 300, spin(14, ""), "base")
	assert.Equal(t, int64(2e9), last[len(last)-1].AtNs, "the end of the run")
}

// TestAlongEnds: with the process, of which it tells the pages.
func TestAlongEnds(t *testing.T) {
	answers := along(t, 500, "mg-c-4", "on")
	for i, a := range answers {
		assert.Equal(t, i == len(answers)-1, a.Text[len(a.Text)-1] == "mg has no threads any more.", a.Text)
	}
	assert.Positive(t, answers[len(answers)-2].NumaSweeps)
	assert.Positive(t, answers[len(answers)-2].PagesMigrated)
	assert.Zero(t, answers[0].NumaSweeps)
}
