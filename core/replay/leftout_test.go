package replay

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// published are the rows that the sources' tables have: the seeds' letters in
// full, and the numbers of the list of public results.
func published() (out []string) {
	for _, s := range []struct {
		letter string
		n      int
	}{{"A", 43}, {"B", 15}, {"C", 25}, {"D", 22}, {"E", 13}, {"F", 18}, {"G", 18}, {"H", 56}} {
		for i := range s.n {
			out = append(out, fmt.Sprintf("%s%02d", s.letter, i+1))
		}
	}
	for _, r := range []int{1, 2, 3, 5, 6, 7, 8, 10, 11, 12, 13, 14, 16, 18, 19, 21, 24, 28, 30, 31, 32, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 46, 48, 49, 51, 53, 55, 56, 58, 60, 61, 63, 65, 67, 68, 69, 70, 71, 72, 73, 74, 75} {
		out = append(out, fmt.Sprintf("R%02d", r))
	}
	return out
}

// Every published row is compared with a scenario or left out with a reason,
// and none both.
func TestEveryRowIsAccountedFor(t *testing.T) {
	all, err := Scenarios("")
	require.NoError(t, err)
	id := regexp.MustCompile(`\b[A-HR][0-9][0-9]\b`)
	compared, left := map[string]bool{}, map[string]bool{}
	for _, s := range all {
		for i := range s.Expect {
			for _, r := range id.FindAllString(s.Expect[i].Row+" "+s.Expect[i].Source, -1) {
				compared[r] = true
			}
		}
	}
	for _, l := range AllLeftOut() {
		assert.NotEmpty(t, l.Reason)
		for _, r := range l.Rows {
			assert.False(t, left[r], "%s twice", r)
			left[r] = true
		}
	}
	for _, r := range published() {
		assert.NotEqual(t, compared[r], left[r], "%s: compared %v, left out %v", r, compared[r], left[r])
		delete(left, r)
	}
	assert.Empty(t, left, "no such rows")
}
