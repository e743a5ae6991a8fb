package importer

import (
	"errors"
	"strconv"
	"strings"

	"casplay/core/machine"
)

// hwloc reads the XML of lstopo, of hwloc 1 (type="Cache" depth="3", NUMA
// nodes as parents) and 2 (type="L3Cache", NUMA nodes beside what they serve).
type hwloc struct {
	*topology
	stack   []cpu // what the open objects say about the CPUs inside
	ids     int
	numa    []numaNode
	online  machine.Set
	limited bool
	// matrix is what a <distances> or <distances2> element holds so far.
	matrix   *matrix
	matrices []*matrix
	ticks    bool // inside the element whose text belongs to matrix
	indexes  bool
}

type numaNode struct {
	os    int
	bytes int64
	cpus  machine.Set
}

type matrix struct {
	count   int
	base    float64
	old, ok bool
	nodes   []int
	values  []float64
}

// maxNumbers bounds the numbers of a matrix.
const maxNumbers = 1 << 12

func (t *topology) readXML(text string) error {
	t.tool = "lstopo"
	h := &hwloc{topology: t}
	root := cpu{node: -1, core: -1, l2: -1, l3: -1}
	h.stack = []cpu{root}
	x := xmlReader{text: text, start: h.begin, chars: h.chars}
	x.end = func(name string) {
		h.stack = h.stack[:len(h.stack)-1]
		if strings.HasPrefix(name, "distances") {
			h.matrix = nil
		}
		h.ticks = false
	}
	if err := x.read(); err != nil {
		return err
	}
	if len(h.cpus) == 0 {
		return errors.New("the XML has no object of type PU: paste what \"lstopo --of xml\" prints")
	}
	h.nodesOfCPUs()
	h.takeMatrix()
	return nil
}

// begin reads a start tag.
func (h *hwloc) begin(name string, attrs []attr) error {
	top := h.stack[len(h.stack)-1]
	h.stack = append(h.stack, top)
	h.ticks = false
	switch name {
	case "object":
		return h.object(&h.stack[len(h.stack)-1], attrs)
	case "info":
		if n := get(attrs, "name"); n == "CPUModel" && h.title == "" {
			h.title = get(attrs, "value")
		}
	case "distances", "distances2":
		m := &matrix{count: number(get(attrs, "nbobjs")), old: name == "distances", base: 1}
		m.ok = m.old || get(attrs, "type") == "NUMANode" && (get(attrs, "name") == "NUMALatency" || get(attrs, "kind") == "5")
		if b, err := strconv.ParseFloat(get(attrs, "latency_base"), 64); err == nil {
			m.base = b
		}
		h.matrix = m
		if len(h.matrices) < 64 {
			h.matrices = append(h.matrices, m)
		}
	case "latency":
		if v, err := strconv.ParseFloat(get(attrs, "value"), 64); err == nil && h.matrix != nil && len(h.matrix.values) < maxNumbers {
			h.matrix.values = append(h.matrix.values, v)
		}
	case "indexes", "u64values":
		h.ticks, h.indexes = h.matrix != nil, name == "indexes"
	}
	return nil
}

// chars reads the numbers of a matrix.
func (h *hwloc) chars(text string) error {
	if !h.ticks {
		return nil
	}
	for _, f := range strings.Fields(text) {
		m := h.matrix
		if len(m.values)+len(m.nodes) > maxNumbers {
			return errors.New("a matrix of distances with more than " + strconv.Itoa(maxNumbers) + " numbers")
		}
		v, err := strconv.ParseUint(f, 10, 62)
		switch {
		case err != nil && m.ok:
			return errors.New(shorten(f) + " where a number is needed")
		case h.indexes:
			m.nodes = append(m.nodes, int(v))
		default:
			m.values = append(m.values, float64(v))
		}
	}
	return nil
}

// object enters what an object says about the CPUs inside it.
func (h *hwloc) object(in *cpu, attrs []attr) error {
	kind := get(attrs, "type")
	if kind == "Cache" { // hwloc 1
		if get(attrs, "cache_type") != "2" {
			kind = "L" + get(attrs, "depth") + "Cache"
		}
	}
	size, _ := bytesOf(get(attrs, "cache_size"))
	h.ids++
	switch kind {
	case "Machine":
		for _, key := range []string{"allowed_cpuset", "online_cpuset"} {
			if s := get(attrs, key); s != "" {
				set, ok := cpuMask(s)
				if !ok {
					return errors.New(key + " " + shorten(s) + " is not a set of CPUs below " + strconv.Itoa(machine.MaxCPUs))
				}
				if h.limited {
					h.online.And(&set)
				} else {
					h.online, h.limited = set, true
				}
			}
		}
	case "Package", "Socket":
		in.pkg = h.ids
	case "L3Cache":
		in.l3, in.l3Bytes = h.ids, size
	case "L2Cache":
		in.l2, in.l2Bytes = h.ids, size
	case "Core":
		in.core = h.ids
	case "NUMANode":
		bytes, _ := bytesOf(get(attrs, "local_memory"))
		set, ok := cpuMask(get(attrs, "cpuset"))
		if !ok {
			return errors.New("cpuset of NUMANode is not a set of CPUs below " + strconv.Itoa(machine.MaxCPUs))
		}
		if len(h.numa) == machine.MaxCPUs {
			return errors.New("more than " + strconv.Itoa(machine.MaxCPUs) + " NUMA nodes")
		}
		h.numa = append(h.numa, numaNode{number(get(attrs, "os_index")), bytes, set})
	case "PU":
		in.n = number(get(attrs, "os_index"))
		if in.core < 0 {
			in.core = h.ids
		}
		if in.n >= 0 && in.n < machine.MaxCPUs && h.limited && !h.online.Has(in.n) {
			h.offline = append(h.offline, in.n)
			return nil
		}
		return h.add(*in)
	}
	return nil
}

// nodesOfCPUs gives each CPU the smallest node that it is in; memory that
// shares its CPUs with another node (HBM, expanders) has none of its own.
func (h *hwloc) nodesOfCPUs() {
	for i := range h.cpus {
		c := &h.cpus[i]
		least := machine.MaxCPUs + 1
		for _, n := range h.numa {
			if size := n.cpus.Len(); n.cpus.Has(c.n) && size < least {
				c.node, least = n.os, size
			}
		}
	}
	for _, n := range h.numa {
		h.nodes = append(h.nodes, nodeMemory{n.os, n.bytes})
	}
}

// takeMatrix keeps the distances between all nodes.
func (h *hwloc) takeMatrix() {
	for _, m := range h.matrices {
		n := m.count
		if !m.ok || n < 2 || n > 64 || len(m.values) != n*n || (m.old && n != len(h.numa)) || (!m.old && len(m.nodes) != n) {
			continue
		}
		h.distances, h.distanceOf = nil, m.nodes
		if m.old { // by logical index, the order of the objects
			for _, node := range h.numa {
				h.distanceOf = append(h.distanceOf, node.os)
			}
		}
		for i := range n {
			row := make([]int, n)
			for j := range row {
				row[j] = int(min(max(m.values[i*n+j]*m.base, 0), 1000) + 0.5)
			}
			h.distances = append(h.distances, row)
		}
		return
	}
}
