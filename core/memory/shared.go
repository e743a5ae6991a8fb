package memory

// use counts a thread of a SharedRW profile in (1) or out (-1) of an LLC. The
// buffer takes its room there while anybody uses it, and the price of an access
// changes on every LLC.
func (md *Model) use(profile int16, llc int32, n int32) {
	row := md.users[int(profile)*len(md.llcs):][:len(md.llcs)]
	was := row[llc]
	row[llc] += n
	size := md.profiles[profile].WorkingSetBytes
	switch {
	case was == 0:
		md.llcs[llc].set += size
	case row[llc] == 0:
		md.llcs[llc].set -= size
	}
	for l := range md.llcs {
		if row[l] == 0 {
			continue
		}
		for _, k := range md.llcs[l].classes {
			if md.classes[k].profile == profile {
				md.classes[k].valid = false
			}
		}
	}
}

// coherence is the share of a SharedRW class's hits whose line was last written
// on another LLC, and the mean time in ns to get it from there. Every thread of
// the profile accesses the buffer equally often.
func (md *Model) coherence(c *class, p *Profile) (share, ns float64) {
	row := md.users[int(c.profile)*len(md.llcs):][:len(md.llcs)]
	all, others := 0.0, 0.0
	here := md.m.LLCs[c.llc].CPUs.First()
	for l, n := range row {
		all += float64(n)
		if int32(l) != c.llc && n > 0 {
			others += float64(n)
			ns += float64(float64(n) * md.m.TransferNs(md.m.LLCs[l].CPUs.First(), here))
		}
	}
	if others == 0 {
		return 0, 0
	}
	// WriteShare is of all traffic, reads and write-backs; every access reads its line.
	writes := p.WriteShare / (1 - p.WriteShare)
	return min(writes, 1) * others / all, ns / others
}
