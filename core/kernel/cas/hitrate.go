package cas

import "casplay/core/kernel/why"

// The idea of a hit-rate signal (Peter Zijlstra, April 2026; question 3 of the
// MG report): a streaming process shows a low hit rate, however its footprint
// is estimated. Nobody has given numbers; all of these are ours:
const (
	// minHitRate is the rate, in thousandths, below which a process stays apart.
	minHitRate = 500
	// hitDiv is the divisor of the average over the samples, one a scan.
	hitDiv = 4
	// hitProbe is how many samples an excluded process waits until its average
	// is forgotten and it is tried again (5 s at the default period).
	hitProbe = 500
)

// hitRate is the average of a group: the share, in thousandths, of the traffic
// below L2 of its running threads that hits the LLC.
type hitRate struct {
	avg      int64
	known    bool
	excluded int64 // samples since it was excluded
}

// HitRateAvg is the average after one more sample.
func HitRateAvg(avg, sample int64, known bool) int64 {
	if !known {
		return sample
	}
	return avg + (sample-avg)/hitDiv
}

// LowHitRate vetoes a process whose average is known and below the threshold.
func LowHitRate(avg int64, known bool) bool { return known && avg < minHitRate }

// sample reads the counters of the CPUs that run the group; a process that
// makes no traffic has no rate.
func (s *System) sampleHitRate(gi int32, running Running) {
	g := &s.Groups[gi]
	h := &g.hits
	var hit, all int64
	for cpu, group := range running {
		if group == gi && s.Traffic != nil {
			a, b := s.Traffic(int32(cpu))
			hit, all = hit+a, all+a+b
		}
	}
	if all == 0 {
		return
	}
	h.avg, h.known = HitRateAvg(h.avg, hit*1000/all, h.known), true
	if h.excluded++; !LowHitRate(h.avg, true) {
		h.excluded = 0
	} else if h.excluded > hitProbe {
		*h = hitRate{}
	}
}

// missesLLC is the gate on the hit rate.
func (s *System) missesLLC(g *Group, now int64) bool {
	v := LowHitRate(g.hits.avg, g.hits.known)
	if g.hits.known {
		s.Book.Note(g.Process, why.LowHitRate, now, v, g.hits.avg, minHitRate)
	}
	return v
}
