package sim

import "casplay/core/result"

// Sim is one run in progress.
type Sim struct {
	setup Setup
	now   int64
}

// New prepares a run.
func New(s Setup) (*Sim, error) { return &Sim{setup: s}, nil }

// Step runs at most n events and reports whether the run has ended.
func (s *Sim) Step(n int) bool {
	s.now += int64(n) * 10000
	return s.now >= s.setup.MaxNs
}

// Now is the simulated time in ns.
func (s *Sim) Now() int64 { return s.now }

// Fraction estimates how much of the run is done, in ppm of 1.
func (s *Sim) Fraction() int32 { return int32(s.now * 1000000 / s.setup.MaxNs) }

// Result returns what has been measured so far; complete once Step returned true.
func (s *Sim) Result() *result.Run {
	return &result.Run{Seed: s.setup.Seed, SimNs: s.now, SampleNs: s.setup.SampleNs}
}
