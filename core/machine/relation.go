package machine

// Relation is the closest hardware that two CPUs share.
type Relation uint8

const (
	SameCPU      Relation = iota // one and the same CPU
	SameCore                     // hardware threads of one core
	SameCluster                  // cores that share an L2
	SameLLC                      // cores that share the last-level cache
	SameNode                     // other LLC of the node (and package)
	OtherNode                    // other node of the package
	OtherPackage                 // other socket
)

// String is the relation in words.
func (r Relation) String() string {
	return [...]string{"same CPU", "same core", "same cluster", "same LLC", "same node", "other node", "other package"}[r]
}

// Relation tells what CPUs a and b share. CPUs of different packages are
// OtherPackage even if one node spans them.
func (m *Machine) Relation(a, b int) Relation {
	x, y := &m.CPUs[a], &m.CPUs[b]
	switch {
	case a == b:
		return SameCPU
	case x.Core == y.Core:
		return SameCore
	case x.Cluster == y.Cluster:
		return SameCluster
	case x.LLC == y.LLC:
		return SameLLC
	case x.Package != y.Package:
		return OtherPackage
	case x.Node != y.Node:
		return OtherNode
	}
	return SameNode
}

// TransferNs is the time in ns to move a cache line from CPU a to CPU b.
func (m *Machine) TransferNs(a, b int) float64 {
	c := &m.Perf.C2CNs
	switch m.Relation(a, b) {
	case SameCPU:
		return 0
	case SameCore:
		return c.Core
	case SameCluster:
		return c.Cluster
	case SameLLC:
		return c.LLC
	case SameNode:
		return c.Node
	case OtherNode:
		return c.OtherNode
	}
	return c.OtherPackage
}

// NodeOf, LLCOf and Siblings are shorthands for the tables.
func (m *Machine) NodeOf(cpu int) int { return int(m.CPUs[cpu].Node) }

// LLCOf is the index of the LLC behind a CPU.
func (m *Machine) LLCOf(cpu int) int { return int(m.CPUs[cpu].LLC) }

// Siblings are the hardware threads of the CPU's core, itself included.
func (m *Machine) Siblings(cpu int) *Set { return &m.Cores[m.CPUs[cpu].Core] }

// RefGHz is the clock of the fastest cores: the work of a program is given in
// ns at this clock.
func (m *Machine) RefGHz() float64 {
	f := 0.0
	for i := range m.LLCs {
		f = max(f, m.LLCs[i].FreqGHz)
	}
	return f
}
