package scenario_test

import (
	"strings"
	"testing"

	"casplay/core/scenario"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shipped are the links of the presets (of a table the first), of presets with changes, and of
// scenarios in compressed form.
func shipped(t *testing.T) []string {
	var out []string
	add := func(l *scenario.Link) {
		text, err := scenario.FormatLink(l)
		require.NoError(t, err)
		out = append(out, text)
	}
	for _, name := range firsts() {
		add(&scenario.Link{Scenario: parse(t, string(lib.Preset(name))), Engine: "0123456789ab"})
	}
	for _, text := range []string{
		"mg-d-112;threads=64;on:tol=2;s=7;e=0.1;r=0123456789abcdef;v=z:1,2;x=unknown", "mg-d-64-pinned;arms=off,pinned;pinned:workload.0.place=llc:1",
		"mg-d-112;machine=emu-t2x8;class=S;hz=100;epoch=3;seeds=1",
	} {
		l, err := scenario.ParseLink(text, lib)
		require.NoError(t, err)
		l.Engine = "0123456789ab"
		add(l)
	}
	for _, s := range custom(t)[:2] {
		add(&scenario.Link{Scenario: s, Engine: "0123456789ab", View: "a1"})
	}
	return out
}

// same: the text is refused with one error, or means what the link means.
func same(t *testing.T, want string, text string) (refused bool) {
	l, err := scenario.ParseLink(text, lib)
	if err != nil {
		require.IsType(t, scenario.Problems{}, err)
		require.Len(t, err, 1, text)
		return true
	}
	require.Equal(t, want, string(l.Scenario.Canonical()), text)
	return false
}

func canonical(t *testing.T, text string) string {
	l, err := scenario.ParseLink(text, lib)
	require.NoError(t, err)
	return string(l.Scenario.Canonical())
}

// bare is a link cut behind the preset's name: it is a link of its own, the
// only one that a cut can make.
func bare(text string) bool { return strings.Count(text, ";") == 1 && lib.Preset(text[2:]) != nil }

// TestCutLinkIsNeverAnotherScenario cuts links at every length, at both ends.
func TestCutLinkIsNeverAnotherScenario(t *testing.T) {
	for _, text := range shipped(t) {
		want := canonical(t, text)
		whole := seal.FindStringIndex(text)[1]
		step := 1 + len(text)/200
		for n := 0; n < len(text); n += step {
			if bare(text[:n]) {
				continue
			}
			require.Equal(t, n < whole, same(t, want, text[:n]), text[:n])
			same(t, want, text[n:])
		}
		for n := whole - 12; n < len(text); n++ {
			require.Equal(t, n < whole, same(t, want, text[:n]), text[:n])
		}
	}
}

// TestChangedLinkIsNeverAnotherScenario flips, drops, doubles and swaps characters.
func TestChangedLinkIsNeverAnotherScenario(t *testing.T) {
	for n, text := range shipped(t) {
		if n%4 != 0 && strings.Count(text, ";") < 4 {
			continue // presets without changes are alike
		}
		want := canonical(t, text)
		step := 1 + len(text)/40
		others := []string{"0", ";", "1", "=", "2", ".", "a", ",", "z", "-", "A", ":", "%", "#", "&", ">", "\n"}
		for i := 0; i < len(text)-1; i += step {
			head, tail := text[:i], text[i+1:]
			for k, c := range append(others, "", text[i:i+1]+text[i:i+1]) {
				if c == ">" && bare(head) {
					continue // it ends a link: a cut behind the name
				}
				if (i/step+k)%5 == 0 {
					same(t, want, head+c+tail)
				}
			}
			same(t, want, head+text[i+1:i+2]+text[i:i+1]+text[i+2:])
		}
	}
}

// TestRepairs sends links through what mail, chats and pages do to them.
func TestRepairs(t *testing.T) {
	const address = "https://example.org/a%20b/?x=1&y=2"
	wrap := func(s, brk string) string {
		var b strings.Builder
		for i, c := range s {
			if i > 0 && i%17 == 0 {
				b.WriteString(brk)
			}
			b.WriteRune(c)
		}
		return b.String()
	}
	percent := strings.NewReplacer(";", "%3B", "=", "%3d", ":", "%3A", ",", "%2C", "/", "%2F", "#", "%23")
	quoted := func(s string) string { return wrap(strings.ReplaceAll(s, "=", "=3D"), "=\r\n") }
	damage := map[string]func(string) string{
		"as it is":               func(s string) string { return s },
		"brackets":               func(s string) string { return "<" + s + ">" },
		"end of a sentence":      func(s string) string { return s + "." },
		"in parentheses":         func(s string) string { return "(" + s + ")," },
		"Markdown":               func(s string) string { return "[run it](" + s + ") now" },
		"wrapped":                func(s string) string { return wrap(s, "\r\n") },
		"wrapped and indented":   func(s string) string { return wrap(s, "\n    ") },
		"wrapped in a reply":     func(s string) string { return "> <" + wrap(s, "\n> ") + ">" },
		"soft breaks":            func(s string) string { return wrap(s, "=\n") },
		"quoted-printable":       quoted,
		"percent-encoded":        percent.Replace,
		"percent-encoded twice":  func(s string) string { return strings.ReplaceAll(percent.Replace(s), "%", "%25") },
		"spaces inside":          func(s string) string { return wrap(s, " ") },
		"zero-width spaces":      func(s string) string { return wrap(s, "\u200b") },
		"no-break spaces":        func(s string) string { return wrap(s, "\u00a0") },
		"entities":               func(s string) string { return "&lt;" + strings.ReplaceAll(s, "=", "&#61;") + "&gt;" },
		"entities of entities":   func(s string) string { return "&amp;lt;" + strings.ReplaceAll(s, "=", "&amp;#x3D;") + "&amp;gt;" },
		"a tracker's parameters": func(s string) string { return s + "&amp;utm_source=mail" },
		"behind a redirect":      func(s string) string { return "https://safe.example/?url=" + percent.Replace(s) + "&data=05" },
		"followed by words":      func(s string) string { return s + " shows it, doesn't it?" },
	}
	for n, text := range shipped(t) {
		if n%4 != 0 && strings.Count(text, ";") < 4 {
			continue
		}
		want := canonical(t, text)
		for name, f := range damage {
			for _, full := range []string{"#" + text, address + "#" + text} {
				if strings.Contains(name, "twice") && len(text) > 2000 {
					continue
				}
				l, err := scenario.ParseLink(f(full), lib)
				require.NoError(t, err, "%s: %s", name, f(full))
				require.Equal(t, want, string(l.Scenario.Canonical()), name)
				require.Equal(t, name != "as it is" && f(full) != full, l.Repaired, "%s: %s", name, f(full))
			}
		}
	}
}

func TestViewNeverStopsTheScenario(t *testing.T) {
	base := shipped(t)[0]
	for in, want := range map[string]string{
		";v=a:1,2":                               "a:1,2",
		";v=":                                    "",
		";v=.":                                   "",
		";v=a.":                                  "a",
		";v=a;w=1":                               "a",
		";v=<script>":                            "",
		";w=1":                                   "",
		"garbage":                                "",
		";v=" + strings.Repeat("a", 1000):        strings.Repeat("a", 1000),
		";v=" + strings.Repeat("a", 1001):        "",
		";v=a%3Bb":                               "a",
		";v=0." + strings.Repeat("\u200b", 5000): "0",
	} {
		l, err := scenario.ParseLink(base+in, lib)
		require.NoError(t, err, in)
		if want != "" || !strings.Contains(in, "script") {
			assert.Equal(t, want, l.View, in)
		}
	}
}

// FuzzDamage: a published link with any damage is the same scenario or refused.
func FuzzDamage(f *testing.F) {
	const text = "1;mg-c-4;threads=2;on:tol=2;s=7;e=0.1"
	whole := scenario.Sealed(text) + ";v=a"
	f.Add(3, 4, "")
	f.Add(30, 30, "%3B")
	f.Add(0, 0, "> ")
	f.Add(10, 40, ";c=aaaaaa")
	f.Fuzz(func(t *testing.T, from, to int, insert string) {
		n := len(whole) + 1
		from, to = min(from&0xffff%n, to&0xffff%n), max(from&0xffff%n, to&0xffff%n)
		damaged := whole[:from] + insert + whole[to:]
		l, err := scenario.ParseLink(damaged, lib)
		if err == nil && strings.HasPrefix(strings.TrimLeft(damaged, "#< "), "1") {
			require.Equal(t, canonical(t, whole), string(l.Scenario.Canonical()), damaged)
		}
	})
}
