package numab

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"casplay/core/kernel"
)

func (w *twin) join(t *twinTask, cpu, pid int) {
	if t.group == 0 {
		w.lastGroup++
		t.group = w.lastGroup
		w.groups[t.group] = &twinGroup{active: 1}
	}
	o := w.curr[cpu]
	if o == nil || int(o.pid&255) != pid || o.group == 0 || o.group == t.group {
		return
	}
	mine, theirs := len(w.members(t.group)), len(w.members(o.group))
	if mine < theirs || mine == theirs && t.group > o.group {
		t.group = o.group
	}
}

// place is the accounting of a sweep; it returns the node to prefer.
func (w *twin) place(t *twinTask, now Clock) int {
	if t.seq == w.seq {
		w.gated++
		return t.preferred
	}
	t.seq = w.seq
	_, _, high := w.bounds(t)
	total := t.local[0] + t.local[1]
	run, span := now.LoadSum, int64(47742)
	if t.lastAt != 0 {
		run, span = now.RuntimeNs-t.lastRun, now.ExecStartNs-t.lastAt
	}
	t.lastAt, t.lastRun = now.ExecStartNs, now.RuntimeNs
	window := [2]int64{}
	for n := range 2 {
		for p := range 2 {
			window[p] += t.memBuf[n][p]
			grow := t.memBuf[n][p] - t.mem[n][p]/2
			t.mem[n][p] += grow
			if w.footprint += grow; w.footprint < 0 {
				w.footprint = 0
			}
			t.cpu[n][p] += (run<<16)/(span+1)*t.cpuBuf[n][p]/(total+1) - t.cpu[n][p]/2
		}
	}
	t.memBuf, t.cpuBuf = counts{}, counts{}
	f := [2]int64{t.mem[0][0] + t.mem[0][1], t.mem[1][0] + t.mem[1][1]}
	if g := t.group; g != 0 {
		f = [2]int64{w.groupMem(g, 0), w.groupMem(g, 1)}
		st := w.groups[g]
		st.max, st.active = max(w.groupCPU(g, 0), w.groupCPU(g, 1)), 0
		for n := range 2 {
			if 3*w.groupCPU(g, n) > st.max {
				st.active++
			}
		}
	}
	w.adapt(t, window, high, now.Jiffies)
	switch {
	case f[0] == 0 && f[1] == 0:
		return t.preferred
	case f[1] > f[0]:
		return 1
	}
	return 0
}

func (w *twin) adapt(t *twinTask, window [2]int64, high uint32, j int64) {
	remote, local, failed := t.local[0], t.local[1], t.local[2]
	t.local = [3]int64{}
	if local+window[0] == 0 || failed > 0 {
		t.period = min(high, 2*t.period)
		w.next = j + (int64(t.period)*w.hz+999)/1000
		return
	}
	lr, ps := int(10*local/(local+remote)), int(10*window[1]/(window[0]+window[1]))
	steps := max(lr, ps) - 7
	if ps >= 7 {
		steps = max(1, ps-7)
	} else if lr >= 7 {
		steps = max(1, lr-7)
	}
	low, _, high := w.bounds(t)
	p := int(t.period) + steps*int((t.period+9)/10)
	t.period = uint32(min(max(p, int(low)), int(high)))
}

// pair runs both implementations side by side.
type pair struct {
	t     *testing.T
	sys   *System
	mm    *MM
	tasks []*Task
	fp    int64
	w     *twin
	j     int64
	rng   *rand.Rand
}

func newPair(t *testing.T, seed uint64) *pair {
	rng := rand.New(rand.NewPCG(seed, 7))
	size := uint32(4)
	s := testSystem(t, testMachine(4, 1, twoNodes), func(k *kernel.Config) { k.Numa.ScanSizeMB = size; k.Numa.ScanDelayMs = 100 })
	p := &pair{t: t, sys: s, rng: rng, j: 1}
	p.mm = NewMM(s, &p.fp, 0)
	p.w = &twin{hz: 250, scanPages: int64(size) * 256, delayJ: 25, next: 25, groups: map[int]*twinGroup{}, curr: map[int]*twinTask{},
		cpuNode: func(c int) int { return c / 4 }}
	for i := range 3 {
		chunk := []int{1, 512, 1}[i]
		id, err := p.mm.AddRegion(Region{Bytes: int64(1+rng.IntN(10*256)) << pageShift, ChunkPages: chunk})
		require.NoError(t, err)
		r := &twinRegion{start: p.mm.regions[id].start, chunk: int64(chunk), chunks: make([]twinChunk, p.mm.Chunks(id))}
		for k := range r.chunks {
			r.chunks[k] = twinChunk{node: -1, pid: -1}
		}
		p.w.regs = append(p.w.regs, r)
		for range 4 {
			from := rng.IntN(len(r.chunks))
			_, err := p.mm.AddSlice(id, from, from+1+rng.IntN(len(r.chunks)-from))
			require.NoError(t, err)
		}
	}
	p.tasks = append(p.tasks, NewProcess(p.mm, 0, 300))
	p.w.tasks = append(p.w.tasks, &twinTask{pid: 300, period: 100, preferred: -1})
	p.w.users = 1
	return p
}

func (p *pair) step() {
	w, rng := p.w, p.rng
	k := rng.IntN(len(p.tasks))
	task, tt := p.tasks[k], w.tasks[k]
	cpu := rng.IntN(8)
	id := rng.IntN(3)
	r := w.regs[id]
	from := rng.IntN(len(r.chunks))
	to := from + 1 + rng.IntN(len(r.chunks)-from)
	switch x := rng.IntN(100); {
	case x < 4 && len(p.tasks) < 12:
		pid := uint32(300 + rng.IntN(1000))
		if w.users == 1 {
			w.next, w.seq = p.j+25, 0
		}
		if tt.dead {
			return
		}
		p.tasks = append(p.tasks, NewThread(task, 0, pid, p.j))
		_, _, high := w.bounds(tt)
		w.tasks = append(w.tasks, &twinTask{pid: pid, period: 100, seq: w.seq, preferred: tt.preferred,
			stamp: 8_000_000 + int64(min(high, tt.period*uint32(w.users)*1_000_000))})
		w.users++
	case x < 5 && w.users > 2 && !tt.dead:
		task.Exit()
		tt.dead = true
		w.users--
		var total int64
		for n := range 2 {
			total += tt.mem[n][0] + tt.mem[n][1]
		}
		w.footprint -= min(w.footprint, total)
		tt.group = 0
		for c, x := range w.curr {
			if x == tt {
				p.sys.Curr[c], w.curr[c] = nil, nil
			}
		}
	case tt.dead:
	case x < 20:
		_, err := p.mm.Touch(id, from, to, cpu/4)
		require.NoError(p.t, err)
		for i := from; i < to; i++ {
			if r.chunks[i].node < 0 {
				r.chunks[i].node = cpu / 4
			}
		}
	case x < 50:
		scanNow(task, cpu/4, p.j)
		w.scan(tt, cpu/4, p.j)
	default:
		p.sys.Curr[cpu], w.curr[cpu] = task, tt
		now := Clock{Jiffies: p.j, ExecStartNs: p.j * 4_000_000, RuntimeNs: p.j * 1_000_000, LoadSum: int64(rng.IntN(47743))}
		got := task.Access(id, from, to, cpu, now)
		next, preferred, move := w.access(tt, r, from, to, cpu, now)
		require.Equal(p.t, next, got.Next)
		require.Equal(p.t, preferred, got.Preferred)
		require.Equal(p.t, move, got.WantMove)
		if preferred >= 0 {
			task.SetPreferred(preferred)
			tt.preferred = preferred
		}
	}
	p.j += int64(rng.IntN(80))
}

// check compares everything that can be seen.
func (p *pair) check() {
	t, w := p.t, p.w
	require.Equal(t, []int64{int64(w.seq), w.offset, w.next, w.footprint, w.rss(), w.faults, w.gated},
		[]int64{int64(p.mm.scanSeq), p.mm.scanOffset, p.mm.nextScan, p.fp, p.mm.rss, p.mm.Stats.HintFaults, p.mm.Stats.GateStops})
	for id, r := range w.regs {
		own := &p.mm.regions[id]
		for i, c := range r.chunks {
			last := unset
			if c.pid >= 0 {
				last = uint32(c.cpu<<8 | c.pid)
			}
			if c.node != int(own.node[i]) || c.armed != own.armed.has(i) || last != own.last[i] {
				require.Fail(t, "chunk differs", "region %d chunk %d: %+v", id, i, c)
			}
		}
	}
	got := make([]int64, 2)
	for i, s := range p.mm.slices {
		want := make([]int64, 2)
		for _, c := range w.regs[s.region].chunks[s.from:s.to] {
			if c.node >= 0 {
				want[c.node] += w.regs[s.region].chunk
			}
		}
		p.mm.SliceNodes(i, got)
		require.Equal(t, want, got)
	}
	for k, tt := range w.tasks {
		task := p.tasks[k]
		if tt.dead {
			continue
		}
		var flat []int64
		for _, c := range []counts{tt.mem, tt.cpu, tt.memBuf, tt.cpuBuf} {
			flat = append(flat, c[0][0], c[0][1], c[1][0], c[1][1])
		}
		require.Equal(t, flat, task.faults)
		require.Equal(t, tt.local, task.locality)
		require.Equal(t, []int64{int64(tt.seq), int64(tt.period), tt.stamp, tt.retry}, []int64{int64(task.scanSeq), int64(task.scanPeriod), task.nodeStamp, task.migrateRetry})
		if g := task.group; g != nil {
			require.Equal(t, tt.group, int(g.id))
			require.Equal(t, len(w.members(tt.group)), g.members)
			require.Equal(t, w.groupMem(tt.group, 0)+w.groupMem(tt.group, 1), g.totalFaults)
			require.Equal(t, *w.groups[tt.group], twinGroup{g.activeNodes, g.maxCPU})
		} else {
			require.Zero(t, tt.group)
		}
	}
}

// The package agrees with its naive twin over random histories.
func TestAgainstTwin(t *testing.T) {
	var sweeps, migrated, writes, grouped int64
	for seed := range uint64(20) {
		p := newPair(t, seed)
		for range 800 {
			p.step()
			p.check()
		}
		sweeps += p.mm.Stats.Sweeps
		migrated += p.mm.Stats.PagesMigrated
		writes += p.mm.Stats.FootprintWrites
		for _, task := range p.tasks {
			if g := task.group; g != nil && g.members > 1 {
				grouped++
			}
		}
		total := p.sys.FreePages(0) + p.sys.FreePages(1) + p.mm.RSSPages()
		require.EqualValues(t, 2*(64<<30)>>pageShift, total, "pages are conserved")
	}
	// The histories must reach the rules, or agreement means nothing.
	require.Greater(t, sweeps, int64(200))
	require.Greater(t, migrated, int64(50000))
	require.Greater(t, writes, int64(600))
	require.Greater(t, grouped, int64(20))
}
