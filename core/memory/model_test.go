package memory

import (
	"math"
	"math/rand"
	"testing"

	"casplay/core/machine"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// build makes a machine from a synthetic string and lets a test change its parameters.
func build(t testing.TB, text string, change func(*machine.PerfSpec)) *machine.Machine {
	t.Helper()
	s, err := machine.ParseSynthetic(text)
	require.NoError(t, err)
	if change != nil {
		change(&s.Perf)
	}
	m, err := s.Build()
	require.NoError(t, err)
	return m
}

const twoSockets = "pack:2 numa:1 l3:1(size=32MB) l2:4(size=4MB) core:4 pu:1"

// stream is a profile that misses everything.
func stream() Profile {
	return Profile{Name: "stream", BytesPerNs: 20, WriteShare: 0.25, Overlap: 0.7, WorkingSetBytes: 1 << 40, Threads: 32}
}

func TestEmptyMachine(t *testing.T) {
	md := New(build(t, twoSockets, nil), []Profile{stream()}, 4)
	md.Solve()
	assert.Empty(t, md.Changed())
	assert.Equal(t, uint32(0), md.Rate(0))
	assert.Equal(t, int64(0), md.LLCFill(0))
}

// TestClosedForm: one thread, far from every limit, costs exactly
// work + stall (1-overlap) with the stall of the idle latency.
func TestClosedForm(t *testing.T) {
	m := build(t, twoSockets, func(p *machine.PerfSpec) {
		p.NodeGBps.V, p.LLCFillGBps.V, p.LLCGBps.V, p.LinkGBps.V = 1e5, 1e5, 1e5, 0
		p.QueueKDRAM.V, p.QueueKFill.V = 0.001, 0.001
	})
	for _, c := range []struct {
		name  string
		p     Profile
		pages []int64
		want  float64 // time of a ns of work
	}{
		{"no traffic", Profile{}, nil, 1},
		{"local misses, no overlap", Profile{BytesPerNs: 1, WorkingSetBytes: 1 << 40}, []int64{1, 0}, 1 + 110.0/64/32},
		{"remote misses, no overlap", Profile{BytesPerNs: 1, WorkingSetBytes: 1 << 40}, []int64{0, 7}, 1 + 200.0/64/32},
		{"half remote", Profile{BytesPerNs: 1, WorkingSetBytes: 1 << 40}, []int64{5, 5}, 1 + 155.0/64/32},
		{"half overlapped", Profile{BytesPerNs: 1, WorkingSetBytes: 1 << 40, Overlap: 0.5}, []int64{1, 0}, 1 + 110.0/64/64},
		{"prefetched", Profile{BytesPerNs: 1, WorkingSetBytes: 1 << 40, Overlap: 1}, []int64{1, 0}, 1},
		{"bound by lines in flight", Profile{BytesPerNs: 40, WorkingSetBytes: 1 << 40, Overlap: 1}, []int64{1, 0}, 40 * 110.0 / 64 / 32},
		{"few lines in flight", Profile{BytesPerNs: 1, WorkingSetBytes: 1 << 40, MLP: 1}, []int64{1, 0}, 1 + 110.0/64},
		{"write-backs are posted", Profile{BytesPerNs: 1, WriteShare: 0.5, WorkingSetBytes: 1 << 40}, []int64{1, 0}, 1 + 110.0/64/64},
		{"hits", Profile{BytesPerNs: 1, WorkingSetBytes: 1 << 20}, []int64{1, 0}, 1 + 60.0/64/32},
		{"untouched memory counts as local", Profile{BytesPerNs: 1, WorkingSetBytes: 1 << 40}, nil, 1 + 110.0/64/32},
	} {
		t.Run(c.name, func(t *testing.T) {
			md := New(m, []Profile{c.p}, 1)
			if c.pages != nil {
				md.SetPages(0, c.pages)
			}
			md.SetCPU(3, 0, 0)
			md.Solve()
			assert.InEpsilon(t, FullRate/c.want, float64(md.Rate(3)), 2e-4)
			assert.Equal(t, []int32{3}, md.Changed())
		})
	}
}

func TestNoTraffic(t *testing.T) {
	m := build(t, "pack:1 l3:1 core:2 pu:2", nil)
	md := New(m, []Profile{stream()}, 4)
	md.SetCPU(0, 0, -1)
	md.Solve()
	assert.Equal(t, uint32(FullRate), md.Rate(0))
	md.SetCPU(1, 1, -1)
	md.Solve()
	half := uint32(FullRate * m.Perf.SMTShare)
	assert.InDelta(t, half, md.Rate(0), 1)
	assert.InDelta(t, half, md.Rate(1), 1)
	assert.Equal(t, []int32{0, 1}, md.Changed())
	md.SetCPU(1, -1, -1)
	md.Solve()
	assert.Equal(t, uint32(FullRate), md.Rate(0))
	assert.Equal(t, uint32(0), md.Rate(1))
}

func TestClockOfLLC(t *testing.T) {
	s, err := machine.ParseSynthetic("pack:1 l3:2 core:2 pu:1")
	require.NoError(t, err)
	s.LLCs = append(s.LLCs, s.LLCs[0])
	s.LLCs[0].Count, s.LLCs[1].Count = 1, 1
	slow := machine.Param{V: 1.5, Source: machine.FromGuess, Why: "test"}
	s.LLCs[1].FreqGHz = &slow
	m, err := s.Build()
	require.NoError(t, err)
	md := New(m, nil, 2)
	md.SetCPU(0, 0, -1)
	md.SetCPU(2, 1, -1)
	md.Solve()
	assert.Equal(t, uint32(FullRate), md.Rate(0))
	assert.Equal(t, uint32(FullRate/2), md.Rate(2))
}

func TestEvicted(t *testing.T) {
	for _, c := range []struct{ ratio, want float64 }{{0, 0}, {0.8, 0}, {0.9, 0.15625}, {1, 0.5}, {1.2, 1}, {5, 1}} {
		assert.InDelta(t, c.want, evicted(c.ratio), 1e-12)
	}
}

// TestHalo: a share of the traffic goes to the neighbours' pages, wherever they are.
func TestHalo(t *testing.T) {
	m := build(t, twoSockets, nil)
	p := Profile{BytesPerNs: 1, WorkingSetBytes: 1 << 40, HaloShare: 0.1}
	remote := func(told bool) float64 {
		md := New(m, []Profile{p}, 3)
		if told {
			md.Ring(0, 3)
		}
		md.SetPages(0, []int64{0, 5})
		md.SetCPU(0, 1, 0)
		md.Solve()
		md.SetPages(1, []int64{9, 0})
		md.SetPages(2, []int64{3, 3})
		md.Solve()
		return md.nodeRemote[1] / md.llcFill[0]
	}
	assert.InDelta(t, 0.075, remote(true), 1e-6)
	assert.Zero(t, remote(false))
}

// TestSlab: a profile's traffic goes to the pages of its slab, a thread without
// any there counts as local.
func TestSlab(t *testing.T) {
	m := build(t, twoSockets, nil)
	remote := func(slab int16) float64 {
		md := New(m, []Profile{{BytesPerNs: 1, WorkingSetBytes: 1 << 40, Slab: slab}, {Slab: 2}}, 1)
		md.SetPages(0, []int64{5, 0})
		md.SetCPU(0, 0, 0)
		md.Solve()
		md.SetSlab(0, 1, []int64{3, 1})
		md.Solve()
		return md.nodeRemote[1] / md.llcFill[0]
	}
	assert.Zero(t, remote(0))
	assert.InDelta(t, 0.25, remote(1), 1e-6)
	assert.Zero(t, remote(2))
}

// TestDirectory: a line read from another package is written again, one of the
// own package is not, nor is one that has been read since it was written.
func TestDirectory(t *testing.T) {
	for _, c := range []struct {
		name   string
		p      Profile
		writes float64 // of the fills
	}{
		{"reads", Profile{}, 0.5},
		{"a third is written back", Profile{WriteShare: 1.0 / 3}, 1.0 / 3},
		{"a quarter is never written", Profile{ReadOnlyShare: 0.25}, 0.375},
		{"half are read again", Profile{ReuseShare: 0.5, WindowBytes: 1 << 40}, 0.25},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := build(t, twoSockets, func(p *machine.PerfSpec) { p.DirectoryWrites.V = 1 })
			p := c.p
			p.BytesPerNs, p.WorkingSetBytes = 1, 1<<40
			md := New(m, []Profile{p}, 1)
			md.SetPages(0, []int64{1, 1})
			md.SetCPU(0, 0, 0)
			md.Solve()
			assert.InDelta(t, 0.5, md.nodeLocal[0]/md.llcFill[0], 1e-6)
			assert.InDelta(t, 0.5+c.writes, md.nodeRemote[1]/md.llcFill[0], 1e-6)
			assert.InDelta(t, 0.5, (md.link[1]+md.link[2])/md.llcFill[0], 1e-6, "the writes stay at home")
		})
	}
}

// TestReuse: what fits stops reaching memory.
func TestReuse(t *testing.T) {
	m := build(t, twoSockets, nil)
	p := Profile{BytesPerNs: 4, WriteShare: 0.25, ReuseShare: 0.5, Threads: 8, WorkingSetBytes: 1 << 40, Overlap: 0.5}
	for _, c := range []struct {
		name    string
		window  int64
		threads int
		hit     float64 // share of hits in the traffic
	}{
		{"window in LLC", 8 << 20, 2, 0.5},
		{"window in LLC, too many threads", 8 << 20, 8, 0},
		{"half evicted", 8 << 20, 4, 0.25},
		{"window in L2", 1 << 20, 2, 0},
		{"nothing fits", 1 << 30, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.WindowBytes = c.window
			md := New(m, []Profile{p}, 8)
			for i := range c.threads {
				md.SetCPU(i*4%16+i/4, int32(i), 0)
			}
			md.Solve()
			assert.InDelta(t, c.hit, md.llcHit[0]/(md.llcHit[0]+md.llcFill[0]), 1e-9)
		})
	}
	p.WindowBytes, p.WorkingSetBytes = 1<<30, 16<<20
	md := New(m, []Profile{p}, 8)
	md.SetCPU(0, 0, 0)
	md.Solve()
	assert.Equal(t, 0.0, md.llcFill[0])
}

// TestClusterPort: threads of one cluster share its port, others do not.
func TestClusterPort(t *testing.T) {
	m := build(t, twoSockets, func(p *machine.PerfSpec) { p.ClusterGBps.V = 20 })
	total := func(cpus ...int) float64 {
		md := New(m, []Profile{stream()}, 32)
		for i, c := range cpus {
			md.SetCPU(c, int32(i), 0)
		}
		md.Solve()
		return md.llcFill[0]
	}
	assert.Less(t, total(0, 1, 2, 3), 20.0)
	assert.Greater(t, total(0, 4, 8, 12), 2*total(0, 1, 2, 3))
}

// machines are the shapes that the property tests walk over.
var shapes = []string{
	twoSockets,
	"pack:1 l3:1(size=16MB) core:8 pu:1",
	"pack:2 numa:2 l3:2(size=32MB) core:4 pu:2",
	"pack:2 l3:4(size=32MB) l2:2(size=1MB) core:2 pu:2",
}

// randomProfile draws a profile; misses is what it can do to memory.
// TestMoreThreadsAreSlower: with local memory, adding a thread never makes another one faster.
func TestMoreThreadsAreSlower(t *testing.T) {
	for _, text := range shapes {
		m := build(t, text, func(p *machine.PerfSpec) { p.ClusterGBps.V = 40; p.NodeGBps.V = 100 })
		md := New(m, []Profile{stream()}, len(m.CPUs))
		before := make([]uint32, len(m.CPUs))
		for i, cpu := range rand.New(rand.NewSource(1)).Perm(len(m.CPUs)) {
			md.SetCPU(cpu, int32(i), 0)
			md.Solve()
			for c := range before {
				if before[c] > 0 {
					assert.LessOrEqual(t, md.Rate(c), before[c]+before[c]/900, "%s: thread %d", text, i)
				}
				before[c] = md.Rate(c)
			}
		}
	}
}

// TestChanged: the list names exactly the CPUs with a new rate, in order.
func TestChanged(t *testing.T) {
	m := build(t, twoSockets, nil)
	md := New(m, []Profile{stream()}, 32)
	old := make([]uint32, len(m.CPUs))
	r := rand.New(rand.NewSource(3))
	running := make([]int, 32)
	for i := range running {
		running[i] = -1
	}
	for range 200 {
		change(r, md, running)
		md.Solve()
		listed := map[int32]bool{}
		last := int32(-1)
		for _, c := range md.Changed() {
			assert.Greater(t, c, last)
			last = c
			listed[c] = true
		}
		for c := range old {
			if old[c] != md.Rate(c) {
				assert.True(t, listed[int32(c)])
			}
			old[c] = md.Rate(c)
		}
	}
}

// TestSaturation: throughput approaches the bandwidth of the node and never passes it.
func TestSaturation(t *testing.T) {
	m := build(t, "pack:1 l3:1 core:128 pu:1", func(p *machine.PerfSpec) { p.LLCFillGBps.V = 1e5; p.LLCGBps.V = 1e5 })
	md := New(m, []Profile{stream()}, 128)
	last := 0.0
	for c := range 128 {
		md.SetCPU(c, int32(c), 0)
		md.Solve()
		got := md.nodeLocal[0]
		assert.GreaterOrEqual(t, got, last*(1-1e-6))
		last = got
	}
	assert.Less(t, last, m.Nodes[0].GBps)
	assert.Greater(t, last, 0.9*m.Nodes[0].GBps)
}

func TestSolveDoesNotAllocate(t *testing.T) {
	m := build(t, shapes[2], nil)
	md := New(m, []Profile{stream(), {BytesPerNs: 1}}, len(m.CPUs))
	r := rand.New(rand.NewSource(1))
	running := make([]int, len(m.CPUs))
	for i := range running {
		running[i] = -1
	}
	pages := []int64{1, 2, 3, 4}
	assert.Zero(t, testing.AllocsPerRun(200, func() {
		cpu := r.Intn(len(m.CPUs))
		md.SetCPU(cpu, int32(cpu), int16(r.Intn(3)-1))
		md.SetPages(int32(cpu), pages)
		md.Solve()
	}))
}

func TestBalance(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 1000 {
		g0, demand, e := 10*r.Float64(), 5*r.Float64(), r.Float64()
		g := balance(g0, demand, e)
		if 1+e*(g-g0) > 0 {
			assert.InEpsilon(t, demand/(1+e*(g-g0)), g/(1+g), 1e-6)
		}
	}
	assert.Equal(t, 1.0, balance(0, 0.5, 0))
	assert.Equal(t, maxLoad, balance(0, 2, 0))
	assert.False(t, math.IsNaN(balance(0, 0, 0)))
}

func benchmarkSolve(b *testing.B, text string, threads int) {
	m := build(b, text, nil)
	md := New(m, []Profile{stream(), {BytesPerNs: 2, Overlap: 0.5, WorkingSetBytes: 1 << 40}}, threads)
	for i := range threads {
		md.SetCPU(i*len(m.CPUs)/threads, int32(i), 0)
	}
	md.Solve()
	iterations := 0
	b.ResetTimer()
	for i := range b.N {
		th := i % threads
		profile := int16(0)
		if i/threads%2 == 0 {
			profile = -1
		}
		md.SetCPU(th*len(m.CPUs)/threads, int32(th), profile)
		md.Solve()
		iterations += md.iterations
	}
	b.ReportMetric(float64(iterations)/float64(b.N), "iterations/op")
}

func BenchmarkSolve2LLC(b *testing.B) {
	benchmarkSolve(b, "pack:2 numa:1 l3:1(size=108MB) l2:36(size=4MB) core:4 pu:1", 112)
}

func BenchmarkSolve24LLC(b *testing.B) {
	benchmarkSolve(b, "pack:2 numa:1 l3:12(size=32MB) core:8 pu:2", 192)
}
