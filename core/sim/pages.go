package sim

import (
	"casplay/core/kernel"
	"casplay/core/kernel/numab"
	"casplay/core/machine"
	"casplay/core/memory"
	"casplay/core/workload"
)

// How threads pass over memory, and NUMA balancing between scheduler, pages
// and memory model.

// numaCosts prices NUMA balancing. A page is copied with as many lines in
// flight as a core has, each read from one node and written to another.
func (s *Sim) numaCosts() numab.Costs {
	t := &s.cfg.Timing
	c := numab.Costs{FaultNs: t.HintFaultNs, MigrateFolioNs: t.MigrateFolioNs, ScanEntryNs: t.ScanEntryNs}
	lat := s.m.Perf.DRAMLatencyNs
	for from := range lat {
		for to := range lat {
			lines := float64(machine.PageBytes/memory.LineBytes) / s.m.Perf.CoreMLPLines
			c.CopyPageNs = append(c.CopyPageNs, int64(lines*(lat[to][from]+lat[to][to])))
		}
	}
	return c
}

// mapRegions lays out the address space of a process; node is where its main
// thread runs.
func (s *Sim) mapRegions(p *proc, node int) {
	for i, r := range p.w.Regions {
		id, err := p.mm.AddRegion(numab.Region{Bytes: r.Bytes, ChunkPages: r.ChunkPages, Unmovable: r.Unmovable})
		if err == nil && r.Resident {
			_, err = p.mm.Touch(id, 0, p.mm.Chunks(id), node)
		}
		if err != nil {
			s.warnings = append(s.warnings, p.w.Name+": "+err.Error())
			p.w.Regions[i].Bytes = 0
		}
	}
	s.addSlices(p, p.first)
}

// addSlices declares the parts of the regions that a thread sweeps, so that
// their pages can be counted by node.
func (s *Sim) addSlices(p *proc, ti int32) {
	t := &s.threads[ti]
	w := &p.w.Threads[t.index]
	t.slices = t.slices[:0]
	add := func(region, from, to int) {
		from = min(from, p.mm.Chunks(region)-1)
		id, err := p.mm.AddSlice(region, from, max(to, from+1))
		if err != nil {
			s.warnings = append(s.warnings, p.w.Name+": "+err.Error())
			id = 0
		}
		t.slices = append(t.slices, int32(id))
	}
	for i := range p.w.Regions {
		from, to := chunkSlice(p.mm.Chunks(i), w)
		add(i, from, to)
	}
	for _, slab := range w.Slabs {
		from, to := s.chunkSlab(p, w, slab)
		add(int(slab.Region), from, to)
	}
	s.countPages(p, ti)
}

// chunkSlab is the part of a region's chunks that a slab of a thread covers.
func (s *Sim) chunkSlab(p *proc, w *workload.Thread, slab workload.Slab) (from, to int) {
	n := p.mm.Chunks(int(slab.Region))
	from, to = chunkSlice(n, w)
	bytes := int64(p.w.Regions[slab.Region].ChunkPages) * machine.PageBytes
	from = min(max(from+int(slab.From/bytes), 0), n)
	return from, min(max(to+int(slab.To/bytes), from), n)
}

// chunkSlice is a thread's part of n chunks.
func chunkSlice(n int, w *workload.Thread) (from, to int) {
	k := int(max(w.SliceCount, 1))
	i := int(w.SliceIndex)
	return n * i / k, n * (i + 1) / k
}

// sliceChunks is the range of chunks that an op passes over.
func (s *Sim) sliceChunks(p *proc, t *thread, op *workload.Op) (from, to int32) {
	n := p.mm.Chunks(int(op.Region))
	if op.B == workload.TouchAll {
		return 0, int32(n)
	}
	w := &p.w.Threads[t.index]
	a, b := chunkSlice(n, w)
	switch {
	case op.B == workload.TouchShifted:
		a, b = s.chunkSlab(p, w, workload.Slab{Region: op.Region, From: w.TouchFrom, To: w.TouchTo})
	case op.Profile >= 0 && p.w.Profiles[op.Profile].Slab > 0:
		a, b = s.chunkSlab(p, w, w.Slabs[p.w.Profiles[op.Profile].Slab-1])
	}
	return int32(a), int32(b)
}

// sweep accesses the chunks that a running op has passed since it last looked.
func (s *Sim) sweep(ti int32) {
	t := &s.threads[ti]
	p := &s.procs[t.proc]
	to := t.to
	if t.work > 0 {
		to = t.from + int32(uint64(t.total-t.work)/t.chunkWork) // unsigned: a signed division is a call in WebAssembly
		to = min(to, t.to)
	}
	if to <= t.position {
		return
	}
	from := t.position
	t.position = to
	if t.touch {
		if _, err := p.mm.Touch(int(t.region), int(from), int(to), int(s.m.CPUs[t.cpu].Node)); err != nil {
			s.warnings = append(s.warnings, p.w.Name+": "+err.Error())
		}
		s.countPages(p, ti)
		return
	}
	if !t.numa.Armed(int(t.region), int(from), int(to)) {
		return
	}
	task := s.sched.Task(ti)
	for at := int(from); at < int(to); {
		a := t.numa.Access(int(t.region), at, int(to), int(t.cpu), numab.Clock{
			Jiffies: s.sched.Jiffies, ExecStartNs: s.now, RuntimeNs: task.SumExec, LoadSum: task.LoadSum(),
		})
		at = a.Next
		s.charge(ti, kernel.NumaWork, a.CostNs)
		if a.MigratedPages > 0 {
			s.countPages(p, ti)
		}
		if a.Preferred != numab.NoNode {
			s.setNode(ti, a.Preferred)
		}
		if a.WantMove {
			s.planMove(ti)
		}
	}
}

// countPages tells the memory model where the pages of a thread's slices are.
func (s *Sim) countPages(p *proc, ti int32) {
	t := &s.threads[ti]
	clear(t.pages)
	buf := s.meter.nodeBuf
	for i, id := range t.slices {
		p.mm.SliceNodes(int(id), buf)
		if k := i - len(p.w.Regions); k >= 0 {
			s.mem.SetSlab(ti, k+1, buf)
			continue
		}
		for n, v := range buf {
			t.pages[n] += v
		}
	}
	s.mem.SetPages(ti, t.pages)
	s.memDirty = true
}

// setNode gives a task a preferred node.
func (s *Sim) setNode(ti int32, node int) {
	s.threads[ti].numa.SetPreferred(node)
	s.sched.SetPreferredNode(ti, int32(node))
}

// numaTick is the NUMA part of a tick: hint faults of what was swept, and the
// scanner's attempt.
func (s *Sim) numaTick(ti, cpu int32) {
	if int(ti) >= len(s.threads) {
		return
	}
	t := &s.threads[ti]
	if t.numa == nil || t.cpu != cpu {
		return
	}
	s.progress(ti)
	if runtime := s.sched.Task(ti).SumExec; t.numa.Attempt(runtime, s.sched.Jiffies) {
		r := t.numa.Scan(int(s.m.CPUs[cpu].Node), s.sched.Jiffies, runtime)
		s.charge(ti, kernel.NumaWork, r.CostNs)
		if r.Ran {
			s.q.push(event{at: s.now + r.CostNs, kind: evScanDone, a: ti})
		}
	}
	if t.stall > 0 {
		s.arm(ti)
	}
}

// numaLocality is migrate_degrades_locality for the balancer.
func (s *Sim) numaLocality(ti, src, dst, srcRunning, srcPreferred int32, idle bool) int {
	if int(ti) >= len(s.threads) {
		return 0
	}
	t := &s.threads[ti]
	if t.numa == nil {
		return 0
	}
	d := t.numa.Degrades(int(s.m.CPUs[src].Node), int(s.m.CPUs[dst].Node), idle, int(srcRunning), int(srcPreferred))
	return int(max(min(d, 1), -1))
}

// numaMigrated adapts the scan period of a task that changed its node.
func (s *Sim) numaMigrated(ti, from, to int32) {
	a, b := s.m.CPUs[from].Node, s.m.CPUs[to].Node
	if int(ti) < len(s.threads) && a != b && s.threads[ti].numa != nil {
		s.threads[ti].numa.Migrated(int(a), int(b))
	}
}

// numaMove is a planned move of a task to its preferred node.
type numaMove struct {
	task, cpu int32
	swap      int32 // -1: no partner
}

// planMove asks NUMA balancing where a task should go; the move itself is done
// by the migration thread a little later.
func (s *Sim) planMove(ti int32) {
	t := &s.threads[ti]
	pct, nr := s.sched.NumaDomain(t.cpu)
	plan := t.numa.PlanMove(int(t.cpu), numab.Domain{ImbalancePct: pct, ImbNumaNr: nr}, queues{s})
	if plan.Preferred != numab.NoNode {
		s.setNode(ti, plan.Preferred)
	}
	if plan.CPU < 0 {
		return
	}
	m := numaMove{task: ti, cpu: int32(plan.CPU), swap: -1}
	if plan.Swap != nil {
		m.swap = plan.Swap.ID
	}
	s.moves = append(s.moves, m)
	s.q.push(event{at: s.now + s.cfg.Timing.StopperNs, kind: evNumaMove, a: int32(len(s.moves) - 1)})
}

func (s *Sim) numaMove(i int32) {
	m := s.moves[i]
	s.sched.NumaMove(m.task, m.cpu, m.swap)
	s.numa.MoveDone(int(m.cpu))
	s.drain()
}

// queues shows NUMA balancing the run queues.
type queues struct{ s *Sim }

func (q queues) NodeStats(node int) numab.NodeStats {
	load, runnable, util, nr := q.s.sched.NodeSums(int32(node))
	return numab.NodeStats{Load: load, Runnable: runnable, Util: util, NrRunning: nr, Capacity: int64(q.s.m.Nodes[node].CPUs.Len()) * 1024}
}

func (q queues) Idle(cpu int) bool { return q.s.sched.RQ(int32(cpu)).Idle() }

func (q queues) Load(t *numab.Task) int64 { return q.s.sched.HLoad(t.ID) }

func (q queues) Allowed(t *numab.Task, cpu int) bool { return q.s.sched.Task(t.ID).Allowed.Has(cpu) }
