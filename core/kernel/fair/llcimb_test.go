package fair

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The table of variants.md section 8.
func TestLLCTolerance(t *testing.T) {
	for _, c := range []struct{ llc, want int64 }{{1, 1}, {3, 1}, {4, 2}, {11, 2}, {12, 3}, {15, 3}, {16, 4}, {32, 8}, {60, 15}} {
		assert.Equal(t, c.want, LLCTolerance(c.llc, 4*c.llc), "LLC of %d", c.llc)
	}
	assert.Zero(t, LLCTolerance(8, 8), "one LLC")
	assert.Zero(t, LLCTolerance(8, 15))
}
