package numab

import "math/bits"

// bitmap is a set of chunk numbers with a summary level (one bit for each
// word that is not zero), so that a search skips 4096 absent chunks a step.
type bitmap struct {
	words, summary []uint64
	count          int
}

func newBitmap(n int) bitmap {
	w := (n + 63) / 64
	return bitmap{words: make([]uint64, w), summary: make([]uint64, (w+63)/64)}
}

func (b *bitmap) has(i int) bool { return b.words[i>>6]>>(i&63)&1 != 0 }

// or adds the members of mask to word w; mask must be disjoint from it.
func (b *bitmap) or(w int, mask uint64) {
	b.words[w] |= mask
	b.summary[w>>6] |= 1 << (w & 63)
	b.count += bits.OnesCount64(mask)
}

// clear removes i, which must be a member.
func (b *bitmap) clear(i int) {
	w := i >> 6
	b.words[w] &^= 1 << (i & 63)
	if b.words[w] == 0 {
		b.summary[w>>6] &^= 1 << (w & 63)
	}
	b.count--
}

// next is the smallest member in [from, to), or -1.
func (b *bitmap) next(from, to int) int {
	if from >= to || b.count == 0 {
		return -1
	}
	w, last := from>>6, (to-1)>>6
	if x := b.words[w] >> (from & 63) << (from & 63); x != 0 {
		return below(w<<6+bits.TrailingZeros64(x), to)
	}
	w++
	for w <= last {
		x := b.summary[w>>6] >> (w & 63) << (w & 63)
		if x == 0 {
			w = w>>6<<6 + 64
			continue
		}
		w = w>>6<<6 + bits.TrailingZeros64(x)
		return below(w<<6+bits.TrailingZeros64(b.words[w]), to)
	}
	return -1
}

func below(i, to int) int {
	if i < to {
		return i
	}
	return -1
}

// rangeMask has the bits of word w that lie in [from, to).
func rangeMask(w, from, to int) uint64 {
	m := ^uint64(0)
	if from > w<<6 {
		m = m >> (from & 63) << (from & 63)
	}
	if end := w<<6 + 64; to < end {
		m = m << (end - to) >> (end - to)
	}
	return m
}
