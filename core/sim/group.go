package sim

import (
	"casplay/core/kernel"
	"casplay/core/workload"
)

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
	var first int32
	n := s.parts(w)
	for i := range n {
		gi := s.sched.NewGroup(pi, rss)
		g := &s.sched.CAS.Groups[gi]
		if grouped {
			g.Own, g.Tolerance = w.Tolerance >= 0, uint32(max(w.Tolerance, 0))
			g.OwnSize, g.SizeTolerance = w.SizeTolerance >= 0, uint32(max(w.SizeTolerance, 0))
			g.OveraggrPct = w.OveraggrPct
		}
		g.Off = w.CacheOff
		if i == 0 {
			first, g.Threads = gi, 1
		}
	}
	return first
}

// parts is into how many cache groups a process splits its threads (proposed
// prctl, CREATE). Each part has its own threads and footprint, and the resident
// set of the process, which no page table divides (ours).
func (s *Sim) parts(w *workload.Proc) int32 {
	if s.cfg.Features.Control == kernel.ControlGlobal {
		return 1
	}
	return min(max(w.CacheGroups, 1), int32(len(w.Threads)))
}

// groupOf is the cache group of a thread: equal parts in the order of creation.
func (s *Sim) groupOf(p *proc, index int32) int32 {
	return p.group + int32(int64(index)*int64(s.parts(p.w))/int64(len(p.w.Threads)))
}

// reserveGroups makes room for the groups of all processes.
func (s *Sim) reserveGroups() {
	n := 0
	for i := range s.procs {
		n += int(s.parts(s.procs[i].w))
	}
	s.sched.ReserveGroups(n)
}
