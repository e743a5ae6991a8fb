package fair

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A newly idle CPU balances only while the root domain is overloaded and only
// as far up as its average idle time pays for (7.3 sched_balance_newidle).
func TestNewidleCostGate(t *testing.T) {
	for _, c := range []struct {
		name       string
		overloaded bool
		avgIdle    int64
		mc, pkg    int64 // max_newidle_lb_cost
		calls      [2]int64
	}{
		{"not overloaded", false, 1e6, 0, 0, [2]int64{0, 0}},
		{"overloaded", true, 1e6, 0, 0, [2]int64{1, 1}},
		{"idles too briefly for the bottom level", true, 999, 1000, 0, [2]int64{0, 0}},
		{"just long enough for the bottom level", true, 1000, 1000, 9000, [2]int64{1, 0}},
		// Eight CPUs at 40 ns are spent when the upper level is looked at.
		{"not for the upper level on top", true, 320 + 699, 300, 700, [2]int64{1, 0}},
		{"for both", true, 320 + 700, 300, 700, [2]int64{1, 1}},
	} {
		s := newRig(t, twoLLCs, nil)
		s.overloaded[0] = c.overloaded
		mc, pkg := s.dom(0, levelMC), s.dom(0, levelPKG)
		for _, d := range []*domain{mc, pkg} {
			d.niRatio, d.niCall, d.niSuccess = 1024, 0, 0
			d.lastCostDecay = s.Jiffies
		}
		mc.maxCost, pkg.maxCost = c.mc, c.pkg
		s.rqs[0].avgIdle = c.avgIdle
		assert.False(t, s.newidle(0))
		assert.Equal(t, c.calls, [2]int64{mc.niCall, pkg.niCall}, c.name)
	}
}

// A waiting wakeup keeps a CPU from looking for work at all.
func TestNewidleSkipsForAPendingWakeup(t *testing.T) {
	s := newRig(t, twoLLCs, nil)
	s.add(1, -1)
	s.add(1, -1)
	s.later(1e6)
	s.rqs[0].pendingWake = 1
	before := s.rqs[0].idleStamp
	assert.False(t, s.newidle(0))
	assert.Equal(t, before, s.rqs[0].idleStamp)
	s.rqs[0].pendingWake = 0
	s.dom(0, levelMC).niRatio = 1024
	assert.True(t, s.newidle(0))
	assert.Zero(t, s.rqs[0].idleStamp, "it did not idle")
}

// NI_RANDOM: a domain is tried in proportion to its success, a success counts
// as many times as it was passed over, a skipped try as a failed call and the
// walk goes on (7.3 sched_balance_newidle).
func TestNewidleDice(t *testing.T) {
	for _, c := range []struct{ ratio, tried, weight int64 }{
		{0, 2, 1024}, {1, 3, 512}, {256, 258, 4}, {512, 514, 2}, {1023, 1024, 1}, {1024, 1024, 1},
	} {
		s := newRig(t, twoLLCs, nil)
		d := s.dom(0, levelMC)
		up := s.dom(0, levelPKG)
		s.add(1, -1)
		s.add(1, -1)
		tries := int64(0)
		const n = 4096
		for range n {
			s.later(1e6)
			d.niRatio, d.niCall, d.niSuccess = c.ratio, 0, 0
			up.niRatio, up.niCall = 1024, 0
			s.newidle(0)
			assert.EqualValues(t, 1, d.niCall)
			if d.niSuccess > 0 {
				tries++
				assert.Equal(t, c.weight, d.niSuccess, "ratio %d", c.ratio)
				s.back(0, 1)
			} else {
				assert.EqualValues(t, 1, up.niCall, "a skipped level does not end the walk")
			}
		}
		assert.InDelta(t, float64(c.tried)/1024, float64(tries)/n, 0.03, "ratio %d", c.ratio)
	}
}

// back returns a task that was pulled to an idle CPU.
func (s rig) back(from, to int32) {
	ti := s.rqs[from].list[0]
	s.dequeueMove(&s.rqs[from], ti)
	s.enqueue(to, ti, false)
	s.tasks[ti].execStart = 0
}

// The success ratio is renewed every 512 calls after the first 1024 and old
// calls count half; NI_RATE adds one for each 4.2 ms that those calls took, so
// that rare balancing is always tried (7.3 update_newidle_stats).
func TestNewidleStatistics(t *testing.T) {
	for _, c := range []struct {
		success, elapsedNs, ratio int64
	}{
		{100, 0, 100}, {100, 1 << 22, 101}, {100, 1<<22 - 1, 100}, {0, 4_294_967_296, 1024}, {2000, 0, 1024}, {1000, 100 << 22, 1024},
	} {
		s := newRig(t, twoLLCs, nil)
		d := s.dom(0, levelMC)
		d.niCall, d.niSuccess, d.niRatio = 1022, c.success, 7
		d.niStamp = s.Now - c.elapsedNs
		s.recordNewidle(d, 0)
		assert.EqualValues(t, 7, d.niRatio, "only at the 1024th call")
		s.recordNewidle(d, 0)
		assert.Equal(t, c.ratio, d.niRatio, "%+v", c)
		assert.EqualValues(t, 512, d.niCall)
		assert.Equal(t, c.success/2, d.niSuccess)
		assert.Equal(t, s.Now, d.niStamp)
	}
	d := newRig(t, twoLLCs, nil).dom(0, levelMC)
	assert.Equal(t, [3]int64{512, 256, 512}, [3]int64{d.niCall, d.niSuccess, d.niRatio}, "at boot")
}

// The cost estimate rises at once and loses about one percent a second (7.3
// update_newidle_cost).
func TestNewidleCostDecays(t *testing.T) {
	s := newRig(t, twoLLCs, nil)
	d := s.dom(0, levelMC)
	d.maxCost, d.lastCostDecay = 256_000, s.Jiffies
	s.Jiffies += 250
	s.decayCost(d)
	assert.EqualValues(t, 256_000, d.maxCost, "not before a second has passed")
	s.Jiffies++
	s.decayCost(d)
	assert.EqualValues(t, 253_000, d.maxCost)
	s.decayCost(d)
	assert.EqualValues(t, 253_000, d.maxCost)
}

// avg_idle is an eighth of the way to each idle period, at most twice the
// largest cost of balancing (7.3 update_rq_avg_idle).
func TestAverageIdle(t *testing.T) {
	for _, c := range []struct{ before, idle, want int64 }{
		{800_000, 0, 800_000 - 100_000 + 0}, {0, 800_000, 100_000}, {900_000, 900_000_000, 1_000_000},
	} {
		s := newRig(t, twoLLCs, nil)
		r := &s.rqs[0]
		r.avgIdle, r.idleStamp = c.before, s.Now-c.idle
		if c.idle == 0 {
			r.idleStamp = s.Now
		}
		s.leaveIdle(r)
		assert.Equal(t, c.want, r.avgIdle, "%+v", c)
		assert.Zero(t, r.idleStamp)
	}
}
