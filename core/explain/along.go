package explain

import "casplay/core/sim"

// looksFor is how finely Along looks: at steps of a 128th of the time since the start.
const looksFor = 128

// Along runs a set-up and explains process p at multiples of everyNs that lie
// ever further apart, by less than a 128th of the time so far: the answer at a
// moment is that of Why. The last one is from the end of the run, or the first
// without threads. between is called between slices of events, to let a
// single-threaded program breathe.
func Along(setup sim.Setup, p int, everyNs int64, between func()) ([]*Answer, error) {
	s, err := sim.New(setup)
	if err != nil {
		return nil, err
	}
	var out []*Answer
	for ns := everyNs; ; ns += everyNs * max(1, ns/everyNs/looksFor) {
		for !s.StepTo(ns, lookAlive) {
			between()
		}
		out = append(out, look(s, p))
		if g := s.Gathering(p); s.Done() || g.Group >= 0 && g.Alive == 0 {
			return out, nil
		}
	}
}
