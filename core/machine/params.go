package machine

// ParamInfo documents one key of "perf".
type ParamInfo struct {
	// Name is the key, with the unit at its end.
	Name string
	Unit string
	// Min and Max bound the value, inclusive.
	Min, Max float64
	Doc      string
	field    func(*PerfSpec) *Param
}

// Params lists the performance parameters of a machine. idle_states, a list,
// is the only other key of "perf".
func Params() []ParamInfo {
	return []ParamInfo{
		{"freq_ghz", "GHz", 0.1, 10, "sustained all-core clock of LLCs that do not name their own", func(p *PerfSpec) *Param { return &p.FreqGHz }},
		{"smt_share", "", 0.1, 1, "throughput of a hardware thread while a sibling is busy, relative to running alone", func(p *PerfSpec) *Param { return &p.SMTShare }},
		{"l2_mib", "MiB", 0, 1024, "capacity of one L2 (of a core, or of a cluster that shares it)", func(p *PerfSpec) *Param { return &p.L2MiB }},
		{"llc_latency_ns", "ns", 1, 1000, "load-to-use latency of a hit in the LLC", func(p *PerfSpec) *Param { return &p.LLCLatencyNs }},
		{"dram_local_ns", "ns", 10, 5000, "idle load-to-use latency of memory on the CPU's own node (the mean over packages if the node spans them)", func(p *PerfSpec) *Param { return &p.DRAMLocalNs }},
		{"dram_package_ns", "ns", 10, 5000, "the same for another node of the package", func(p *PerfSpec) *Param { return &p.DRAMPackageNs }},
		{"dram_remote_ns", "ns", 10, 5000, "the same for a node of another package", func(p *PerfSpec) *Param { return &p.DRAMRemoteNs }},
		{"core_mlp_lines", "lines", 1, 1000, "64-byte lines that one core keeps in flight on streams", func(p *PerfSpec) *Param { return &p.CoreMLPLines }},
		{"cluster_bw_gbps", "GB/s", 0, 100000, "port shared by the cores of one L2 cluster; 0 = no limit", func(p *PerfSpec) *Param { return &p.ClusterGBps }},
		{"llc_bw_gbps", "GB/s", 1, 100000, "hit bandwidth of one LLC", func(p *PerfSpec) *Param { return &p.LLCGBps }},
		{"llc_fill_gbps", "GB/s", 1, 100000, "port of one LLC to the memory fabric", func(p *PerfSpec) *Param { return &p.LLCFillGBps }},
		{"node_bw_gbps", "GB/s", 1, 100000, "sustainable DRAM bandwidth of a node (STREAM-like, not the peak)", func(p *PerfSpec) *Param { return &p.NodeGBps }},
		{"link_bw_gbps", "GB/s", 0, 100000, "bandwidth of each ordered pair of packages; 0 = no limit", func(p *PerfSpec) *Param { return &p.LinkGBps }},
		{"directory_writes", "", 0, 1, "lines written to memory for each line that another package reads, to keep the coherence directory there up to date; 0 = the directory is elsewhere", func(p *PerfSpec) *Param { return &p.DirectoryWrites }},
		{"c2c_core_ns", "ns", 0, 10000, "moving a line between threads of one core", func(p *PerfSpec) *Param { return &p.C2CCoreNs }},
		{"c2c_cluster_ns", "ns", 0, 10000, "moving a line between cores of one L2 cluster", func(p *PerfSpec) *Param { return &p.C2CClusterNs }},
		{"c2c_llc_ns", "ns", 0, 10000, "moving a line between cores of one LLC", func(p *PerfSpec) *Param { return &p.C2CLLCNs }},
		{"c2c_node_ns", "ns", 0, 10000, "moving a line between LLCs of one node", func(p *PerfSpec) *Param { return &p.C2CNodeNs }},
		{"c2c_other_node_ns", "ns", 0, 10000, "moving a line between nodes of one package", func(p *PerfSpec) *Param { return &p.C2COtherNodeNs }},
		{"c2c_other_package_ns", "ns", 0, 10000, "moving a line between packages", func(p *PerfSpec) *Param { return &p.C2COtherPkgNs }},
		{"ipi_ns", "ns", 0, 100000, "time until a remote idle CPU takes an interrupt", func(p *PerfSpec) *Param { return &p.IPINs }},
		{"queue_k_dram", "", 0.001, 10, "growth of DRAM latency with utilisation u: L = L0 (1 + k u/(1-u))", func(p *PerfSpec) *Param { return &p.QueueKDRAM }},
		{"queue_k_fill", "", 0.001, 10, "the same for the port between an LLC and memory", func(p *PerfSpec) *Param { return &p.QueueKFill }},
		{"queue_k_llc", "", 0.001, 10, "the same for hits in an LLC", func(p *PerfSpec) *Param { return &p.QueueKLLC }},
		{"queue_k_link", "", 0.001, 10, "the same for a link between packages", func(p *PerfSpec) *Param { return &p.QueueKLink }},
		{"queue_k_cluster", "", 0.001, 10, "the same for the port of an L2 cluster", func(p *PerfSpec) *Param { return &p.QueueKCluster }},
	}
}

// guess is a default value.
func guess(v float64, why string) Param { return Param{V: v, Source: FromGuess, Why: why} }

// DefaultPerf returns parameters for a machine of which only the structure is
// known. All are guesses: server-class values of 2022 to 2026 hardware, told
// apart by whether LLCs are small (core complexes) or span a package (mesh).
func DefaultPerf(s *Spec) PerfSpec {
	llcs, cores := 0, 0
	for _, g := range s.LLCs {
		n := min(max(g.Count, 0), MaxLLCs)
		llcs += n
		cores += n * min(max(g.Cores, 0), MaxCPUs)
	}
	chiplet := llcs > 1
	pkgGBps := 300.0
	nodeGBps := pkgGBps
	if s.Nodes > 0 && s.Packages > 0 {
		nodeGBps = pkgGBps * float64(s.Packages) / float64(s.Nodes)
	}
	llcNs, c2c, fill := 60.0, 60.0, pkgGBps
	if chiplet {
		llcNs, c2c, fill = 15, 25, 50
	}
	const why = "default for a machine known by structure only"
	return PerfSpec{
		FreqGHz:         guess(3, why),
		SMTShare:        guess(0.6, why),
		L2MiB:           guess(2, why),
		LLCLatencyNs:    guess(llcNs, why),
		DRAMLocalNs:     guess(110, why),
		DRAMPackageNs:   guess(130, why),
		DRAMRemoteNs:    guess(200, why),
		CoreMLPLines:    guess(32, why),
		ClusterGBps:     guess(0, why),
		LLCGBps:         guess(max(25*float64(cores)/float64(max(llcs, 1)), 25), why),
		LLCFillGBps:     guess(fill, why),
		NodeGBps:        guess(max(nodeGBps, 1), why),
		LinkGBps:        guess(120, why),
		DirectoryWrites: guess(0, why),
		C2CCoreNs:       guess(8, why),
		C2CClusterNs:    guess(c2c*0.7, why),
		C2CLLCNs:        guess(c2c, why),
		C2CNodeNs:       guess(110, why),
		C2COtherNodeNs:  guess(125, why),
		C2COtherPkgNs:   guess(190, why),
		IPINs:           guess(1000, why),
		QueueKDRAM:      guess(0.2, why),
		QueueKFill:      guess(0.2, why),
		QueueKLLC:       guess(0.2, why),
		QueueKLink:      guess(0.2, why),
		QueueKCluster:   guess(0.2, why),
		Idle: IdleSpec{
			States: []IdleStateSpec{{ExitNs: 1000, MinResidencyNs: 2000}, {ExitNs: 60000, MinResidencyNs: 400000}},
			Source: FromGuess, Why: why,
		},
	}
}
