package numab

import (
	"errors"
	"strconv"
)

// slice is a range of chunks that somebody wants page counts of.
type slice struct{ region, from, to int }

// segment is a range of chunks that no slice divides, with its pages by node.
type segment struct {
	from, to int
	pages    []int64
}

// AddSlice declares the chunks [from, to) of a region as a slice, typically
// the share of one thread, and returns its index. Slices may overlap.
func (m *MM) AddSlice(region, from, to int) (int, error) {
	if region < 0 || region >= len(m.regions) {
		return 0, errors.New("numab: slice of region " + strconv.Itoa(region) + ", there are " + strconv.Itoa(len(m.regions)))
	}
	r := &m.regions[region]
	if from < 0 || from >= to || to > r.n {
		return 0, errors.New("numab: slice [" + strconv.Itoa(from) + ", " + strconv.Itoa(to) + ") does not lie in a region of " + strconv.Itoa(r.n) + " chunks")
	}
	r.split(from, m.sys.topo.nodes)
	r.split(to, m.sys.topo.nodes)
	m.slices = append(m.slices, slice{region, from, to})
	return len(m.slices) - 1, nil
}

// SliceNodes sets dst[n] to the present pages of a slice on node n. dst must
// have an entry for every node.
func (m *MM) SliceNodes(slice int, dst []int64) {
	clear(dst)
	s := m.slices[slice]
	r := &m.regions[s.region]
	for i := r.segmentIndex(s.from); i < len(r.segments) && r.segments[i].from < s.to; i++ {
		for n, p := range r.segments[i].pages {
			dst[n] += p
		}
	}
}

// segmentIndex is the segment that holds a chunk.
func (r *region) segmentIndex(chunk int) int {
	lo, hi := 0, len(r.segments)-1
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if r.segments[mid].from <= chunk {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return lo
}

func (r *region) segmentOf(chunk int) *segment { return &r.segments[r.segmentIndex(chunk)] }

// split puts a segment boundary before chunk at.
func (r *region) split(at, nodes int) {
	if at == r.n {
		return
	}
	i := r.segmentIndex(at)
	s := &r.segments[i]
	if s.from == at {
		return
	}
	tail := segment{from: at, to: s.to, pages: make([]int64, nodes)}
	for c := r.present.next(at, s.to); c >= 0; c = r.present.next(c+1, s.to) {
		tail.pages[r.node[c]] += r.chunk
	}
	for n, p := range tail.pages {
		s.pages[n] -= p
	}
	s.to = at
	r.segments = append(r.segments, segment{})
	copy(r.segments[i+2:], r.segments[i+1:])
	r.segments[i+1] = tail
}
