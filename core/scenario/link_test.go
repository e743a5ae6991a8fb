package scenario_test

import (
	"encoding/base64"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"casplay/core/scenario"
	"casplay/core/scenario/flate"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var seal = regexp.MustCompile(`;c=[a-z2-7]{6}`)

// link opens a link that must be in order and writes it again.
func link(t require.TestingT, text string) (*scenario.Link, string) {
	l, err := scenario.ParseLink(text, lib)
	require.NoError(t, err, text)
	out, err := scenario.FormatLink(l)
	require.NoError(t, err, text)
	return l, out
}

// TestLinkCanonicalForm gives links as people write them and the one form
// that is written back, but for its checksum.
func TestLinkCanonicalForm(t *testing.T) {
	cases := []struct{ in, out string }{
		{"mg-d-112", "1;mg-d-112"},
		{"#mg-d-112", "1;mg-d-112"},
		{"#1;mg-d-112", "1;mg-d-112"},
		{"#1;mg-d-112;threads=64", "1;mg-d-112;threads=64"},
		{"https://example.org/casplay/#mg-d-112", "1;mg-d-112"},
		{"mg-d-112;threads=64;on:kernel.cas.aggr_tolerance=2;s=7", "1;mg-d-112;threads=64;on:tol=2;s=7"},
		{"mg-d-112;s=7;on:tol=2;workload.0.threads=64", "1;mg-d-112;threads=64;on:tol=2;s=7"},
		{"mg-d-112;on.tol=2", "1;mg-d-112;on:tol=2"},
		{"mg-d-112;threads=112;s=1;on:tol=1;seeds=5", "1;mg-d-112"},
		{"mg-d-112;hz=250", "1;mg-d-112;hz=250"},
		{"mg-d-112;hz=250;epoch=2", "1;mg-d-112;hz=250"},
		{"mg-d-112;epoch=10;hz=250", "1;mg-d-112;hz=250;epoch=10"},
		{"mg-d-112;cas=0", "1;mg-d-112;cas=0"},
		{"mg-d-112;cas=off;on:cas=true", "1;mg-d-112;cas=0;on:cas=1"},
		{"mg-d-112;arms=off,on,tol2;tol2:tol=2", "1;mg-d-112;arms=off,on,tol2;tol2:tol=2"},
		{"mg-d-112;arms=on", "1;mg-d-112;arms=on"},
		{"mg-d-112;max_s=1.50", "1;mg-d-112;max_s=1.5"},
		{"mg-d-112;machine=emu-t2x8;class=S", "1;mg-d-112;machine=emu-t2x8;class=S"},
		{"mg-d-64-pinned;pinned:workload.0.place=llc:1", "1;mg-d-64-pinned;pinned:workload.0.place=llc:1"},
		{"mg-d-112;workload.0.name=", "1;mg-d-112"},
		{"mg-d-112;v=x:1,y;e=0.1;tol=2;r=00ff", "1;mg-d-112;e=0.1;tol=2;r=00ff;v=x:1,y"},
		{"mg-d-112;v=.x", "1;mg-d-112"},
		{"mg-d-112;z=a=b;x=.;tol=2;c=abc", "1;mg-d-112;tol=2;x=.;z=a=b"},
	}
	for _, c := range cases {
		l, out := link(t, c.in)
		assert.Equal(t, c.out, seal.ReplaceAllString(out, ""), c.in)
		assert.False(t, l.Repaired, c.in)
		again, twice := link(t, out)
		assert.Equal(t, out, twice)
		assert.Equal(t, l.Extra, again.Extra)
		assert.False(t, again.Repaired)
	}
}

func TestLinkProblems(t *testing.T) {
	cases := []struct{ in, want string }{
		{"", "link: names no preset"},
		{"2;mg-d-112", "link: is of version 2 of the link format, this engine reads versions up to 1; open it on a page with a newer engine"},
		{"2zAAAA", "link: is of version 2"},
		{"0;mg-d-112", "link: is not a known preset"},
		{"1", "link: is cut"},
		{"1;", "link: is cut"},
		{"1;mg-d-112;e=0.1", "link: is cut: the checksum at its end is missing; could be read: mg-d-112; copy the whole link again"},
		{"1;mg-d-112;e=0.1;threads=64;tol=2", "link: is cut|could be read: mg-d-112, threads=64; copy"},
		{"1;mg-d-112;threads=64;tol=2;c=aaaaa", "link: is cut|could be read: mg-d-112, tol=2, threads=64;"},
		{"1;mg-d-112;threads=64;tol=2;c=aaaaaa", "link: was changed|could be read: mg-d-112, tol=2, threads=64;|take the version (1;) off"},
		{"1;mg-d-113;c=aaaaaa", "link: was changed|did you mean mg-d-112?"},
		{"mg-d-113", "link: is not a known preset|did you mean mg-d-112?"},
		{"machines/xeon-6780e-2s", "link: is not a known preset"},
		{"../scenarios/mg-d-112", "link: is not a known preset"},
		{"1zabc", "link: is cut: the checksum at its end is missing; could be read: nothing"},
		{"zabc", "link: is not a known preset"},
		{"mg-d-112;thread=4", `thread: is not the path of a setting, got "4" (did you mean threads?)`},
		{"mg-d-112;threads=many", `threads: must be a whole number from 1 to 8192 threads, got "many"`},
		{"mg-d-112;threads", "link: must be written key=value; the link may be cut"},
		{"mg-d-112;threads=1;workload.0.threads=2", "workload.0.threads: is set twice"},
		{"mg-d-112;e=1;e=2", "e: is set twice"},
		{"mg-d-112;e=.", "e: must be 1 to 40 of the characters"},
		{"mg-d-112;r=", "r: must be 1 to 64 of the characters"},
		{"mg-d-112;of:tol=2", "of:tol: names an arm that does not exist (did you mean off?)"},
		{"mg-d-112;on:seeds=3", "on:seeds: is shared by all arms"},
		{"mg-d-112;arms=on,on", "arms: must be different labels"},
		{"mg-d-112;arms=a,b,c,d,e,f,g", "arms: must be 1 to 6 labels"},
		{"mg-d-112;machine=xeon-6780e", "machine: is not a known machine|did you mean xeon-6780e-2s?"},
		{"mg-d-112;tol=é", "is a character that no link has"},
		{"mg-d-112;max_s=600;seeds=64;hz=1000", "would take too long"},
		{"mg-d-112;" + strings.Repeat("x", 8000), "is too long"},
		{strings.Repeat("%25", 1<<16), "is too long"},
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
	for _, text := range []string{"mg-d-112;threads=64;tol=x", "1;mg-d-112;e=0.1;threads=64;tol=2", "1;mg-d-112;threads=64;c=aaaaaa"} {
		l, err := scenario.ParseLink(text, lib)
		require.Error(t, err)
		assert.EqualValues(t, 64, l.Scenario.Workload[0].Int("threads"))
		assert.EqualValues(t, 1, l.Scenario.Kernel.CAS.AggrTolerance)
	}
}

// custom are scenarios that are no preset with changed settings.
func custom(t *testing.T) []*scenario.Scenario {
	var out []*scenario.Scenario
	for _, change := range [][2]string{
		{`"name":"mg-d-112"`, `"name":"mine"`},
		{`"title":"NAS`, `"title":"SAN`},
		{`"machine":"xeon-6780e-2s"`, `"machine":"pack:2 l3:1(size=32MB) core:128 pu:1"`},
		{`"workload":[`, `"workload":[{"kind":"spin","threads":2},`},
		{`"events":[]`, `"events":[{"at_ms":5,"set":{"tol":2}}]`},
		{`"tol_pct":8`, `"tol_pct":9`},
		{`"kind":"mg","name":""`, `"kind":"mg","name":"a;e=5"`},
	} {
		whole := string(parse(t, string(lib.Preset("mg-d-112"))).Canonical())
		text := strings.Replace(whole, change[0], change[1], 1)
		require.NotEqual(t, whole, text, change[0])
		out = append(out, parse(t, text))
	}
	return out
}

func TestCustomScenario(t *testing.T) {
	for _, s := range custom(t) {
		text, err := scenario.FormatLink(&scenario.Link{Scenario: s, Engine: "0123456789ab", Digest: "00ff", View: "x", Extra: []scenario.Setting{{Path: "q", Value: "1"}}})
		require.NoError(t, err)
		require.Regexp(t, `^1z[A-Za-z0-9_-]+;e=0123456789ab;q=1;r=00ff;c=[a-z2-7]{6};v=x$`, text)
		l, again := link(t, text)
		assert.Equal(t, text, again)
		assert.Equal(t, string(s.Canonical()), string(l.Scenario.Canonical()))
		packed, _, _ := strings.Cut(text[2:], ";")
		data, err := base64.RawURLEncoding.DecodeString(packed)
		require.NoError(t, err)
		plain, err := flate.Inflate(data, scenario.MaxBytes)
		require.NoError(t, err)
		assert.Equal(t, string(s.Canonical()), string(parse(t, string(plain)).Canonical()))
		assert.Contains(t, string(plain), `"overaggr_pct":`, "defaults are written out")
		assert.Contains(t, string(plain), `"features":{}`, "but for what the version of the rules stands for")
	}
}

func TestCutCustomLinkSaysWhatItWas(t *testing.T) {
	text, err := scenario.FormatLink(&scenario.Link{Scenario: custom(t)[0]})
	require.NoError(t, err)
	_, err = scenario.ParseLink(text[:len(text)/2], lib)
	require.ErrorContains(t, err, `is cut: the checksum at its end is missing; could be read: name "mine", title "`)
	l, err := scenario.ParseLink(text[:len(text)-1], lib)
	require.ErrorContains(t, err, "is cut")
	assert.Equal(t, "mine", l.Scenario.Name)
}

// TestNodeReadsCustomLinks uses what a page without the engine has.
func TestNodeReadsCustomLinks(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	s := custom(t)[0]
	text, err := scenario.FormatLink(&scenario.Link{Scenario: s})
	require.NoError(t, err)
	const program = `const packed = Buffer.from(process.argv[1].slice(2).split(';')[0], 'base64url');
new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text().then((t) => process.stdout.write(t));`
	out, err := exec.Command(node, "-e", program, text).Output()
	require.NoError(t, err)
	assert.Equal(t, string(s.Canonical()), string(parse(t, string(out)).Canonical()))
}

func TestBombIsRefused(t *testing.T) {
	bomb := base64.RawURLEncoding.EncodeToString(flate.Deflate(make([]byte, 4<<20)))
	require.Less(t, len(bomb), scenario.MaxLink)
	_, err := scenario.ParseLink("1z"+bomb, lib)
	assert.Error(t, err)
	_, err = scenario.ParseLink(scenario.Sealed("1z"+bomb), lib)
	assert.ErrorContains(t, err, "the text is longer than allowed")
}

func TestFormatRefuses(t *testing.T) {
	s := parse(t, string(lib.Preset("mg-d-112")))
	for _, c := range []struct {
		link scenario.Link
		want string
	}{
		{scenario.Link{Engine: "a;b"}, "e: must be"},
		{scenario.Link{Digest: "-"}, "r: must be"},
		{scenario.Link{View: "a."}, "v: must be"},
		{scenario.Link{View: strings.Repeat("a", 1001)}, "v: must be"},
		{scenario.Link{Extra: []scenario.Setting{{Path: "c", Value: "1"}}}, "must be a key of one letter"},
		{scenario.Link{Extra: []scenario.Setting{{Path: "xy", Value: "1"}}}, "must be a key of one letter"},
		{scenario.Link{Extra: []scenario.Setting{{Path: "x", Value: "1"}, {Path: "x", Value: "2"}}}, "must be a key of one letter"},
		{scenario.Link{Extra: []scenario.Setting{{Path: "x", Value: " "}}}, "must be a key of one letter"},
		{scenario.Link{Extra: []scenario.Setting{{Path: "x", Value: strings.Repeat("a", 8000)}}}, "is too long for a link, which has at most 8000; save the scenario as JSON"},
	} {
		c.link.Scenario = s
		_, err := scenario.FormatLink(&c.link)
		assert.ErrorContains(t, err, c.want)
	}
}

func TestMeasureLink(t *testing.T) {
	for n, want := range map[int]scenario.LinkVerdict{
		1: scenario.LinkMail, 72: scenario.LinkMail, 73: scenario.LinkNormal, 998: scenario.LinkNormal, 999: scenario.LinkLong,
		2000: scenario.LinkLong, 2001: scenario.LinkWarn, 8000: scenario.LinkWarn, 8001: scenario.LinkTooLong,
	} {
		for _, text := range []string{strings.Repeat("x", n-1), "#" + strings.Repeat("x", n-1)} {
			size := scenario.MeasureLink(text)
			assert.Equal(t, want, size.Verdict, n)
			assert.Equal(t, n, size.Chars)
			assert.NotEmpty(t, size.Advice)
		}
	}
}

func TestPresetLinksFitAMailLine(t *testing.T) {
	for _, name := range firsts() {
		text, err := scenario.FormatLink(&scenario.Link{Scenario: parse(t, string(lib.Preset(name))), Engine: "0123456789ab"})
		require.NoError(t, err)
		assert.Equal(t, scenario.LinkMail, scenario.MeasureLink(text).Verdict, text)
	}
}

func TestRowsOfChangedArmsAreDropped(t *testing.T) {
	count := func(text string) (off, on, delta int) {
		l, _ := link(t, text)
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
	for text, want := range map[string][3]int{
		"mg-d-112":                   {1, 4, 1},
		"mg-d-112;s=9;seeds=1":       {1, 4, 1},
		"mg-d-112;sample_ms=40":      {1, 4, 1},
		"mg-d-112;on:tol=2":          {1, 0, 0},
		"mg-d-112;off:numab=0":       {0, 4, 0},
		"mg-d-112;threads=64":        {0, 0, 0},
		"mg-d-112;arms=on,off":       {1, 4, 0},
		"mg-d-112;arms=on":           {0, 4, 0},
		"mg-d-112;arms=off,on,other": {1, 4, 1},
	} {
		off, on, delta := count(text)
		assert.Equal(t, want, [3]int{off, on, delta}, text)
	}
}

// FuzzLink: any text gives a scenario that has a link, or an error.
func FuzzLink(f *testing.F) {
	for _, s := range []string{
		"mg-d-112;threads=64;on:kernel.cas.aggr_tolerance=2;s=7", "mg-c-4;hz=250;epoch=3", "#mg-d-64-pinned;arms=a,pinned;a:machine=emu-t2x8", "1;mg-d-112;s=2;c=abcdef;v=x",
		"mg-d-112;workload.0.name=a.b;v=;e=1;x=y=z", "mg-d-32;workload.0.place=llc:1;on:hz=100;off.numab=0", "1z", "1zY2RkYA;c=aaaaaa", "mg-d-112;max_s=0.001;sample_ms=1",
		"&lt;https://x/#1%253Bmg-d-112%26gt;", "> mg-d-112;=\n> s=3D2",
	} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, text string, sealed bool) {
		if sealed {
			text = scenario.Sealed(text)
		}
		l, err := scenario.ParseLink(text, lib)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		out, err := scenario.FormatLink(l)
		require.NoError(t, err, text)
		require.Regexp(t, `^[A-Za-z0-9_.~;=,:/-]*[A-Za-z0-9]$`, out)
		again, twice := link(t, out)
		require.Equal(t, out, twice)
		require.Equal(t, string(l.Scenario.Canonical()), string(again.Scenario.Canonical()), out)
		l.Repaired, l.Scenario, again.Scenario = false, nil, nil
		require.Equal(t, l, again)
	})
}
