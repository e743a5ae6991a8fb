// Package machine describes hardware: which CPUs exist, what they share, and
// how fast the shared parts are. It knows nothing of Linux and nothing of time.
package machine

// Machine is a machine laid out CPU by CPU, ready for the simulator. Build
// makes one from a Spec; nothing changes it afterwards.
type Machine struct {
	Name   string
	Title  string
	Source string
	// CPUs are indexed by Linux CPU number.
	CPUs     []CPU
	LLCs     []LLC
	Nodes    []Node
	Clusters []Set // CPUs that share one L2; equals the core where cores own their L2
	Cores    []Set // hardware threads of one core
	Packages []Set
	// SMT is the number of hardware threads of the widest core.
	SMT int
	// SMTThreads is the SMT width that Linux reckons with, at least SMT.
	SMTThreads int
	// Distance is the ACPI SLIT matrix between nodes (10 = local).
	Distance [][]int
	// ReclaimDistance is the distance beyond which Linux neither forks nor
	// wakes across nodes (30; 32 on AMD Zen).
	ReclaimDistance int
	// AsymPacking: tasks are packed onto the LLCs of highest clock.
	AsymPacking bool
	// AsymCapacity: CPUs differ in capacity by the clock of their LLC.
	AsymCapacity bool
	Perf         Perf
}

// CPU tells what one logical CPU belongs to. All values are indices into the
// slices of Machine.
type CPU struct {
	Core, Cluster, LLC, Node, Package int32
}

// LLC is one last-level cache.
type LLC struct {
	CPUs Set
	// Bytes is the capacity.
	Bytes int64
	// Node is the node of the first CPU that shares the cache.
	Node, Package int32
	// Offline is how many more CPUs share the cache and are switched off.
	Offline int
	// FreqGHz is the sustained all-core clock of the CPUs behind it.
	FreqGHz float64
	// HitGBps is the bandwidth of hits, FillGBps of the port to the memory
	// fabric, both in 10^9 bytes/s.
	HitGBps, FillGBps float64
}

// Node is one NUMA node.
type Node struct {
	CPUs Set
	// MemBytes is the installed memory, 0 for a node without.
	MemBytes int64
	// GBps is the sustainable DRAM bandwidth in 10^9 bytes/s.
	GBps float64
	// Packages are the sockets that the node spans: one, or several if the
	// firmware interleaves memory over them.
	Packages []int32
}

// Perf holds the parameters that price a placement; performance-model
// parameters that are one value for the whole machine.
type Perf struct {
	// SMTShare is the throughput of one hardware thread while its sibling is
	// busy, relative to running alone (0..1].
	SMTShare float64
	// L2Bytes is the L2 capacity of a core or cluster.
	L2Bytes int64
	// LLCLatencyNs is the load-to-use latency of an LLC hit.
	LLCLatencyNs float64
	// DRAMLatencyNs[i][j] is the idle latency from a CPU of node i to memory
	// of node j.
	DRAMLatencyNs [][]float64
	// CoreMLPLines is how many 64-byte lines one core keeps in flight.
	CoreMLPLines float64
	// ClusterGBps limits the cores behind one L2 together; 0 means no limit.
	ClusterGBps float64
	// LinkGBps limits each ordered package pair; 0 means no limit.
	LinkGBps float64
	// DirectoryWrites is how many lines are written to memory for each line that
	// another package reads [0..1]: where the coherence directory lies in memory
	// beside the data, such a read changes its entry.
	DirectoryWrites float64
	// C2CNs is the cost of moving a line between two caches.
	C2CNs C2C
	// IPINs is the time until a remote idle CPU takes an interrupt.
	IPINs int64
	// Idle lists the idle states, shallow first.
	Idle []IdleState
	// QueueK says how latency grows with load.
	QueueK QueueK
}

// QueueK holds the constant k of L(u) = L0 (1 + k u/(1-u)) for each kind of
// resource, u being its utilisation.
type QueueK struct {
	DRAM, Fill, LLC, Link, Cluster float64
}

// C2C is the cache-to-cache transfer time in ns by how close two CPUs are.
type C2C struct {
	Core, Cluster, LLC, Node, OtherNode, OtherPackage float64
}

// IdleState is one idle state of a CPU.
type IdleState struct {
	// ExitNs is the wakeup latency, MinResidencyNs the idle time from which
	// the state is entered.
	ExitNs, MinResidencyNs int64
}
