//go:build js && wasm

package main

import (
	"strconv"

	"casplay/core/machine"
)

// layout is a machine as lstopo nests it, for the drawing.
type layout struct {
	Name      string        `json:"name"`
	Title     string        `json:"title"`
	Synthetic string        `json:"synthetic"`
	CPUs      int           `json:"cpus"`
	SMT       int           `json:"smt"`
	Packages  []packageView `json:"packages"`
}

type packageView struct {
	Index int `json:"index"`
	// Nodes are those that begin in the package: memory that is interleaved
	// over packages is shown in the first of them.
	Nodes []nodeView `json:"nodes"`
	LLCs  []llcView  `json:"llcs"`
}

type nodeView struct {
	Index    int     `json:"index"`
	MemBytes int64   `json:"mem_bytes"`
	GBps     float64 `json:"gbps"`
}

type llcView struct {
	Index    int     `json:"index"`
	Node     int     `json:"node"`
	Bytes    int64   `json:"bytes"`
	FillGBps float64 `json:"fill_gbps"`
	// Clusters of cores of CPU numbers.
	Clusters [][][]int `json:"clusters"`
}

// layOut nests a machine.
func layOut(m *machine.Machine) layout {
	l := layout{Name: m.Name, Title: m.Title, CPUs: len(m.CPUs), SMT: m.SMT, Synthetic: synthetic(m)}
	for p := range m.Packages {
		pv := packageView{Index: p, Nodes: []nodeView{}, LLCs: []llcView{}}
		for n := range m.Nodes {
			node := &m.Nodes[n]
			if first := node.CPUs.First(); first >= 0 && int(m.CPUs[first].Package) == p {
				pv.Nodes = append(pv.Nodes, nodeView{n, node.MemBytes, node.GBps})
			}
		}
		for i := range m.LLCs {
			if c := &m.LLCs[i]; int(c.Package) == p {
				pv.LLCs = append(pv.LLCs, llcView{i, int(c.Node), c.Bytes, c.FillGBps, clusters(m, i)})
			}
		}
		l.Packages = append(l.Packages, pv)
	}
	return l
}

// clusters lists the CPUs of an LLC by cluster and core.
func clusters(m *machine.Machine, llc int) [][][]int {
	var out [][][]int
	at := map[int32]int{}
	done := map[int32]bool{}
	for _, cpu := range m.LLCs[llc].CPUs.Members() {
		c := m.CPUs[cpu]
		if done[c.Core] {
			continue
		}
		done[c.Core] = true
		i, known := at[c.Cluster]
		if !known {
			i = len(out)
			at[c.Cluster] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], m.Cores[c.Core].Members())
	}
	return out
}

// synthetic is the hwloc synthetic string of a machine whose packages and
// LLCs are alike, as far as its levels divide evenly.
func synthetic(m *machine.Machine) string {
	cores := len(m.Cores)
	levels := []struct {
		name string
		n    int
		attr string
	}{
		{"pack", len(m.Packages), ""},
		{"numa", len(m.Nodes), ""},
		{"l3", len(m.LLCs), "(size=" + strconv.FormatInt(m.LLCs[0].Bytes>>20, 10) + "MB)"},
		{"l2", len(m.Clusters), "(size=" + strconv.FormatInt(m.Perf.L2Bytes>>20, 10) + "MB)"},
		{"core", cores, ""},
		{"pu", len(m.CPUs), ""},
	}
	s, above := "", 1
	for _, level := range levels {
		if level.n%above != 0 {
			continue
		}
		s += level.name + ":" + strconv.Itoa(level.n/above) + level.attr + " "
		above = level.n
	}
	return s[:len(s)-1]
}
