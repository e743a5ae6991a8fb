package cas

// The policy of the sched_ext scheduler scx_lavd --cache-aware (Zhang Qiao, May
// 2026): an LLC is left above 50 % and joined below 40 %, and in between nothing
// moves, which cures ping-pong. Ours: the percentages are of the published
// utilisation, with the task; two LLCs that are both too full follow 7.3.
const (
	pushAbovePct = 50
	pullBelowPct = 40
)

// deadBand judges a move by the use of the source, the task still there, and of
// the destination, the task arrived.
func deadBand(src, srcCap, dst, dstCap int64, toPref bool) Hint {
	switch {
	case toPref && dst*100 < dstCap*pullBelowPct:
		return MoveLLC
	case !toPref && src*100 > srcCap*pushAbovePct:
		return Unrestricted
	}
	return Forbid
}
