package scenario_test

import (
	"os"
	"strings"
	"testing"

	"casplay/core/scenario"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFormatExamples runs every example of FORMAT.md.
func TestFormatExamples(t *testing.T) {
	text, err := os.ReadFile("FORMAT.md")
	require.NoError(t, err)
	ran := map[string]int{}
	for i, block := range strings.Split(string(text), "```") {
		kind, body, _ := strings.Cut(block, "\n")
		switch {
		case i%2 == 0:
		case kind == "scenario":
			s, err := scenario.Parse([]byte(body), lib)
			require.NoError(t, err)
			again, err := scenario.Parse(s.Canonical(), lib)
			require.NoError(t, err)
			assert.Equal(t, string(s.Canonical()), string(again.Canonical()))
			ran[kind]++
		default:
			for line := range strings.Lines(body) {
				ran[kind]++
				line = strings.TrimSpace(line)
				if in, want, ok := strings.Cut(line, " -> "); ok {
					_, out := link(t, in)
					assert.Equal(t, want, seal.ReplaceAllString(out, ""), in)
					continue
				}
				in, want, ok := strings.Cut(line, " !! ")
				require.True(t, ok, line)
				_, err := scenario.ParseLink(in, lib)
				require.Error(t, err, in)
				assert.Contains(t, err.Error(), want)
			}
		}
	}
	assert.Equal(t, map[string]int{"scenario": 1, "links": 3, "errors": 3}, ran)
}
