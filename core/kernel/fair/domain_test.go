package fair

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"casplay/core/kernel"
	"casplay/core/machine"
)

func synthetic(t testing.TB, s string) *machine.Machine {
	t.Helper()
	spec, err := machine.ParseSynthetic(s)
	require.NoError(t, err)
	m, err := spec.Build()
	require.NoError(t, err)
	return m
}

func newSched(t testing.TB, topology string, edit func(*kernel.Config)) *Sched {
	cfg := kernel.Default(250)
	if edit != nil {
		edit(&cfg)
	}
	return New(synthetic(t, topology), cfg, 64, 4, 1000, 1)
}

// describe lists the domains of a CPU: level, span, interval, imbalance allowance.
func describe(s *Sched, cpu int) string {
	var out []string
	r := &s.rqs[cpu]
	for k := range r.ndom {
		d := &s.doms[r.dom0+k]
		imb := ""
		if d.imbNumaNr > 0 {
			imb = fmt.Sprintf(" imb%d", d.imbNumaNr)
		}
		out = append(out, fmt.Sprintf("%s %d/%d groups%s", d.level, d.weight, len(d.groups), imb))
	}
	return strings.Join(out, ", ")
}

// The domains that Linux 7.3 builds (load-balance.md section 1, and the
// topologies of the oracle as the kernel itself listed them).
func TestDomains(t *testing.T) {
	for _, c := range []struct{ name, topology, want string }{
		{"Sierra Forest, clusters of 4", "pack:2 numa:1 l3:1(size=108MB) l2:36(size=4MB) core:4 pu:1", "CLS 4/4 groups, MC 144/36 groups, NUMA 288/2 groups imb18"},
		{"no clusters", "pack:2 numa:1 l3:1 core:144 pu:1", "MC 144/144 groups, NUMA 288/2 groups imb18"},
		{"two LLCs, one node", "pack:2 l3:1 core:8 pu:1", "MC 8/8 groups, PKG 16/2 groups imb2"},
		{"four LLCs, one node", "pack:4 l3:1 core:4 pu:1", "MC 4/4 groups, PKG 16/4 groups imb4"},
		{"two nodes of one LLC", "pack:2 numa:1 l3:1 core:8 pu:1", "MC 8/8 groups, NUMA 16/2 groups imb1"},
		{"SMT", "pack:2 l3:1 core:4 pu:2", "SMT 2/2 groups, MC 8/4 groups, PKG 16/2 groups imb2"},
		{"one LLC", "pack:1 l3:1 core:8 pu:1", "MC 8/8 groups"},
		{"Milan, 2 nodes of 8 LLCs of 8", "pack:2 numa:1 l3:8 core:8 pu:1", "MC 8/8 groups, PKG 64/8 groups imb8, NUMA 128/2 groups imb8"},
		{"Genoa, 4 nodes of 2 LLCs of 16", "pack:1 numa:4 l3:2 core:8 pu:2", "SMT 2/2 groups, MC 16/8 groups, NODE 32/2 groups imb2, NUMA 128/4 groups imb2"},
	} {
		assert.Equal(t, c.want, describe(newSched(t, c.topology, nil), 0), c.name)
	}
}

// A CPU's ring starts with its own group and goes on by CPU number.
func TestRingOrder(t *testing.T) {
	s := newSched(t, "pack:4 l3:1 core:4 pu:1", nil)
	first := func(cpu int, k int32) (cpus []int32) {
		for _, g := range s.doms[s.rqs[cpu].dom0+k].groups {
			cpus = append(cpus, s.groups[g].cpus[0])
		}
		return
	}
	assert.Equal(t, []int32{6, 7, 4, 5}, first(6, 0))
	assert.Equal(t, []int32{8, 12, 0, 4}, first(9, 1))
}

// Groups carry the flags of the child domain; at the bottom none, so that
// prefer-sibling is never set there.
func TestGroupFlags(t *testing.T) {
	s := newSched(t, "pack:2 numa:1 l3:1 core:4 pu:2", nil)
	r := &s.rqs[0]
	var got []flags
	for k := range r.ndom {
		got = append(got, s.groups[s.doms[r.dom0+k].groups[0]].flags&(preferSibling|shareCapacity|numaLevel))
	}
	assert.Equal(t, []flags{0, preferSibling | shareCapacity, preferSibling}, got)
	assert.Zero(t, s.doms[r.dom0+2].flags&preferSibling, "NUMA domains do not prefer siblings")
}

// Wakeups and forks stay within the reclaim distance (7.3 sd_init).
func TestReclaimDistance(t *testing.T) {
	m := synthetic(t, "pack:2 numa:1 l3:1 core:4 pu:1")
	for d, want := range map[int]bool{20: true, 30: true, 31: false} {
		m.Distance = [][]int{{10, d}, {d, 10}}
		s := New(m, kernel.Default(250), 1, 1, 1000, 1)
		r := &s.rqs[0]
		assert.Equal(t, want, s.doms[r.dom0+r.ndom-1].flags&balanceFork != 0, "distance %d", d)
	}
}

// nr_idle_scan by utilisation (load-balance.md section 11; 7.3 update_idle_cpu_scan).
func TestIdleScan(t *testing.T) {
	pct := []int64{0, 10, 20, 30, 40, 50, 60, 70, 80, 85, 86}
	for w, want := range map[int64][]int32{
		8:   {8, 7, 7, 7, 6, 5, 4, 2, 1, 0, 0},
		16:  {16, 15, 15, 14, 12, 10, 8, 5, 2, 0, 0},
		60:  {60, 59, 56, 52, 46, 39, 30, 19, 7, 0, 0},
		144: {144, 142, 136, 126, 112, 94, 73, 47, 18, 1, 0},
	} {
		for i, p := range pct {
			assert.Equal(t, want[i], IdleScan(p*w*Capacity/100, w, 117), "w=%d, %d %%", w, p)
		}
	}
}

// The balance interval in jiffies (7.3 get_sd_balance_interval).
func TestInterval(t *testing.T) {
	s := newSched(t, "pack:2 l3:1 core:8 pu:1", nil) // HZ 250: 4 ms
	for _, c := range []struct {
		ms   int64
		busy bool
		want int64
	}{{16, false, 4}, {32, false, 8}, {8, false, 2}, {1, false, 1}, {8, true, 31}, {32, true, 127}, {512, true, 400}} {
		assert.Equal(t, c.want, s.interval(&domain{balanceInterval: c.ms}, c.busy), "%+v", c)
	}
}
