package play

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"casplay/core/result"
	"casplay/core/scenario"
)

// TestFailClosedAsExpression: the expression runs exactly as the built-in
// variant, and otherwise than the merged rule.
func TestFailClosedAsExpression(t *testing.T) {
	s, err := Open("mg-c-4")
	require.NoError(t, err)
	s, err = s.With([]scenario.Setting{
		{Path: "arms", Value: "on,built-in,what-if"}, {Path: "seeds", Value: "1"}, {Path: "max_s", Value: "6"}, {Path: "kernel.numa.scan_delay_ms", Value: "100"}, {Path: "kernel.numa.scan_size_mb", Value: "4096"}, {Path: "until", Value: "time"},
		{Path: "built-in:kernel.features.fail_closed", Value: "1"},
		{Path: "what-if:kernel.what_if.exceed_llc_capacity", Value: "footprint_bytes > 0 ? footprint_bytes > llc_bytes*scale : rss_bytes > llc_bytes*scale"},
	})
	require.NoError(t, err)
	var digests []string
	footprint := int64(0)
	for arm := range s.Arms {
		r, err := Run(s, Job{arm, 1}, nil)
		require.NoError(t, err)
		footprint = r.Processes[0].FootprintPagesMax
		r.Arm, r.Label = 0, ""
		digests = append(digests, result.DigestRun(r))
	}
	assert.Equal(t, digests[1], digests[2])
	assert.NotEqual(t, digests[0], digests[1])
	assert.Positive(t, footprint, "both sides of the expression were asked")
}
