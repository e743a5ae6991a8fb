package workload

import "casplay/core/memory"

// Kinds whose speed is decided by caches and memory.

// streamKernels gives, for each kernel of STREAM, the bytes of an element that
// are read (with the read for ownership of the target unless it is written
// past the caches, as memcpy does for copy), written, and counted by STREAM.
var streamKernels = []struct {
	name                   string
	read, written, counted int64
}{{"copy", 8, 8, 16}, {"scale", 16, 8, 16}, {"add", 24, 8, 24}, {"triad", 24, 8, 24}}

func streamKind() Kind {
	var names []string
	for _, k := range streamKernels {
		names = append(names, k.name)
	}
	return Kind{"stream", "One kernel of STREAM over three arrays, each thread on its own slice, touched first by the thread; a barrier after each pass.", []Key{
		threadsKey(2, "OpenMP threads"),
		{Name: "array_mib", Type: Int, Unit: "MiB", Default: int64(1024), Min: 1, Max: 1 << 20, Doc: "size of each of the three arrays"},
		{Name: "kernel", Type: String, Default: "triad", Enum: names, Doc: "copy: c = a; scale: b = s c; add: c = a + b; triad: a = b + s c"},
		{Name: "ntimes", Type: Int, Unit: "passes", Default: int64(0), Min: 0, Max: 100000, Doc: "passes; 0 = no end"},
		{Name: "spin_us", Type: Int, Unit: "us", Default: int64(200000), Min: 0, Max: 1000000, Doc: "busy-waiting at the barrier before a thread sleeps (the OpenMP runtime's block time)"},
	}}
}

func (c *compiler) stream(s Spec) error {
	n, bytes := int(s.Int("threads")), s.Int("array_mib")<<20
	k := streamKernels[0]
	for _, o := range streamKernels {
		if o.name == s.String("kernel") {
			k = o
		}
	}
	elements := max(bytes/8/int64(n), 1)
	// Vector code handles 8 elements in about 4 cycles (guess): memory decides.
	work := max(elements/6, 1)
	sweep := Op{Kind: OpCompute, Profile: 0, Region: 0, A: work}
	p, err := c.add(n, []Op{
		{Kind: OpTouch, Profile: -1, Region: 0, A: 250},
		simple(OpBarrier, 0, s.Int("spin_us")*usec),
		sweep, units(elements * k.counted), simple(OpBarrier, 0, s.Int("spin_us")*usec),
		repeat(2, s.Int("ntimes")), simple(OpExit, 0, 0),
	})
	if err != nil {
		return err
	}
	p.Unit = "bytes"
	p.FullUnits = s.Int("ntimes") * elements * k.counted * int64(n)
	p.Barriers = []Barrier{{Parties: n}}
	p.Regions = []Region{{Name: "arrays", Bytes: 3 * bytes, ChunkPages: 512}}
	share := float64(k.written) / float64(k.read+k.written)
	p.Profiles = []memory.Profile{{
		// Write-backs occupy the same buffers as reads, so the lines in flight
		// that are left for reads are their share of the traffic.
		Name: k.name, BytesPerNs: float64(k.read+k.written) * float64(elements) / float64(work), WriteShare: share, Overlap: 1,
		MLP: c.m.Perf.CoreMLPLines * (1 - share), Reuse: memory.Stream, WorkingSetBytes: bytes * k.counted / 8, Threads: n,
	}}
	return nil
}

func sharedKind() Kind {
	return Kind{"shared", "Threads read and write one buffer; a line written on one LLC is gone from the others.", []Key{
		threadsKey(8, "threads"),
		{Name: "buffer_mib", Type: Int, Unit: "MiB", Default: int64(24), Min: 1, Max: 1 << 20, Doc: "size of the buffer"},
		{Name: "write_pct", Type: Int, Unit: "%", Default: int64(50), Min: 0, Max: 100, Doc: "accesses that write"},
		{Name: "pattern", Type: String, Default: "random", Enum: []string{"random", "sequential"}, Doc: "random: dependent single lines; sequential: sweeps of the whole buffer that the prefetcher follows"},
		{Name: "work_ns", Type: Int, Unit: "ns", Default: int64(2), Min: 1, Max: 100000, Doc: "CPU time of one access besides the cache"},
	}}
}

func (c *compiler) shared(s Spec) error {
	n, bytes, work := int(s.Int("threads")), s.Int("buffer_mib")<<20, s.Int("work_ns")
	const batch = 100 * usec
	sweep := Op{Kind: OpCompute, Profile: 0, Region: 0, A: batch}
	p, err := c.add(n, []Op{
		{Kind: OpTouch, Profile: -1, Region: 0, A: 250},
		sweep, units(batch / work), loop(1, -1),
	})
	if err != nil {
		return err
	}
	p.Unit = "operations"
	p.Regions = []Region{{Name: "buffer", Bytes: bytes, ChunkPages: 512}}
	// Every access reads its line; a write adds the write-back.
	writes := float64(s.Int("write_pct")) / 100
	prof := memory.Profile{
		Name: "shared buffer", BytesPerNs: 64 * (1 + writes) / float64(work), WriteShare: writes / (1 + writes), Reuse: memory.SharedRW,
		WorkingSetBytes: bytes, Threads: n, MLP: 4,
	}
	if s.String("pattern") == "sequential" {
		prof.MLP, prof.Overlap = 0, 0.7
	}
	p.Profiles = []memory.Profile{prof}
	return nil
}

func stressKind() Kind {
	return Kind{"stress", "Independent CPU work of each thread in private caches, as stress-ng --cpu.", []Key{
		threadsKey(4, "threads; one process"),
		{Name: "footprint_kib", Type: Int, Unit: "KiB", Default: int64(256), Min: 1, Max: 1 << 20, Doc: "private working set of a thread"},
		{Name: "operation_us", Type: Int, Unit: "us", Default: int64(1000), Min: 1, Max: 1000000, Doc: "CPU time of one counted operation"},
	}}
}

func (c *compiler) stress(s Spec) error {
	n := int(s.Int("threads"))
	work := Op{Kind: OpCompute, Profile: 0, Region: -1, A: s.Int("operation_us") * usec}
	p, err := c.add(n, []Op{work, units(1), loop(0, -1)})
	if err != nil {
		return err
	}
	p.Unit = "operations"
	p.RSSBytes = int64(n) * s.Int("footprint_kib") << 10
	// Little traffic leaves L2 (guess).
	p.Profiles = []memory.Profile{{Name: "private", BytesPerNs: 0.5, WriteShare: 0.2, Overlap: 0.8, Reuse: memory.Uniform, WorkingSetBytes: p.RSSBytes, Threads: n}}
	return nil
}

func ebizzyKind() Kind {
	return Kind{"ebizzy", "Threads that allocate a chunk, copy one into it and search it, as ebizzy does; nothing is shared but the address space.", []Key{
		threadsKey(8, "threads"),
		{Name: "chunk_kib", Type: Int, Unit: "KiB", Default: int64(512), Min: 4, Max: 1 << 16, Doc: "size of a chunk"},
		{Name: "chunks", Type: Int, Unit: "chunks", Default: int64(10), Min: 1, Max: 10000, Doc: "chunks that all threads search"},
		{Name: "record_us", Type: Int, Unit: "us", Default: int64(150), Min: 1, Max: 1000000, Doc: "CPU time of one record besides memory (guess)"},
		{Name: "fault_us", Type: Int, Unit: "us", Default: int64(30), Min: 0, Max: 1000000, Doc: "kernel time of mapping and faulting the chunk (guess: 128 pages of 250 ns)"},
	}}
}

func (c *compiler) ebizzy(s Spec) error {
	n := int(s.Int("threads"))
	chunk := s.Int("chunk_kib") << 10
	work := Op{Kind: OpCompute, Profile: 0, Region: -1, A: s.Int("record_us") * usec}
	var prog []Op
	if us := s.Int("fault_us"); us > 0 {
		prog = append(prog, system(us*usec))
	}
	prog = append(prog, work, units(1), loop(0, -1))
	p, err := c.add(n, prog)
	if err != nil {
		return err
	}
	p.Unit = "records"
	p.RSSBytes = chunk * (s.Int("chunks") + int64(n))
	p.Profiles = []memory.Profile{{
		// The copy reads one chunk and writes another within a record.
		Name: "copy and search", BytesPerNs: 3 * float64(chunk) / float64(s.Int("record_us")*usec), WriteShare: 1.0 / 3, Overlap: 0.7,
		Reuse: memory.Uniform, WorkingSetBytes: p.RSSBytes, Threads: n,
	}}
	return nil
}

func verilatorKind() Kind {
	return Kind{"verilator", "A simulator of hardware in lock-step: each thread evaluates its part of the design, then all meet at a busy-waiting barrier; what a thread reads next was written by the others.", []Key{
		threadsKey(8, "threads of the model"),
		{Name: "work_us", Type: Int, Unit: "us", Default: int64(20), Min: 1, Max: 1000000, Doc: "CPU time of a thread between two barriers, with its own data in its caches (guess)"},
		{Name: "imbalance_pct", Type: Int, Unit: "%", Default: int64(10), Min: 0, Max: 400, Doc: "each thread draws up to this much more each time (guess)"},
		{Name: "lines", Type: Int, Unit: "lines", Default: int64(280), Min: 0, Max: 1000000, Doc: "cache lines written by the others that a thread reads between two barriers"},
		{Name: "parallel", Type: Int, Unit: "lines", Default: int64(1), Min: 1, Max: 64, Doc: "how many of these transfers overlap"},
		{Name: "steps", Type: Int, Unit: "barriers", Default: int64(0), Min: 0, Max: 1000000000, Doc: "barriers of the whole run; 0 = no end"},
	}}
}

func (c *compiler) verilator(s Spec) error {
	n := int(s.Int("threads"))
	mean, jitter := imbalanced(s.Int("work_us")*usec, s.Int("imbalance_pct"))
	work := compute(mean)
	work.Jitter = jitter
	const spin = 3600 * 1000 * msec // its threads never sleep
	p, err := c.add(n,
		[]Op{simple(OpGather, s.Int("lines"), s.Int("parallel")), work, simple(OpBarrier, 0, spin), units(1), repeat(0, s.Int("steps")), simple(OpExit, 0, 0)},
		[]Op{simple(OpGather, s.Int("lines"), s.Int("parallel")), work, simple(OpBarrier, 0, spin), repeat(0, s.Int("steps")), simple(OpExit, 0, 0)})
	if err != nil {
		return err
	}
	for i := 1; i < n; i++ {
		p.Threads[i].Prog = 1
	}
	p.Unit, p.FullUnits = "steps", s.Int("steps")
	p.Barriers = []Barrier{{Parties: n}}
	// Anonymous memory, which is what the RSS gates count; the generated code is
	// mapped from its file. Between the LLCs that kept it apart (32 MiB, row B12)
	// and gathered it (75 to 112 MiB, row B09).
	p.RSSBytes = 64 << 20
	return nil
}

func noiseKind() Kind {
	return Kind{"noise", "The background of a real machine: daemons that wake up now and then, each a process of its own. It never keeps a run going.", []Key{
		{Name: "tasks", Type: Int, Unit: "processes", Default: int64(8), Min: 1, Max: 1024, Doc: "daemons"},
		{Name: "rate_hz", Type: Int, Unit: "wakeups/s", Default: int64(20), Min: 1, Max: 100000, Doc: "wakeups of each"},
		{Name: "run_us", Type: Int, Unit: "us", Default: int64(100), Min: 1, Max: 1000000, Doc: "mean CPU time of each"},
	}}
}

func (c *compiler) noise(s Spec) error {
	period := 1e9 / s.Int("rate_hz")
	run := compute(s.Int("run_us") * usec)
	run.Jitter = 500_000
	for i := range int(s.Int("tasks")) {
		p, err := c.add(1, []Op{simple(OpPeriod, period, 0), run, loop(0, -1)})
		if err != nil {
			return err
		}
		p.Background = true
		p.Threads[0].PhaseNs = phase(i, period)
	}
	return nil
}
