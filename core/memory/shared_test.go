package memory

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A shared buffer: on one LLC every access is a hit; over two, the share of
// writes times the share of the others' accesses comes from the other LLC.
func TestSharedRWClosedForm(t *testing.T) {
	m := build(t, twoSockets, nil)
	const bytes, mlp = 1.0, 4.0
	p := Profile{BytesPerNs: bytes, WriteShare: 0.2, MLP: mlp, Reuse: SharedRW, WorkingSetBytes: 8 << 20, Threads: 4}
	reads, hit := bytes*0.8, m.Perf.LLCLatencyNs
	alone := 1 + reads*hit/64/mlp
	md := New(m, []Profile{p}, 4)
	md.SetCPU(0, 0, 0)
	md.SetCPU(4, 1, 0) // other cluster, same LLC? CPUs 0..15 share LLC 0
	md.Solve()
	assert.InEpsilon(t, FullRate/alone, float64(md.Rate(0)), 5e-3)
	md.SetCPU(4, -1, -1)
	md.SetCPU(m.LLCs[1].CPUs.First(), 1, 0)
	md.Solve()
	share := 0.25 * 0.5 // a quarter of accesses write, half of all come from the other LLC
	apart := 1 + reads*((1-share)*hit+share*m.Perf.C2CNs.OtherPackage)/64/mlp
	assert.InEpsilon(t, FullRate/apart, float64(md.Rate(0)), 5e-3)
	assert.Less(t, md.Rate(0), uint32(FullRate/alone))
}

// The buffer takes its room once on an LLC, however many threads use it.
func TestSharedRWTakesRoomOnce(t *testing.T) {
	m := build(t, twoSockets, nil)
	p := Profile{BytesPerNs: 1, WriteShare: 0.2, Reuse: SharedRW, WorkingSetBytes: 20 << 20, Threads: 4}
	md := New(m, []Profile{p}, 4)
	for c := range 4 {
		md.SetCPU(c, int32(c), 0)
	}
	md.Solve()
	assert.EqualValues(t, 20<<20, md.llcs[0].set)
	assert.Zero(t, md.LLCFill(0))
	for c := range 4 {
		md.SetCPU(c, -1, -1)
	}
	md.Solve()
	assert.Zero(t, md.llcs[0].set)
}
