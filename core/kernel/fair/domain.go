package fair

import "casplay/core/machine"

// Flags of a sched domain (7.3 include/linux/sched/sd_flags.h).
type flags uint16

const (
	shareCapacity flags = 1 << iota // hardware threads of one core
	shareLLC
	clusterLevel
	numaLevel
	preferSibling
	serialize
	balanceFork // with exec and wake-affine, which always go together
	asymCapacity
)

// Level names a layer of domains.
type Level string

const (
	levelSMT  Level = "SMT"
	levelCLS  Level = "CLS"
	levelMC   Level = "MC"
	levelPKG  Level = "PKG"
	levelNODE Level = "NODE"
	levelNUMA Level = "NUMA"
)

// group is one sched group, shared by all CPUs whose domains contain it.
type group struct {
	cpus []int32
	span machine.Set
	// flags are those of the child domain; 0 at the bottom.
	flags flags
	cores int32
	// mask holds the CPUs that may balance for the group.
	mask []int32
	// imbalance is set by a child pass that was hampered by affinity.
	imbalance bool
}

// domain is one CPU's view of one level.
type domain struct {
	level  Level
	layer  int // its index in layers, which tells NUMA levels apart
	span   machine.Set
	weight int32
	flags  flags
	// groups is the ring: the local group first, then by CPU with wrap-around.
	groups []int32

	imbalancePct, cacheNiceTries int64
	minInterval, maxInterval     int64 // ms
	balanceInterval              int64 // ms
	lastBalance                  int64 // jiffies
	nrBalanceFailed              int64
	imbNumaNr                    int64
	niCall, niSuccess, niRatio   int64
	niStamp                      int64
	maxCost, lastCostDecay       int64
}

// level is a layer before it is cut down to what each CPU needs.
type layer struct {
	name  Level
	flags flags
	pct   int64
	tries int64
	// span gives the CPUs that share this layer with a CPU.
	span func(cpu int) machine.Set
}

// layers lists the topology levels of a machine, bottom to top (7.3 x86
// build_sched_topology and sched_init_numa).
func layers(m *machine.Machine) []layer {
	const common = preferSibling | balanceFork
	var ls []layer
	if m.SMT > 1 {
		ls = append(ls, layer{levelSMT, common | shareCapacity | shareLLC, 110, 0, func(c int) machine.Set { return m.Cores[m.CPUs[c].Core] }})
	}
	ls = append(ls,
		layer{levelCLS, common | shareLLC | clusterLevel, 117, 1, func(c int) machine.Set { return m.Clusters[m.CPUs[c].Cluster] }},
		layer{levelMC, common | shareLLC, 117, 1, func(c int) machine.Set { return m.LLCs[m.CPUs[c].LLC].CPUs }})
	node := func(c int) machine.Set { return m.Nodes[m.CPUs[c].Node].CPUs }
	if len(m.Nodes) <= len(m.Packages) {
		ls = append(ls, layer{levelPKG, common, 117, 1, node})
	}
	if len(m.Nodes) == 1 {
		return ls
	}
	ls = append(ls, layer{levelNODE, common, 117, 1, node})
	for _, d := range numaDistances(m) {
		f := numaLevel | serialize
		if d <= m.ReclaimDistance {
			f |= balanceFork
		}
		ls = append(ls, layer{levelNUMA, f, 117, 2, func(c int) machine.Set {
			var set machine.Set
			for n := range m.Nodes {
				if m.Distance[m.CPUs[c].Node][n] <= d {
					set.Or(&m.Nodes[n].CPUs)
				}
			}
			return set
		}})
	}
	return ls
}

// numaDistances returns the distinct node distances above local, ascending.
func numaDistances(m *machine.Machine) []int {
	var ds []int
	for d := 11; d < 256; d++ {
		found := false
		for i := range m.Distance {
			for j := range m.Distance[i] {
				found = found || i != j && m.Distance[i][j] == d
			}
		}
		if found {
			ds = append(ds, d)
		}
	}
	return ds
}

// chain returns the layers that survive for one CPU: those of one CPU and
// those that add no CPU go; PREFER_SIBLING of a removed parent moves down
// (7.3 cpu_attach_domain). imb is each one's allowed NUMA imbalance.
func chain(ls []layer, cpu int) (doms []domain, imb []int64) {
	imbs := allowedImbalance(ls, cpu)
	for i, l := range ls {
		span := l.span(cpu)
		if span.Len() == 1 {
			continue
		}
		if n := len(doms); n > 0 && doms[n-1].span == span {
			doms[n-1].flags |= l.flags & preferSibling
			continue
		}
		doms = append(doms, domain{level: l.name, layer: i, span: span, weight: int32(span.Len()), flags: l.flags, imbalancePct: l.pct, cacheNiceTries: l.tries})
		imb = append(imb, imbs[i])
	}
	return doms, imb
}

// allowedImbalance is imb_numa_nr of each layer for a CPU (7.3 build_sched_domains).
func allowedImbalance(ls []layer, cpu int) []int64 {
	imbs := make([]int64, len(ls))
	weight := func(i int) int64 { s := ls[i].span(cpu); return int64(s.Len()) }
	llc, parent := 0, -1
	for i := range ls {
		if ls[i].flags&shareLLC != 0 {
			llc = i
		}
	}
	if llc+1 < len(ls) {
		parent = llc + 1
	}
	if parent < 0 {
		return imbs
	}
	k := weight(parent) / weight(llc)
	base := k
	if k == 1 {
		base = weight(parent) >> 3
	}
	base = max(base, 1)
	first := parent
	for i := parent; i < len(ls); i++ {
		if ls[i].flags&numaLevel != 0 {
			first = i
			break
		}
	}
	for i := parent; i < len(ls); i++ {
		imbs[i] = base * max(1, weight(i)/weight(first))
	}
	return imbs
}

// buildDomains lays out the domains and groups of all CPUs (7.3
// build_sched_domains, build_overlap_sched_groups, cpu_attach_domain).
func (s *Sched) buildDomains() {
	m := s.m
	s.doms, s.groups = s.doms[:0], s.groups[:0]
	chains := make([][]domain, len(m.CPUs))
	imbs := make([][]int64, len(m.CPUs))
	for i := range s.parts {
		ls := inside(layers(m), &s.parts[i])
		for _, c := range s.parts[i].Members() {
			chains[c], imbs[c] = chain(ls, c)
			s.markAsym(chains[c])
		}
	}
	for c := range m.CPUs {
		r := &s.rqs[c]
		r.dom0, r.ndom = int32(len(s.doms)), int32(len(chains[c]))
		for k := range chains[c] {
			d := chains[c][k]
			d.groups = s.ring(chains, c, k)
			w := int64(d.weight)
			d.minInterval, d.maxInterval, d.balanceInterval = w, 2*w, w
			d.lastBalance = s.Jiffies
			d.imbNumaNr = imbs[c][k]
			d.niCall, d.niSuccess, d.niRatio = 512, 256, 512
			s.doms = append(s.doms, d)
		}
	}
}

// ring builds the groups of CPU c's k-th domain: the child spans that cover
// it, local first.
func (s *Sched) ring(chains [][]domain, c, k int) []int32 {
	span := chains[c][k].span
	child := func(cpu int) (machine.Set, flags) {
		if k == 0 {
			var one machine.Set
			one.Add(cpu)
			return one, 0
		}
		// The widest domain of cpu below this level that fits into the span.
		cc := chains[cpu]
		for i := len(cc) - 1; i >= 0; i-- {
			if cc[i].weight < chains[c][k].weight && cc[i].span.SubsetOf(&span) && cc[i].layer < chains[c][k].layer {
				return cc[i].span, cc[i].flags
			}
		}
		var one machine.Set
		one.Add(cpu)
		return one, 0
	}
	var covered machine.Set
	var ids []int32
	for i, n := span.NextWrap(c), 0; n < int(chains[c][k].weight); i, n = span.NextWrap(i+1), n+1 {
		if covered.Has(i) {
			continue
		}
		cs, f := child(i)
		covered.Or(&cs)
		ids = append(ids, s.groupOf(cs, f, child))
	}
	return ids
}

// groupOf finds or makes the group with a span and flags. Where groups of
// NUMA levels overlap, only CPUs whose own child domain is this span balance for it.
func (s *Sched) groupOf(span machine.Set, f flags, child func(int) (machine.Set, flags)) int32 {
	for i := range s.groups {
		if s.groups[i].span == span && s.groups[i].flags == f {
			return int32(i)
		}
	}
	g := group{span: span, flags: f}
	seen := map[int32]bool{}
	for _, c := range span.Members() {
		g.cpus = append(g.cpus, int32(c))
		if core := s.m.CPUs[c].Core; !seen[core] {
			seen[core] = true
			g.cores++
		}
		if own, _ := child(c); own == span {
			g.mask = append(g.mask, int32(c))
		}
	}
	s.groups = append(s.groups, g)
	return int32(len(s.groups) - 1)
}
