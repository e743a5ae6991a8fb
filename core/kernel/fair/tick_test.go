package fair

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"casplay/core/kernel"
)

// Ticks are in phase and the epoch is read outside the lock: several threads
// submit a scan in one epoch, one of them completes (7.3 task_tick_cache,
// task_cache_work; cas.md section 6).
func TestSeveralSubmissionsPerEpoch(t *testing.T) {
	for window, want := range map[int64]int64{0: 1, 1000: 4} {
		s := newRig(t, twoLLCs, func(c *kernel.Config) { c.Timing.SubmitWindowNs = window })
		g := s.process()
		for cpu := range int32(4) {
			s.add(cpu*4, g)
		}
		period := s.CAS.Config.Period
		for epoch := int64(1); epoch <= 5; epoch++ {
			before := s.CAS.Groups[g].Runs
			for range period {
				s.tickAll()
			}
			assert.Equal(t, want, s.CAS.Groups[g].Runs-before, "epoch %d, window %d ns", epoch, window)
			assert.Equal(t, epoch, s.CAS.Groups[g].Scans, "one scan an epoch")
		}
	}
}

// tickAll is a jiffy in which all busy CPUs tick in phase.
func (s rig) tickAll() {
	s.later(s.Tick)
	s.BeginTick(s.Jiffies + 1)
	var on []int32
	for c := range s.rqs {
		if s.rqs[c].Curr >= 0 {
			on = append(on, int32(c))
		}
	}
	for _, c := range on {
		s.TickCPU(c)
	}
	for _, c := range on {
		s.EndTick(c)
	}
}

// In phase means that all threads are accounted before any of them scans: the
// first scan sees every CPU of the process, and what it chooses reaches
// preferred_llc at the next tick (cas.md section 14).
func TestFirstScanSeesAllThreads(t *testing.T) {
	s := newRig(t, twoLLCs, nil)
	g := s.process()
	a, b, c := s.add(3, g), s.add(9, g), s.add(12, g)
	s.tickAll()
	assert.Equal(t, int32(1), s.llcOf[s.CAS.Groups[g].CPU], "two of three threads are in LLC 1")
	for _, ti := range []int32{a, b, c} {
		assert.Equal(t, int32(-1), s.tasks[ti].preferredLLC)
	}
	s.tickAll()
	for _, ti := range []int32{a, b, c} {
		assert.Equal(t, int32(1), s.tasks[ti].preferredLLC)
	}
}
