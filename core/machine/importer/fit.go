package importer

import (
	"slices"
	"strconv"

	"casplay/core/machine"
)

// fitNodes finds the NUMA nodes that hold CPUs, their memory and distances.
func (t *topology) fitNodes(s *machine.Spec, pkgs [][]llc) {
	var order []int // node numbers by place in the machine
	llcs := 0
	for _, p := range pkgs {
		llcs = max(llcs, len(p))
		for i := range p {
			if !slices.Contains(order, p[i].node) {
				order = append(order, p[i].node)
			}
		}
	}
	s.Nodes = len(order)
	if slices.IndexFunc(t.cpus, func(c cpu) bool { return c.node >= 0 }) < 0 {
		t.warn("NUMA nodes are not in the text: all memory is one node.")
	}
	regular := s.Nodes%s.Packages == 0 || s.Packages%s.Nodes == 0
	for pi, p := range pkgs {
		for i := range p {
			want := pi * s.Nodes / s.Packages
			if s.Nodes > s.Packages && regular {
				per := s.Nodes / s.Packages
				want += i * per / len(p)
				regular = regular && len(p)%per == 0
			}
			regular = regular && want < s.Nodes && order[want] == p[i].node
		}
	}
	if !regular {
		t.warn("The " + strconv.Itoa(s.Nodes) + " NUMA nodes do not divide packages and LLCs evenly: one node for each package is simulated.")
		s.Nodes = s.Packages
	}
	t.fitMemory(s, order)
	if !regular || t.distances == nil {
		return
	}
	d := make([][]int, s.Nodes)
	for i, a := range order {
		for _, b := range order {
			x, y := slices.Index(t.distanceOf, a), slices.Index(t.distanceOf, b)
			if x < 0 || y < 0 {
				t.warn("Distances are not known for all nodes and take their defaults.")
				return
			}
			d[i] = append(d[i], t.distances[x][y])
		}
	}
	s.Distances = d
	for _, e := range s.Validate() {
		if len(e.Path) >= 9 && e.Path[:9] == "distances" {
			s.Distances = nil
			t.warn("The distances between nodes are left out (" + e.Problem + ") and take their defaults.")
			return
		}
	}
}

// fitMemory sets the memory of a node.
func (t *topology) fitMemory(s *machine.Spec, order []int) {
	sum, without := int64(0), 0
	low, high := int64(1)<<62, int64(0)
	for _, n := range t.nodes {
		if n.node >= 0 && !slices.Contains(order, n.node) {
			without++
			continue
		}
		sum += n.bytes
		low, high = min(low, n.bytes), max(high, n.bytes)
	}
	if without > 0 {
		t.warn(strconv.Itoa(without) + " NUMA node(s) without CPUs (memory expanders, HBM, devices) are left out.")
	}
	if sum == 0 {
		t.warn("Memory is not in the text: 256 GiB for each node is a guess.")
		return
	}
	if high > low+low/4 {
		t.warn("NUMA nodes differ in memory: each is simulated with the mean.")
	}
	s.NodeMemGiB = float64(sum) / float64(s.Nodes) / (1 << 30)
}

// price sets the parameters that are known besides the defaults.
func (t *topology) price(s *machine.Spec, pkgs [][]llc) {
	s.Perf = machine.DefaultPerf(s)
	first := &t.cpus[0]
	if first.l2Bytes > 0 {
		s.Perf.L2MiB = machine.Param{V: float64(first.l2Bytes) / (1 << 20), Source: machine.FromSpec, Why: "reported by " + t.tool}
	}
	if first.mhz >= 100 && first.mhz <= 10000 {
		s.Perf.FreqGHz = machine.Param{V: first.mhz / 1000, Source: machine.FromGuess, Why: "maximum clock reported by " + t.tool + "; the sustained clock of all cores is lower"}
	}
	for _, c := range t.cpus {
		if c.l2Bytes != first.l2Bytes {
			t.once("L2 caches differ in size: all are simulated like that of CPU " + strconv.Itoa(first.n) + ".")
		}
		if c.mhz != first.mhz {
			t.once("CPUs differ in their maximum clock: all are simulated like CPU " + strconv.Itoa(first.n) + ".")
		}
	}
	t.warn(guessed)
}

// fitNumbers finds the order of CPU numbers that comes closest to the real one.
func (t *topology) fitNumbers(s machine.Spec, pkgs [][]llc) (Result, error) {
	best, least := s.Numbering, machine.MaxCPUs+1
	for _, numbering := range []machine.Numbering{machine.Adjacent, machine.Split} {
		s.Numbering = numbering
		m, err := s.Build()
		if err != nil {
			return Result{}, err
		}
		core, differ := 0, 0
		for _, p := range pkgs {
			for i := range p {
				for _, c := range p[i].cores() {
					for _, thread := range c {
						if core >= len(m.Cores) || !m.Cores[core].Has(thread.n) {
							differ++
						}
					}
					core++
				}
			}
		}
		if differ < least {
			best, least = numbering, differ
		}
	}
	s.Numbering = best
	if least > 0 {
		t.warn("CPU numbers are not those of the machine: " + strconv.Itoa(least) + " of " + strconv.Itoa(len(t.cpus)) + " CPUs have another number in the simulation, which knows siblings side by side or all first threads first.")
	}
	return Result{Spec: s, Warnings: t.warnings}, nil
}
