package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"casplay/core/play"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const tiny = `{"v":1,"name":"tiny","machine":"emu-t2x8","workload":[{"kind":"spin","threads":4}],
 "run":{"seeds":2,"until":"time","max_s":0.1},"arms":[{"label":"off","set":{"cas":false}},{"label":"on"}]}`

// call runs the command with tiny on standard input.
func call(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = run(args, strings.NewReader(tiny), &o, &e)
	return code, o.String(), e.String()
}

func TestUsageAndExitCodes(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.json")
	require.NoError(t, os.WriteFile(bad, []byte(strings.Replace(tiny, "emu-t2x8", "nope", 1)), 0o644))
	tab := filepath.Join(t.TempDir(), "tab.json")
	require.NoError(t, os.WriteFile(tab, []byte(strings.Replace(tiny, `"v":1`, `"v":1,"points":[{"label":"one"},{"label":"two","set":{"hz":100}}]`, 1)), 0o644))
	cases := []struct {
		args   string
		code   int
		stdout string
		stderr string
	}{
		{"", 2, "", "usage:"},
		{"help", 0, "usage:", ""},
		{"walk", 2, "", `unknown command "walk"`},
		{"list", 0, "mg-d-112 ", ""},
		{"rules", 0, "fail_closed (Jirka Hladky", ""},
		{"rules", 0, "exceed_llc_capacity: true keeps the process apart", ""},
		{"rules x", 2, "", "takes no arguments"},
		{"list x", 2, "", "takes no arguments"},
		{"run", 2, "", "run needs one scenario"},
		{"run a b", 2, "", "run needs one scenario"},
		{"run -h", 0, "", "usage: casplay run"},
		{"run --bogus", 2, "", "flag provided but not defined"},
		{"run - --seeds -1", 2, "", "must not be negative"},
		{"run - --set tol", 2, "", "must be written path=value"},
		{"run - --set tol=x", 1, "", "tol: must be a whole number"},
		{"run - --arm nope", 2, "", `no arm "nope"`},
		{"run mg-d-11", 1, "", "did you mean mg-d-112?"},
		{"run nofile.json", 2, "", "no such file"},
		{"validate", 2, "", "validate needs a scenario"},
		{"validate -", 0, "-: ok", ""},
		{"validate mg-d-112 mg-d-64;tol=2", 0, "mg-d-64;tol=2: ok", ""},
		{"validate " + bad, 1, "", bad + ": machine: is not a known machine"},
		{"link mg-d-112", 0, "#1;mg-d-112;e=" + play.Engine + ";c=", ""},
		{"link mg-d-112 --set on:kernel.cas.aggr_tolerance=2 --set threads=64", 0, "#1;mg-d-112;e=", ""},
		{"link -", 0, "#1z", "longer than a line of a mail"},
		{"unlink mg-d-112;hz=250;e=0.0.9;q=1;r=00ff;v=a", 0, `"hz": 250`, "engine: 0.0.9\nresult: 00ff\nview: a\nunknown key, kept: q=1\n"},
		{"unlink 1;mg-d-112;e=0.1;hz=250", 1, "", "is cut"},
		{"validate " + tab, 0, tab + ".one: ok\n" + tab + ".two: ok\n", ""},
		{"validate " + tab + ".two", 0, ".two: ok", ""},
		{"validate " + tab + ".six", 2, "", `has no point "six"; it has one, two`},
		{"validate " + bad + ".one", 2, "", "is no table of scenarios"},
		{"run " + tab, 1, "", "points: makes this a table of scenarios"},
		{"run hackbench-spr", 1, "", "did you mean hackbench-spr."},
		{"link stream-spr.copy", 0, "#1;stream-spr.copy;e=", ""},
		{"replay x", 2, "", "replay takes no arguments"},
		{"replay --shard 0/2", 2, "", "a shard like 1/4"},
		{"replay --only nothing", 2, "", "no scenario with published rows begins with"},
		{"replay --only pipe-7950x3d --seeds 1", 0, "R58", ""},
		{"replay --only pipe-7950x3d --seeds 1 --json", 0, `"id": "R58"`, ""},
		{"calibrate x", 2, "", "calibrate takes no arguments"},
		{"calibrate --list --only pipe", 0, "workload.0.syscall_ns", ""},
		{"calibrate --only nothing", 2, "", "no fit begins with"},
		{"serve --dir nowhere", 2, "", "build the page first"},
	}
	for _, c := range cases {
		code, out, errs := call(strings.Fields(c.args)...)
		assert.Equal(t, c.code, code, "%s: %s", c.args, errs)
		assert.Contains(t, out, c.stdout, c.args)
		assert.Contains(t, errs, c.stderr, c.args)
		if c.code != 0 {
			assert.Empty(t, out, "%s: errors go to standard error", c.args)
		}
	}
}

func TestRunFormats(t *testing.T) {
	code, out, errs := call("run", "-", "--json", "--seeds", "3")
	require.Zero(t, code, errs)
	var doc struct {
		Digest string
		Arms   []struct {
			Label string
			Seeds []struct{ Digest string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &doc))
	assert.Len(t, doc.Arms[1].Seeds, 3)

	_, text, _ := call("run", "-", "--seeds", "3", "--workers", "1")
	assert.Contains(t, text, "digest: "+doc.Digest, "the number of workers changes nothing")
	assert.Contains(t, text, "replay: http://127.0.0.1:8080/#1z")

	code, out, errs = call("run", "-", "--csv", "--arm", "on")
	require.Zero(t, code, errs)
	assert.True(t, strings.HasPrefix(out, "arm,metric,median"))
	assert.NotContains(t, out, "off,")

	_, out, _ = call("run", "-", "--series", "--arm", "off")
	assert.True(t, strings.HasPrefix(out, "arm,seed,time (s)"))
}

func TestUnlinkedScenarioRunsTheSame(t *testing.T) {
	file := filepath.Join(t.TempDir(), "saved.json")
	_, saved, _ := call("unlink", "-")
	require.NoError(t, os.WriteFile(file, []byte(saved), 0o644))
	_, a, _ := call("run", "-", "--json")
	_, b, _ := call("run", file, "--json")
	assert.Equal(t, a, b)
}
