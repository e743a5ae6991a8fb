package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestImport: what import prints is a scenario that the other commands read.
func TestImport(t *testing.T) {
	for _, c := range []struct{ what, text, want string }{
		{"machine", "pack:2 numa:1 l3:1(size=32MB) core:4 pu:1", `"packages": 2`},
		{"rtapp", `{"tasks":{"a":{"run":5,"sleep":6,}}}`, `"kind": "rtapp"`},
	} {
		var out, errw bytes.Buffer
		assert.Equal(t, exitOK, run([]string{"import", c.what, "-"}, strings.NewReader(c.text), &out, &errw), errw.String())
		assert.Contains(t, out.String(), c.want)
		var ok bytes.Buffer
		assert.Equal(t, exitOK, run([]string{"validate", "-"}, &out, &ok, &errw), errw.String())
	}
	var out, errw bytes.Buffer
	assert.Equal(t, exitUsage, run([]string{"import", "machine", "-"}, strings.NewReader("<a>"), &out, &errw))
	assert.Contains(t, errw.String(), "the text ends inside <a>")
}
