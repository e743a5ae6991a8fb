package fair

// llcTolerance is the imbalance that a CPU's k-th domain puts up with between
// the LLCs of one node (the proposal "allow imbalance between LLCs under NUMA",
// May 2025, variants.md section 8): 0 without the feature, or where the domain
// is not the one whose children are LLCs and whose parent crosses nodes. The
// flag test is the one of the review.
func (s *Sched) llcTolerance(r *RQ, k int32) int64 {
	if !s.cfg.Features.LLCImb || k == 0 || k+1 >= r.ndom {
		return 0
	}
	d, child, parent := &s.doms[r.dom0+k], &s.doms[r.dom0+k-1], &s.doms[r.dom0+k+1]
	if child.flags&shareLLC == 0 || d.flags&shareLLC != 0 || parent.flags&numaLevel == 0 {
		return 0
	}
	return LLCTolerance(int64(child.weight), int64(d.weight))
}

// LLCTolerance is the imbalance tolerated between LLCs of llc CPUs in a domain
// of all CPUs.
func LLCTolerance(llc, all int64) int64 {
	if all/llc <= 1 {
		return 0
	}
	least := int64(1)
	if llc >= 4 {
		least = 2
	}
	return max(least, llc>>2)
}
