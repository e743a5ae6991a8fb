package scenario

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const closedRule = "footprint_bytes > 0 ? footprint_bytes > llc_bytes * scale : rss_bytes > llc_bytes * scale"

// TestExpressionTravels: an expression comes back unchanged from the readable
// link, the compressed one and the JSON, whatever spaces it was written with.
func TestExpressionTravels(t *testing.T) {
	s := load(t, "mg-d-112")
	f, ok := s.Field("kernel.what_if.exceed_llc_capacity")
	require.True(t, ok)
	for _, written := range []string{closedRule, strings.ReplaceAll(closedRule, " ", ""), " " + closedRule + "\t", linkText(closedRule)} {
		c, err := s.With([]Setting{{"on:" + f.Path, written}})
		require.NoError(t, err, written)
		assert.Equal(t, closedRule, c.Effective(1).Value(f))
		assert.Equal(t, "", c.Effective(0).Value(f))
		text, err := FormatLink(&Link{Scenario: c, Engine: "0.1"})
		require.NoError(t, err)
		assert.Contains(t, text, "1;mg-d-112;e=0.1;on:kernel.what_if.exceed_llc_capacity=footprint_bytes~3E0~3Ffootprint_bytes~3Ellc_bytes~2Ascale:rss_bytes~3Ellc_bytes~2Ascale;c=")
		for _, received := range []string{text, "https://example.org/casplay/#" + text, "<" + text[:70] + "\n  " + text[70:] + ">", strings.ReplaceAll(text, "~", "%7E")} {
			back, err := ParseLink(received, s.lib)
			require.NoError(t, err, received)
			assert.Equal(t, string(c.Canonical()), string(back.Scenario.Canonical()))
		}
		own, err := Parse([]byte(strings.Replace(string(c.Canonical()), `"title":"`, `"title":"own `, 1)), s.lib)
		require.NoError(t, err)
		text, err = FormatLink(&Link{Scenario: own})
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(text, "1z"), text)
		back, err := ParseLink(text, s.lib)
		require.NoError(t, err)
		assert.Equal(t, string(own.Canonical()), string(back.Scenario.Canonical()))
	}
	c, err := s.With([]Setting{{"on:" + f.Path, closedRule}})
	require.NoError(t, err)
	c, err = c.With([]Setting{{"on:" + f.Path, ""}})
	require.NoError(t, err)
	assert.Equal(t, "", c.Effective(1).Value(f), "an empty expression is the built-in rule")
	assert.Empty(t, c.effectiveSet(c.Arms[1].Set))
}

func TestExpressionErrors(t *testing.T) {
	s := load(t, "mg-d-112")
	for value, want := range map[string]string{
		"rss > 1":      `kernel.what_if.exceed_llc_capacity: is not a rule: at character 1: unknown name "rss"; this rule knows footprint_bytes, rss_bytes,`,
		"rss_bytes":    "is not a rule: at character 1: the rule wants a truth value, this is a number",
		"smt~3":        "has a ~ that no two hexadecimal digits follow; the link may be cut",
		"smt~3G1":      "has a ~ that no two hexadecimal digits follow",
		"smt~3E1 \x00": "is not a rule: at character 7",
	} {
		_, err := s.With([]Setting{{"kernel.what_if.exceed_llc_capacity", value}})
		assert.ErrorContains(t, err, want, value)
	}
	text := strings.Replace(string(s.Canonical()), `"exceed_llc_capacity":""`, `"exceed_llc_capacity":"rss_bytes >"`, 1)
	_, err := Parse([]byte(text), s.lib)
	assert.ErrorContains(t, err, "kernel.what_if.exceed_llc_capacity: is not a rule: at character 12: the expression ends where a value is missing")
	text = strings.Replace(string(s.Canonical()), `"exceed_llc_capacity":""`, `"exceed_llc_capacity":7`, 1)
	_, err = Parse([]byte(text), s.lib)
	assert.ErrorContains(t, err, "kernel.what_if.exceed_llc_capacity: must be an expression")
}
