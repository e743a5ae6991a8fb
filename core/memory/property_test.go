package memory

import (
	"math/rand"
	"testing"

	"casplay/core/machine"

	"github.com/stretchr/testify/assert"
)

// TestMoreThreadsNeverHelp: whatever the profile, the pages and the limits of
// the machine, one more thread makes no other one faster. The profile shares
// nothing: a buffer that all use (SharedRW) is brought in by the others too.
// With SMT a third thread may gain up to 2 %: the new one slows its sibling,
// which then asks less of what it shares with the third.
func TestMoreThreadsNeverHelp(t *testing.T) {
	for seed := range int64(60) {
		r := rand.New(rand.NewSource(seed))
		text := shapes[seed%int64(len(shapes))]
		m := build(t, text, func(p *machine.PerfSpec) {
			p.ClusterGBps.V = float64(r.Intn(2)) * 30
			p.NodeGBps.V = 20 + 200*r.Float64()
			p.LinkGBps.V = 5 + 50*r.Float64()
			p.LLCFillGBps.V = 10 + 100*r.Float64()
			p.QueueKDRAM.V = 0.001 + r.Float64()
		})
		p := randomProfile(r)
		for p.Reuse == SharedRW {
			p = randomProfile(r)
		}
		p.HaloShare = 0
		pages := make([]int64, len(m.Nodes))
		for n := range pages {
			pages[n] = int64(r.Intn(3))
		}
		md := New(m, []Profile{p}, len(m.CPUs))
		slack := 1.002
		if m.SMT > 1 {
			slack = 1.02
		}
		before := make([]uint32, len(m.CPUs))
		for i, cpu := range r.Perm(len(m.CPUs)) {
			md.SetPages(int32(i), pages)
			md.SetCPU(cpu, int32(i), 0)
			md.Solve()
			for c := range before {
				if before[c] > 0 {
					assert.LessOrEqual(t, float64(md.Rate(c)), float64(before[c])*slack, "seed %d, %s, thread %d, CPU %d", seed, text, i, c)
				}
				before[c] = md.Rate(c)
			}
		}
	}
}

// TestSharpLimits: without queueing the speed of n equal streams is the closed
// form: each core's own bandwidth until the narrowest resource is full, then an
// equal share of that.
func TestSharpLimits(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		change func(*machine.PerfSpec)
		limit  float64
	}{
		"node":     {"pack:1 l3:1 core:64 pu:1", func(p *machine.PerfSpec) { p.NodeGBps.V, p.LLCFillGBps.V = 90, 1e5 }, 90},
		"LLC port": {"pack:1 l3:1 core:64 pu:1", func(p *machine.PerfSpec) { p.NodeGBps.V, p.LLCFillGBps.V = 1e5, 50 }, 50},
	} {
		m := build(t, c.text, func(p *machine.PerfSpec) {
			p.LLCGBps.V, p.LinkGBps.V = 1e5, 0
			p.QueueKDRAM.V, p.QueueKFill.V, p.QueueKLLC.V = 0.001, 0.001, 0.001
			c.change(p)
		})
		p := Profile{BytesPerNs: 40, Overlap: 1, WorkingSetBytes: 1 << 40}
		core := 64 * m.Perf.CoreMLPLines / 110 // idle latency of a synthetic machine, as in TestClosedForm
		md := New(m, []Profile{p}, 64)
		for n := 1; n <= 64; n *= 2 {
			for i := n / 2; i < n; i++ {
				md.SetCPU(i, int32(i), 0)
			}
			md.Solve()
			want := min(core, c.limit/float64(n)) / p.BytesPerNs * FullRate
			assert.InEpsilon(t, want, float64(md.Rate(0)), 0.03, "%s, %d threads", name, n)
		}
	}
}
