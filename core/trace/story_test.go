package trace

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"casplay/core/play"
	"casplay/core/sim"
)

var update = flag.Bool("update", false, "write the stories of testdata anew")

// story is a file of testdata: comments, a scenario in JSON, what to show of
// its last arm, and after a line of dashes what came of it.
type story struct {
	head, want string
	scenario   string
	topics     []Topic
	from, to   int64 // ns
}

const rule = "---\n"

func readStory(t *testing.T, file string) story {
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	head, want, ok := strings.Cut(string(data), rule)
	require.True(t, ok, "%s: a line of dashes must end the scenario", file)
	st := story{head: head, want: want, to: math.MaxInt64}
	for line := range strings.Lines(head) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case strings.HasPrefix(line, "#"):
		case name == "show":
			for _, f := range strings.Fields(value) {
				require.Contains(t, Topics(), Topic(f), file)
				st.topics = append(st.topics, Topic(f))
			}
		case name == "ms":
			a, b, _ := strings.Cut(value, " ")
			st.from, st.to = millis(t, a), millis(t, b)
		default:
			st.scenario += line
		}
	}
	return st
}

func millis(t *testing.T, s string) int64 {
	v, err := strconv.ParseInt(s, 10, 32)
	require.NoError(t, err)
	return v * 1e6
}

func recorded(t *testing.T, text string) *Recording {
	t.Helper()
	s, err := play.Open(text)
	require.NoError(t, err)
	setup, err := s.Setup(len(s.Arms)-1, s.Run.Seed)
	require.NoError(t, err)
	r, err := Record(setup, MaxRecords, nil)
	require.NoError(t, err)
	return r
}

// Each story is an instructive case on a machine of the oracle; the chain of
// rules is that of worked-examples.md. Run with -update after a change of the
// model, and read the difference.
func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 10)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			st := readStory(t, file)
			got := recorded(t, st.scenario).Story(st.from, st.to, st.topics...)
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(st.head+rule+got), 0o644))
				return
			}
			assert.Equal(t, st.want, got)
		})
	}
}

// A log without room counts what it left out, and the story says so.
func TestStorySaysWhatIsMissing(t *testing.T) {
	r := recorded(t, `{"v":1,"name":"x","machine":"emu-t2x8","workload":[{"kind":"spin","threads":4}],"run":{"until":"time","max_s":0.02},"arms":[{"label":"on"}]}`)
	assert.Zero(t, r.Log.Dropped)
	r.Log.Dropped = 7
	assert.True(t, strings.HasSuffix(r.Story(0, 1e9), "7 later records were not kept\n"))
}

// plainDigest is the digest of the same run without records.
func plainDigest(t *testing.T, text string) string {
	s, err := play.Open(text)
	require.NoError(t, err)
	setup, err := s.Setup(len(s.Arms)-1, s.Run.Seed)
	require.NoError(t, err)
	m, err := sim.New(setup)
	require.NoError(t, err)
	for !m.Step(1000) {
	}
	assert.Nil(t, m.Log())
	return m.Result().Digest
}
