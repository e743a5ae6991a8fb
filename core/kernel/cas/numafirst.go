package cas

import "casplay/core/kernel"

// Preferred LLC and NUMA preferred node, as variants would settle it (variants.md section 9).

// stableNode is the preferred node that the scanning tasks of a group agree on.
type stableNode struct {
	node  int32
	since int64 // ns
}

// ideal is the LLC domain that Tim Chen's "ideal" form would choose: the least loaded
// of the preferred node, once that node has lasted for NumaStableMs; -1 for no
// opinion. Load is the decayed runtime of all tasks with a group on its CPUs
// (ours: the mail names no measure).
func (s *System) ideal(g *Group, nid int32, now int64) int32 {
	if nid != g.node.node {
		g.node = stableNode{nid, now}
	}
	if nid < 0 || now-g.node.since < int64(s.Config.NumaStableMs)*1e6 || g.CPU != -1 && s.NodeOf[g.CPU] == nid {
		return -1
	}
	best, least := int32(-1), uint64(0)
	for l := range s.LLCs {
		if len(s.LLCCPUs[l]) == 0 || s.NodeOf[s.LLCCPUs[l][0]] != nid {
			continue
		}
		var load uint64
		for _, c := range s.LLCCPUs[l] {
			load += s.CPUs[c].Runtime
		}
		if best < 0 || load < least {
			best, least = int32(l), load
		}
	}
	return best
}

// settleNuma applies the variants at the end of a scan that found occupancy
// best: numa-first drops the preference when the preferred node has none.
func (s *System) settleNuma(g *Group, nid int32, best, now int64) {
	if !s.Config.NumaBalancing {
		return
	}
	switch s.Config.NumaConflict {
	case kernel.NumaFirst:
		if nid >= 0 && best == 0 {
			s.Drop(g, now)
		}
	case kernel.NumaIdeal:
		if l := s.ideal(g, nid, now); l >= 0 {
			from := int64(-1)
			if g.CPU != -1 {
				from = int64(s.LLCOf[g.CPU])
			}
			g.CPU = s.LLCCPUs[l][0]
			s.Book.Moved(g.Process, now, int64(s.LLCOf[g.CPU]), from)
		}
	}
}
