package trace

import (
	"encoding/json"
	"sort"
	"strconv"
	"strings"
	"testing"

	"casplay/core/play"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// chromeEvent has the fields of the trace-event format that viewers need.
type chromeEvent struct {
	Ph, Name, Cat, S, BP string
	Pid, Tid, ID         *int64
	Ts, Dur              *float64
	Args                 map[string]any
}

func chromeEvents(t *testing.T, r *Recording) []chromeEvent {
	var doc struct {
		TraceEvents     []chromeEvent
		DisplayTimeUnit string
	}
	d := json.NewDecoder(strings.NewReader(string(r.Chrome())))
	require.NoError(t, d.Decode(&doc))
	assert.Equal(t, "ms", doc.DisplayTimeUnit)
	return doc.TraceEvents
}

const twoNodes = `{"v":1,"name":"x","machine":"emu-t2x8n","workload":[{"kind":"mem","threads":6,"mib":4},{"kind":"pipe","pairs":1,"work_us":50}],
 "events":[{"at_ms":50,"set":{"tol":2}}],"run":{"until":"time","max_s":0.15},"arms":[{"label":"on"}]}`

// Every event has what the trace-event format requires of its phase, and the
// times are those of the run.
func TestChromeEventsAreComplete(t *testing.T) {
	r := recorded(t, twoNodes)
	seen := map[string]int{}
	for _, e := range chromeEvents(t, r) {
		seen[e.Ph]++
		require.NotEmpty(t, e.Name)
		require.NotNil(t, e.Pid, e.Name)
		require.NotNil(t, e.Tid, e.Name)
		require.NotNil(t, e.Ts, e.Name)
		require.GreaterOrEqual(t, *e.Ts, 0.0)
		require.LessOrEqual(t, *e.Ts, float64(r.Run.SimNs)/1000)
		switch e.Ph {
		case "X":
			require.NotNil(t, e.Dur)
			require.Positive(t, *e.Dur)
		case "i":
			require.Contains(t, "gpt", e.S)
			require.NotEmpty(t, e.Args["text"])
		case "C":
			require.IsType(t, 0.0, e.Args["value"])
		case "s", "f":
			require.NotNil(t, e.ID)
			require.NotEmpty(t, e.Cat)
		case "M":
			require.Len(t, e.Args, 1)
		default:
			require.Fail(t, "unknown phase", e.Ph)
		}
	}
	for _, ph := range []string{"M", "X", "i", "C", "s", "f"} {
		assert.Positive(t, seen[ph], ph)
	}
	assert.Equal(t, seen["s"], seen["f"])
}

// All rows that events use have a name, CPUs under their LLC, and the LLCs of
// a node follow it in the order of the view.
func TestChromeRows(t *testing.T) {
	r := recorded(t, twoNodes)
	type row struct{ pid, tid int64 }
	names, rows, order := map[int64]string{}, map[row]string{}, map[int64]float64{}
	events := chromeEvents(t, r)
	for _, e := range events {
		switch e.Name {
		case "process_name":
			names[*e.Pid] = e.Args["name"].(string)
		case "process_sort_index":
			order[*e.Pid] = e.Args["sort_index"].(float64)
		case "thread_name":
			rows[row{*e.Pid, *e.Tid}] = e.Args["name"].(string)
		}
	}
	for _, e := range events {
		require.Contains(t, names, *e.Pid)
		if e.Ph == "X" || e.Ph == "i" {
			require.Contains(t, rows, row{*e.Pid, *e.Tid})
		}
	}
	var pids []int64
	for p := range names {
		pids = append(pids, p)
	}
	sort.Slice(pids, func(i, j int) bool { return order[pids[i]] < order[pids[j]] })
	var got []string
	for _, p := range pids {
		got = append(got, names[p])
	}
	assert.Equal(t, []string{"mem", "pipe", "node 0", "node 0, LLC 0", "node 1", "node 1, LLC 1"}, got)
	assert.Equal(t, "CPU 9", rows[row{llcPid + 1, cpuTid + 9}])
}

// Slices of a CPU do not overlap, a thread runs on one CPU at a time, and
// together they are the CPU time that the run counted.
func TestChromeSlices(t *testing.T) {
	r := recorded(t, twoNodes)
	byRow, byThread := map[int64][]chromeEvent{}, map[string][]chromeEvent{}
	var busy float64
	for _, e := range chromeEvents(t, r) {
		if e.Ph == "X" {
			byRow[*e.Tid] = append(byRow[*e.Tid], e)
			byThread[e.Name] = append(byThread[e.Name], e)
			busy += *e.Dur
		}
	}
	apart := func(list []chromeEvent, what any) {
		sort.Slice(list, func(i, j int) bool { return *list[i].Ts < *list[j].Ts })
		for i := 1; i < len(list); i++ {
			require.GreaterOrEqual(t, *list[i].Ts+0.0005, *list[i-1].Ts+*list[i-1].Dur, "%v", what)
		}
	}
	for tid, list := range byRow {
		apart(list, tid)
	}
	for name, list := range byThread {
		apart(list, name)
	}
	for _, m := range r.Run.Metrics {
		if m.Name == "cpu_util_pct" {
			assert.InDelta(t, m.Value, busy*1000*100/float64(r.Run.SimNs), 0.1)
		}
	}
}

// Each arrow joins two slices of one thread on CPUs of different LLCs.
func TestChromeArrows(t *testing.T) {
	r := recorded(t, twoNodes)
	events := chromeEvents(t, r)
	rows := map[int64][]chromeEvent{}
	for _, e := range events {
		if e.Ph == "X" {
			rows[*e.Tid] = append(rows[*e.Tid], e)
		}
	}
	at := func(e chromeEvent) string {
		for _, x := range rows[*e.Tid] {
			if *x.Ts <= *e.Ts && *e.Ts < *x.Ts+*x.Dur {
				return x.Name
			}
		}
		return ""
	}
	starts := map[int64]chromeEvent{}
	for _, e := range events {
		switch e.Ph {
		case "s":
			starts[*e.ID] = e
		case "f":
			s, ok := starts[*e.ID]
			require.True(t, ok)
			assert.Equal(t, "e", e.BP)
			assert.NotEqual(t, *s.Pid, *e.Pid)
			assert.Less(t, *s.Ts, *e.Ts)
			assert.NotEmpty(t, at(s))
			assert.Equal(t, at(s), at(e))
		}
	}
	assert.NotEmpty(t, starts)
}

// A trace that is full says so, and no slice reaches beyond its last record.
func TestChromeSaysWhatItLeavesOut(t *testing.T) {
	s, err := play.Open(twoNodes)
	require.NoError(t, err)
	setup, err := s.Setup(0, 1)
	require.NoError(t, err)
	steps := 0
	r, err := Record(setup, 40, func() { steps++ })
	require.NoError(t, err)
	assert.Positive(t, r.Log.Dropped)
	assert.Len(t, r.Log.Switches, 40)
	last := float64(r.Log.Switches[39].At) / 1000
	said := 0
	for _, e := range chromeEvents(t, r) {
		if e.Ph == "X" {
			require.LessOrEqual(t, *e.Ts+*e.Dur, last+0.001)
		}
		if strings.Contains(e.Name, "the trace is full") {
			said++
			assert.Equal(t, "g", e.S)
			assert.InDelta(t, last, *e.Ts, 0.001)
		}
	}
	assert.Equal(t, 1, said)
	assert.Contains(t, string(r.Chrome()), `"records left out":"`+strconv.FormatInt(r.Log.Dropped, 10)+`"`)
	assert.Contains(t, string(recorded(t, twoNodes).Chrome()), `"records left out":"0"`)
}

// Equal runs give equal bytes.
func TestChromeIsDeterministic(t *testing.T) {
	assert.Equal(t, string(recorded(t, twoNodes).Chrome()), string(recorded(t, twoNodes).Chrome()))
}

// Recording does not change a run.
func TestRecordingChangesNothing(t *testing.T) {
	r := recorded(t, twoNodes)
	assert.Equal(t, plainDigest(t, twoNodes), r.Run.Digest)
}
