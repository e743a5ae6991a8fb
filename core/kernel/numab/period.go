package numab

// scanWindows is how many scans it takes to cover the resident pages
// (fair.c task_nr_scan_windows).
func (m *MM) scanWindows() uint32 {
	size, rss := uint64(m.sys.scanPages), uint64(m.rss)
	if rss == 0 {
		rss = size
	}
	// The kernel's rounding is a bit trick, exact for powers of two only.
	rss = ((rss - 1) | (size - 1)) + 1
	return uint32(rss / size)
}

// scanMin is the shortest permitted period in ms (fair.c task_scan_min).
func (t *Task) scanMin() uint32 {
	s := t.mm.sys
	windows := uint32(1)
	if s.cfg.ScanSizeMB < maxScanWindowMB {
		windows = maxScanWindowMB / s.cfg.ScanSizeMB
	}
	return max(1000/windows, s.cfg.ScanPeriodMinMs/t.mm.scanWindows())
}

// scanStart is the period in ms that a task starts with once it scans
// (fair.c task_scan_start).
func (t *Task) scanStart() uint32 {
	low := uint64(t.scanMin())
	return uint32(max(low, t.stretch(low)))
}

// scanMax is the longest period in ms (fair.c task_scan_max).
func (t *Task) scanMax() uint32 {
	high := uint64(t.mm.sys.cfg.ScanPeriodMaxMs / t.mm.scanWindows())
	return uint32(max(uint64(t.scanMin()), high, t.stretch(high)))
}

// stretch scales a period with the members and the shared part of the fault
// group; without a group it stays.
func (t *Task) stretch(period uint64) uint64 {
	g := t.group
	if g == nil {
		return period
	}
	n := t.mm.sys.topo.nodes
	var faults [2]uint64
	for node := range n {
		faults[shared] += uint64(g.faults[2*node+shared])
		faults[private] += uint64(g.faults[2*node+private])
	}
	return period * uint64(g.members) * (faults[shared] + 1) / (faults[private] + faults[shared] + 1)
}

// adaptPeriod moves the scan period after an accounting of that many faults
// in pages (fair.c update_task_scan_period).
func (t *Task) adaptPeriod(sharedFaults, privateFaults, jiffies int64) {
	const slots, threshold = 10, 7
	remote, local, failed := t.locality[0], t.locality[1], t.locality[2]
	t.locality = [3]int64{}
	if local+sharedFaults == 0 || failed != 0 {
		t.scanPeriod = min(t.scanPeriodMax, t.scanPeriod<<1)
		t.mm.nextScan = jiffies + t.mm.sys.msToJiffies(int64(t.scanPeriod))
		return
	}
	slot := int32((t.scanPeriod + slots - 1) / slots)
	lr := ratio(local, remote)
	ps := ratio(privateFaults, sharedFaults)
	var diff int32
	switch {
	case ps >= threshold:
		diff = max(1, ps-threshold) * slot
	case lr >= threshold:
		diff = max(1, lr-threshold) * slot
	default:
		diff = -(threshold - max(lr, ps)) * slot
	}
	// Unsigned as in the kernel: a sum below zero clamps to the maximum.
	t.scanPeriod = min(max(t.scanPeriod+uint32(diff), t.scanMin()), t.scanMax())
}

// ratio is the tenths of a in a+b, rounded down. The sum is never 0: a fault
// counts as local or remote and as shared or private, and there was one.
func ratio(a, b int64) int32 { return int32(a * 10 / (a + b)) }

// Migrated adjusts the scan period when the task moves to a CPU of another
// node (fair.c update_scan_period): it starts over unless the move goes to the
// preferred node or does not leave it. A task that never accounted a sweep
// always starts over. Call it for every change of CPU.
func (t *Task) Migrated(srcNode, dstNode int) {
	if !t.hasFaults || t.exited || srcNode == dstNode {
		return
	}
	if t.scanSeq != 0 && (dstNode == t.preferred || t.preferred != NoNode && srcNode != t.preferred) {
		return
	}
	t.scanPeriod = t.scanStart()
}
