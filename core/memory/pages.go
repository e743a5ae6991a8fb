package memory

// Ring tells that count threads from first on hold the slices of a region in
// this order, the last one next to the first: by the HaloShare of its profile,
// each reads pages of the threads before and after it. Without it, all
// traffic of a thread goes to its own pages.
func (md *Model) Ring(first, count int32) {
	for i := range count {
		thread := first + i
		md.withdraw(thread)
		t := &md.threads[thread]
		t.before, t.after = -1, -1
		if count > 1 {
			t.before, t.after = first+(i+count-1)%count, first+(i+1)%count
		}
		md.setHalo(thread)
		md.enroll(thread)
	}
}

// SetPages tells how many pages of the thread's slices are on each node. A
// thread without pages counts as local.
func (md *Model) SetPages(thread int32, perNode []int64) {
	t := &md.threads[thread]
	if !md.setShares(thread, 0, perNode) {
		return
	}
	for _, o := range [3]int32{thread, t.before, t.after} {
		if o >= 0 {
			md.withdraw(o)
			md.setHalo(o)
			md.enroll(o)
		}
	}
}

// SetSlab does the same for the pages that the thread uses in profiles with
// this Slab (>= 1).
func (md *Model) SetSlab(thread int32, slab int, perNode []int64) {
	md.setShares(thread, slab, perNode)
}

// setShares enters the pages of a slab; false if nothing changed.
func (md *Model) setShares(thread int32, slab int, perNode []int64) bool {
	var total int64
	for _, p := range perNode {
		total += p
	}
	share := func(n int) int32 {
		if total == 0 {
			return 0
		}
		return int32(perNode[n] * shareOne / total)
	}
	shares := md.shares(thread, slab)
	same := true
	for n := range shares {
		same = same && shares[n] == share(n)
	}
	if same {
		return false
	}
	md.withdraw(thread)
	for n := range shares {
		shares[n] = share(n)
	}
	md.enroll(thread)
	return true
}

// shares are those of a thread's slab by node, all 0 if it has no pages.
func (md *Model) shares(thread int32, slab int) []int32 {
	return md.slab[(int(thread)*md.slabs+slab)*md.nodes:][:md.nodes]
}

// setHalo derives the page shares that a thread sees at its neighbours.
func (md *Model) setHalo(thread int32) {
	t := &md.threads[thread]
	halo := md.halo[int(thread)*md.nodes:][:md.nodes]
	clear(halo)
	count := int32(0)
	for _, o := range [2]int32{t.before, t.after} {
		if o < 0 {
			continue
		}
		var seen int32
		for n, s := range md.shares(o, 0) {
			halo[n] += s
			seen += s
		}
		if seen > 0 {
			count++
		}
	}
	if count == 0 {
		copy(halo, md.shares(thread, 0))
		return
	}
	for n := range halo {
		halo[n] /= count
	}
}

// withdraw takes a thread's pages out of its class, enroll puts them back.
func (md *Model) withdraw(thread int32) {
	if cpu := md.threads[thread].cpu; cpu >= 0 {
		md.addPages(md.cpus[cpu].class, thread, cpu, -1)
	}
}

func (md *Model) enroll(thread int32) {
	if cpu := md.threads[thread].cpu; cpu >= 0 {
		md.addPages(md.cpus[cpu].class, thread, cpu, 1)
		md.classes[md.cpus[cpu].class].valid = false
		md.stale = true
	}
}

// addPages adds (sign 1) or takes away (-1) the page shares of a thread.
func (md *Model) addPages(cl, thread, cpu int32, sign int64) {
	sums := md.sums[int(cl)*2*md.nodes:][:2*md.nodes]
	slab := md.profiles[md.classes[cl].profile].Slab
	home := int(md.m.CPUs[cpu].Node)
	for i, shares := range [2][]int32{md.shares(thread, int(slab)), md.halo[int(thread)*md.nodes:][:md.nodes]} {
		var seen int32
		for n, s := range shares {
			sums[i*md.nodes+n] += sign * int64(s)
			seen += s
		}
		if seen == 0 { // nobody has touched anything
			sums[i*md.nodes+home] += sign * shareOne
		}
	}
}
