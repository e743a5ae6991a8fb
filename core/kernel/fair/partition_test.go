package fair

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"casplay/core/machine"
)

// fourEach is two LLCs of four CPUs.
const fourEach = "pack:2 l3:1 core:4 pu:1"

func cpuRange(from, to int) (s machine.Set) {
	for c := from; c <= to; c++ {
		s.Add(c)
	}
	return s
}

// What a partition leaves of an LLC is an LLC domain of its own, with the size
// and the share of the cache that follow from its CPUs; only a root domain with
// several LLCs makes cache-aware scheduling possible (7.3 update_top_cache_domain,
// get_effective_llc_bytes, sd_in_multi_llcs). fourEach has LLCs 0-3 and 4-7.
func TestPartitions(t *testing.T) {
	for _, c := range []struct {
		name   string
		parts  []machine.Set
		sizes  []int64
		quota  []int64 // of the cache, in eighths
		active bool
		levels int32 // domains of CPU 2
	}{
		{"whole", []machine.Set{cpuRange(0, 7)}, []int64{4, 4}, []int64{8, 8}, true, 2},
		{"through both LLCs", []machine.Set{cpuRange(2, 5), {0: 0xc3}}, []int64{2, 2, 2, 2}, []int64{4, 4, 4, 4}, true, 2},
		{"one LLC each", []machine.Set{cpuRange(0, 3), cpuRange(4, 7)}, []int64{4, 4}, []int64{8, 8}, false, 1},
		{"CPU 3 offline", []machine.Set{{0: 0xf7}}, []int64{3, 4}, []int64{8, 8}, true, 2},
		{"CPU 2 alone", []machine.Set{cpuRange(2, 2), {0: 0xfb}}, []int64{3, 1, 4}, []int64{6, 2, 8}, true, 0},
		{"one CPU of each LLC", []machine.Set{{0: 0x22}}, []int64{1, 1}, []int64{8, 8}, false, 0},
	} {
		s := newRig(t, fourEach, nil)
		whole := s.m.LLCs[0].Bytes
		s.Repartition(c.parts)
		for i, n := range c.sizes {
			assert.Equal(t, n, s.CAS.LLCs[i].CPUs, "%s: LLC domain %d", c.name, i)
			assert.Equal(t, whole*c.quota[i]/8, s.CAS.LLCs[i].Bytes, "%s: LLC domain %d", c.name, i)
			assert.EqualValues(t, n, len(s.CAS.LLCCPUs[i]), c.name)
		}
		assert.Equal(t, c.active, s.CAS.Config.Active, c.name)
		assert.Equal(t, c.levels, s.rqs[2].ndom, c.name)
	}
}

// Both parts of a divided LLC have the id of the LLC; a scan looks at each by
// itself and compares with the last one visited (7.3 task_cache_work, llc_id).
func TestScanOfADividedLLC(t *testing.T) {
	s := newRig(t, fourEach, nil)
	s.Repartition([]machine.Set{cpuRange(2, 5), {0: 0xc3}})
	g := s.process()
	s.add(2, g)
	s.add(3, g)
	s.add(4, g)
	s.tickAll()
	require.GreaterOrEqual(t, s.CAS.Groups[g].CPU, int32(0))
	assert.Equal(t, int32(0), s.llcOf[s.CAS.Groups[g].CPU])
	assert.Contains(t, []int32{2, 3}, s.CAS.Groups[g].CPU)
}

// Rebuilt domains forget the counts by preferred LLC and the published
// utilisation, and count every CPU as busy until it has run something (7.3
// alloc_sd_llc, init_sched_domain_shared, set_cpu_sd_state_busy).
func TestRebuiltDomainsForget(t *testing.T) {
	s := newRig(t, fourEach, nil)
	g := s.process()
	task := s.add(0, g)
	s.prefer(g, 4, task)
	s.publish(0, 50)
	require.EqualValues(t, 1, s.rqs[0].llcCounts[1])
	s.exitIdle(0)
	require.EqualValues(t, 1, s.llcs[0].nrBusy)
	s.Repartition(s.parts)
	assert.Zero(t, s.rqs[0].llcCounts[1])
	assert.Zero(t, s.llcs[0].capacity)
	assert.Zero(t, s.llcs[0].nrIdleScan)
	assert.EqualValues(t, 4, s.llcs[0].nrBusy, "three of them idle")
	s.Block(0, false)
	assert.Zero(t, s.rqs[0].nrLLCRunning, "the queue's own count is kept")
	assert.EqualValues(t, 3, s.llcs[0].nrBusy)
	s.exitIdle(1)
	assert.EqualValues(t, 3, s.llcs[0].nrBusy, "CPU 1 was counted all along")
}

// A CPU that goes offline loses its tasks to the first CPU of its node that they
// may use (7.3 select_fallback_rq); nobody balances or wakes there until it is back.
func TestCPUOffline(t *testing.T) {
	s := newRig(t, fourEach, nil)
	g := s.process()
	runs, waits := s.add(3, g), s.add(3, g)
	sleeps := s.sleeper(2, g)
	s.Repartition([]machine.Set{{0: 0xf3}})
	for _, ti := range []int32{runs, waits, sleeps} {
		assert.EqualValues(t, 0, s.tasks[ti].CPU)
	}
	assert.Zero(t, s.rqs[3].nrRunning)
	assert.False(t, s.Ticks(3))
	assert.False(t, s.rqs[3].Idle(), "not a place to wake up on")
	assert.False(t, s.nohz.mask.Has(3))
	assert.EqualValues(t, 2, s.CAS.LLCs[0].CPUs)
	s.Repartition([]machine.Set{cpuRange(0, 7)})
	assert.True(t, s.rqs[3].Idle())
	assert.True(t, s.nohz.mask.Has(3))
	assert.EqualValues(t, 4, s.CAS.LLCs[0].CPUs)
}
