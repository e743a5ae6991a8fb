package numab

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBitmapAgainstMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 63, 64, 65, 4096, 4097, 9000} {
		b, want := newBitmap(n), make([]bool, n)
		for range 3000 {
			i := rng.IntN(n)
			if want[i] {
				b.clear(i)
			} else {
				b.or(i>>6, 1<<(i&63))
			}
			want[i] = !want[i]
			if rng.IntN(3) == 0 { // keep it sparse
				for k := range want {
					if want[k] && rng.IntN(2) == 0 {
						b.clear(k)
						want[k] = false
					}
				}
			}
			from, to := rng.IntN(n+1), rng.IntN(n+1)
			expect, count := -1, 0
			for k, set := range want {
				if set {
					count++
					if expect < 0 && k >= from && k < to {
						expect = k
					}
				}
			}
			require.Equal(t, expect, b.next(from, to), "n=%d [%d,%d)", n, from, to)
			require.Equal(t, count, b.count)
			require.Equal(t, want[i], b.has(i))
		}
	}
}

func TestRangeMask(t *testing.T) {
	for _, c := range []struct {
		w, from, to int
		want        uint64
	}{
		{0, 0, 64, ^uint64(0)}, {0, 0, 1, 1}, {0, 63, 64, 1 << 63}, {0, 4, 8, 0xf0},
		{1, 0, 65, 1}, {1, 66, 200, ^uint64(3)}, {2, 66, 200, ^uint64(0)}, {3, 66, 200, 0xff},
	} {
		require.Equal(t, c.want, rangeMask(c.w, c.from, c.to), "%+v", c)
	}
}
