package memory

import (
	"math/rand"
	"testing"

	"casplay/core/machine"

	"github.com/stretchr/testify/assert"
)

func randomProfile(r *rand.Rand) Profile {
	p := Profile{BytesPerNs: 0.1 + 40*r.Float64(), WriteShare: r.Float64() / 2, Overlap: r.Float64(), Threads: 1 + r.Intn(32), WorkingSetBytes: int64(1) << (15 + r.Intn(25))}
	if r.Intn(2) == 0 {
		p.ReuseShare = r.Float64() / 2
		p.WindowBytes = int64(1) << (15 + r.Intn(12))
	}
	if r.Intn(4) == 0 {
		p.Reuse = Uniform
		p.ReuseShare, p.WindowBytes = 0, 0
	}
	if r.Intn(5) == 0 {
		p.Overlap = 1
	}
	if r.Intn(3) == 0 {
		p.HaloShare = r.Float64()
	}
	if r.Intn(3) == 0 {
		p.Slab = int16(1 + r.Intn(2))
	}
	return p
}

// change does one random thing to a model.
func change(r *rand.Rand, md *Model, running []int) {
	if r.Intn(3) == 0 {
		pages := make([]int64, md.nodes)
		for n := range pages {
			pages[n] = int64(r.Intn(4)) * 1000
		}
		if slab := r.Intn(md.slabs); slab > 0 {
			md.SetSlab(int32(r.Intn(len(running))), slab, pages)
		} else {
			md.SetPages(int32(r.Intn(len(running))), pages)
		}
		return
	}
	t := r.Intn(len(running)) // a thread moves, starts or stops
	if running[t] >= 0 {
		md.SetCPU(running[t], -1, -1)
		running[t] = -1
		if r.Intn(2) == 0 {
			return
		}
	}
	cpu := r.Intn(len(md.cpus))
	for o, c := range running {
		if c == cpu {
			running[o] = -1
		}
	}
	running[t] = cpu
	md.SetCPU(cpu, int32(t), int16(r.Intn(len(md.profiles)+1)-1))
}

// TestConservation: after any history, bytes of threads = hits + fills, fills
// and directory writes = node traffic, remote traffic between packages = link
// traffic, and no resource is above its capacity.
func TestConservation(t *testing.T) {
	for seed := range int64(40) {
		r := rand.New(rand.NewSource(seed))
		m := build(t, shapes[seed%int64(len(shapes))], func(p *machine.PerfSpec) {
			p.ClusterGBps.V = float64(r.Intn(2)) * 30
			p.NodeGBps.V = 20 + 200*r.Float64()
			p.LinkGBps.V = 5 + 50*r.Float64()
			p.LLCFillGBps.V = 10 + 100*r.Float64()
			p.QueueKDRAM.V = 0.001 + r.Float64()
			p.DirectoryWrites.V = float64(r.Intn(3)) / 2
		})
		profiles := []Profile{randomProfile(r), randomProfile(r), randomProfile(r)}
		md := New(m, profiles, len(m.CPUs))
		md.Ring(2, 5)
		running := make([]int, len(m.CPUs))
		for i := range running {
			running[i] = -1
		}
		for range 60 {
			for range 1 + r.Intn(8) {
				change(r, md, running)
			}
			md.Solve()
			check(t, md, running)
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
	}
}

func check(t *testing.T, md *Model, running []int) {
	t.Helper()
	threads, hits, fills, dram, directory, count := 0.0, 0.0, 0.0, 0.0, 0.0, 0
	cluster := make([]float64, len(md.m.Clusters))
	for i := range md.cpus {
		c := &md.cpus[i]
		if c.thread < 0 {
			assert.Zero(t, c.rate)
			continue
		}
		count++
		assert.Positive(t, c.rate)
		assert.LessOrEqual(t, c.rate, uint32(FullRate))
		if c.class >= 0 {
			k := &md.classes[c.class]
			threads += (k.hit + k.fill) / k.time
			cluster[md.m.CPUs[i].Cluster] += (k.hit + k.fill) / k.time
			directory += directoryWrites(md, k, c.class) / k.time
		}
	}
	busy := 0
	for _, c := range running {
		if c >= 0 {
			busy++
		}
	}
	assert.Equal(t, busy, count)
	const slack = 1 + 1e-5
	for l := range md.llcs {
		hits += md.llcHit[l]
		fills += md.llcFill[l]
		assert.LessOrEqual(t, md.llcFill[l], md.m.LLCs[l].FillGBps*slack)
		assert.LessOrEqual(t, md.llcHit[l], md.m.LLCs[l].HitGBps*slack)
	}
	for n := range md.nodeLocal {
		dram += md.nodeLocal[n] + md.nodeRemote[n]
		assert.LessOrEqual(t, md.nodeLocal[n]+md.nodeRemote[n], md.m.Nodes[n].GBps*slack)
	}
	for i, v := range md.link {
		assert.LessOrEqual(t, v, md.m.Perf.LinkGBps*slack, "link %d", i)
	}
	if md.m.Perf.ClusterGBps > 0 {
		for i, v := range cluster {
			// A class prices its cluster as if all of it ran its own profile, so a
			// mixed cluster can pass the limit by the difference of the profiles.
			if uniform(md, i) {
				assert.LessOrEqual(t, v, md.m.Perf.ClusterGBps*slack, "cluster %d", i)
			}
		}
	}
	assert.InDelta(t, threads, hits+fills, 1e-6*(1+threads))
	assert.InDelta(t, fills+directory, dram, 1e-6*(1+fills))
	assert.LessOrEqual(t, md.iterations, maxIterations, "did not converge")
}

// directoryWrites are the bytes that memory writes because threads of a class
// read lines from another package for the first time in a sweep.
func directoryWrites(md *Model, k *class, slot int32) float64 {
	p := &md.profiles[k.profile]
	_, _, reads, _, again := md.split(k, p)
	sums := md.sums[int(slot)*2*md.nodes:][:2*md.nodes]
	part := [2]float64{1 - p.HaloShare, p.HaloShare}
	remote := 0.0
	for i := range part {
		all, away := 0.0, 0.0
		for n, s := range sums[i*md.nodes:][:md.nodes] {
			all += float64(s)
			spans := md.m.Nodes[n].Packages
			for _, q := range spans {
				if q != md.m.LLCs[k.llc].Package {
					away += float64(s) / float64(len(spans))
				}
			}
		}
		remote += part[i] * away / all
	}
	return max(reads-again, 0) * remote * md.m.Perf.DirectoryWrites
}

func uniform(md *Model, cluster int) bool {
	class := int32(-1)
	for _, c := range md.cluster[cluster].cpus {
		if k := md.cpus[c].class; k >= 0 {
			if class >= 0 && k != class {
				return false
			}
			class = k
		}
	}
	return true
}

// TestHistoryDoesNotMatter: a model that went through many states agrees with
// a fresh one in the same state, and two equal histories agree to the bit.
func TestHistoryDoesNotMatter(t *testing.T) {
	for seed := range int64(20) {
		text := shapes[seed%int64(len(shapes))]
		m := build(t, text, nil)
		walk := func() (*Model, []int) {
			r := rand.New(rand.NewSource(seed))
			profiles := []Profile{randomProfile(r), randomProfile(r)}
			md := New(m, profiles, 16)
			md.Ring(0, 10)
			running := make([]int, 16)
			for i := range running {
				running[i] = -1
			}
			for range 50 {
				change(r, md, running)
				md.Solve()
			}
			return md, running
		}
		a, running := walk()
		b, _ := walk()
		fresh := New(m, a.profiles, 16)
		fresh.Ring(0, 10)
		for th := range running {
			for slab := range a.slabs {
				pages := make([]int64, a.nodes)
				for n, s := range a.shares(int32(th), slab) {
					pages[n] = int64(s)
				}
				if slab == 0 {
					fresh.SetPages(int32(th), pages)
				} else {
					fresh.SetSlab(int32(th), slab, pages)
				}
			}
			if running[th] >= 0 {
				fresh.SetCPU(running[th], int32(th), a.cpus[running[th]].profile)
			}
		}
		fresh.Solve()
		for c := range m.CPUs {
			assert.Equal(t, a.Rate(c), b.Rate(c))
			assert.InDelta(t, float64(fresh.Rate(c)), float64(a.Rate(c)), 2+float64(a.Rate(c))/500, "seed %d cpu %d", seed, c)
		}
	}
}
