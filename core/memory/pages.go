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

// SetPages tells how many pages of the thread's slice are on each node. A
// thread without pages counts as local.
func (md *Model) SetPages(thread int32, perNode []int64) {
	var total int64
	for _, p := range perNode {
		total += p
	}
	t := &md.threads[thread]
	own := md.own[int(thread)*md.nodes:][:md.nodes]
	same := t.known == (total > 0)
	for n := range own {
		s := int32(0)
		if total > 0 {
			s = int32(perNode[n] * shareOne / total)
		}
		same = same && own[n] == s
	}
	if same {
		return
	}
	md.withdraw(thread)
	t.known = total > 0
	for n := range own {
		own[n] = 0
		if total > 0 {
			own[n] = int32(perNode[n] * shareOne / total)
		}
	}
	md.setHalo(thread)
	md.enroll(thread)
	for _, o := range [2]int32{t.before, t.after} {
		if o >= 0 {
			md.withdraw(o)
			md.setHalo(o)
			md.enroll(o)
		}
	}
}

// setHalo derives the page shares that a thread sees at its neighbours.
func (md *Model) setHalo(thread int32) {
	t := &md.threads[thread]
	halo := md.halo[int(thread)*md.nodes:][:md.nodes]
	clear(halo)
	count := int32(0)
	for _, o := range [2]int32{t.before, t.after} {
		if o >= 0 && md.threads[o].known {
			count++
			for n, s := range md.own[int(o)*md.nodes:][:md.nodes] {
				halo[n] += s
			}
		}
	}
	if count == 0 {
		copy(halo, md.own[int(thread)*md.nodes:][:md.nodes])
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
	own := md.own[int(thread)*md.nodes:][:md.nodes]
	halo := md.halo[int(thread)*md.nodes:][:md.nodes]
	home := int(md.m.CPUs[cpu].Node)
	if !md.threads[thread].known {
		sums[home] += sign * shareOne
	}
	var seen int32
	for n := range own {
		sums[n] += sign * int64(own[n])
		sums[md.nodes+n] += sign * int64(halo[n])
		seen += halo[n]
	}
	if seen == 0 { // nobody has touched anything
		sums[md.nodes+home] += sign * shareOne
	}
}
