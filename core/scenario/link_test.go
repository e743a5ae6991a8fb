package scenario_test

import (
	"strings"
	"testing"

	"casplay/core/scenario"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLinkCanonicalForm gives links as people write them and the one form
// that is written back.
func TestLinkCanonicalForm(t *testing.T) {
	cases := []struct{ in, out string }{
		{"1;mg-d-112", "1;mg-d-112"},
		{"#1;mg-d-112", "1;mg-d-112"},
		{"https://example.org/casplay/#1;mg-d-112", "1;mg-d-112"},
		{"1;mg-d-112;threads=64;on:kernel.cas.aggr_tolerance=2;s=7", "1;mg-d-112;threads=64;on:tol=2;s=7"},
		{"1;mg-d-112;s=7;on:tol=2;workload.0.threads=64", "1;mg-d-112;threads=64;on:tol=2;s=7"},
		{"1;mg-d-112;on.tol=2", "1;mg-d-112;on:tol=2"},
		{"1;mg-d-112;threads=112;s=1;on:tol=1;seeds=5", "1;mg-d-112"},
		{"1;mg-d-112;hz=250", "1;mg-d-112;hz=250"},
		{"1;mg-d-112;hz=250;epoch=2", "1;mg-d-112;hz=250"},
		{"1;mg-d-112;epoch=10;hz=250", "1;mg-d-112;hz=250;epoch=10"},
		{"1;mg-d-112;cas=0", "1;mg-d-112;cas=0"},
		{"1;mg-d-112;cas=off;on:cas=true", "1;mg-d-112;cas=0;on:cas=1"},
		{"1;mg-d-112;arms=off,on,tol2;tol2:tol=2", "1;mg-d-112;arms=off,on,tol2;tol2:tol=2"},
		{"1;mg-d-112;arms=on", "1;mg-d-112;arms=on"},
		{"1;mg-d-112;max_s=1.50", "1;mg-d-112;max_s=1.5"},
		{"1;mg-d-112;machine=emu-t2x8;class=S", "1;mg-d-112;machine=emu-t2x8;class=S"},
		{"1;mg-d-64-pinned;pinned:workload.0.place=llc:1", "1;mg-d-64-pinned;pinned:workload.0.place=llc:1"},
		{"1;mg-d-112;workload.0.name=", "1;mg-d-112"},
		{"1;mg-d-112;e=0.1;tol=2;v=x:1,y", "1;mg-d-112;tol=2;e=0.1;v=x:1,y"},
	}
	for _, c := range cases {
		l, err := scenario.ParseLink(c.in, lib)
		require.NoError(t, err, c.in)
		out, err := scenario.FormatLink(l)
		require.NoError(t, err, c.in)
		assert.Equal(t, c.out, out, c.in)
	}
}

func TestLinkProblems(t *testing.T) {
	cases := []struct{ in, want string }{
		{"", "link: must start with 1"},
		{"2;mg-d-112", "link: must start with 1"},
		{"1", "link: names no preset"},
		{"1;", "link: names no preset"},
		{"1;mg-d-113", "link: is not a known preset|did you mean mg-d-112?"},
		{"1;machines/xeon-6780e-2s", "link: is not a known preset"},
		{"1;../scenarios/mg-d-112", "link: is not a known preset"},
		{"1zabc", "compressed form"},
		{"1;mg-d-112;thread=4", `thread: is not the path of a setting, got "4" (did you mean threads?)`},
		{"1;mg-d-112;threads=many", `threads: must be a whole number from 1 to 8192 threads, got "many"`},
		{"1;mg-d-112;threads", "link: must be written key=value; the link may be cut"},
		{"1;mg-d-112;", "link: must be written key=value"},
		{"1;mg-d-112;threads=1;workload.0.threads=2", "workload.0.threads: is set twice"},
		{"1;mg-d-112;of:tol=2", "of:tol: names an arm that does not exist (did you mean off?)"},
		{"1;mg-d-112;on:seeds=3", "on:seeds: is shared by all arms"},
		{"1;mg-d-112;arms=on,on", "arms: must be different labels"},
		{"1;mg-d-112;arms=a,b,c,d,e,f,g", "arms: must be 1 to 6 labels"},
		{"1;mg-d-112;machine=xeon-6780e", "machine: is not a known machine|did you mean xeon-6780e-2s?"},
		{"1;mg-d-112;tol=2\nx", "is a character that no link has"},
		{"1;mg-d-112;tol=é", "is a character that no link has"},
		{"1;mg-d-112;max_s=600;seeds=64;hz=1000", "would take too long"},
		{"1;mg-d-112;" + strings.Repeat("x", 8000), "is too long"},
	}
	for _, c := range cases {
		_, err := scenario.ParseLink(c.in, lib)
		if assert.Error(t, err, c.in) {
			for _, part := range strings.Split(c.want, "|") {
				assert.Contains(t, err.Error(), part, c.in)
			}
		}
	}
}

func TestBadLinkShowsWhatCouldBeRead(t *testing.T) {
	l, err := scenario.ParseLink("1;mg-d-112;threads=64;tol=x", lib)
	require.Error(t, err)
	assert.EqualValues(t, 64, l.Scenario.Workload[0].Int("threads"))
	assert.EqualValues(t, 1, l.Scenario.Kernel.CAS.AggrTolerance)
}

func TestCustomScenarioHasNoReadableLink(t *testing.T) {
	for _, change := range [][2]string{
		{`"name": "mg-d-112"`, `"name": "mine"`},
		{`"title": "NAS`, `"title": "SAN`},
		{`"machine": "xeon-6780e-2s"`, `"machine": "pack:2 l3:1(size=32MB) core:128 pu:1"`},
		{`"kind": "mg", "class": "D",`, `"kind": "spin",`},
	} {
		text := strings.Replace(string(lib.Preset("mg-d-112")), change[0], change[1], 1)
		require.NotEqual(t, string(lib.Preset("mg-d-112")), text, change[0])
		_, err := scenario.FormatLink(&scenario.Link{Scenario: parse(t, text)})
		assert.Equal(t, scenario.ErrCustom, err, change[1])
	}
}

func TestRowsOfChangedArmsAreDropped(t *testing.T) {
	count := func(link string) (off, on, delta int) {
		l, err := scenario.ParseLink(link, lib)
		require.NoError(t, err, link)
		for _, e := range l.Scenario.Expect {
			switch {
			case e.DeltaPct != nil:
				delta++
			case e.Arm == "off":
				off++
			default:
				on++
			}
		}
		return off, on, delta
	}
	for link, want := range map[string][3]int{
		"1;mg-d-112":                   {1, 4, 1},
		"1;mg-d-112;s=9;seeds=1":       {1, 4, 1},
		"1;mg-d-112;sample_ms=40":      {1, 4, 1},
		"1;mg-d-112;on:tol=2":          {1, 0, 0},
		"1;mg-d-112;off:numab=0":       {0, 4, 0},
		"1;mg-d-112;threads=64":        {0, 0, 0},
		"1;mg-d-112;arms=on,off":       {1, 4, 0},
		"1;mg-d-112;arms=on":           {0, 4, 0},
		"1;mg-d-112;arms=off,on,other": {1, 4, 1},
	} {
		off, on, delta := count(link)
		assert.Equal(t, want, [3]int{off, on, delta}, link)
	}
}

func TestPresetLinksFitAMailLine(t *testing.T) {
	for _, name := range lib.Presets() {
		l := &scenario.Link{Scenario: parse(t, string(lib.Preset(name)))}
		text, err := scenario.FormatLink(l)
		require.NoError(t, err)
		assert.LessOrEqual(t, len("#"+text+";e=0.1.0;c=abcdef"), 72)
	}
}

func FuzzLink(f *testing.F) {
	for _, s := range []string{
		"1;mg-d-112;threads=64;on:kernel.cas.aggr_tolerance=2;s=7", "1;mg-c-4;hz=250;epoch=3", "#1;mg-d-64-pinned;arms=a,pinned;a:machine=emu-t2x8",
		"1;mg-d-112;workload.0.name=a.b;v=;e=1;x=y=z", "1;mg-d-32;workload.0.place=llc:1;on:hz=100;off.numab=0", "1z", "1;mg-d-112;max_s=0.001;sample_ms=1",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := scenario.ParseLink(text, lib)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		out, err := scenario.FormatLink(l)
		require.NoError(t, err, text)
		require.Equal(t, "", strings.Trim(out[len(out)-1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"+extraEnd(l)), out)
		again, err := scenario.ParseLink(out, lib)
		require.NoError(t, err, out)
		require.Equal(t, string(l.Scenario.Canonical()), string(again.Scenario.Canonical()), out)
		twice, err := scenario.FormatLink(again)
		require.NoError(t, err)
		require.Equal(t, out, twice)
	})
}

// extraEnd allows punctuation at the end for keys that are carried along.
func extraEnd(l *scenario.Link) string {
	if len(l.Extra) > 0 {
		return "-_.~=,:/"
	}
	return ""
}
