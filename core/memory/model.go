package memory

import "casplay/core/machine"

// Model is the memory system of one machine with the threads that run on it
// now. Tell it who runs where (SetCPU) and whose pages are where (SetPages),
// then Solve; nothing allocates after New.
//
// Threads are priced by class: same LLC, same profile, same number of busy
// CPUs in the L2 cluster, same state of the sibling hardware threads. The
// page distribution of a class is the mean over its threads.
type Model struct {
	m        *machine.Machine
	profiles []Profile
	nodes    int
	packages int

	cpus    []cpuState
	cluster []clusterState
	llcs    []llcState
	dirty   []int32 // clusters whose CPUs must be classed again

	threads []threadState
	// Shares of shareOne by node: of a thread's pages, slab by slab, and of those
	// of its neighbours.
	slab, halo []int32
	slabs      int

	classes []class
	free    []int32 // unused classes
	sums    []int64 // page shares of a class: own, then halo, nodes each

	res      []resource
	entries  []entry // nodes + links a class, entriesPer each
	perClass int
	column   []columnEntry // entries by resource
	stale    bool          // something changed since the last Solve

	// users counts the running threads of each SharedRW profile by LLC (one row
	// a profile), nil without such a profile.
	users []int32

	speed   []float64 // clock of an LLC relative to the fastest
	changed []int32

	// Iterations of the last Solve, for tests and benchmarks.
	iterations int

	llcHit, llcFill       []float64
	nodeLocal, nodeRemote []float64
	link                  []float64
}

const shareOne = 1 << 20

type cpuState struct {
	thread  int32 // -1: idle
	profile int16
	// What Solve has registered.
	class   int32 // -1: none (idle, or no traffic)
	owner   int32 // thread whose pages are in the class, -1 if none
	window  int64 // bytes entered in llcState.window
	share   int64 // bytes entered in llcState.set
	idleSib int8  // sibling state of a CPU without traffic
	rate    uint32
	fresh   bool // rate must be reported
}

type threadState struct {
	cpu           int32 // where it is entered in a class, -1: nowhere
	before, after int32 // neighbours, -1: none
}

type clusterState struct {
	cpus    []int32
	isDirty bool
}

type llcState struct {
	// classes are sorted by key: the order of the solution.
	classes []int32
	window  int64 // sum of the windows of its threads
	set     int64 // sum of their shares of working sets
	hitSet  float64
	hitWin  float64
	valid   bool // hit ratios match window and set
}

// class is a set of threads with one speed.
type class struct {
	key     int64
	llc     int32
	profile int16
	occ     int16 // CPUs with traffic in the cluster
	sib     int8
	n       int32
	valid   bool // coefficients match sums and hit ratios
	// compute is the time of one ns of work without stalls, slope the part of
	// a stall that shows (1 - overlap), base the stall at no load.
	compute, slope, base float64
	stall, time          float64 // current solution
	first, count         int32   // entries
	cluster              queue   // port of its cluster
	hit, fill            float64 // bytes a ns of work
}

// queue is the load of a resource: load = u/(1-u) at utilisation u.
type queue struct{ load, beta, delta, cap float64 }

// entry couples a class to a resource: each unit of load costs beta ns of
// stall a ns of work, which moves delta bytes over it.
type entry struct {
	res         int32
	beta, delta float64
}

type columnEntry struct {
	class       int32
	beta, delta float64
}

// resource is a port, a node's DRAM or a link.
type resource struct {
	cap         float64 // bytes a ns; 0 = no limit
	load        float64
	first, last int32 // columns
}

// New makes a model of an idle machine. profiles are those that SetCPU will
// name, threads is one more than the largest thread number.
func New(m *machine.Machine, profiles []Profile, threads int) *Model {
	nodes, packages := len(m.Nodes), len(m.Packages)
	md := &Model{
		m: m, profiles: append([]Profile(nil), profiles...), nodes: nodes, packages: packages,
		cpus: make([]cpuState, len(m.CPUs)), cluster: make([]clusterState, len(m.Clusters)), llcs: make([]llcState, len(m.LLCs)),
		dirty:   make([]int32, 0, len(m.Clusters)),
		threads: make([]threadState, threads), halo: make([]int32, threads*nodes), slabs: 1,
		classes: make([]class, len(m.CPUs)), free: make([]int32, 0, len(m.CPUs)), sums: make([]int64, len(m.CPUs)*2*nodes),
		speed: make([]float64, len(m.LLCs)), changed: make([]int32, 0, len(m.CPUs)),
		llcHit: make([]float64, len(m.LLCs)), llcFill: make([]float64, len(m.LLCs)),
		nodeLocal: make([]float64, nodes), nodeRemote: make([]float64, nodes), link: make([]float64, packages*packages),
	}
	for c := range md.cpus {
		md.cpus[c] = cpuState{thread: -1, profile: -1, class: -1, owner: -1}
	}
	for i := range profiles {
		if profiles[i].Reuse == SharedRW {
			md.users = make([]int32, len(profiles)*len(m.LLCs))
		}
		md.slabs = max(md.slabs, int(profiles[i].Slab)+1)
	}
	md.slab = make([]int32, threads*md.slabs*nodes)
	for t := range md.threads {
		md.threads[t] = threadState{cpu: -1, before: -1, after: -1}
	}
	for i := range m.Clusters {
		for _, c := range m.Clusters[i].Members() {
			md.cluster[i].cpus = append(md.cluster[i].cpus, int32(c))
		}
	}
	ref := m.RefGHz()
	for l := range m.LLCs {
		md.llcs[l].classes = make([]int32, 0, m.LLCs[l].CPUs.Len())
		md.speed[l] = m.LLCs[l].FreqGHz / ref
	}
	for c := len(m.CPUs) - 1; c >= 0; c-- {
		md.free = append(md.free, int32(c))
	}
	md.makeResources()
	return md
}

// Resources are numbered: DRAM of the nodes, fill ports, hit ports, links.
func (md *Model) resFill(l int) int { return md.nodes + l }
func (md *Model) resHit(l int) int  { return md.nodes + len(md.llcs) + l }
func (md *Model) resLink(from, to int) int {
	return md.nodes + 2*len(md.llcs) + from*md.packages + to
}

func (md *Model) makeResources() {
	m := md.m
	md.res = make([]resource, md.nodes+2*len(md.llcs)+md.packages*md.packages)
	for n := range m.Nodes {
		md.res[n].cap = m.Nodes[n].GBps
	}
	for l := range m.LLCs {
		md.res[md.resFill(l)].cap = m.LLCs[l].FillGBps
		md.res[md.resHit(l)].cap = m.LLCs[l].HitGBps
	}
	for from := range md.packages {
		for to := range md.packages {
			if from != to {
				md.res[md.resLink(from, to)].cap = m.Perf.LinkGBps
			}
		}
	}
	md.perClass = md.nodes + 2 + 2*md.packages
	md.entries = make([]entry, len(md.classes)*md.perClass)
	md.column = make([]columnEntry, len(md.entries))
	for i := range md.classes {
		md.classes[i].first = int32(i * md.perClass)
	}
}

// SetCPU tells what runs on a CPU: thread -1 means it is idle; profile -1
// means that the thread makes no traffic below L2.
func (md *Model) SetCPU(cpu int, thread int32, profile int16) {
	c := &md.cpus[cpu]
	if c.thread == thread && c.profile == profile {
		return
	}
	if thread < 0 {
		profile = -1
	}
	c.thread, c.profile = thread, profile
	c.fresh = true
	md.touch(md.m.CPUs[cpu].Cluster)
}

// touch has the CPUs of a cluster classed again.
func (md *Model) touch(cluster int32) {
	if cl := &md.cluster[cluster]; !cl.isDirty {
		cl.isDirty = true
		md.dirty = append(md.dirty, cluster)
	}
	md.stale = true
}

// Rate is the speed of the thread on a CPU after the last Solve: FullRate is
// work done as if alone with all data in L2, at the clock of the fastest
// cores. It is 0 for an idle CPU.
func (md *Model) Rate(cpu int) uint32 { return md.cpus[cpu].rate }

// Changed lists, in ascending order, the CPUs whose Rate the last Solve changed by more than
// 0.1 %, and those on which SetCPU changed something. The slice is reused.
func (md *Model) Changed() []int32 { return md.changed }

// mbps turns bytes a ns into 10^6 bytes a second.
func mbps(v float64) int64 { return int64(float64(v*1000) + 0.5) }

// LLCHit is the bandwidth of hits in LLC l after the last Solve, in MB/s.
func (md *Model) LLCHit(l int) int64 { return mbps(md.llcHit[l]) }

// LLCFill is the traffic between LLC l and memory, fills and write-backs, in MB/s.
func (md *Model) LLCFill(l int) int64 { return mbps(md.llcFill[l]) }

// NodeLocal is the DRAM traffic of node n with CPUs of the node, in MB/s.
func (md *Model) NodeLocal(n int) int64 { return mbps(md.nodeLocal[n]) }

// NodeRemote is the DRAM traffic of node n with CPUs of other nodes, in MB/s,
// directory writes included.
func (md *Model) NodeRemote(n int) int64 { return mbps(md.nodeRemote[n]) }

// Link is the traffic from one package to another, in MB/s.
func (md *Model) Link(from, to int) int64 { return mbps(md.link[from*md.packages+to]) }
