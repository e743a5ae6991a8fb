package importer

import (
	"errors"
	"strconv"
	"strings"

	"casplay/core/machine"
)

// finish joins the parts of lscpu's output.
func (l *lscpu) finish() error {
	l.title = l.summary["model name"]
	l2n, l3n := l.total("l2 cache", 2), l.total("l3 cache", 3)
	mhz, _ := strconv.ParseFloat(l.summary["cpu max mhz"], 64)
	if len(l.cpus) == 0 && l.summary["cpu(s)"] != "" {
		if err := l.build(l2n, l3n); err != nil {
			return err
		}
	}
	if len(l.cpus) == 0 && l.unnamed > 0 {
		return errors.New("the CPUs have no numbers (column CPU), lscpu does not know them or the column was left out: paste \"lscpu -J\" or \"lstopo --of xml\"")
	}
	for i := range l.cpus {
		c := &l.cpus[i]
		c.l2Bytes, c.l3Bytes = l.size[2], l.size[3]
		if c.mhz == 0 {
			c.mhz = mhz
		}
	}
	return nil
}

// total reads "128 MiB (16 instances)": the number of caches, and the size of
// one unless -C has told it. Old versions print the size of one, "8192K".
func (l *lscpu) total(key string, level int) int {
	value, rest, _ := strings.Cut(l.summary[key], "(")
	n, ok := bytesOf(value)
	if !ok {
		return 0
	}
	count := number(strings.Fields(rest + " 0")[0])
	if l.size[level] == 0 {
		l.size[level] = n / int64(max(count, 1))
	}
	return max(count, 0)
}

// build lays CPUs out that only the summary describes.
func (l *lscpu) build(l2n, l3n int) error {
	get := func(key string) int { return max(number(l.summary[key]), 0) }
	n, smt := get("cpu(s)"), max(get("thread(s) per core"), 1)
	pkgs := max(get("socket(s)")*max(get("book(s) per drawer"), 1), 1)
	if n < 1 || n > machine.MaxCPUs {
		return errors.New("CPU(s): must be between 1 and " + strconv.Itoa(machine.MaxCPUs) + ", got " + shorten(l.summary["cpu(s)"]))
	}
	if s := l.summary["on-line cpu(s) list"]; s != "" {
		if on, ok := cpuList(s); ok && on.Len() < n {
			l.warn("Only CPUs " + shorten(s) + " are online: the others are left out.")
			n = on.Len()
		}
	}
	if n%(smt*pkgs) != 0 {
		l.warn("Sockets, cores and threads do not multiply to " + strconv.Itoa(n) + " CPUs: one socket without SMT is simulated.")
		smt, pkgs = 1, 1
	}
	l.warn("This is a summary: which CPUs share what is a guess (evenly, in the order of numbers). Paste \"lscpu -e -J\" too.")
	cores := n / smt
	nodes := max(get("numa node(s)"), 1)
	adjacent := false
	if on, ok := cpuList(l.summary["numa node0 cpu(s)"]); ok && smt > 1 {
		adjacent = nodes > 1 && on.Len() < n && !on.Has(cores)
	}
	share := func(core, count int) int {
		if count < 1 {
			return -1
		}
		return core * min(count, cores) / cores
	}
	for core := range cores {
		for th := range smt {
			c := cpu{n: core + th*cores, pkg: core * pkgs / cores, node: core * min(nodes, cores) / cores, core: core, l2: share(core, l2n), l3: share(core, l3n)}
			if adjacent {
				c.n = core*smt + th
			}
			if c.l3 < 0 && l.size[3] > 0 { // an old version: one for each package
				c.l3 = c.pkg
			}
			if err := l.add(c); err != nil {
				return err
			}
		}
	}
	return nil
}
