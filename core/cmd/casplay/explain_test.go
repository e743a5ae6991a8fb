package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExplain(t *testing.T) {
	code, out, errs := call("explain", "mg-c-4", "--process", "mg", "--at", "1.5s", "--set", "max_s=2", "--set", "until=time")
	assert.Equal(t, exitOK, code, errs)
	assert.Contains(t, out, "mg, arm on, seed 1, at 1500.000 ms:\n  Cache-aware scheduling is wanted (kernel.cas.enabled), possible")
	assert.Contains(t, out, "  mg is gathered: 4 of 4 threads are on LLC 1")
	assert.Contains(t, out, "First decision that differs:\n  off ")
	assert.Contains(t, out, "First placement that differs:\n  off ")

	code, out, errs = call("explain", "mg-c-4", "--at", "10ms", "--set", "max_s=1", "--set", "until=time", "--json")
	assert.Equal(t, exitOK, code, errs)
	var answer struct{ Explain, Difference map[string]any }
	require.NoError(t, json.Unmarshal([]byte(out), &answer), out)
	assert.Equal(t, true, answer.Explain["active"])
	assert.Contains(t, answer.Difference, "placement")

	code, out, _ = call("explain", "mg-c-4", "--arm", "off", "--at", "10ms")
	assert.Equal(t, exitOK, code)
	assert.Contains(t, out, "not wanted (kernel.cas.enabled)")
	assert.NotContains(t, out, "First decision", "the reference is not compared with itself")

	for want, args := range map[string][]string{
		`the scenario has no process "mh"; did you mean mg?`: {"explain", "mg-c-4", "--process", "mh"},
		`the scenario has no arm "nope"`:                     {"explain", "mg-c-4", "--arm", "nope"},
		"explain needs one scenario":                         {"explain"},
		"at character 10":                                    {"explain", "mg-c-4", "--set", "kernel.what_if.preferred_llc=best > 2*present"},
	} {
		code, _, errs := call(args...)
		assert.NotEqual(t, exitOK, code, want)
		assert.Contains(t, errs, want)
	}
}
