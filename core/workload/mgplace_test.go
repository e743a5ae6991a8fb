package workload

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// static deals iterations out as OpenMP's static schedule does, one by one.
func static(iterations, threads int) (owner []int) {
	for t := range threads {
		n := iterations / threads
		if t < iterations%threads {
			n++
		}
		for range n {
			owner = append(owner, t)
		}
	}
	return owner
}

// firstPlane is the first plane of the finest grid, borders counted, that a
// thread passes in each loop of NPB's source.
func firstPlane(n, threads int) (sweep, rprj3, interp map[int]int) {
	sweep, rprj3, interp = map[int]int{}, map[int]int{}, map[int]int{}
	first := func(m map[int]int, thread, plane int) {
		if _, ok := m[thread]; !ok {
			m[thread] = plane
		}
	}
	for i, t := range static(n, threads) { // i3 = 2 .. n+1, from 1
		first(sweep, t, i+1)
	}
	for j, t := range static(n/2, threads) { // j3 = 2 .. n/2+1; i3 = 2 j3 - 1
		first(rprj3, t, 2*(j+2)-3)
	}
	for j, t := range static(n/2+1, threads) { // i3 = 1 .. n/2+1; planes 2 i3 - 1 and 2 i3
		first(interp, t, 2*(j+1)-2)
	}
	return sweep, rprj3, interp
}

// TestMGSlabs: where the loops between two levels find a thread, against NPB's
// loops walked one plane at a time.
func TestMGSlabs(t *testing.T) {
	for _, exp := range []int{5, 8, 10} {
		for _, threads := range []int{1, 2, 3, 7, 12, 16} {
			n := 1 << exp
			plane := int64(8 * (n + 2) * (n + 2))
			sweep, rprj3, interp := firstPlane(n, threads)
			for i := range threads {
				at := fmt.Sprint(n, " planes, thread ", i, " of ", threads)
				assert.Equal(t, int64(sweep[i])*plane, mgSlab(exp, threads, i, false), at)
				assert.Equal(t, int64(rprj3[i]-sweep[i])*plane, mgSkew(exp, threads, i, false, 0), at)
				assert.Equal(t, int64(interp[i]-sweep[i])*plane, mgSkew(exp, threads, i, false, 1), at)
			}
		}
	}
}

// TestMGSkewOf112: the case of the report.
func TestMGSkewOf112(t *testing.T) {
	plane := int64(8 * 1026 * 1026)
	assert.Zero(t, mgSkew(10, 64, 40, false, 0), "a power of two")
	assert.Equal(t, plane, mgSkew(10, 64, 40, false, 1))
	assert.Equal(t, 48*plane, mgSkew(10, 112, 64, false, 0), "five slabs of nine planes ahead")
	assert.Equal(t, 47*plane, mgSkew(10, 112, 64, false, 1), "interp begins with the border")
}

// TestMGSkewOfRows: with rows dealt out, offsets are rows of the right plane.
func TestMGSkewOfRows(t *testing.T) {
	row := int64(8 * 34)
	assert.Zero(t, mgSkew(5, 4, 2, true, 0))
	assert.Equal(t, -35*row, mgSkew(5, 4, 0, true, 1), "interp begins with the border")
}
