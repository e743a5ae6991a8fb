package numab

// twin is a second implementation of scanning, hint faults and accounting for
// two nodes, written for plainness: one record a chunk, everything recounted,
// group sums formed over the members, no bitmaps, no running totals.
type twin struct {
	hz, scanPages, delayJ int64
	cpuNode               func(int) int
	regs                  []*twinRegion
	tasks                 []*twinTask
	// groups holds what is only counted at a placement of a member.
	groups        map[int]*twinGroup
	lastGroup     int
	curr          map[int]*twinTask
	users, seq    int
	offset, next  int64
	footprint     int64
	faults, gated int64
}

type twinRegion struct {
	start, chunk      int64
	chunks            []twinChunk
	seen              bool
	startSeq, prevSeq int
	next, reset       int64
	pids, pidsBefore  map[uint32]bool
}

type twinGroup struct {
	active int
	max    int64
}

type twinChunk struct {
	node  int
	armed bool
	cpu   int
	pid   int // -1 for none
}

// counts is indexed by node and {shared, private}.
type counts [2][2]int64

type twinTask struct {
	pid                      uint32
	seq                      int
	period                   uint32
	stamp                    int64
	preferred                int
	retry                    int64
	mem, cpu, memBuf, cpuBuf counts
	local                    [3]int64
	lastAt, lastRun          int64
	group                    int // 0 for none; the lower is the older
	dead                     bool
}

func (r *twinRegion) end() int64 { return r.start + int64(len(r.chunks))*r.chunk }

func (w *twin) rss() (pages int64) {
	for _, r := range w.regs {
		for _, c := range r.chunks {
			if c.node >= 0 {
				pages += r.chunk
			}
		}
	}
	return pages
}

func (w *twin) members(group int) (m []*twinTask) {
	for _, t := range w.tasks {
		if t.group == group && !t.dead {
			m = append(m, t)
		}
	}
	return m
}

func (w *twin) groupMem(group, node int) (n int64) {
	for _, t := range w.members(group) {
		n += t.mem[node][0] + t.mem[node][1]
	}
	return n
}

func (w *twin) groupCPU(group, node int) (n int64) {
	for _, t := range w.members(group) {
		n += t.cpu[node][0] + t.cpu[node][1]
	}
	return n
}

func (w *twin) bounds(t *twinTask) (low, start, high uint32) {
	windows := uint32((w.rss() + w.scanPages - 1) / w.scanPages)
	windows = max(windows, 1)
	low = max(1000/uint32(2560/(w.scanPages/256)), 1000/windows)
	start, high = low, 60000/windows
	if t.group != 0 {
		var sh, pr int64
		m := w.members(t.group)
		for _, x := range m {
			sh += x.mem[0][0] + x.mem[1][0]
			pr += x.mem[0][1] + x.mem[1][1]
		}
		scale := func(p uint32) uint32 { return uint32(int64(p) * int64(len(m)) * (sh + 1) / (pr + sh + 1)) }
		start, high = max(start, scale(start)), max(high, scale(high))
	}
	return low, start, max(low, high)
}

func (w *twin) scan(t *twinTask, node int, j int64) {
	if j < w.next {
		return
	}
	w.next = j + (int64(t.period)*w.hz+999)/1000
	t.stamp += 2 * 1_000_000_000 / w.hz
	budget, virtual, skipped := w.scanPages, 8*w.scanPages, false
	for forced := false; ; forced = true {
		pos := w.offset
		if pos >= w.regs[len(w.regs)-1].end() {
			w.seq++
			w.offset, pos = 0, 0
		}
		for _, r := range w.regs {
			if r.end() <= pos {
				continue
			}
			if !r.seen {
				r.seen, r.startSeq, r.prevSeq = true, w.seq, w.seq-1
				r.next, r.reset = j+w.delayJ, j+5*w.delayJ
				r.pids, r.pidsBefore = map[uint32]bool{}, map[uint32]bool{}
			}
			if w.seq != 0 && j < r.next {
				continue
			}
			if w.seq != 0 && j > r.reset {
				r.reset += 4 * w.delayJ
				r.pidsBefore, r.pids = r.pids, map[uint32]bool{}
			}
			if r.prevSeq == w.seq {
				w.offset = r.end()
				continue
			}
			h := pidHash(t.pid)
			if !forced && w.seq-r.startSeq >= 2 && !r.pids[h] && !r.pidsBefore[h] && w.offset <= r.start && w.seq <= r.prevSeq+w.users {
				skipped = true
				continue
			}
			for pos = max(pos, r.start); pos < r.end(); {
				to := min((pos+budget+511)/512*512, r.end())
				changed := false
				for i := range r.chunks {
					c, at := &r.chunks[i], r.start+int64(i)*r.chunk
					if at >= pos && at < to && c.node >= 0 && !c.armed && !(w.users == 1 && c.node == node) {
						c.armed, changed = true, true
					}
				}
				if changed {
					budget -= to - pos
				}
				virtual -= to - pos
				pos = to
				if budget <= 0 || virtual <= 0 {
					w.offset = pos
					return
				}
			}
			r.prevSeq = w.seq
			if forced {
				w.offset = pos
				return
			}
		}
		if forced || !skipped {
			w.seq++
			w.offset = 0
			return
		}
	}
}

// access returns the next chunk, the node to prefer (-1: none) and whether a
// move is wanted.
func (w *twin) access(t *twinTask, r *twinRegion, from, to, cpu int, now Clock) (next, preferred int, move bool) {
	for i := from; i < to; i++ {
		if !r.chunks[i].armed {
			continue
		}
		if preferred, move = w.fault(t, r, &r.chunks[i], cpu, now); preferred >= 0 || move {
			return i + 1, preferred, move
		}
	}
	return to, -1, false
}

func (w *twin) fault(t *twinTask, r *twinRegion, c *twinChunk, cpu int, now Clock) (preferred int, move bool) {
	c.armed = false
	w.faults++
	if r.seen {
		r.pids[pidHash(t.pid)] = true
	}
	here := w.cpuNode(cpu)
	lastCPU, lastPID := c.cpu, c.pid
	mine := lastPID&255 == int(t.pid&255) // "none" (-1) has all bits set
	local := c.node == here
	if !local {
		none := lastPID < 0 || lastPID == 255
		c.cpu, c.pid = cpu, int(t.pid&255)
		pull := false
		switch {
		case (t.preferred < 0 || t.seq <= 4) && (none || mine):
			pull = true
		case !none && w.cpuNode(lastCPU) != here:
		case mine || t.group == 0:
			pull = true
		default:
			d, s := w.groupCPU(t.group, here), w.groupCPU(t.group, c.node)
			pull = d > 3*s || d*w.groupMem(t.group, c.node)*3 > s*w.groupMem(t.group, here)*4
		}
		if pull {
			c.node = here
		}
	}
	priv := 0
	if lastPID < 0 || mine {
		priv = 1
	} else {
		w.join(t, lastCPU, lastPID)
	}
	if g := t.group; priv == 0 && !local && g != 0 {
		st := w.groups[g]
		local = st.active > 1 && 3*w.groupCPU(g, here) > st.max && 3*w.groupCPU(g, c.node) > st.max
	}
	preferred = -1
	if now.Jiffies > t.retry {
		p := w.place(t, now)
		if p != t.preferred {
			preferred = p
		}
		if p >= 0 {
			t.retry = now.Jiffies + min(w.hz, (int64(t.period)*w.hz+999)/1000/16)
			move = p != here
		}
	}
	t.memBuf[c.node][priv] += r.chunk
	t.cpuBuf[here][priv] += r.chunk
	if local {
		t.local[1] += r.chunk
	} else {
		t.local[0] += r.chunk
	}
	return preferred, move
}
