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
		"NAS MG (NPB 3.4 OpenMP): V-cycles of 27-point stencil sweeps over a hierarchy of grids, a barrier after each sweep. " +
			"First touch is parallel. The runtime is what the benchmark itself reports: it starts after the set-up and one untimed V-cycle.",
		[]Key{
			{Name: "class", Type: String, Default: "C", Enum: []string{"S", "W", "A", "B", "C", "D", "E"},
				Doc: "size of the finest grid and V-cycles: S 32^3 x 4, W 128^3 x 4, A 256^3 x 4, B 256^3 x 20, C 512^3 x 20, D 1024^3 x 50, E 2048^3 x 50"},
			threadsKey(16, "OpenMP threads, the main thread included"),
			{Name: "collapse", Type: Bool, Default: true, Doc: "true: rows of the grid are dealt out to the threads (NPB 3.4.2); false: whole planes, so that 1024 planes make 112 threads wait for those with 10 instead of 9 (NPB 3.3)"},
			{Name: "pages_per_fault", Type: Int, Unit: "pages", Default: int64(512), Min: 1, Max: 512, Doc: "512: the grids are in 2 MiB huge pages (THP always); 1: in 4 KiB pages"},
			{Name: "spin_us", Type: Int, Unit: "us", Default: int64(6000), Min: 0, Max: 1000000,
				Doc: "busy-waiting in a barrier before the futex: libgomp's default of 300,000 pauses (GOMP_SPINCOUNT) at about 60 cycles and 3 GHz (the pause is a guess)"},
			{Name: "flops_per_cycle", Type: Float, Unit: "flop", Default: mgFlopsPerCycle, Min: 0.1, Max: 64, Doc: "arithmetic speed with all data in L2"},
			{Name: "overlap", Type: Float, Default: mgOverlap, Min: 0, Max: 1, Doc: "how much of a stall on memory is hidden behind arithmetic"},
			{Name: "jitter_pct", Type: Float, Unit: "%", Default: mgJitterPct, Min: 0, Max: 100, Doc: "each thread's work of a sweep varies by up to so much, both ways"},
		},
	}
}

// Defaults of the mg profile; machine files carry the rest of a fit.
const (
	mgFlopsPerCycle = 3.0
	mgOverlap       = 0.7
	mgJitterPct     = 0.0
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
// Flops are those of NPB's comments: resid 12+3, smooth (psinv) 13+3, rprj3
// (20+4)/8, interp (16+4)/8; a V-cycle comes to 57 a point of the finest grid,
// of which NPB's own Mop/s count 58.
type sweep struct {
	name                       string
	flops                      float64
	arrays, reread, write, win float64
	touched                    float64 // arrays in its working set
}

var (
	mgResid  = sweep{"resid", 15, 6, 2, 1, 5, 3}
	mgSmooth = sweep{"psinv", 16, 5, 2, 1, 4, 2}
	mgRprj3  = sweep{"rprj3", 3, 1.75, 0.5, 0.125, 3.25, 1.125}
	mgInterp = sweep{"interp", 2.5, 2.25, 0.125, 1, 2.5, 1.125}
	// On the coarser levels u is zeroed first.
	mgZeroInterp = sweep{"zero3, interp", 2.5, 4.25, 0.125, 2, 2.5, 1.125}
	// In the up-cycle the residual is updated in place: v and r are one array.
	mgResidInPlace = sweep{"resid in place", 15, 5, 2, 1, 4, 2}
)

// mgFillNs is the time for one random number of the set-up: a chain of
// dependent multiplications of about 50 cycles (guess).
const mgFillNs = 17

// mgBarriers is how many barriers NPB has in the sweeps of one coarse level:
// each sweep one, and two for the exchange of its borders.
const mgBarriers = 11

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
	spinNs   int64
	flopNs   float64
	overlap  float64
	jitter   int32
}

// mgShare is how many points of the two finest levels a thread has, and of
// the finest when whole planes are dealt out.
type mgShare struct{ fine, second, planes int64 }

// shareOf deals out the points of the two finest levels.
func mgShareOf(exp, threads, thread int, collapse bool) mgShare {
	deal := func(k int, rows bool) int64 {
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
	return mgShare{deal(exp, collapse), deal(exp-1, collapse), deal(exp, false)}
}

// mg compiles NAS MG. The two finest levels are simulated sweep by sweep; the
// coarser ones, 2 % of the work, are one op a V-cycle that includes the cost
// of their barriers. The borders' exchange (comm3) is part of its sweep.
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
	var last mgShare
	for i := range p.Threads {
		share := mgShareOf(exp, threads, i, s.Bool("collapse"))
		if i == 0 || share != last {
			g := &mgProgram{
				profiles: &p.Profiles, threads: threads, share: share, spinNs: s.Int("spin_us") * usec, overlap: s.Float("overlap"),
				flopNs: 1 / (s.Float("flops_per_cycle") * c.m.RefGHz()), jitter: int32(s.Float("jitter_pct") * 10000),
			}
			p.Progs = append(p.Progs, g.program(c.m, exp, cycles, chunk))
		}
		last = share
		p.Threads[i].Prog = int32(len(p.Progs) - 1)
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
func (g *mgProgram) program(m *machine.Machine, exp, cycles, chunk int) []Op {
	g.setUp(exp, chunk)
	g.cycle(m, exp)
	g.fill(exp)
	g.ops = append(g.ops, simple(OpMark, 0, 0))
	g.sweep(mgResid, exp, g.share.fine, mgV)
	start := len(g.ops)
	g.cycle(m, exp)
	return append(g.ops, loop(start, int64(cycles)), simple(OpExit, 0, 0))
}

// setUp is the part before the first V-cycle: first touch, each thread its
// own part of every array, and the random right-hand side.
func (g *mgProgram) setUp(exp, chunk int) {
	// Clearing runs at about 10 GB/s a core; a fault adds about 600 ns (guesses).
	perPage := int64(machine.PageBytes/10 + 600/chunk)
	for r := range int16(mgRegions) {
		g.ops = append(g.ops, Op{Kind: OpTouch, Profile: -1, Region: r, A: perPage})
	}
	g.ops = append(g.ops, g.barrier())
	g.fill(exp)
	g.sweep(mgResid, exp, g.share.fine, mgV)
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
	g.sweep(mgRprj3, exp, fine, mgR)
	g.sweep(mgRprj3, exp-1, second, mgNone)
	g.coarse(m, exp-2)
	g.sweep(mgZeroInterp, exp-1, second, mgNone)
	g.sweep(mgResidInPlace, exp-1, second, mgNone)
	g.sweep(mgSmooth, exp-1, second, mgNone)
	g.sweep(mgInterp, exp, fine, mgU)
	g.sweep(mgResid, exp, fine, mgV)
	g.sweep(mgSmooth, exp, fine, mgR)
	g.sweep(mgResid, exp, fine, mgU)
}

// sweep appends one sweep over a thread's points of level k and a barrier.
func (g *mgProgram) sweep(s sweep, k int, points int64, region int16) {
	var mix mgMix
	mix.add(s, k, 1)
	g.emit(mix.profile(g), mix.work(g)*float64(points), region)
}

// coarse appends all sweeps of levels 1 to top as one op; it takes as long as
// the thread with most points needs.
func (g *mgProgram) coarse(m *machine.Machine, top int) {
	var mix mgMix
	barriers := 0
	for k := 1; k <= top; k++ {
		n := int64(1) << k
		most := (n*n + int64(g.threads) - 1) / int64(g.threads) * n
		for _, s := range []sweep{mgRprj3, mgZeroInterp, mgResidInPlace, mgSmooth} {
			mix.add(s, k, float64(most))
		}
		barriers += mgBarriers
	}
	// Threads arrive one after another on one line.
	mix.wait = float64(barriers*g.threads) * m.Perf.C2CNs.LLC
	mix.name = "coarse levels"
	g.emit(mix.profile(g), mix.work(g), mgNone)
}

// barrier meets the other threads; all use the same one.
func (g *mgProgram) barrier() Op { return simple(OpBarrier, 0, g.spinNs) }

// mgMix adds up sweeps that are one op.
type mgMix struct {
	name                        string
	flops, bytes, reread, write float64
	window                      float64 // of the sweep with most traffic
	set                         float64 // bytes that all threads touch
	wait                        float64 // ns besides the arithmetic
	most                        float64
	level                       int
}

func (x *mgMix) add(s sweep, k int, points float64) {
	x.flops += s.flops * points
	bytes := 8 * s.arrays * points
	x.bytes += bytes
	x.reread += 8 * s.reread * points
	x.write += 8 * s.write * points
	n := float64(int64(1) << k)
	if bytes > x.most {
		x.most, x.window = bytes, 8*s.win*n*n
	}
	if k != x.level { // the sweeps of a level go over the same two arrays
		x.level = k
		x.set += 8 * s.touched * n * n * n
	}
	x.name = s.name + " " + strconv.Itoa(1<<k)
}

// work is the time in ns with all data in L2.
func (x *mgMix) work(g *mgProgram) float64 { return x.flops*g.flopNs + x.wait }

// profile is the memory behaviour of the mix.
func (x *mgMix) profile(g *mgProgram) memory.Profile {
	return memory.Profile{
		Name: x.name, BytesPerNs: x.bytes / x.work(g), WriteShare: x.write / x.bytes, Overlap: g.overlap,
		Reuse: memory.Stream, WorkingSetBytes: int64(x.set), Threads: g.threads,
		ReuseShare: x.reread / x.bytes, WindowBytes: int64(x.window),
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
