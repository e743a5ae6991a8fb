package cas

// Aggregation at LLC granularity (Jianyong Wu, RFC v1 June, v2 August 2026): a
// process prefers not one LLC but the shortest prefix of a list of all LLCs that
// holds it. The list begins with the LLC that the scan prefers, then come those of
// its node, then nodes by distance. Inside the prefix tasks move as the generic
// balancer likes; outside, earlier LLCs are preferred. The mails give no code, so
// the rest is our reading: the utilisation of a group is the sum of util_avg of its
// running tasks at a scan, averaged over four; a prefix holds a group when that
// fits (fits_llc_capacity of all its CPUs) and both gates, asked for all its CPUs
// and bytes, let pass. A group that only the whole machine holds prefers all
// LLCs, which asks for nothing; one that a gate keeps off all of them prefers none.

// prefix is a group's list of LLC domains, how many of them it prefers, its
// utilisation (1024 = a busy CPU), and what the preferred ones have together.
type prefix struct {
	order []int32
	n     int
	util  int64
	all   LLC
}

// room is what the gates compare a group with: the LLC of cpu, or the prefix, or
// all LLCs before there is one.
func (s *System) room(g *Group, cpu int32) *LLC {
	switch {
	case !s.Config.LLCPrefix:
		return &s.LLCs[s.DomainOf[cpu]]
	case g.prefix.n == 0:
		return &s.all
	}
	return &g.prefix.all
}

// AffinityOrder lists the LLC domains by their affinity to home: itself, those
// of its node, then node by node, the nearest first and the lower number of two.
func (s *System) AffinityOrder(home int32) (out []int32) {
	at := s.NodeOf[s.LLCCPUs[home][0]]
	var keys []int
	for l := range s.LLCs {
		key := -1
		if int32(l) != home {
			if len(s.LLCCPUs[l]) == 0 {
				continue
			}
			node := s.NodeOf[s.LLCCPUs[l][0]]
			key = int(node)
			if node == at {
				key = 0
			} else if s.Distance != nil {
				key += s.Distance[at][node] << 8
			}
		}
		out, keys = append(out, int32(l)), append(keys, key)
		for i := len(out) - 1; i > 0 && keys[i] < keys[i-1]; i-- {
			out[i], out[i-1], keys[i], keys[i-1] = out[i-1], out[i], keys[i-1], keys[i]
		}
	}
	return out
}

// settlePrefix follows a scan whose group was running with that utilisation.
func (s *System) settlePrefix(g *Group, util, now int64) {
	if !s.Config.LLCPrefix {
		return
	}
	p := &g.prefix
	p.util += (util - p.util) / 4
	if g.CPU < 0 {
		p.n = 0
		return
	}
	if home := s.DomainOf[g.CPU]; len(p.order) == 0 || p.order[0] != home {
		p.order = s.AffinityOrder(home)
	}
	p.all = LLC{}
	for p.n = 0; p.n < len(p.order); {
		l := &s.LLCs[p.order[p.n]]
		p.n++
		p.all.CPUs += l.CPUs
		p.all.Bytes += l.Bytes
		if s.Config.Policy.FitsLLC(p.util, p.all.CPUs*1024) && !s.Gated(g, g.CPU, now) {
			break
		}
	}
}

// rank is the place of an LLC domain in the list, from 0.
func (g *Group) rank(domain int32) int {
	for i, d := range g.prefix.order {
		if d == domain {
			return i
		}
	}
	return len(g.prefix.order)
}

// Prefers is the domain that a task on a CPU should prefer: its own inside the
// prefix, else the first with room, by full.
func (s *System) Prefers(g *Group, cpu int32, full func(domain int32) bool) int32 {
	p := &g.prefix
	own := s.DomainOf[cpu]
	if g.rank(own) < p.n {
		return own
	}
	for _, d := range p.order[:p.n] {
		if !full(d) {
			return d
		}
	}
	return p.order[p.n-1]
}

// Between says what a move between two CPUs is to a group that prefers a prefix:
// to its preferred LLCs or within the list's order, away from them, or neither.
func (s *System) Between(g *Group, src, dst int32) (toPref, away bool) {
	a, b, n := g.rank(s.DomainOf[src]), g.rank(s.DomainOf[dst]), g.prefix.n
	if a < n && b < n {
		return false, false
	}
	return b < a, a < b
}
