package importer

import (
	"errors"
	"sort"
	"strconv"
	"strings"

	"casplay/core/machine"
)

// cpu is one hardware thread as reported; -1 is an index that is not known.
type cpu struct {
	n, pkg, node, core, l2, l3 int
	l2Bytes, l3Bytes           int64
	mhz                        float64
}

// topology collects what a text says.
type topology struct {
	title, tool string
	cpus        []cpu
	seen        machine.Set
	offline     []int
	// memory of nodes in bytes, in the order of their appearance.
	nodes []nodeMemory
	// distances between the nodes whose numbers are distanceOf.
	distances  [][]int
	distanceOf []int
	warnings   []string
}

// nodeMemory is the memory of a NUMA node.
type nodeMemory struct {
	node  int
	bytes int64
}

func (t *topology) warn(s string) { t.warnings = append(t.warnings, s) }

// add enters a CPU; a number seen before is left as it is.
func (t *topology) add(c cpu) error {
	if c.n < 0 || c.n >= machine.MaxCPUs {
		return errors.New("CPU " + strconv.Itoa(c.n) + " is out of range: at most " + strconv.Itoa(machine.MaxCPUs) + " CPUs, numbered from 0, can be simulated")
	}
	if !t.seen.Has(c.n) {
		t.seen.Add(c.n)
		t.cpus = append(t.cpus, c)
	}
	return nil
}

// llc is one last-level cache, or the part of it that is in one node.
type llc struct {
	level, id, node int
	bytes           int64
	cpus            []cpu
}

// cores groups the hardware threads of an LLC by core.
func (l *llc) cores() (cores [][]cpu) {
	at := map[[2]int]int{}
	for _, c := range l.cpus {
		key := [2]int{c.core, c.l2}
		i, ok := at[key]
		if !ok || c.core < 0 {
			i = len(cores)
			at[key] = i
			cores = append(cores, nil)
		}
		cores[i] = append(cores[i], c)
	}
	return cores
}

// clusterCores is how many cores share one L2, 0 if that differs.
func (l *llc) clusterCores(cores [][]cpu) int {
	if l.level != 3 {
		return 1
	}
	count, order := map[int]int{}, []int{}
	for _, c := range cores {
		if c[0].l2 < 0 {
			return 1
		}
		if count[c[0].l2] == 0 {
			order = append(order, c[0].l2)
		}
		count[c[0].l2]++
	}
	for _, id := range order {
		if count[id] != count[order[0]] {
			return 0
		}
	}
	return count[order[0]]
}

// byNumber orders CPUs.
type byNumber []cpu

func (c byNumber) Len() int           { return len(c) }
func (c byNumber) Less(i, j int) bool { return c[i].n < c[j].n }
func (c byNumber) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }

// packages groups the CPUs into packages of LLCs, in the order of their
// first CPUs, the LLCs of a node side by side.
func (t *topology) packages() [][]llc {
	sort.Stable(byNumber(t.cpus))
	whole := map[[2]int]int{} // CPUs of a cache in all nodes
	var pkgs [][]llc
	var ids []int
	for _, c := range t.cpus {
		l := llc{node: max(c.node, 0)}
		switch {
		case c.l3 >= 0:
			l.level, l.id, l.bytes = 3, c.l3, c.l3Bytes
		case c.l2 >= 0:
			l.level, l.id, l.bytes = 2, c.l2, c.l2Bytes
		default:
			l.id = c.pkg
		}
		whole[[2]int{l.level, l.id}]++
		p := 0
		for p < len(ids) && ids[p] != c.pkg {
			p++
		}
		if p == len(ids) {
			ids, pkgs = append(ids, c.pkg), append(pkgs, nil)
		}
		pkgs[p] = enter(pkgs[p], l, c)
	}
	for _, p := range pkgs {
		for i := range p {
			if all := whole[[2]int{p[i].level, p[i].id}]; all > len(p[i].cpus) {
				p[i].bytes = p[i].bytes * int64(len(p[i].cpus)) / int64(all)
				t.once("A last-level cache spans NUMA nodes or packages: as in Linux the part of each is a cache of its own, with its share of the capacity.")
			}
		}
	}
	return pkgs
}

// once warns unless the same has been said.
func (t *topology) once(s string) {
	for _, w := range t.warnings {
		if w == s {
			return
		}
	}
	t.warn(s)
}

// enter puts a CPU into its LLC; a new one goes behind the others of its node.
func enter(llcs []llc, l llc, c cpu) []llc {
	at := len(llcs)
	for i := range llcs {
		if o := &llcs[i]; o.level == l.level && o.id == l.id && o.node == l.node {
			o.cpus = append(o.cpus, c)
			return llcs
		}
		if llcs[i].node == l.node {
			at = i + 1
		}
	}
	l.cpus = []cpu{c}
	llcs = append(llcs, llc{})
	copy(llcs[at+1:], llcs[at:])
	llcs[at] = l
	return llcs
}

// group describes an LLC.
func (t *topology) group(l *llc) machine.LLCGroup {
	cores := l.cores()
	g := machine.LLCGroup{Count: 1, Cores: len(cores), SMT: len(cores[0])}
	for _, c := range cores {
		if len(c) != g.SMT {
			t.once("An LLC has cores with different numbers of hardware threads: each thread is simulated as a core.")
			g.Cores, g.SMT = len(l.cpus), 1
			break
		}
	}
	if g.SMT > 8 {
		t.once("More than 8 hardware threads of a core are simulated as cores.")
		g.Cores, g.SMT = len(l.cpus), 1
	}
	g.ClusterCores = l.clusterCores(cores)
	if g.Cores != len(cores) || g.ClusterCores < 1 || g.ClusterCores > 16 || g.Cores%g.ClusterCores != 0 {
		if g.ClusterCores != 1 {
			t.once("L2 caches are shared by different numbers of cores: each core is simulated with its own.")
		}
		g.ClusterCores = 1
	}
	g.SizeMiB = machine.Param{V: float64(l.bytes) / (1 << 20), Source: machine.FromSpec, Why: "reported by " + t.tool}
	if l.bytes < 4096 {
		t.once("The size of the last-level cache is not in the text: 32 MiB is a guess. With lscpu, paste \"lscpu -C -J\" too.")
		g.SizeMiB = machine.Param{V: 32, Source: machine.FromGuess, Why: t.tool + " reports no size"}
	}
	switch l.level {
	case 2:
		t.once("CPUs without L3: their L2 is the last-level cache, as in Linux.")
	case 0:
		t.once("CPUs with neither L2 nor L3: a package is taken as one LLC.")
	}
	return g
}

// fit makes the description, which is regular, of what was read.
func (t *topology) fit() (Result, error) {
	if len(t.cpus) == 0 {
		return Result{}, errors.New("no CPU that is online is in the text: paste the whole output of \"lscpu -e -J; lscpu -C -J\" or \"lstopo --of xml\"")
	}
	if len(t.offline) > 0 {
		t.warn("Offline CPUs are left out: " + listed(t.offline) + ".")
	}
	pkgs := t.packages()
	s := machine.Spec{V: 1, Name: "own-machine", Title: t.title, Source: "imported from " + t.tool, Packages: len(pkgs), Numbering: machine.Adjacent, ReclaimDistance: 30, NodeMemGiB: 256}
	if s.Title = strings.Join(strings.Fields(printable(s.Title)), " "); s.Title == "" {
		s.Title = "own machine"
	}
	if strings.Contains(s.Title, "AMD EPYC") {
		s.ReclaimDistance = 32
		t.warn("RECLAIM_DISTANCE is 32, as Linux sets it on EPYC.")
	}
	largest, all := 0, 0
	for i, p := range pkgs {
		if cpusOf(p) > cpusOf(pkgs[largest]) {
			largest = i
		}
		all += cpusOf(p)
	}
	s.LLCs = t.groups(pkgs[largest])
	for _, p := range pkgs {
		if !sameGroups(s.LLCs, t.groups(p)) {
			t.warn("Packages differ: each is simulated as the largest, " + strconv.Itoa(cpusOf(pkgs[largest])*len(pkgs)) + " CPUs in all instead of " + strconv.Itoa(all) + ".")
			break
		}
	}
	t.fitNodes(&s, pkgs)
	t.price(&s, pkgs)
	if es := s.Validate(); len(es) > 0 {
		return Result{}, errors.New("the machine cannot be simulated: " + machine.Errors(es).Error())
	}
	return t.fitNumbers(s, pkgs)
}

func cpusOf(p []llc) (n int) {
	for i := range p {
		n += len(p[i].cpus)
	}
	return n
}

// groups joins runs of equal LLCs.
func (t *topology) groups(p []llc) (out []machine.LLCGroup) {
	for i := range p {
		g := t.group(&p[i])
		if n := len(out); n > 0 && sameGroup(&out[n-1], &g) {
			out[n-1].Count++
			continue
		}
		out = append(out, g)
	}
	return out
}

func sameGroup(a, b *machine.LLCGroup) bool {
	return a.Cores == b.Cores && a.SMT == b.SMT && a.ClusterCores == b.ClusterCores && a.SizeMiB.V == b.SizeMiB.V
}

func sameGroups(a, b []machine.LLCGroup) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Count != b[i].Count || !sameGroup(&a[i], &b[i]) {
			return false
		}
	}
	return true
}

// printable drops what a title cannot show, and shortens it.
func printable(s string) string {
	b := []byte{}
	for i := 0; i < len(s) && len(b) < 120; i++ {
		if s[i] >= ' ' && s[i] < 0x7f {
			b = append(b, s[i])
		}
	}
	return string(b)
}
