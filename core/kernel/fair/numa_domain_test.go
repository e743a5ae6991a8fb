package fair

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"casplay/core/kernel"
)

// withDistances builds the scheduler of four nodes of four CPUs.
func withDistances(t *testing.T, d [][]int) rig {
	m := synthetic(t, "pack:2 numa:2 l3:1 core:4 pu:1")
	m.Distance = d
	return rig{New(m, kernel.Default(250), 8, 1, 1000, 1)}
}

// Each distinct distance is a level of its own; the allowed imbalance grows
// with the span and wakeups end at the reclaim distance (7.3 sched_init_numa,
// build_sched_domains).
func TestLevelsOfDistance(t *testing.T) {
	s := withDistances(t, [][]int{{10, 12, 32, 32}, {12, 10, 32, 32}, {32, 32, 10, 12}, {32, 32, 12, 10}})
	assert.Equal(t, "MC 4/4 groups, NUMA 8/2 groups imb1, NUMA 16/2 groups imb2", describe(s.Sched, 0))
	r := &s.rqs[0]
	near, far := &s.doms[r.dom0+1], &s.doms[r.dom0+2]
	assert.NotZero(t, near.flags&balanceFork)
	assert.Zero(t, far.flags&balanceFork)
	for _, d := range []*domain{near, far} {
		assert.NotZero(t, d.flags&serialize)
		assert.Zero(t, d.flags&preferSibling)
		assert.EqualValues(t, 2, d.cacheNiceTries)
	}
	assert.NotZero(t, s.groups[near.groups[0]].flags&preferSibling, "from the LLC level below")
	assert.Zero(t, s.groups[far.groups[0]].flags&preferSibling, "from the NUMA level below")
}

// In a ring of nodes the groups of the upper level overlap; only CPUs whose own
// lower domain is a group's span balance for it (7.3 build_overlap_sched_groups,
// build_balance_mask).
func TestOverlappingGroups(t *testing.T) {
	s := withDistances(t, [][]int{{10, 20, 30, 20}, {20, 10, 20, 30}, {30, 20, 10, 20}, {20, 30, 20, 10}})
	assert.Equal(t, "MC 4/4 groups, NUMA 12/3 groups imb1, NUMA 16/2 groups imb1", describe(s.Sched, 0))
	top := &s.doms[s.rqs[0].dom0+2]
	local, remote := s.groups[top.groups[0]], s.groups[top.groups[1]]
	assert.Equal(t, cpus(0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15), local.span)
	assert.Equal(t, cpus(4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), remote.span)
	assert.Equal(t, []int32{0, 1, 2, 3}, local.mask)
	assert.Equal(t, []int32{8, 9, 10, 11}, remote.mask)
}
