package memory

// Sibling states of a CPU.
const (
	sibIdle    = iota // alone on its core
	sibBusy           // another hardware thread runs, without traffic
	sibTraffic        // another hardware thread runs and makes traffic
	sibStates
)

// classify enters the CPUs of all dirty clusters into their classes.
func (md *Model) classify() {
	for _, i := range md.dirty {
		cl := &md.cluster[i]
		cl.isDirty = false
		occ := int16(0)
		for _, cpu := range cl.cpus {
			if md.cpus[cpu].profile >= 0 {
				occ++
			}
		}
		for _, cpu := range cl.cpus {
			md.enter(cpu, occ)
		}
	}
	md.dirty = md.dirty[:0]
}

// enter moves one CPU into the class it belongs to now.
func (md *Model) enter(cpu int32, occ int16) {
	c := &md.cpus[cpu]
	sib := md.sibling(cpu)
	if c.idleSib != sib && c.profile < 0 {
		c.fresh = true
	}
	c.idleSib = sib
	key := int64(-1)
	if c.profile >= 0 {
		key = (int64(c.profile)<<16|int64(occ))*sibStates + int64(sib)
	}
	owner := int32(-1)
	if key >= 0 {
		owner = c.thread
	}
	if old := c.class; old >= 0 {
		if md.classes[old].key == key && c.owner == owner {
			return
		}
		md.leave(cpu)
	}
	if key < 0 {
		return
	}
	llc := md.m.CPUs[cpu].LLC
	slot := md.findClass(llc, key, c.profile, occ, sib)
	k := &md.classes[slot]
	k.n++
	k.valid = false
	c.class, c.owner = slot, owner
	md.threads[owner].cpu = cpu
	md.addPages(slot, owner, cpu, 1)
	p := &md.profiles[c.profile]
	c.share = p.WorkingSetBytes / int64(max(p.Threads, 1))
	c.window = p.WindowBytes
	if p.Reuse == SharedRW {
		c.share = 0
		md.use(c.profile, llc, 1)
	}
	l := &md.llcs[llc]
	l.set += c.share
	l.window += c.window
	l.valid = false
}

// leave takes a CPU out of its class.
func (md *Model) leave(cpu int32) {
	c := &md.cpus[cpu]
	slot := c.class
	k := &md.classes[slot]
	md.addPages(slot, c.owner, cpu, -1)
	if md.threads[c.owner].cpu == cpu {
		md.threads[c.owner].cpu = -1
	}
	if md.profiles[k.profile].Reuse == SharedRW {
		md.use(k.profile, k.llc, -1)
	}
	l := &md.llcs[k.llc]
	l.set -= c.share
	l.window -= c.window
	l.valid = false
	c.class, c.owner = -1, -1
	k.valid = false
	if k.n--; k.n > 0 {
		return
	}
	for i, s := range l.classes {
		if s == slot {
			copy(l.classes[i:], l.classes[i+1:])
			l.classes = l.classes[:len(l.classes)-1]
			break
		}
	}
	md.free = append(md.free, slot)
}

// findClass returns the class with a key on an LLC, made if new.
func (md *Model) findClass(llc int32, key int64, profile, occ int16, sib int8) int32 {
	l := &md.llcs[llc]
	at := 0
	for at < len(l.classes) && md.classes[l.classes[at]].key < key {
		at++
	}
	if at < len(l.classes) && md.classes[l.classes[at]].key == key {
		return l.classes[at]
	}
	slot := md.free[len(md.free)-1]
	md.free = md.free[:len(md.free)-1]
	k := &md.classes[slot]
	*k = class{key: key, llc: llc, profile: profile, occ: occ, sib: sib, first: k.first}
	clear(md.sums[int(slot)*2*md.nodes:][:2*md.nodes])
	l.classes = append(l.classes, 0)
	copy(l.classes[at+1:], l.classes[at:])
	l.classes[at] = slot
	return slot
}

// sibling is the state of the other hardware threads of a core.
func (md *Model) sibling(cpu int32) int8 {
	if md.m.SMT == 1 {
		return sibIdle
	}
	s := int8(sibIdle)
	set := md.m.Siblings(int(cpu))
	for o := set.First(); o >= 0; o = set.Next(o + 1) {
		if int32(o) == cpu || md.cpus[o].thread < 0 {
			continue
		}
		if md.cpus[o].profile >= 0 {
			return sibTraffic
		}
		s = sibBusy
	}
	return s
}
