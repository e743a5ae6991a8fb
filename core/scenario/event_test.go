package scenario

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"casplay/scenarios"
)

func TestEventKinds(t *testing.T) {
	for text, want := range map[string]EventKind{
		`{"at_ms":5,"set":{"kernel.cas.aggr_tolerance":3}}`: EventSet,
		`{"at_ms":5,"set":{}}`:                              EventSet,
		`{"at_ms":5,"sleep":"spin"}`:                        EventSleep,
		`{"at_ms":5,"offline":0}`:                           EventOffline,
		`{"at_ms":5,"arm":"","offline":0}`:                  EventOffline + 1, // refused
		`{"at_ms":5,"sleep":""}`:                            EventOffline + 1,
		`{"at_ms":5,"offline":0,"for_ms":2}`:                EventOffline + 1,
	} {
		s, err := offline(text)
		if want > EventOffline {
			assert.Error(t, err, text)
			continue
		}
		require.NoError(t, err, text)
		assert.Equal(t, want, s.Events[0].Kind, text)
		again, err := Parse(s.Canonical(), scenarios.Library{})
		require.NoError(t, err, text)
		assert.Equal(t, s.Events, again.Events, "the file says the same: %s", text)
	}
	assert.Equal(t, []string{"set", "sleep", "offline"}, []string{EventSet.String(), EventSleep.String(), EventOffline.String()})
}
