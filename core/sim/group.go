package sim

import "casplay/core/kernel"

// joinGroup gives a process its cache group: one of its own, or that which the
// first process with the same group number made (proposed prctl, SHARE_FROM).
// A shared group has the threads and the resident set of all its processes
// (ours: no source says what the gates compare), and the switch and tolerance
// of its first.
func (s *Sim) joinGroup(pi int32, rss int64) int32 {
	w := s.procs[pi].w
	grouped := s.cfg.Features.Control != kernel.ControlGlobal
	if grouped && w.Group > 0 {
		for i := range s.procs {
			if o := &s.procs[i]; o.group >= 0 && o.w.Group == w.Group {
				g := &s.sched.CAS.Groups[o.group]
				g.Threads++
				g.RSSBytes += rss
				return o.group
			}
		}
	}
	gi := s.sched.NewGroup(pi, rss)
	g := &s.sched.CAS.Groups[gi]
	g.Threads = 1
	if grouped && w.Tolerance >= 0 {
		g.Own, g.Tolerance = true, uint32(w.Tolerance)
	}
	g.Off = w.CacheOff
	return gi
}
