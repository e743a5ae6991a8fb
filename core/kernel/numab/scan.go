package numab

import "math/bits"

// vmaScan is what the scanner remembers of a mapping (struct vma_numab_state).
type vmaScan struct {
	seen      bool
	startSeq  int       // sweep at which the mapping was first seen
	prevSeq   int       // sweep that last covered it completely
	next      int64     // jiffies: no scan before, after the first sweep
	pidsReset int64     // jiffies
	pids      [2]uint64 // who faulted: previous and current period, by PID hash
}

// Scan is what a scan did up to its end, which ScanDone marks.
type Scan struct {
	// Ran is false if another thread had just scanned; then there is no end.
	Ran bool
	// Entries is the number of page-table entries armed, Pages the pages
	// behind them.
	Entries, Pages int64
	// Sweeps is how many sweeps ended so far.
	Sweeps int
	// CostNs is the CPU time it takes.
	CostNs int64
}

// Attempt is the tick of a running task (7.3 fair.c task_tick_numa) that has
// used cpuTimeNs of CPU so far. It reports whether a scan is now pending: the
// task must call Scan before it returns to user mode.
func (t *Task) Attempt(cpuTimeNs, jiffies int64) bool {
	if t.workPending || t.exited {
		return false
	}
	period := int64(t.scanPeriod) * 1_000_000
	if cpuTimeNs <= t.nodeStamp+period {
		return false
	}
	if t.nodeStamp == 0 {
		t.scanPeriod = t.scanStart()
	}
	t.nodeStamp += period
	t.workPending = jiffies >= t.mm.nextScan
	return t.workPending
}

// Scan is the pending scan of a task that runs on a CPU of node
// (7.3 fair.c task_numa_work): it arms the next scan_size MiB of the address
// space, less if they hold little to arm. After CostNs of CPU time the caller
// calls ScanDone: faults that other threads take until then precede the end of
// the sweep, which is how a first sweep can leave a footprint. All pages are
// armed at the start; the kernel does so along the way. The model never finds
// the address-space lock busy. runtimeNs is the CPU time that the run queue has
// accounted to the task (se.sum_exec_runtime).
func (t *Task) Scan(node int, jiffies, runtimeNs int64) Scan {
	m := t.mm
	sys := m.sys
	t.workPending = false
	if t.exited || t.SingleMemNode || jiffies < m.nextScan {
		return Scan{}
	}
	if t.scanPeriod == 0 {
		t.scanPeriodMax = t.scanMax()
		t.scanPeriod = t.scanStart()
	}
	m.nextScan = jiffies + sys.msToJiffies(int64(t.scanPeriod))
	t.nodeStamp += 2 * sys.tickNs

	w := walk{t: t, m: m, node: NoNode, pages: sys.scanPages, virtual: 8 * sys.scanPages, jiffies: jiffies}
	w.out.Ran = true
	if m.users == 1 {
		w.node = node
	}
	stop, ok := w.pass(false)
	if !ok && w.skippedForPID {
		stop, ok = w.pass(true)
	}
	w.out.CostNs = w.out.Entries * sys.costs.ScanEntryNs
	t.scan = pendingScan{stop: stop, atEnd: !ok, runtime: runtimeNs}
	return w.out
}

// pendingScan is a scan between Scan and ScanDone.
type pendingScan struct {
	stop    int64
	atEnd   bool
	runtime int64
}

// ScanDone ends a scan that ran. It reports whether that completed a sweep.
// The task pauses for 32 times what the run queue accounted to it meanwhile:
// nothing if the scan ended before the next tick.
func (t *Task) ScanDone(runtimeNs int64) bool {
	if t.scan.atEnd {
		t.mm.endSweep()
	} else {
		t.mm.scanOffset = t.scan.stop
	}
	t.nodeStamp += 32 * (runtimeNs - t.scan.runtime)
	return t.scan.atEnd
}

// walk is one scan in progress.
type walk struct {
	t              *Task
	m              *MM
	node           int // pages of this node are left alone
	pages, virtual int64
	jiffies        int64
	skippedForPID  bool
	out            Scan
}

// endSweep counts a sweep and starts over (fair.c reset_ptenuma_scan).
func (m *MM) endSweep() {
	m.scanSeq++
	m.scanOffset = 0
	m.Stats.Sweeps++
}

// pass walks the mappings from the scan offset on. It returns where it
// stopped, or false if it came to the end of the address space. A forced pass
// takes the first mapping whoever used it, and only that.
func (w *walk) pass(forced bool) (stop int64, stopped bool) {
	m := w.m
	start := m.scanOffset
	i := m.firstAt(start)
	if i == len(m.regions) {
		m.endSweep()
		w.out.Sweeps++
		start, i = 0, 0
	}
	for ; i < len(m.regions); i++ {
		r := &m.regions[i]
		if !w.eligible(r, forced) {
			continue
		}
		for end := int64(0); end != r.end; {
			start = max(start, r.start)
			end = min((start+w.pages+hugePages-1)/hugePages*hugePages, r.end)
			if w.arm(r, start, end) {
				w.pages -= end - start
			}
			w.virtual -= end - start
			start = end
			if w.pages <= 0 || w.virtual <= 0 {
				return start, true
			}
		}
		r.scan.prevSeq = m.scanSeq
		if forced {
			return start, true
		}
	}
	return 0, false
}

// firstAt is the first region that ends beyond an address.
func (m *MM) firstAt(addr int64) int {
	i := 0
	for i < len(m.regions) && m.regions[i].end <= addr {
		i++
	}
	return i
}

// eligible decides whether a mapping takes part in this scan, and keeps its
// book (the tests of task_numa_work in order).
func (w *walk) eligible(r *region, forced bool) bool {
	m, v := w.m, &r.scan
	if r.noScan {
		return false
	}
	delay := int64(m.sys.cfg.ScanDelayMs)
	resetAfter := m.sys.msToJiffies(4 * delay)
	if !v.seen {
		next := w.jiffies + m.sys.msToJiffies(delay)
		*v = vmaScan{seen: true, startSeq: m.scanSeq, prevSeq: m.scanSeq - 1, next: next, pidsReset: next + resetAfter}
	}
	if m.scanSeq != 0 && w.jiffies < v.next {
		return false
	}
	if m.scanSeq != 0 && w.jiffies > v.pidsReset {
		v.pidsReset += resetAfter
		v.pids[0], v.pids[1] = v.pids[1], 0
	}
	if v.prevSeq == m.scanSeq {
		m.scanOffset = r.end
		return false
	}
	if !forced && !w.accessed(r) {
		w.skippedForPID = true
		return false
	}
	return true
}

// accessed tells whether scanning the mapping is worth this task's while
// (fair.c vma_is_accessed).
func (w *walk) accessed(r *region) bool {
	m, v := w.m, &r.scan
	return m.scanSeq-v.startSeq < 2 ||
		(v.pids[0]|v.pids[1])>>pidHash(w.t.pid)&1 != 0 ||
		m.scanOffset > r.start ||
		m.scanSeq > v.prevSeq+m.users
}

// pidHash spreads PIDs over the bits of one word (linux/hash.h hash_32).
func pidHash(pid uint32) uint32 { return pid * 0x61C88647 >> 26 }

// arm makes the present pages between two addresses of a mapping inaccessible
// (mm/mempolicy.c change_prot_numa) and reports whether any entry changed.
func (w *walk) arm(r *region, start, end int64) bool {
	from, to := int((start-r.start)/r.chunk), int((end-r.start)/r.chunk)
	armed := int64(0)
	for i := from >> 6; i <= (to-1)>>6; i++ {
		fresh := r.present.words[i] &^ r.armed.words[i] & rangeMask(i, from, to)
		if w.node != NoNode {
			for x := fresh; x != 0; x &= x - 1 {
				if int(r.node[i<<6+bits.TrailingZeros64(x)]) == w.node {
					fresh &^= x & -x
				}
			}
		}
		if fresh != 0 {
			r.armed.or(i, fresh)
			armed += int64(bits.OnesCount64(fresh))
		}
	}
	w.out.Entries += armed
	w.out.Pages += armed * r.chunk
	return armed > 0
}
