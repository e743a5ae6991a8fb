package fair

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"casplay/core/kernel"
)

// kicks are the requests for an idle balance since the last call.
func (s rig) kicks() (out []int32) {
	for _, a := range s.Actions {
		if a.Kind == NohzKick {
			out = append(out, a.CPU)
		}
	}
	s.Actions = s.Actions[:0]
	return
}

// When a busy tick asks an idle CPU to balance (7.3 nohz_balancer_kick).
func TestNohzKick(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(s rig)
		want uint8
	}{
		{"one task in its LLC", func(s rig) {}, 0},
		{"two tasks on the CPU", func(s rig) { s.add(0, -1) }, kickBalance | kickStats},
		{"a second busy CPU in the LLC", func(s rig) { s.add(1, -1); s.exitIdle(1) }, kickBalance | kickStats},
		{"a second CPU that has not ticked since it woke", func(s rig) { s.add(1, -1) }, 0},
		{"a busy CPU of another LLC", func(s rig) { s.add(8, -1); s.exitIdle(8) }, 0},
		{"not due yet", func(s rig) { s.add(0, -1); s.nohz.nextBalance = s.Jiffies + 1 }, 0},
		{"nobody idles", func(s rig) { s.add(0, -1); s.nohz.mask = cpus(); s.nohz.needsUpdate = true }, 0},
		{"blocked load is due", func(s rig) { s.nohz.hasBlocked, s.nohz.nextBlocked = true, s.Jiffies-1 }, kickStats},
		{"blocked load not past its time", func(s rig) { s.nohz.hasBlocked, s.nohz.nextBlocked = true, s.Jiffies }, 0},
		{"no blocked load", func(s rig) { s.nohz.nextBlocked = s.Jiffies - 9 }, 0},
		{"a CPU has gone idle", func(s rig) { s.nohz.needsUpdate = true }, kickNext},
	} {
		s := newRig(t, twoLLCs, nil)
		s.add(0, -1)
		s.nohz.hasBlocked, s.nohz.needsUpdate, s.nohz.nextBlocked, s.nohz.nextBalance = false, false, s.Jiffies, s.Jiffies
		c.edit(s)
		s.Actions = s.Actions[:0]
		s.kick(0)
		got := uint8(0)
		for i := range s.rqs {
			got |= s.rqs[i].nohzKick
		}
		assert.Equal(t, c.want, got, c.name)
		if c.want&kickBalance != 0 {
			assert.Equal(t, s.Jiffies+1, s.nohz.nextBalance, "%s: one balance a jiffy", c.name)
		}
		assert.Len(t, s.kicks(), min(int(c.want), 1), c.name)
	}
}

// The kick goes to the first idle CPU on an idle core, else to the first idle
// one, and none is sent while one is under way (7.3 find_new_ilb, kick_ilb).
func TestNohzTarget(t *testing.T) {
	s := newRig(t, "pack:2 l3:1 core:4 pu:2", nil)
	assert.Equal(t, int32(0), s.findILB())
	s.add(0, -1)
	assert.Equal(t, int32(2), s.findILB(), "CPU 1 idles, its core does not")
	for cpu := int32(2); cpu < 16; cpu += 2 {
		s.add(cpu, -1)
	}
	assert.Equal(t, int32(1), s.findILB())
	s.kicks()
	s.kickILB(0, kickStats)
	assert.Equal(t, []int32{1}, s.kicks())
	s.kickILB(0, kickStats|kickBalance)
	assert.Empty(t, s.kicks(), "the interrupt is on its way")
	assert.Equal(t, kickStats|kickBalance, s.rqs[1].nohzKick)
	s.add(1, -1)
	s.later(1e6)
	s.NohzIPI(1)
	assert.Zero(t, s.rqs[1].nohzKick)
	assert.Empty(t, s.moves(), "a kick to a CPU that no longer idles is lost")
}

// The idle balancer visits the idle CPUs after itself first and itself last
// (7.3 _nohz_idle_balance).
func TestNohzRound(t *testing.T) {
	for ilb, want := range map[int32][]int32{3: {4, 5, 1, 2, 3}, 5: {1, 2, 3, 4, 5}, 1: {2, 3, 4, 5, 1}} {
		s := newRig(t, "pack:1 l3:1 core:6 pu:1", nil)
		for range 8 {
			s.add(0, -1)
		}
		s.later(1e6)
		s.ilb(ilb, kickBalance|kickStats)
		var order []int32
		for _, m := range s.moves() {
			if len(order) == 0 || order[len(order)-1] != m.To {
				order = append(order, m.To)
			}
		}
		assert.Equal(t, want, order, "CPU %d", ilb)
	}
}

// CPUs that are not due are passed by, and the next round is when the first
// of them is; blocked load waits 32 ms (7.3 _nohz_idle_balance).
func TestNohzNextBalance(t *testing.T) {
	s := newRig(t, twoLLCs, nil)
	for c := range s.rqs {
		s.rqs[c].nextBalance = s.Jiffies + 10 + int64(c)
	}
	s.ilb(3, kickBalance|kickStats)
	assert.Equal(t, s.Jiffies+10, s.nohz.nextBalance)
	assert.Equal(t, s.Jiffies+8, s.nohz.nextBlocked) // 32 ms at 250 Hz
	assert.False(t, s.nohz.hasBlocked)
}

// A balancer that gets work stops and leaves the rest to the next one (7.3
// _nohz_idle_balance).
func TestNohzAbort(t *testing.T) {
	s := newRig(t, twoLLCs, nil)
	for c := range s.rqs {
		s.rqs[c].nextBalance = s.Jiffies + 10
	}
	s.add(0, -1)
	s.rqs[0].resched = true
	s.nohz.nextBalance, s.nohz.nextBlocked = 5, 6
	s.ilb(0, kickBalance|kickStats|kickNext)
	assert.EqualValues(t, 5, s.nohz.nextBalance)
	assert.EqualValues(t, 6, s.nohz.nextBlocked)
	assert.True(t, s.nohz.hasBlocked)
	assert.True(t, s.nohz.needsUpdate)
}

// A CPU that goes idle enters the mask and its LLC has a busy CPU less; its
// first busy tick takes it out (7.3 nohz_balance_enter_idle, nohz_balance_exit_idle).
func TestNohzMask(t *testing.T) {
	s := newRig(t, twoLLCs, nil)
	require.Zero(t, s.llcs[0].nrBusy)
	s.add(2, -1)
	assert.True(t, s.nohz.mask.Has(2), "still, until it ticks")
	s.BeginTick(s.Jiffies + 1)
	s.TickCPU(2)
	assert.False(t, s.nohz.mask.Has(2))
	assert.EqualValues(t, 1, s.llcs[0].nrBusy)
	s.nohz.hasBlocked, s.nohz.needsUpdate = false, false
	s.Block(2, true)
	s.stopTick(2)
	assert.True(t, s.nohz.mask.Has(2))
	assert.Zero(t, s.llcs[0].nrBusy)
	assert.True(t, s.nohz.hasBlocked && s.nohz.needsUpdate)

	s = newRig(t, twoLLCs, func(c *kernel.Config) { c.NoHz = false })
	assert.True(t, s.nohz.mask.Empty(), "nohz=off: idle CPUs keep their tick")
	assert.EqualValues(t, 8, s.llcs[0].nrBusy)
}
