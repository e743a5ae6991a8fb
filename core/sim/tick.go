package sim

import "casplay/core/machine"

// tick is one jiffy: the ticks of all CPUs that have one, in phase.
func (s *Sim) tick() {
	s.catchUp()
	s.jiffies++
	ticking := s.sched.Ticking()
	if turn := s.cfg.Timing.TickTurnNs; turn > 0 && !ticking.Empty() {
		s.tickInTurn(&ticking, turn)
	} else {
		s.catchUp()
		s.tickInPhase(&ticking)
	}
	if s.now-s.memAt >= memStepNs && s.memDirty {
		s.solve()
	}
	s.q.push(event{at: s.now + s.sched.Tick, kind: evTick})
}

// tickInPhase is the ticks of a jiffy on hardware: what follows the interrupt
// itself comes when all have taken it.
func (s *Sim) tickInPhase(ticking *machine.Set) {
	for c := ticking.First(); c >= 0; c = ticking.Next(c + 1) {
		s.sched.TickCPU(int32(c))
		s.drain()
	}
	for c := ticking.First(); c >= 0; c = ticking.Next(c + 1) {
		if s.sched.Ticks(c) {
			s.endTick(int32(c))
			s.runTimers(int32(c))
		}
	}
}

// catchUp advances what the kernel sees as jiffies to the time (7.3
// tick_do_update_jiffies64).
func (s *Sim) catchUp() {
	if s.sched.Jiffies < s.jiffies {
		s.sched.BeginTick(s.jiffies)
	}
}

// keepTime is a CPU's part in that: the tick of one CPU advances jiffies, so
// that those whose turn comes before it still see the last one. Another takes
// over when its tick has stopped (7.3 tick_sched_do_timer, tick_nohz_stop_tick).
func (s *Sim) keepTime(cpu int32) {
	if s.keeper < 0 || !s.sched.Ticks(int(s.keeper)) {
		s.keeper = cpu
	}
	if s.keeper == cpu {
		s.catchUp()
	}
}

// interruptIdle: an interrupt of a CPU without a tick brings jiffies up to date
// first (7.3 tick_nohz_irq_enter).
func (s *Sim) interruptIdle(cpu int32) {
	if !s.sched.Ticks(int(cpu)) {
		s.catchUp()
	}
}

// tickInTurn spreads the ticks of a jiffy over the CPUs, beginning anywhere.
func (s *Sim) tickInTurn(ticking *machine.Set, turn int64) {
	n := ticking.Len()
	c := ticking.First()
	for range s.noise.Below(uint64(n)) {
		c = ticking.Next(c + 1)
	}
	for i := range int64(n) {
		s.q.push(event{at: s.now + i*turn, kind: evTickCPU, a: int32(c)})
		c = ticking.NextWrap((c + 1) % len(s.m.CPUs))
	}
}

// tickCPU is the whole tick of one CPU in its turn.
func (s *Sim) tickCPU(cpu int32) {
	s.inTurn = cpu
	if s.sched.Ticks(int(cpu)) {
		s.keepTime(cpu)
		s.sched.TickCPU(cpu)
		s.drain()
		s.endTick(cpu)
	}
	s.runTimers(cpu)
	s.inTurn = -1
}

// interruptAt is when CPU to takes an interrupt that is due at a time. Where
// CPUs take turns, one that is sent in a tick waits for those in between; the
// ticks of the others come after it.
func (s *Sim) interruptAt(at int64, to int32) int64 {
	turn := s.cfg.Timing.TickTurnNs
	if turn == 0 {
		return at
	}
	if s.inTurn < 0 {
		return at + int64(s.noise.Below(uint64(max(s.cfg.Timing.InterruptSpreadNs, 1))))
	}
	ticking := s.sched.Ticking()
	for c := int(s.inTurn); ; at += turn {
		if c = ticking.NextWrap((c + 1) % len(s.m.CPUs)); c < 0 || c == int(s.inTurn) || between(int(s.inTurn), int(to), c) {
			return at
		}
	}
}

// between reports whether CPU c comes at or after to, counting up from and beyond from.
func between(from, to, c int) bool {
	if from < to {
		return c >= to || c <= from
	}
	return c >= to && c <= from
}

// endTick is the end of one CPU's tick.
func (s *Sim) endTick(cpu int32) {
	s.sched.EndTick(cpu)
	s.drain()
}
