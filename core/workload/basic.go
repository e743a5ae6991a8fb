package workload

import (
	"strconv"

	"casplay/core/machine"
	"casplay/core/memory"
)

// forever is a compute op of which a spinning thread needs few: one hour.
const forever = 3600 * 1000 * msec

func (c *compiler) spin(s Spec) error {
	n, last := int(s.Int("threads")), int(s.Int("last_threads"))
	if last > n {
		return c.fail("last_threads", "must be at most threads ("+strconv.Itoa(n)+")")
	}
	period := s.Int("period_us") * usec
	spin := []Op{compute(forever), loop(0, -1)}
	late := []Op{simple(OpSleep, s.Int("late_ms")*msec, 0), compute(forever), loop(1, -1)}
	if pct := s.Int("last_busy_pct"); pct < 100 {
		late = []Op{late[0], compute(period * pct / 100), simple(OpPeriod, period, 0), loop(1, -1)}
	}
	if s.Int("late_ms") == 0 {
		late[0] = compute(1)
	}
	p, err := c.add(n, spin, late)
	if err != nil {
		return err
	}
	for i := n - last; i < n; i++ {
		p.Threads[i].Prog = 1
		p.Threads[i].PhaseNs = phase(i, period)
	}
	return nil
}

func (c *compiler) duty(s Spec) error {
	period := s.Int("period_us") * usec
	p, err := c.add(int(s.Int("threads")), []Op{compute(period * s.Int("busy_pct") / 100), simple(OpPeriod, period, 0), loop(0, -1)})
	if err != nil {
		return err
	}
	for i := range p.Threads {
		p.Threads[i].PhaseNs = phase(i, period)
	}
	return nil
}

// phase spreads threads over a period: multiples of the golden ratio never
// bunch, whatever their number.
func phase(i int, period int64) int64 {
	return int64(uint32(i)*2654435769>>12) * period >> 20
}

func (c *compiler) barrier(s Spec) error {
	mean, jitter := imbalanced(s.Int("work_us")*usec, s.Int("imbalance_pct"))
	work := compute(mean)
	work.Jitter = jitter
	n := int(s.Int("threads"))
	p, err := c.add(n, []Op{work, simple(OpBarrier, 0, s.Int("spin_us")*usec), repeat(0, s.Int("iterations")), simple(OpExit, 0, 0)})
	if err != nil {
		return err
	}
	p.Barriers = []Barrier{{Parties: n}}
	return nil
}

// imbalanced turns "work, and up to pct % more" into a mean and a symmetric
// jitter in ppm of it.
func imbalanced(work, pct int64) (mean int64, jitter int32) {
	return work * (200 + pct) / 200, int32(pct * 1000000 / (200 + pct))
}

func (c *compiler) mem(s Spec) error {
	n, bytes := int(s.Int("threads")), s.Int("mib")<<20
	chunk, err := c.chunkPages(s)
	if err != nil {
		return err
	}
	slice := bytes / int64(n)
	if s.String("sweep") == "all" {
		slice = bytes
	}
	pages := max(slice/machine.PageBytes, 1)
	sweepNs := pages * s.Int("page_ns")
	// An op covers as many sweeps as take 1 ms: pages that are protected
	// against the thread are still met within a tick.
	sweepNs *= max(msec/sweepNs, 1)
	prog := []Op{
		{Kind: OpCompute, Profile: 0, Region: 0, A: sweepNs},
		loop(0, -1),
	}
	if s.String("touch") == "own" {
		prog = []Op{
			{Kind: OpTouch, Profile: -1, Region: 0, A: s.Int("fault_ns")},
			prog[0],
			loop(1, -1),
		}
	}
	p, err := c.add(n, prog)
	if err != nil {
		return err
	}
	if s.String("sweep") == "all" {
		for i := range p.Threads {
			p.Threads[i].SliceIndex, p.Threads[i].SliceCount = 0, 1
		}
	}
	p.Regions = []Region{{Name: "buffer", Bytes: bytes, ChunkPages: chunk, Resident: s.String("touch") == "all"}}
	// One line of each page is read and written back; the strided sweep is
	// half hidden by the prefetcher (guess).
	p.Profiles = []memory.Profile{{
		Name: "page sweep", BytesPerNs: 128 / float64(s.Int("page_ns")), WriteShare: 0.5, Overlap: 0.5, Reuse: memory.Stream,
		WorkingSetBytes: bytes / machine.PageBytes * 64,
	}}
	return nil
}

// chunkPages checks pages_per_fault.
func (c *compiler) chunkPages(s Spec) (int, error) {
	n := s.Int("pages_per_fault")
	if n != 1 && n != 512 {
		return 0, c.fail("pages_per_fault", "must be 1 (4 KiB pages) or 512 (2 MiB pages), got "+strconv.FormatInt(n, 10))
	}
	return int(n), nil
}
