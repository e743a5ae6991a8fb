package rtapp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	f, err := Parse(`{ /* relaxed */
	"tasks" : {
		"a" : { "instance" : 2, "loop" : 3, "priority" : -5, "cpus" : [0, 1],
			"phases" : {
				"p" : { "loop" : 10, "run" : 300, "timer" : { "ref" : "unique", "period" : 1000 }, },
				"q" : { "lock" : "m", "wait" : { "ref" : "c", "mutex" : "m" }, "unlock" : "m", "run1" : 7, "run1" : 8 }
			},
		},
		"b" : { "suspend", "run" : 5, "resume" : "a", "signal" : "c", "barrier" : "z", "delay" : 4 }, // twice
		"none" : { "instance" : 0, "run" : 1 }
	},
	"global" : { "duration" : 6, "default_policy" : "SCHED_FIFO" }
	}`)
	require.NoError(t, err)
	require.Len(t, f.Tasks, 2)
	assert.Equal(t, Task{Name: "a", Instances: 2, CPUs: []int{0, 1}, Steps: []Step{
		{Op: Run, N: 300}, {Op: Timer, N: 1000}, {Op: Loop, N: 10},
		{Op: Lock, Ref: "m"}, {Op: Unlock, Ref: "m"}, {Op: Wait, Ref: "c"}, {Op: Lock, Ref: "m"}, {Op: Unlock, Ref: "m"}, {Op: Run, N: 7}, {Op: Run, N: 8},
		{Op: Loop, N: 3},
	}}, f.Tasks[0])
	assert.Equal(t, []Step{{Op: Sleep, N: 4}, {Op: Wait, Ref: "b"}, {Op: Run, N: 5}, {Op: Broadcast, Ref: "a"}, {Op: Signal, Ref: "c"}, {Op: Barrier, Ref: "z"}, {Op: Loop, N: -1, Back: 1}}, f.Tasks[1].Steps)
	assert.Equal(t, int64(6), f.DurationS)
	assert.Equal(t, []string{"default_policy SCHED_FIFO is simulated as SCHED_OTHER", "tasks.a: priority is left out: all tasks have nice 0"}, f.Warnings)
	again, err := Parse(f.Text)
	require.NoError(t, err)
	assert.Equal(t, f.Tasks, again.Tasks)
	assert.Equal(t, f.Text, again.Text)
}

// TestParseEndlessLoop: a loop that takes no time would stop the simulator.
func TestParseEndlessLoop(t *testing.T) {
	f, err := Parse(`{"tasks":{"a":{"loop":-1,"lock":"m","unlock":"m"}}}`)
	require.NoError(t, err)
	assert.Contains(t, f.Tasks[0].Steps, Step{Op: Run, N: 1})
	assert.Contains(t, f.Warnings[0], "no run, sleep or timer")
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "line 1: the file ends"},
		{"[]", "must be an object"},
		{`{"resources":{}}`, "merge them first"},
		{"{\"tasks\":{\n\"a\":{\n\"rum\":1}}}", "line 3: tasks.a.rum is not an event"},
		{`{"tasks":{"a":{"run":-1}}}`, "tasks.a.run must be a whole number from 0"},
		{`{"tasks":{"a":{"phases":{"p":{"run":"x"}}}}}`, "tasks.a.p.run must be"},
		{`{"tasks":{"a":{"timer":{"ref":"x"}}}}`, "must have a period"},
		{`{"tasks":{"a":{"wait":{"ref":"x"}}}}`, "must name a resource, as a text or as \"mutex\""},
		{`{"tasks":{"a":{"instance":0,"run":1}}}`, "every task has \"instance\": 0"},
		{`{"tasks":{"a":{"instance":9999,"run":1}}}`, "from 0 to 1024"},
		{"{\"tasks\":{\"ä\":1}}", "ASCII"},
		{strings.Repeat("[", 99), "nested more than 16"},
		{strings.Repeat(" ", MaxBytes+1), "more than the"},
		{"{\"tasks\":{\n/* \n", "the file ends before }"},
	} {
		_, err := Parse(c.text)
		assert.ErrorContains(t, err, c.want, c.text[:min(len(c.text), 60)])
	}
}

// TestCorpus: all real files load; the one without tasks is part of a set.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("../../../../shared/corpus/rt-app/*.json")
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("no corpus beside the repository")
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		f, err := Parse(string(data))
		if filepath.Base(name) == "merge__resources.json" {
			assert.ErrorContains(t, err, "merge them first")
			continue
		}
		require.NoError(t, err, name)
		t.Log(filepath.Base(name), len(f.Tasks), len(f.Text), "\n", strings.Join(f.Warnings, "\n "))
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"tasks":{"a":{"suspend","run":5,"loop":3,"phases":{"p":{"timer":{"ref":"x","period":5,},}},}}}`)
	f.Add(`{"tasks":{"a":{"exec":5,"period":9,"lock_order":["x"],"cpus":[1]}},"global":{"duration":2}} // x`)
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(file.Text)
		require.NoError(t, err)
		assert.Equal(t, file.Tasks, again.Tasks)
	})
}
