package machine

// PageBytes is the size of a base page.
const PageBytes = 4096

// MaxLLCs is the largest number of last-level caches a machine may have.
const MaxLLCs = 128

// Spec describes a machine by structure, as a machine file does. Sizes of its
// parts multiply; there is never a row per CPU.
//
// All packages are equal. Each holds the LLC groups of LLCs one after
// another; nodes divide the LLCs of a package evenly, or span packages when
// memory is interleaved over them.
type Spec struct {
	// V is the version of the format, 1.
	V int `json:"v"`
	// Name is the file name without extension: letters, digits, dashes, dots.
	Name  string `json:"name"`
	Title string `json:"title"`
	// Source says who described the machine and where.
	Source string `json:"source"`
	// Packages is the number of sockets (1..64).
	Packages int `json:"packages"`
	// Nodes is the number of NUMA nodes of the machine: a multiple or a
	// divisor of Packages.
	Nodes int `json:"nodes"`
	// Numbering is how Linux numbers hardware threads.
	Numbering Numbering `json:"cpu_numbering"`
	// LLCs are the groups of equal last-level caches of one package.
	LLCs []LLCGroup `json:"llcs"`
	// Distances is the SLIT matrix; nil is 10 local, 12 within a package, 21 else.
	Distances [][]int `json:"distances,omitempty"`
	// ReclaimDistance is the distance beyond which Linux neither forks nor
	// wakes across nodes (30, 32 on AMD Zen); 0 means 30.
	ReclaimDistance int `json:"reclaim_distance"`
	// AsymPacking: firmware ranks the cores, and Linux packs tasks onto those of
	// higher rank (ITMT on x86). LLCs of a higher clock rank higher.
	AsymPacking bool `json:"asym_packing,omitempty"`
	// AsymCapacity: CPUs differ in capacity by the clock of their LLC, and Linux
	// moves tasks that are too big for theirs (SD_ASYM_CPUCAPACITY). Needs cores
	// without SMT, as hybrid x86 does.
	AsymCapacity bool `json:"asym_capacity,omitempty"`
	// SMTThreads is the SMT width that Linux reckons with (cpu_smt_num_threads)
	// where the threads of a core are split over several LLCs, each then described
	// as a core of its own (POWER10: 8, on LLCs of 4); 0: the widest core's.
	SMTThreads int `json:"smt_threads,omitempty"`
	// NodeMemGiB is the memory of each node in GiB.
	NodeMemGiB float64  `json:"node_mem_gib"`
	Perf       PerfSpec `json:"perf"`
}

// Numbering is an order of Linux CPU numbers.
type Numbering string

const (
	// Adjacent numbers the threads of a core one after another: cpu0 and cpu1
	// are siblings (QEMU, POWER).
	Adjacent Numbering = "adjacent"
	// Split numbers the first thread of every core of the machine, then all
	// second threads (x86 firmware): with n cores, cpu0 and cpu<n> are siblings.
	Split Numbering = "split"
)

// LLCGroup is a run of equal LLCs in each package.
type LLCGroup struct {
	// Count is how many there are in each package.
	Count int `json:"count"`
	// Cores is the number of cores behind one LLC, ClusterCores how many of
	// them share an L2 (1 = private), SMT the hardware threads of each (1..8).
	Cores        int `json:"cores"`
	ClusterCores int `json:"cluster_cores"`
	SMT          int `json:"smt"`
	// SizeMiB is the capacity of one LLC.
	SizeMiB Param `json:"size_mib"`
	// Offline is how many more hardware threads of each LLC are switched off:
	// they share the cache and run nothing (0..1024).
	Offline int `json:"offline_cpus,omitempty"`
	// FreqGHz is the sustained all-core clock of its cores; absent: perf.freq_ghz.
	FreqGHz *Param `json:"freq_ghz,omitempty"`
}

// Param is a performance parameter with its provenance.
type Param struct {
	// V is the value, in the unit of the key's name.
	V      float64     `json:"v"`
	Source ParamSource `json:"source"`
	// Why names the document or the measurement, or the reason of a guess or fit.
	Why string `json:"why"`
	// Rows are the ids of the published rows that a fit was trained on.
	Rows []string `json:"rows,omitempty"`
}

// ParamSource is where a value comes from.
type ParamSource string

const (
	FromSpec   ParamSource = "spec"   // a vendor document, or arithmetic from it
	FromPublic ParamSource = "public" // a named measurement
	FromFit    ParamSource = "fit"    // fitted to published rows, which are named
	FromGuess  ParamSource = "guess"  // general knowledge; replace when measured
)

// IdleSpec lists the idle states of a CPU, shallow first, with their provenance.
type IdleSpec struct {
	States []IdleStateSpec `json:"v"`
	Source ParamSource     `json:"source"`
	Why    string          `json:"why"`
	Rows   []string        `json:"rows,omitempty"`
}

// IdleStateSpec is one idle state, in ns.
type IdleStateSpec struct {
	ExitNs         int64 `json:"exit_ns"`
	MinResidencyNs int64 `json:"min_residency_ns"`
}

// PerfSpec holds the parameters of performance-model section 1; Params
// documents each.
type PerfSpec struct {
	FreqGHz         Param    `json:"freq_ghz"`
	SMTShare        Param    `json:"smt_share"`
	L2MiB           Param    `json:"l2_mib"`
	LLCLatencyNs    Param    `json:"llc_latency_ns"`
	DRAMLocalNs     Param    `json:"dram_local_ns"`
	DRAMPackageNs   Param    `json:"dram_package_ns"`
	DRAMRemoteNs    Param    `json:"dram_remote_ns"`
	CoreMLPLines    Param    `json:"core_mlp_lines"`
	ClusterGBps     Param    `json:"cluster_bw_gbps"`
	LLCGBps         Param    `json:"llc_bw_gbps"`
	LLCFillGBps     Param    `json:"llc_fill_gbps"`
	NodeGBps        Param    `json:"node_bw_gbps"`
	LinkGBps        Param    `json:"link_bw_gbps"`
	DirectoryWrites Param    `json:"directory_writes"`
	C2CCoreNs       Param    `json:"c2c_core_ns"`
	C2CClusterNs    Param    `json:"c2c_cluster_ns"`
	C2CLLCNs        Param    `json:"c2c_llc_ns"`
	C2CNodeNs       Param    `json:"c2c_node_ns"`
	C2COtherNodeNs  Param    `json:"c2c_other_node_ns"`
	C2COtherPkgNs   Param    `json:"c2c_other_package_ns"`
	IPINs           Param    `json:"ipi_ns"`
	QueueKDRAM      Param    `json:"queue_k_dram"`
	QueueKFill      Param    `json:"queue_k_fill"`
	QueueKLLC       Param    `json:"queue_k_llc"`
	QueueKLink      Param    `json:"queue_k_link"`
	QueueKCluster   Param    `json:"queue_k_cluster"`
	Idle            IdleSpec `json:"idle_states"`
}
