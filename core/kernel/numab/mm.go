package numab

import (
	"errors"
	"math/bits"
	"strconv"
)

// maxChunks bounds one address space: 4 Mi chunks take about 22 MB here.
const maxChunks = 1 << 22

// unset is the last accessor of a page that has none.
const unset = ^uint32(0)

// Stats counts what happened in one address space.
type Stats struct {
	// Sweeps is the number of completed passes of the scanner.
	Sweeps int64
	// HintFaults counts fault events (a huge-page fault is one), FaultPages
	// the pages of their folios.
	HintFaults, FaultPages int64
	// PagesMigrated and MigrateFailed are in pages.
	PagesMigrated, MigrateFailed int64
	// PlacementCalls counts task_numa_placement, GateStops those that returned
	// at its scan_seq gate, FootprintWrites those that went on to account and
	// so wrote the footprint.
	PlacementCalls, GateStops, FootprintWrites int64
}

// MM is one address space.
type MM struct {
	// Stats may be read at any time.
	Stats Stats

	sys       *System
	regions   []region
	chunks    int
	slices    []slice
	users     int
	footprint *int64

	scanSeq    int
	scanOffset int64 // in pages
	nextScan   int64 // in jiffies

	rss       int64
	nodePages []int64
	version   uint64
}

// Region describes a mapping (a VMA).
type Region struct {
	// Bytes is the size, rounded up to whole chunks.
	Bytes int64
	// ChunkPages is the size of the folios behind it: 1 (4 KiB) or 512 (2 MiB).
	ChunkPages int
	// NoScan excludes the mapping from scanning: huge-TLB, read-only file,
	// inaccessible or unmigratable.
	NoScan bool
	// ReadOnly mappings fault, but do not form fault groups.
	ReadOnly bool
	// Unmovable pages are scanned and fault, but their migration fails: they are
	// pinned, or so few that they still wait in a CPU's batch for the LRU list.
	Unmovable bool
}

// region is a mapping with its chunks. Addresses are page numbers.
type region struct {
	start, end int64
	chunk      int64 // pages a chunk
	n          int   // chunks
	node       []int8
	last       []uint32 // cpu << 8 | low PID bits, or unset
	present    bitmap
	armed      bitmap // the next access takes a hint fault
	segments   []segment
	noScan     bool
	readOnly   bool
	unmovable  bool
	scan       vmaScan
}

// NewMM makes the address space of a process that forks at the given jiffy.
// The footprint counter belongs to its CAS group and is in pages; nil if
// nobody looks at it.
func NewMM(sys *System, footprint *int64, jiffies int64) *MM {
	return &MM{
		sys: sys, footprint: footprint, nodePages: make([]int64, sys.topo.nodes),
		nextScan: jiffies + sys.msToJiffies(int64(sys.cfg.ScanDelayMs)),
	}
}

// AddRegion maps memory above all earlier regions, 2 MiB aligned, and returns
// its index. It refuses sizes below 1, other chunk sizes, and more than 4 Mi
// chunks an address space.
func (m *MM) AddRegion(r Region) (int, error) {
	if r.ChunkPages != 1 && r.ChunkPages != hugePages {
		return 0, errors.New("numab: region has chunks of " + strconv.Itoa(r.ChunkPages) + " pages; use 1 or 512")
	}
	if r.Bytes < 1 {
		return 0, errors.New("numab: region has " + strconv.FormatInt(r.Bytes, 10) + " bytes; use 1 or more")
	}
	chunkBytes := int64(r.ChunkPages) << pageShift
	n := (r.Bytes-1)/chunkBytes + 1
	if n > int64(maxChunks-m.chunks) {
		return 0, errors.New("numab: region of " + strconv.FormatInt(r.Bytes, 10) + " bytes needs " + strconv.FormatInt(n, 10) +
			" chunks, the address space has room for " + strconv.Itoa(maxChunks-m.chunks) + "; use a smaller size or 512-page chunks")
	}
	start := int64(hugePages)
	if k := len(m.regions); k > 0 {
		// One page of guard keeps neighbours from looking like one mapping.
		start = (m.regions[k-1].end/hugePages + 1) * hugePages
	}
	c := int(n)
	reg := region{
		start: start, end: start + n*int64(r.ChunkPages), chunk: int64(r.ChunkPages), n: c,
		node: make([]int8, c), last: make([]uint32, c), present: newBitmap(c), armed: newBitmap(c),
		segments: []segment{{from: 0, to: c, pages: make([]int64, m.sys.topo.nodes)}},
		noScan:   r.NoScan, readOnly: r.ReadOnly, unmovable: r.Unmovable,
	}
	for i := range reg.node {
		reg.node[i], reg.last[i] = NoNode, unset
	}
	m.chunks += c
	m.regions = append(m.regions, reg)
	return len(m.regions) - 1, nil
}

// Chunks is the number of chunks of a region.
func (m *MM) Chunks(region int) int { return m.regions[region].n }

// ChunkNode is the node of a chunk, NoNode if it is not present.
func (m *MM) ChunkNode(region, chunk int) int { return int(m.regions[region].node[chunk]) }

// RSSPages is the number of present pages.
func (m *MM) RSSPages() int64 { return m.rss }

// NodePages is the number of present pages on a node.
func (m *MM) NodePages(node int) int64 { return m.nodePages[node] }

// Version changes whenever a page appears or moves.
func (m *MM) Version() uint64 { return m.version }

// ScanSeq is the kernel's sweep counter; unlike Stats.Sweeps it restarts with
// the first thread.
func (m *MM) ScanSeq() int { return m.scanSeq }

// ScanOffset is where the scanner continues, in pages from address 0.
func (m *MM) ScanOffset() int64 { return m.scanOffset }

// NextScan is the earliest jiffy of the next scan.
func (m *MM) NextScan() int64 { return m.nextScan }

// Users is the number of threads.
func (m *MM) Users() int { return m.users }

// Touch makes the chunks [from, to) of a region present, first-touch on node:
// those that already are stay where they are. A full node overflows to the
// nearest with room, lowest number first. It returns the pages added; the
// error says that no node has room left, the chunks before that are present.
func (m *MM) Touch(region, from, to, node int) (int64, error) {
	r := &m.regions[region]
	if r.present.count == r.n || from >= to {
		return 0, nil
	}
	before := m.rss
	for w := from >> 6; w <= (to-1)>>6; w++ {
		for absent := rangeMask(w, from, to) &^ r.present.words[w]; absent != 0; absent &= absent - 1 {
			n := m.sys.nodeWithRoom(node, r.chunk)
			if n == NoNode {
				return m.rss - before, errors.New("numab: out of memory: no node has " + strconv.FormatInt(r.chunk, 10) + " free pages; shrink the working set or add memory")
			}
			c := w<<6 + bits.TrailingZeros64(absent)
			r.present.or(w, absent&-absent)
			r.node[c] = int8(n)
			m.addPages(r, c, n, r.chunk)
			m.rss += r.chunk
		}
	}
	return m.rss - before, nil
}

// nodeWithRoom is the node nearest to want that has the pages free.
func (s *System) nodeWithRoom(want int, pages int64) int {
	if s.free[want] >= pages {
		return want
	}
	best := NoNode
	for n, d := range s.topo.dist[want] {
		if s.free[n] >= pages && (best == NoNode || d < s.topo.dist[want][best]) {
			best = n
		}
	}
	return best
}

// addPages books pages of a chunk on a node: a negative number removes them.
func (m *MM) addPages(r *region, chunk, node int, pages int64) {
	m.sys.free[node] -= pages
	m.nodePages[node] += pages
	r.segmentOf(chunk).pages[node] += pages
	m.version++
}

// Release frees all memory of the address space, at the end of a process.
func (m *MM) Release() {
	for n, p := range m.nodePages {
		m.sys.free[n] += p
		m.nodePages[n] = 0
	}
	m.regions, m.slices, m.chunks, m.rss = nil, nil, 0, 0
	m.version++
}
