package oracle

import "casplay/core/workload"

// visitNs is how long a thread computes on one of its small mappings before
// it turns to the next; a hint fault there is met that much later at most.
const visitNs = 2 * msec

// addSmallMappings gives a process the mappings besides its buffer in which
// NUMA balancing finds pages, in the order of their addresses: variables of the
// program, the stacks of the threads (the last one lowest), the buffer, the
// page shared with the runner, the stack of the main thread. A compute loop
// faults on a handful of pages, and the scanner, which takes one mapping at a
// time once nobody has faulted for long, meets all of these first. All were
// first touched by the main thread, a thread's stack too (its descriptor is
// there), and none leaves its node: so few pages stay in the batch of a CPU from
// which they would come onto the LRU list, and cannot be isolated.
func addSmallMappings(p *workload.Proc, w *Work) {
	if w.Kind != "spin" && w.Kind != "mem" || w.Split > 0 {
		return
	}
	n := len(p.Threads)
	page := func(name string, pages int64) workload.Region {
		return workload.Region{Name: name, Bytes: pages * 4096, ChunkPages: 1, Resident: true, Unmovable: true}
	}
	var all []workload.Region
	all = append(all, page("variables", 1))
	stack := make([]int16, n)
	for i := n - 1; i > 0; i-- {
		stack[i] = int16(len(all))
		all = append(all, page("stack", 1))
	}
	buffer := int16(len(all))
	all = append(all, p.Regions...)
	shared := int16(len(all))
	all = append(all, page("shared", 1))
	stack[0] = int16(len(all))
	all = append(all, page("stack", 1))
	p.Regions = all

	var work []workload.Op
	for _, o := range p.Progs[0] {
		if o.Region >= 0 {
			o.Region += buffer
		}
		work = append(work, o)
	}
	visit := func(region int16, ns int64) workload.Op {
		return workload.Op{Kind: workload.OpCompute, Profile: -1, Region: region, A: ns, B: 1}
	}
	p.Progs = p.Progs[:0]
	for i := range p.Threads {
		ns := int64(visitNs)
		var prog []workload.Op
		if w.Kind == "mem" {
			// All but the jump back; the sweeps take most of the time.
			prog = append(prog, work[:len(work)-1]...)
			ns = visitNs / 20
		}
		prog = append(prog, visit(stack[i], ns), visit(0, ns), visit(shared, ns))
		loop := workload.Op{Kind: workload.OpLoop, Profile: -1, Region: -1, A: -1}
		p.Progs = append(p.Progs, append(prog, loop))
		p.Threads[i].Prog = int32(i)
	}
}
