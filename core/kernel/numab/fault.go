package numab

// Clock is the time of an access, and what the run queue knows of the task.
type Clock struct {
	Jiffies int64
	// ExecStartNs is the run queue clock when the task's runtime was last
	// updated, RuntimeNs that runtime (se.exec_start, se.sum_exec_runtime).
	ExecStartNs, RuntimeNs int64
	// LoadSum is the task's se.avg.load_sum, 0..47742.
	LoadSum int64
}

// Access is the outcome of a walk over memory.
type Access struct {
	// Next is the first chunk not yet accessed. It is less than the end asked
	// for if a fault set the preferred node or wants the task moved: carry
	// that out, then go on from Next.
	Next int
	// Faults is the number of hint faults, FaultPages the pages of their folios.
	Faults, FaultPages int64
	// MigratedPages moved to the node of the CPU, From[n] of them from node n.
	// FailedPages found no room there. From is valid until the next call and
	// nil if nothing moved.
	MigratedPages, FailedPages int64
	From                       []int64
	// CostNs is the CPU time spent in the faults.
	CostNs int64
	// Preferred is the node for SetPreferred, or NoNode if it stays.
	Preferred int
	// WantMove asks for PlanMove, after SetPreferred.
	WantMove bool
}

// Armed reports whether any of the chunks [from, to) of a region is armed: if
// not, Access has nothing to do.
func (t *Task) Armed(region, from, to int) bool {
	return t.mm.regions[region].armed.next(from, to) >= 0
}

// Access walks the chunks [from, to) of a region on a CPU. Each armed chunk
// takes a hint fault (7.3 mm/memory.c do_numa_page, mm/huge_memory.c
// do_huge_pmd_numa_page), which may migrate it to the CPU's node. Without
// armed chunks in the range it costs a few ns.
func (t *Task) Access(region, from, to, cpu int, now Clock) Access {
	res := Access{Next: to, Preferred: NoNode}
	r := &t.mm.regions[region]
	c := r.armed.next(from, to)
	if c < 0 {
		return res
	}
	sys := t.mm.sys
	clear(sys.moved)
	for ; c >= 0; c = r.armed.next(c+1, to) {
		t.hintFault(r, c, cpu, now, &res)
		if res.WantMove || res.Preferred != NoNode {
			res.Next = c + 1
			break
		}
	}
	res.CostNs = res.Faults * sys.costs.FaultNs
	if res.MigratedPages > 0 {
		res.From = sys.moved
		res.CostNs += res.MigratedPages / r.chunk * sys.costs.MigrateFolioNs
		if sys.costs.CopyPageNs != nil {
			for n, pages := range sys.moved {
				res.CostNs += pages * sys.costs.CopyPageNs[n*sys.topo.nodes+int(sys.topo.nodeOf[cpu])]
			}
		}
	}
	return res
}

// hintFault handles the fault of one chunk.
func (t *Task) hintFault(r *region, c, cpu int, now Clock, res *Access) {
	m := t.mm
	sys := m.sys
	r.armed.clear(c)
	if r.scan.seen {
		r.scan.pids[1] |= 1 << pidHash(t.pid)
	}
	last := r.last[c]
	home, here := int(r.node[c]), int(sys.topo.nodeOf[cpu])
	f := fault{last: last, mem: home, cpuNode: here, pages: r.chunk, group: !r.readOnly}
	if home == here {
		// The default policy prefers the local node, so the filter, and with
		// it the last accessor, is not reached (mpol_misplaced).
		f.local = true
	} else if t.shouldMigrate(r, c, cpu, home, here) {
		if r.unmovable || sys.free[here] < r.chunk {
			f.failed = true
			m.Stats.MigrateFailed += r.chunk
			res.FailedPages += r.chunk
		} else {
			m.addPages(r, c, home, -r.chunk)
			m.addPages(r, c, here, r.chunk)
			r.node[c] = int8(here)
			f.mem = here
			sys.moved[home] += r.chunk
			m.Stats.PagesMigrated += r.chunk
			res.MigratedPages += r.chunk
		}
	}
	m.Stats.HintFaults++
	m.Stats.FaultPages += r.chunk
	res.Faults++
	res.FaultPages += r.chunk
	t.account(f, now, res)
}

// shouldMigrate filters page migrations to the node of a CPU and records the
// access (7.3 fair.c should_numa_migrate_memory, default mode).
func (t *Task) shouldMigrate(r *region, c, cpu, src, dst int) bool {
	sys := t.mm.sys
	if !sys.topo.hasMem[dst] {
		return false
	}
	last := r.last[c]
	r.last[c] = accessor(cpu, t.pid)
	own, none := sameTask(t, last), noTask(last)
	if (t.preferred == NoNode || t.scanSeq <= 4) && (none || own) {
		return true
	}
	if !none && int(sys.topo.nodeOf[last>>8]) != dst {
		return false
	}
	g := t.group
	if own || g == nil {
		return true
	}
	cpuDst, cpuSrc := g.cpuFaults(dst), g.cpuFaults(src)
	if cpuDst > cpuSrc*3 {
		return true
	}
	return cpuDst*g.memFaults(src)*3 > cpuSrc*g.memFaults(dst)*4
}

// accessor packs who touched a page as the kernel's last_cpupid does, with the
// CPU and the low eight bits of the PID.
func accessor(cpu int, pid uint32) uint32 { return uint32(cpu)<<8 | pid&0xff }

// sameTask reports whether the record can be the task's: PIDs that agree in
// the low eight bits collide.
func sameTask(t *Task, last uint32) bool { return t.pid&0xff == last&0xff }

// noTask reports whether the record names no task. One PID in 256 looks so.
func noTask(last uint32) bool { return last&0xff == 0xff }

// fault is one hint fault to be accounted.
type fault struct {
	last    uint32
	mem     int // node of the pages, after a migration
	cpuNode int
	pages   int64
	local   bool // pages were on the CPU's node
	failed  bool // migration failed
	group   bool // a shared fault may form a group
}

// account adds a fault to the task's statistics and, when due, has them
// digested and asks for the task to be moved (7.3 fair.c task_numa_fault).
func (t *Task) account(f fault, now Clock, res *Access) {
	m := t.mm
	sys := m.sys
	if !t.hasFaults {
		t.hasFaults = true
		t.totalFaults = 0
		t.locality = [3]int64{}
	}
	priv := private
	if f.last != unset && !sameTask(t, f.last) {
		priv = shared
		if f.group && t.joinGroup(f.last) {
			priv = private
		}
	}
	if g := t.group; priv == shared && !f.local && g != nil && g.activeNodes > 1 && g.active(f.cpuNode) && g.active(f.mem) {
		f.local = true
	}
	if now.Jiffies > t.migrateRetry {
		preferred := t.placement(now)
		if preferred != t.preferred {
			res.Preferred = preferred
		}
		if preferred != NoNode {
			t.migrateRetry = now.Jiffies + min(sys.hz, sys.msToJiffies(int64(t.scanPeriod))/16)
			res.WantMove = preferred != f.cpuNode
		}
	}
	if f.failed {
		t.locality[2] += f.pages
	}
	t.faults[sys.at(statMemBuf, f.mem, priv)] += f.pages
	t.faults[sys.at(statCPUBuf, f.cpuNode, priv)] += f.pages
	if f.local {
		t.locality[1] += f.pages
	} else {
		t.locality[0] += f.pages
	}
}
