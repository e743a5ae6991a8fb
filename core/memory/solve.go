package memory

import "math"

// LineBytes is the size of a cache line.
const LineBytes = 64

const (
	// tolerance of the fixed point, relative, of every class's time.
	tolerance     = 1e-6
	maxIterations = 60
	// maxLoad bounds u/(1-u): a utilisation of 1 - 1e-9.
	maxLoad = 1e9
)

// Solve finds the speed of every thread: the state in which the traffic that
// the threads make at their speeds causes just the latencies that give them
// these speeds. It is deterministic, and cheap when little has changed.
func (md *Model) Solve() {
	md.changed = md.changed[:0]
	if !md.stale {
		return
	}
	md.stale = false
	md.classify()
	for l := range md.llcs {
		md.prepare(l)
	}
	md.makeColumns()
	md.iterate()
	md.measure()
	md.publish()
}

// prepare brings hit ratios and coefficients of an LLC's classes up to date.
func (md *Model) prepare(l int) {
	s := &md.llcs[l]
	if !s.valid {
		s.valid = true
		size := float64(md.m.LLCs[l].Bytes)
		set, win := 1-evicted(float64(s.set)/size), 1-evicted(float64(s.window)/size)
		if set != s.hitSet || win != s.hitWin {
			s.hitSet, s.hitWin = set, win
			for _, k := range s.classes {
				md.classes[k].valid = false
			}
		}
		for _, k := range s.classes { // uniform access feels every change
			if md.profiles[md.classes[k].profile].Reuse != Stream {
				md.classes[k].valid = false
			}
		}
	}
	for _, k := range s.classes {
		if c := &md.classes[k]; !c.valid {
			md.price(c, k)
			c.valid = true
		}
		c := &md.classes[k]
		c.stall = c.base + float64(c.cluster.beta*c.cluster.load)
		for _, e := range md.entries[c.first : c.first+c.count] {
			c.stall += float64(e.beta * md.res[e.res].load)
		}
		c.settle()
	}
}

// settle sets the time of a ns of work from the stall: what does not overlap
// with the computation is added to it, and it can never take less than the
// stall itself (the core is then limited by the lines it keeps in flight).
func (c *class) settle() {
	c.time = max(c.compute+float64(c.slope*c.stall), c.stall)
}

// steep is the derivative of time by stall.
func (c *class) steep() float64 {
	if c.stall > c.compute+float64(c.slope*c.stall) {
		return 1
	}
	return c.slope
}

// evicted is the share of a cyclic sweep that misses: 0 up to a size of 0.8
// of the cache, 1 from 1.2 on, a smooth step between.
func evicted(ratio float64) float64 {
	x := (ratio - 0.8) / 0.4
	if x <= 0 {
		return 0
	}
	if x >= 1 {
		return 1
	}
	return x * x * (3 - float64(2*x))
}

// price computes the coefficients of a class.
func (md *Model) price(c *class, slot int32) {
	m, p, l := md.m, &md.profiles[c.profile], int(c.llc)
	perf := &m.Perf
	c.compute = 1 / md.speed[l]
	mlp := perf.CoreMLPLines
	if p.MLP > 0 {
		mlp = min(mlp, p.MLP)
	}
	switch c.sib {
	case sibBusy:
		c.compute /= perf.SMTShare
	case sibTraffic:
		c.compute /= perf.SMTShare
		mlp /= 2
	}
	c.slope = 1 - p.Overlap
	hitR, hitW, missR, missW, again := md.split(c, p)
	first := float64(max(missR-again, 0) * perf.DirectoryWrites)
	c.hit, c.fill = hitR+hitW, missR+missW
	perByte := 1 / (LineBytes * mlp)

	// Reads wait for the whole latency; write-backs are posted and wait only
	// in the queues.
	c.base = float64(hitR * perf.LLCLatencyNs)
	if p.Reuse == SharedRW {
		share, ns := md.coherence(c, p)
		c.base += float64(float64(hitR*share) * (ns - perf.LLCLatencyNs))
	}
	c.count = 0
	md.couple(c, md.resHit(l), float64(c.hit*perf.LLCLatencyNs)*perf.QueueK.LLC*perByte, c.hit)
	sums := md.sums[int(slot)*2*md.nodes:][:2*md.nodes]
	home := int(m.CPUs[m.LLCs[l].CPUs.First()].Node)
	pkg := m.LLCs[l].Package
	var total, totalHalo int64
	for n := range md.nodes {
		total += sums[n]
		totalHalo += sums[md.nodes+n]
	}
	mean := 0.0 // idle latency of a miss
	for n := range md.nodes {
		share := float64((1-p.HaloShare)*float64(sums[n]))/float64(total) + float64(p.HaloShare*float64(sums[md.nodes+n]))/float64(totalHalo)
		if share == 0 || c.fill == 0 {
			continue
		}
		lat := float64(share * perf.DRAMLatencyNs[home][n])
		mean += lat
		md.couple(c, n, float64(c.fill*lat)*perf.QueueK.DRAM*perByte, c.fill*share)
		spans := m.Nodes[n].Packages
		part := 1 / float64(len(spans))
		for _, q := range spans {
			if q != pkg {
				md.couple(c, md.resLink(int(q), int(pkg)), float64(missR*lat)*part*perf.QueueK.Link*perByte, float64(missR*share)*part)
				md.couple(c, md.resLink(int(pkg), int(q)), float64(missW*lat)*part*perf.QueueK.Link*perByte, float64(missW*share)*part)
				md.couple(c, n, 0, float64(first*share)*part)
			}
		}
	}
	md.couple(c, md.resFill(l), float64(c.fill*mean)*perf.QueueK.Fill*perByte, c.fill)
	c.base = (c.base + float64(missR*mean)) * perByte
	c.cluster.beta, c.cluster.delta, c.cluster.cap = 0, 0, perf.ClusterGBps
	if perf.ClusterGBps > 0 {
		c.cluster.beta = (float64(c.hit*perf.LLCLatencyNs) + float64(c.fill*mean)) * perf.QueueK.Cluster * perByte
		c.cluster.delta = (c.hit + c.fill) * float64(c.occ)
	} else {
		c.cluster.load = 0
	}
}

// split divides the traffic of a ns of work into hits and misses in the LLC,
// reads and writes. again is the part of the missed reads whose lines have
// been read before, in this sweep or, if nobody writes them, at any time.
func (md *Model) split(c *class, p *Profile) (hitR, hitW, missR, missW, again float64) {
	s := &md.llcs[c.llc]
	all, write := p.BytesPerNs, float64(p.BytesPerNs*p.WriteShare)
	set := s.hitSet
	if p.Reuse != Stream {
		set = 1
		if size := float64(md.m.LLCs[c.llc].Bytes); float64(s.set) > size {
			set = size / float64(s.set)
		}
	}
	window := float64(p.BytesPerNs * p.ReuseShare)
	if window > 0 && md.m.Perf.L2Bytes > 0 { // what L2 holds never gets here
		gone := float64(window * (1 - evicted(float64(p.WindowBytes)*float64(c.occ)/float64(md.m.Perf.L2Bytes))))
		window -= gone
		all -= gone
	}
	hitWindow := float64(window * max(s.hitWin, set))
	sweep := all - window - write
	hitR = hitWindow + float64(sweep*set)
	hitW = float64(write * set)
	return hitR, hitW, all - write - hitR, write - hitW, window - hitWindow + float64(p.BytesPerNs*p.ReadOnlyShare)*(1-set)
}

// couple adds an entry unless the class does not use the resource.
func (md *Model) couple(c *class, res int, beta, delta float64) {
	if delta <= 0 {
		return
	}
	for i := c.first; i < c.first+c.count; i++ { // a link can serve several nodes
		if e := &md.entries[i]; e.res == int32(res) {
			e.beta += beta
			e.delta += delta
			return
		}
	}
	md.entries[c.first+c.count] = entry{int32(res), beta, delta}
	c.count++
}

// makeColumns sorts the entries of all classes by resource.
func (md *Model) makeColumns() {
	for r := range md.res {
		md.res[r].last = 0
	}
	for l := range md.llcs {
		for _, k := range md.llcs[l].classes {
			c := &md.classes[k]
			for _, e := range md.entries[c.first : c.first+c.count] {
				md.res[e.res].last++
			}
		}
	}
	at := int32(0)
	for r := range md.res {
		n := md.res[r].last
		md.res[r].first, md.res[r].last = at, at
		at += n
		if n == 0 {
			md.res[r].load = 0
		}
	}
	for l := range md.llcs {
		for _, k := range md.llcs[l].classes {
			c := &md.classes[k]
			for _, e := range md.entries[c.first : c.first+c.count] {
				r := &md.res[e.res]
				md.column[r.last] = columnEntry{k, e.beta, e.delta}
				r.last++
			}
		}
	}
}

// iterate is the fixed point: resource by resource, the load that its users
// would make at the latency it causes, until no class's time changes.
func (md *Model) iterate() {
	for md.iterations = 1; md.iterations <= maxIterations; md.iterations++ {
		worst := 0.0
		for l := range md.llcs {
			for _, k := range md.llcs[l].classes {
				if c := &md.classes[k]; c.cluster.cap > 0 && c.cluster.beta > 0 {
					worst = max(worst, c.solveCluster())
				}
			}
		}
		for r := range md.res {
			if md.res[r].cap > 0 && md.res[r].last > md.res[r].first {
				worst = max(worst, md.solveResource(&md.res[r]))
			}
		}
		if worst < tolerance {
			return
		}
	}
}

// solveCluster balances the port of a class's clusters.
func (c *class) solveCluster() float64 {
	q := &c.cluster
	demand := q.delta / c.time / q.cap
	load := balance(q.load, demand, float64(c.steep()*q.beta)/c.time)
	c.stall += float64(q.beta * (load - q.load))
	q.load = load
	old := c.time
	c.settle()
	return math.Abs(c.time-old) / old
}

// solveResource balances one resource and returns the largest relative change of a time.
func (md *Model) solveResource(r *resource) float64 {
	demand, fall := 0.0, 0.0
	column := md.column[r.first:r.last]
	for i := range column {
		e := &column[i]
		c := &md.classes[e.class]
		d := float64(c.n) * e.delta / c.time
		demand += d
		fall += float64(d*c.steep()) * e.beta / c.time
	}
	load := balance(r.load, demand/r.cap, fall/demand)
	step := load - r.load
	r.load = load
	worst := 0.0
	for i := range column {
		e := &column[i]
		c := &md.classes[e.class]
		c.stall += float64(e.beta * step)
		old := c.time
		c.settle()
		worst = max(worst, math.Abs(c.time-old)/old)
	}
	return worst
}

// balance returns the load g = u/(1-u) at which supply meets demand, when the
// demand (in capacities) is known at load g0 and falls there by the relative
// slope e: it solves g/(1+g) = demand / (1 + e (g - g0)), which is exact for
// one class whose time is all stall.
func balance(g0, demand, e float64) float64 {
	if e < 1e-12 {
		if demand >= 1-1e-9 {
			return maxLoad
		}
		return demand / (1 - demand)
	}
	b := 1 - float64(e*g0) - demand
	root := math.Sqrt(float64(b*b) + float64(4*e*demand))
	g := 0.0
	if b >= 0 {
		g = 2 * demand / (b + root)
	} else {
		g = (root - b) / (2 * e)
	}
	return min(max(g, 0), maxLoad)
}

// measure adds up the traffic of the solution.
func (md *Model) measure() {
	clear(md.llcHit)
	clear(md.llcFill)
	clear(md.nodeLocal)
	clear(md.nodeRemote)
	clear(md.link)
	links := md.nodes + 2*len(md.llcs)
	for l := range md.llcs {
		home := int(md.m.LLCs[l].Node)
		for _, k := range md.llcs[l].classes {
			c := &md.classes[k]
			f := float64(c.n) / c.time
			md.llcHit[l] += float64(c.hit * f)
			md.llcFill[l] += float64(c.fill * f)
			for _, e := range md.entries[c.first : c.first+c.count] {
				switch r := int(e.res); {
				case r == home:
					md.nodeLocal[r] += float64(e.delta * f)
				case r < md.nodes:
					md.nodeRemote[r] += float64(e.delta * f)
				case r >= links:
					md.link[r-links] += float64(e.delta * f)
				}
			}
		}
	}
}

// publish sets the rates of CPUs that changed enough.
func (md *Model) publish() {
	for i := range md.cpus {
		c := &md.cpus[i]
		if c.thread < 0 {
			if c.fresh && c.rate != 0 {
				c.rate = 0
				md.changed = append(md.changed, int32(i))
			}
			c.fresh = false
			continue
		}
		t := 0.0
		if c.class >= 0 {
			t = md.classes[c.class].time
		} else {
			if !c.fresh {
				continue
			}
			t = 1 / md.speed[md.m.CPUs[i].LLC]
			if c.idleSib != sibIdle {
				t /= md.m.Perf.SMTShare
			}
		}
		rate := uint32(FullRate / t)
		diff := int64(rate) - int64(c.rate)
		if c.fresh || diff > int64(c.rate>>10) || -diff > int64(c.rate>>10) {
			c.fresh = false
			c.rate = rate
			md.changed = append(md.changed, int32(i))
		}
	}
}
