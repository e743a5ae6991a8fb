package machine

// Build lays the machine out CPU by CPU. The error is an Errors with
// everything that Validate finds.
func (s Spec) Build() (*Machine, error) {
	if es := s.Validate(); len(es) > 0 {
		return nil, Errors(es)
	}
	m := &Machine{Name: s.Name, Title: s.Title, Source: s.Source, ReclaimDistance: s.ReclaimDistance, AsymPacking: s.AsymPacking, AsymCapacity: s.AsymCapacity}
	if m.ReclaimDistance == 0 {
		m.ReclaimDistance = 30
	}
	s.layOut(m)
	m.SMTThreads = max(m.SMT, s.SMTThreads)
	s.price(m)
	return m, nil
}

// threadNumber numbers the hardware threads of the machine.
type threadNumber struct {
	numbering Numbering
	first     int   // next number if adjacent
	byThread  []int // next number for each thread of a core if split
}

// newThreadNumber counts how many cores have a second, third... thread.
func newThreadNumber(s *Spec) threadNumber {
	t := threadNumber{numbering: s.Numbering, byThread: make([]int, 9)}
	for _, g := range s.LLCs {
		for th := 0; th < g.SMT; th++ {
			t.byThread[th+1] += g.Count * g.Cores * s.Packages
		}
	}
	for th := 1; th < len(t.byThread); th++ {
		t.byThread[th] += t.byThread[th-1]
	}
	return t
}

// next returns the number of the next core's thread th; cores come in order.
func (t *threadNumber) next(th int) int {
	n := &t.first
	if t.numbering == Split {
		n = &t.byThread[th]
	}
	*n++
	return *n - 1
}

// layOut fills the structure of m.
func (s *Spec) layOut(m *Machine) {
	cpus, llcsPerPackage := 0, 0
	for _, g := range s.LLCs {
		cpus += s.Packages * g.Count * g.Cores * g.SMT
		llcsPerPackage += g.Count
	}
	m.CPUs = make([]CPU, cpus)
	m.Packages = make([]Set, s.Packages)
	m.Nodes = make([]Node, s.Nodes)
	number := newThreadNumber(s)
	for pkg := range s.Packages {
		inPackage := 0
		for _, g := range s.LLCs {
			m.SMT = max(m.SMT, g.SMT)
			for range g.Count {
				node := pkg * s.Nodes / s.Packages
				if s.Nodes > s.Packages {
					node += inPackage * (s.Nodes / s.Packages) / llcsPerPackage
				}
				llc := int32(len(m.LLCs))
				m.LLCs = append(m.LLCs, LLC{
					Bytes: mib(g.SizeMiB.V), Node: int32(node), Package: int32(pkg), FreqGHz: s.freq(&g), Offline: g.Offline,
					HitGBps: s.Perf.LLCGBps.V, FillGBps: s.Perf.LLCFillGBps.V,
				})
				for core := range g.Cores {
					if core%g.ClusterCores == 0 {
						m.Clusters = append(m.Clusters, Set{})
					}
					m.Cores = append(m.Cores, Set{})
					c := CPU{Core: int32(len(m.Cores) - 1), Cluster: int32(len(m.Clusters) - 1), LLC: llc, Node: int32(node), Package: int32(pkg)}
					for th := range g.SMT {
						m.place(number.next(th), c)
					}
				}
				inPackage++
			}
		}
	}
	for i := range m.Nodes {
		m.Nodes[i].MemBytes = int64(s.NodeMemGiB * (1 << 30))
		m.Nodes[i].GBps = s.Perf.NodeGBps.V
		for pkg := range s.Packages {
			if m.Packages[pkg].Intersects(&m.Nodes[i].CPUs) {
				m.Nodes[i].Packages = append(m.Nodes[i].Packages, int32(pkg))
			}
		}
	}
}

// place enters one CPU everywhere it belongs.
func (m *Machine) place(n int, c CPU) {
	m.CPUs[n] = c
	m.Cores[c.Core].Add(n)
	m.Clusters[c.Cluster].Add(n)
	m.LLCs[c.LLC].CPUs.Add(n)
	m.Nodes[c.Node].CPUs.Add(n)
	m.Packages[c.Package].Add(n)
}

// price fills the performance parameters of m.
func (s *Spec) price(m *Machine) {
	p := &s.Perf
	m.Distance = make([][]int, s.Nodes)
	latency := make([][]float64, s.Nodes)
	for i := range m.Distance {
		m.Distance[i] = make([]int, s.Nodes)
		latency[i] = make([]float64, s.Nodes)
		for j := range m.Distance[i] {
			switch {
			case i == j:
				m.Distance[i][j], latency[i][j] = 10, p.DRAMLocalNs.V
			case m.Nodes[i].Packages[0] == m.Nodes[j].Packages[0]:
				m.Distance[i][j], latency[i][j] = 12, p.DRAMPackageNs.V
			default:
				m.Distance[i][j], latency[i][j] = 21, p.DRAMRemoteNs.V
			}
			if s.Distances != nil {
				m.Distance[i][j] = s.Distances[i][j]
			}
		}
	}
	m.Perf = Perf{
		SMTShare: p.SMTShare.V, L2Bytes: mib(p.L2MiB.V), LLCLatencyNs: p.LLCLatencyNs.V, DRAMLatencyNs: latency,
		CoreMLPLines: p.CoreMLPLines.V, ClusterGBps: p.ClusterGBps.V, LinkGBps: p.LinkGBps.V, DirectoryWrites: p.DirectoryWrites.V,
		C2CNs: C2C{
			Core: p.C2CCoreNs.V, Cluster: p.C2CClusterNs.V, LLC: p.C2CLLCNs.V, Node: p.C2CNodeNs.V,
			OtherNode: p.C2COtherNodeNs.V, OtherPackage: p.C2COtherPkgNs.V,
		},
		IPINs:  int64(p.IPINs.V),
		QueueK: QueueK{DRAM: p.QueueKDRAM.V, Fill: p.QueueKFill.V, LLC: p.QueueKLLC.V, Link: p.QueueKLink.V, Cluster: p.QueueKCluster.V},
	}
	for _, st := range p.Idle.States {
		m.Perf.Idle = append(m.Perf.Idle, IdleState(st))
	}
}

// freq is the clock of an LLC group.
func (s *Spec) freq(g *LLCGroup) float64 {
	if g.FreqGHz != nil {
		return g.FreqGHz.V
	}
	return s.Perf.FreqGHz.V
}

func mib(v float64) int64 { return int64(v * (1 << 20)) }
