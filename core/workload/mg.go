package workload

import (
	"strconv"

	"casplay/core/machine"
	"casplay/core/memory"
)

// mgKind documents NAS MG.
func mgKind() Kind {
	return Kind{
		"mg",
		"NAS MG (NPB, OpenMP): V-cycles of 27-point stencil sweeps over a hierarchy of grids, a barrier after each sweep. " +
			"First touch is parallel. The runtime is what the benchmark itself reports: it starts after the set-up and one untimed V-cycle.",
		[]Key{
			{Name: "class", Type: String, Default: "C", Enum: []string{"S", "W", "A", "B", "C", "D", "E"},
				Doc: "size of the finest grid and V-cycles: S 32^3 x 4, W 128^3 x 4, A 256^3 x 4, B 256^3 x 20, C 512^3 x 20, D 1024^3 x 50, E 2048^3 x 50"},
			threadsKey(16, "OpenMP threads, the main thread included"),
			{Name: "collapse", Type: Bool, Default: false, Doc: "true: rows of the grid are dealt out to the threads (NPB 3.4); false: whole planes (NPB 3.3), so that with 1024 planes 112 threads wait for those with 10 instead of 9; the MG report does not name its version"},
			{Name: "pages_per_fault", Type: Int, Unit: "pages", Default: int64(512), Min: 1, Max: 512, Doc: "512: the grids are in 2 MiB huge pages (THP always); 1: in 4 KiB pages"},
			{Name: "spin_us", Type: Int, Unit: "us", Default: int64(6000), Min: 0, Max: 1000000,
				Doc: "busy-waiting in a barrier before the futex: libgomp's default of 300,000 pauses (GOMP_SPINCOUNT) at about 60 cycles and 3 GHz (the pause is a guess)"},
			{Name: "flops_per_cycle", Type: Float, Unit: "flop", Default: mgFlopsPerCycle, Min: 0.1, Max: 64, Doc: "arithmetic speed with all data in L2"},
			{Name: "overlap", Type: Float, Default: mgOverlap, Min: 0, Max: 1, Doc: "how much of a stall on memory is hidden behind arithmetic"},
			{Name: "jitter_pct", Type: Float, Unit: "%", Default: mgJitterPct, Min: 0, Max: 100, Doc: "each thread's work of a sweep varies by up to so much, both ways"},
		},
	}
}

// Defaults of the mg profile, guesses within the plausible range (2 to 4 flop
// a cycle of compiled stencil code on a small core, 0.3 to 0.7 of a stall
// hidden), chosen with sight of all rows of the MG report. The jitter is
// fitted on the CPU utilisation of row A33 (6164 % and 6029 % of 64 threads,
// CAS off and on): threads that slept that much had waited for others longer
// than libgomp spins, so sweeps end at times about a third apart. The machine
// file carries what else is fitted.
const (
	mgFlopsPerCycle = 2.4
	mgOverlap       = 0.39
	mgJitterPct     = 16.0
)

// sweep is one kind of pass over a grid. All numbers are per point of the
// grid that it walks over (the fine one where there are two).
//
// How the bytes come about, in arrays of 8-byte values: a stencil that reads
// three planes of x loads each line of x three times, and the two later ones
// hit if a window of planes stays in a cache (rows are re-used within L2). A
// store loads the line and writes it back.
//
//	resid   r = v - A u     u 3 (2 re-reads), v 1, r 2         window u 3, v 1, r 1 planes
//	smooth  u = u + C r     r 3 (2 re-reads), u 2              window r 3, u 1
//	rprj3   coarse r of r   r 1.5 (0.5 re-reads), coarse 2/8   window r 3, coarse 1/4
//	interp  u += coarse u   u 2, coarse 2/8 (1/8 re-read)      window u 2, coarse 2/4
//	zero3   u = 0           u 2
//
// A thread has a slab of planes; of the planes of x it reads two (rprj3 one,
// interp one coarse plane) from the slabs of its neighbours.
//
// Flops are those of NPB's comments: resid 12+3, smooth (psinv) 13+3, rprj3
// (20+4)/8, interp (16+4)/8; a V-cycle comes to 57 a point of the finest grid,
// of which NPB's own Mop/s count 58.
type sweep struct {
	name                       string
	flops                      float64
	arrays, reread, write, win float64
	touched                    float64 // arrays in its working set
	halo                       float64 // planes read from the neighbours
	slab                       int16   // of the finest level, an index into Thread.Slabs from 1 on
	constant                   float64 // of the arrays, those that are never written
}

var (
	mgResid  = sweep{"resid", 15, 6, 2, 1, 5, 3, 2, 0, 1}
	mgSmooth = sweep{"psinv", 16, 5, 2, 1, 4, 2, 2, 0, 0}
	mgRprj3  = sweep{"rprj3", 3, 1.75, 0.5, 0.125, 3.25, 1.125, 1, 1, 0}
	mgInterp = sweep{"interp", 2.5, 2.25, 0.125, 1, 2.5, 1.125, 0.25, 2, 0}
	// On the coarser levels u is zeroed first.
	mgZeroInterp = sweep{"zero3, interp", 2.5, 4.25, 0.125, 2, 2.5, 1.125, 0.25, 0, 0}
	// In the up-cycle the residual is updated in place: v and r are one array.
	mgResidInPlace = sweep{"resid in place", 15, 5, 2, 1, 4, 2, 2, 0, 0}
)

// mgFillNs is the time for one random number of the set-up: a chain of
// dependent multiplications of about 50 cycles (guess).
const mgFillNs = 17

// mgTransfers is how many cache lines move, one after another, for each thread
// and level in a V-cycle, to start and end NPB's parallel loops. A level has 8
// of them (rprj3, zero3, interp, resid, psinv and three exchanges of borders)
// and 3 barriers inside. libgomp's main thread writes four lines of each
// thread to start it, two at a time; to arrive is one update of a shared line,
// to leave a read that overlaps with three others: 8 x 3.25 + 3 x 1.25.
const mgTransfers = 30

// mgGrid returns the exponent of the finest grid and the V-cycles of a class.
func mgGrid(class string) (exp, cycles int) {
	switch class {
	case "S":
		return 5, 4
	case "W":
		return 7, 4
	case "A":
		return 8, 4
	case "B":
		return 8, 20
	case "C":
		return 9, 20
	case "D":
		return 10, 50
	}
	return 11, 50
}

// mgProgram collects the ops of the threads of an MG process that have equal
// shares of the grids.
type mgProgram struct {
	ops      []Op
	profiles *[]memory.Profile
	threads  int
	share    mgShare
	chunk    int  // pages
	rows     bool // rows are dealt out, not planes
	spinNs   int64
	flopNs   float64
	overlap  float64
	jitter   int32
}

// mgShare is how many points of the three finest levels a thread has, and of
// the finest when whole planes are dealt out.
type mgShare struct{ fine, second, third, planes int64 }

// between is how many points of the finer level a thread passes in rprj3 and
// interp, which deal out the coarser one.
func between(coarse int64) int64 { return 8 * coarse }

// mgDeal is how many points of level k a thread gets: rows or whole planes,
// the first threads one more if they do not come out even.
func mgDeal(k, threads, thread int, rows bool) int64 {
	n := int64(1) << k
	units, points := n, n*n
	if rows {
		units, points = n*n, n
	}
	share := units / int64(threads)
	if int64(thread) < units%int64(threads) {
		share++
	}
	return share * points
}

// mgDrift is how many bytes the slab of a thread begins later where u and v are
// zeroed, which first touches them, than in all sweeps: NPB's zero3 deals out
// the whole array, the other loops leave out the planes (and rows) of the
// border. For most threads that is one plane, which lies where the neighbour
// runs: a ninth of the slab with 112 threads of class D, a thirty-second with 32.
func mgDrift(exp, threads, thread int, rows bool) int64 {
	side := int64(1)<<exp + 2
	if rows {
		return 8*side*mgStart(side*side, threads, thread) - mgSlab(exp, threads, thread, rows)
	}
	return 8*side*side*mgStart(side, threads, thread) - mgSlab(exp, threads, thread, rows)
}

// mgStart is the first of the units (planes or rows) of a thread, as OpenMP's
// static schedule deals them out.
func mgStart(units int64, threads, thread int) int64 {
	return units/int64(threads)*int64(thread) + min(int64(thread), units%int64(threads))
}

// mgSlab is where in an array the points of a thread begin, in bytes.
func mgSlab(exp, threads, thread int, rows bool) int64 {
	n := int64(1) << exp
	side := n + 2
	if rows {
		inner := mgStart(n*n, threads, thread)
		return 8 * side * ((inner/n+1)*side + inner%n + 1)
	}
	return 8 * side * side * (mgStart(n, threads, thread) + 1)
}

// mgSkew is how many bytes later the part of the finest grid begins that a
// thread passes in the loops between two levels: they deal out the coarser
// one, each unit of which stands for two fine ones. rprj3 leaves out the
// border, interp begins with it (extra 1). With a power of two of threads rprj3
// finds the slab of the other sweeps and interp is a plane beside it, otherwise
// a thread is among the planes of others: with 112 threads of class D thread 64
// is five slabs ahead.
func mgSkew(exp, threads, thread int, rows bool, extra int64) int64 {
	n := int64(1) << (exp - 1)
	side := 2*n + 2
	units := n + extra
	at := 8 * side
	if rows {
		first := mgStart(units*units, threads, thread)
		at *= (1+2*(first/units)-extra)*side + 1 + 2*(first%units) - extra
	} else {
		at *= (1 + 2*mgStart(units, threads, thread) - extra) * side
	}
	return at - mgSlab(exp, threads, thread, rows)
}

// mg compiles NAS MG. The two finest levels are simulated sweep by sweep; the
// coarser ones, 2 % of the work, are one op a V-cycle, which also carries what
// it costs to start and end all parallel loops of the cycle. The exchange of
// borders (comm3) is part of its sweep.
func (c *compiler) mg(s Spec) error {
	threads := int(s.Int("threads"))
	chunk, err := c.chunkPages(s)
	if err != nil {
		return err
	}
	exp, cycles := mgGrid(s.String("class"))
	sizes := mgBytes(exp)
	bytes := sizes[mgU] + sizes[mgV] + sizes[mgR]
	if mem := mgMemory(c.m); mem > 0 && bytes > mem {
		return c.fail("class", "needs "+strconv.FormatInt(bytes>>30, 10)+" GiB, the machine has "+strconv.FormatInt(mem>>30, 10))
	}
	p, err := c.add(threads)
	if err != nil {
		return err
	}
	rows := s.Bool("collapse")
	var last mgShare
	for i := range p.Threads {
		share := mgShare{mgDeal(exp, threads, i, rows), mgDeal(exp-1, threads, i, rows), mgDeal(exp-2, threads, i, rows), mgDeal(exp, threads, i, false)}
		if i == 0 || share != last {
			g := &mgProgram{
				profiles: &p.Profiles, threads: threads, share: share, rows: rows, chunk: chunk, spinNs: s.Int("spin_us") * usec, overlap: s.Float("overlap"),
				flopNs: 1 / (s.Float("flops_per_cycle") * c.m.RefGHz()), jitter: int32(s.Float("jitter_pct") * 10000),
			}
			p.Progs = append(p.Progs, g.program(c.m, exp, cycles))
		}
		last = share
		p.Threads[i].Prog = int32(len(p.Progs) - 1)
		t := &p.Threads[i]
		t.TouchFrom, t.TouchTo = mgDrift(exp, threads, i, rows), mgDrift(exp, threads, i+1, rows)
		t.Slabs = []Slab{
			{mgR, mgSkew(exp, threads, i, rows, 0), mgSkew(exp, threads, i+1, rows, 0)},
			{mgU, mgSkew(exp, threads, i, rows, 1), mgSkew(exp, threads, i+1, rows, 1)},
		}
	}
	p.Regions = make([]Region, len(sizes))
	for i, name := range [...]string{mgU: "u", mgV: "v", mgR: "r"} {
		p.Regions[i] = Region{Name: name, Bytes: sizes[i], ChunkPages: chunk}
	}
	p.Barriers = []Barrier{{Parties: threads}}
	return nil
}

// Regions of the process, in the order of their addresses.
const (
	mgU = iota
	mgV
	mgR
	mgRegions
	mgNone = -1
)

// mgBytes is the memory of each array: u and r on all levels, v on the finest,
// each with a border of one point (26.5 GiB in all for class D, 3.3 GiB for C).
func mgBytes(exp int) [mgRegions]int64 {
	var all int64
	for k := 1; k <= exp; k++ {
		side := int64(1)<<k + 2
		all += 8 * side * side * side
	}
	side := int64(1)<<exp + 2
	return [mgRegions]int64{mgU: all, mgV: 8 * side * side * side, mgR: all}
}

// mgMemory is the memory of the machine, 0 if unknown.
func mgMemory(m *machine.Machine) int64 {
	var all int64
	for i := range m.Nodes {
		all += m.Nodes[i].MemBytes
	}
	return all
}

// program is all that a thread does.
func (g *mgProgram) program(m *machine.Machine, exp, cycles int) []Op {
	g.setUp(exp)
	g.cycle(m, exp)
	g.fill(exp)
	g.ops = append(g.ops, simple(OpMark, 0, 0))
	g.sweep(mgResid, exp, g.share.fine, mgV)
	start := len(g.ops)
	g.cycle(m, exp)
	return append(g.ops, loop(start, int64(cycles)), simple(OpExit, 0, 0))
}

// setUp is the part before the first V-cycle: each thread touches its own part
// of every array, of r only in the first residual, after the right-hand side
// has been made.
func (g *mgProgram) setUp(exp int) {
	g.touch(mgU, TouchShifted)
	g.touch(mgV, TouchShifted)
	g.fill(exp)
	g.touch(mgR, TouchSlice)
	g.sweep(mgResid, exp, g.share.fine, mgV)
}

// touch is the first touch of an array.
func (g *mgProgram) touch(region int16, part int64) {
	// Clearing runs at about 10 GB/s a core; a fault adds about 600 ns (guesses).
	perPage := int64(machine.PageBytes/10 + 600/g.chunk)
	g.ops = append(g.ops, Op{Kind: OpTouch, Profile: -1, Region: region, A: perPage, B: part}, g.barrier())
}

// fill makes the right-hand side: random numbers (dealt out by planes in
// every version), a search, and zeroes.
func (g *mgProgram) fill(exp int) {
	g.emit(memory.Profile{
		Name: "zran3", BytesPerNs: 40.0 / mgFillNs, WriteShare: 0.4, Overlap: g.overlap, WorkingSetBytes: 8 << (3 * exp), Threads: g.threads,
	}, float64(g.share.planes*mgFillNs), mgV)
}

// cycle is one V-cycle and the residual after it, as NPB's main loop does. An
// op passes over the pages of one array only; over a cycle each has its turn.
func (g *mgProgram) cycle(m *machine.Machine, exp int) {
	fine, second := g.share.fine, g.share.second
	g.sweep(mgRprj3, exp, between(second), mgR)
	g.sweep(mgRprj3, exp-1, between(g.share.third), mgNone)
	g.coarse(m, exp)
	g.sweep(mgZeroInterp, exp-1, between(g.share.third), mgNone)
	g.sweep(mgResidInPlace, exp-1, second, mgNone)
	g.sweep(mgSmooth, exp-1, second, mgNone)
	g.sweep(mgInterp, exp, between(second), mgU)
	g.sweep(mgResid, exp, fine, mgV)
	g.sweep(mgSmooth, exp, fine, mgR)
	g.sweep(mgResid, exp, fine, mgU)
}

// sweep appends one sweep over a thread's points of level k and a barrier.
func (g *mgProgram) sweep(s sweep, k int, points int64, region int16) {
	var mix mgMix
	mix.add(g, s, k, 1)
	p := mix.profile(g)
	if region != mgNone {
		p.Slab = s.slab
	}
	g.emit(p, mix.work(g)*float64(points), region)
}

// coarse appends all sweeps of levels 1 to exp-2 as one op; it takes as long
// as the thread with most points needs.
func (g *mgProgram) coarse(m *machine.Machine, exp int) {
	var mix mgMix
	for k := 1; k <= exp-2; k++ {
		most := float64(mgDeal(k, g.threads, 0, g.rows))
		coarser := between(mgDeal(k-1, g.threads, 0, g.rows))
		for _, s := range []sweep{mgRprj3, mgZeroInterp} {
			mix.add(g, s, k, float64(coarser))
		}
		for _, s := range []sweep{mgResidInPlace, mgSmooth} {
			mix.add(g, s, k, most)
		}
	}
	// Threads on all packages alike: lines cross between them accordingly.
	p := float64(len(m.Packages))
	transfer := (m.Perf.C2CNs.LLC + float64((p-1)*m.Perf.C2CNs.OtherPackage)) / p
	mix.wait = float64(mgTransfers*exp*g.threads) * transfer
	mix.name = "coarse levels"
	g.emit(mix.profile(g), mix.work(g), mgNone)
}

// barrier meets the other threads; all use the same one.
func (g *mgProgram) barrier() Op { return simple(OpBarrier, 0, g.spinNs) }

// mgMix adds up sweeps that are one op.
type mgMix struct {
	name                        string
	flops, bytes, reread, write float64
	constant                    float64 // bytes
	window                      float64 // of the sweep with most traffic
	set                         float64 // bytes that all threads touch
	wait                        float64 // ns besides the arithmetic
	most                        float64
	level                       int
	halo                        float64 // bytes at the neighbours
}

func (x *mgMix) add(g *mgProgram, s sweep, k int, points float64) {
	x.flops += float64(s.flops * points)
	bytes := float64(8 * s.arrays * points)
	x.bytes += bytes
	x.reread += float64(8 * s.reread * points)
	x.write += float64(8 * s.write * points)
	x.constant += float64(8 * s.constant * points)
	n := float64(int64(1) << k)
	x.halo += float64(8 * points * min(float64(s.halo*float64(g.threads)/n)+float64(s.arrays*g.strays(n)), s.arrays))
	if bytes > x.most {
		x.most, x.window = bytes, 8*s.win*n*n
	}
	if k != x.level { // the sweeps of a level go over the same two arrays
		x.level = k
		x.set += float64(8 * s.touched * n * n * n)
	}
	x.name = s.name + " " + strconv.Itoa(1<<k)
}

// strays is the share of a slab that lies on a neighbour's node although it is
// the thread's own: a chunk that holds a border belongs to who touches it first.
func (g *mgProgram) strays(n float64) float64 {
	if g.chunk == 1 {
		return 0
	}
	slab := float64(8*n*n*n) / float64(g.threads)
	return min(float64(g.chunk)*machine.PageBytes/2/slab, 0.5)
}

// work is the time in ns with all data in L2.
func (x *mgMix) work(g *mgProgram) float64 { return float64(x.flops*g.flopNs) + x.wait }

// profile is the memory behaviour of the mix.
func (x *mgMix) profile(g *mgProgram) memory.Profile {
	return memory.Profile{
		Name: x.name, BytesPerNs: x.bytes / x.work(g), WriteShare: x.write / x.bytes, Overlap: g.overlap,
		Reuse: memory.Stream, WorkingSetBytes: int64(x.set), Threads: g.threads,
		ReuseShare: x.reread / x.bytes, WindowBytes: int64(x.window), HaloShare: x.halo / x.bytes, ReadOnlyShare: x.constant / x.bytes,
	}
}

// emit appends an op and its barrier; a thread without work only waits.
func (g *mgProgram) emit(p memory.Profile, work float64, region int16) {
	if work >= 1 {
		at := 0
		for at < len(*g.profiles) && (*g.profiles)[at] != p {
			at++
		}
		if at == len(*g.profiles) {
			*g.profiles = append(*g.profiles, p)
		}
		g.ops = append(g.ops, Op{Kind: OpCompute, Profile: int16(at), Region: region, Jitter: g.jitter, A: int64(work)})
	}
	g.ops = append(g.ops, g.barrier())
}
