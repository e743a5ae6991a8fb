package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// run --story prints decisions, --trace writes a file, both of one run.
func TestStoryAndTrace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.json")
	code, out, errs := call("run", "-", "--story", "--trace", file)
	require.Zero(t, code, errs)
	assert.Contains(t, out, "spin/0 is created on CPU")
	assert.Contains(t, out, "prefers LLC", "the last arm has CAS on")
	assert.NotContains(t, out, "digest", "no report")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var doc struct{ TraceEvents []any }
	require.NoError(t, json.Unmarshal(data, &doc))
	assert.NotEmpty(t, doc.TraceEvents)

	code, out, errs = call("run", "-", "--story", "--arm", "off")
	require.Zero(t, code, errs)
	assert.NotContains(t, out, "prefers LLC")

	code, _, errs = call("run", "-", "--trace", filepath.Join(t.TempDir(), "no", "folder"))
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, errs, "no such file")
}
