package scenario

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"casplay/scenarios"
)

func offline(events string) (*Scenario, error) {
	return Parse([]byte(`{"v":1,"name":"x","machine":"emu-t2x8","workload":[{"kind":"spin","threads":4}],"events":[`+events+`],
 "run":{"seeds":1,"until":"time","max_s":1},"arms":[{"label":"a"}]}`), scenarios.Library{})
}

// CPUs that go offline stay so, and the simulator is told who is left.
func TestOfflineEvents(t *testing.T) {
	s, err := offline(`{"at_ms":20,"offline":15},{"at_ms":10,"offline":0}`)
	require.NoError(t, err)
	setup, err := s.Setup(0, 1)
	require.NoError(t, err)
	require.Len(t, setup.Events, 2)
	for i, want := range []int{15, 14} {
		assert.Equal(t, want, setup.Events[i].Partitions[0].Len())
		assert.False(t, setup.Events[i].Partitions[0].Has(0))
	}
	back, err := Parse(s.Canonical(), scenarios.Library{})
	require.NoError(t, err)
	assert.Equal(t, string(s.Canonical()), string(back.Canonical()))
	for _, c := range []struct{ events, want string }{
		{`{"at_ms":1,"offline":16}`, "events.0.offline: must be a CPU of the machine, 0 to 15"},
		{`{"at_ms":1,"offline":-1}`, "events.0.offline: must be"},
		{`{"at_ms":1,"offline":1,"sleep":"spin"}`, "must have either set, sleep or offline"},
		{`{"at_ms":1}`, "must have either set, sleep or offline"},
		{`{"at_ms":1,"offline":1,"threads":2}`, "has threads or for_ms without sleep"},
	} {
		_, err := offline(c.events)
		assert.ErrorContains(t, err, c.want)
	}
}
