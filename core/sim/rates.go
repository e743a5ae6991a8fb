package sim

import "casplay/core/memory"

// How the memory model is kept up to date, and threads at its rates.

// guessRate keeps a thread with traffic at its last rate until the memory model
// is solved, which is at once unless it was solved a moment ago.
func (s *Sim) guessRate(ti int32) {
	if t := &s.threads[ti]; t.rate == 0 {
		t.rate = memory.FullRate
	}
}

// setMem tells the memory model what a CPU does and has it solved soon.
func (s *Sim) setMem(cpu, ti int32, profile int16) {
	s.mem.SetCPU(int(cpu), ti, profile)
	s.coreRates(cpu)
	if s.traffic {
		s.touchMem()
	}
}

// coreRates sets the rate of those threads of a core that make no traffic, which
// depends on the clock and the siblings alone, at once.
func (s *Sim) coreRates(cpu int32) {
	set := s.m.Siblings(int(cpu))
	busy := 0
	for c := set.First(); c >= 0; c = set.Next(c + 1) {
		if ti := s.onCPU[c]; ti >= 0 && int(ti) < len(s.threads) {
			busy++
		}
	}
	if busy == 0 {
		return
	}
	rate := s.loneRate[s.m.CPUs[cpu].LLC]
	if busy > 1 {
		rate = s.sharedRate[s.m.CPUs[cpu].LLC]
	}
	for c := set.First(); c >= 0; c = set.Next(c + 1) {
		ti := s.onCPU[c]
		if ti < 0 || int(ti) >= len(s.threads) {
			continue
		}
		if t := &s.threads[ti]; t.cpu == int32(c) && t.rate != rate && t.memProfile() < 0 {
			s.progress(ti)
			t.rate = rate
			s.arm(ti)
		}
	}
}

// touchMem asks for a solution at once, or when the last one is old enough.
func (s *Sim) touchMem() {
	s.memDirty = true
	if !s.memQueued {
		s.memQueued = true
		s.q.push(event{at: max(s.now, s.memAt+memQuantumNs), kind: evSolve})
	}
}

// solve brings the rates of all running threads up to date.
func (s *Sim) solve() {
	if !s.memDirty {
		return
	}
	s.meter.integrate(s)
	s.mem.Solve()
	s.memDirty, s.memAt = false, s.now
	for _, c := range s.mem.Changed() {
		ti := s.onCPU[c]
		if ti < 0 || int(ti) >= len(s.threads) {
			continue
		}
		if s.threads[ti].memProfile() < 0 {
			continue
		}
		s.progress(ti)
		s.threads[ti].rate = s.mem.Rate(int(c))
		s.arm(ti)
	}
}
