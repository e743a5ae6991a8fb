package sim

import (
	"casplay/core/machine"
	"casplay/core/result"
)

// meter collects the series of a run. Utilisation is in units of 0.01 %,
// bandwidth in MB/s.
type meter struct {
	nodeBuf []int64

	// Byte counts (MB/s x ns) since the last sample, and in all.
	at                             int64
	hit, fill, local, remote, link []int64
	lastBusy                       []int64
	sampleAt                       int64

	util, hits, fills, nodeBW, nodeRemote, links, cpus []result.Series
	threads, pages, avg, foot                          [][]result.Series
	samples                                            int
	fillTotal, nodeTotal                               []int64
	preferred                                          [][][2]int64
	footMax, avgMax                                    []int64
}

func (m *meter) init(s *Sim) {
	n, l := len(s.m.Nodes), len(s.m.LLCs)
	m.nodeBuf = make([]int64, n)
	m.at, m.sampleAt = s.now, s.now
	m.hit, m.fill = make([]int64, l), make([]int64, l)
	m.local, m.remote = make([]int64, n), make([]int64, n)
	m.fillTotal, m.nodeTotal = make([]int64, l), make([]int64, n)
	m.lastBusy = make([]int64, len(s.m.CPUs))
	for i := range l {
		m.util = append(m.util, result.Series{Kind: "llc_util", Index: i, Unit: "%", Scale: 100, Cap: 10000})
		m.hits = append(m.hits, result.Series{Kind: "llc_hit", Index: i, Unit: "GB/s", Scale: 1000, Cap: mbps(s.m.LLCs[i].HitGBps)})
		m.fills = append(m.fills, result.Series{Kind: "llc_fill", Index: i, Unit: "GB/s", Scale: 1000, Cap: mbps(s.m.LLCs[i].FillGBps)})
	}
	for i := range n {
		m.nodeBW = append(m.nodeBW, result.Series{Kind: "node_bw", Index: i, Unit: "GB/s", Scale: 1000, Cap: mbps(s.m.Nodes[i].GBps)})
		m.nodeRemote = append(m.nodeRemote, result.Series{Kind: "node_remote", Index: i, Unit: "GB/s", Scale: 1000, Cap: mbps(s.m.Nodes[i].GBps)})
	}
	for a := range s.m.Packages {
		for b := range s.m.Packages {
			if a != b && s.m.Perf.LinkGBps > 0 {
				m.links = append(m.links, result.Series{Kind: "link_bw", Index: a, Sub: b, Unit: "GB/s", Scale: 1000, Cap: mbps(s.m.Perf.LinkGBps)})
			}
		}
	}
	m.link = make([]int64, len(m.links))
	if s.setup.SampleCPUs {
		for i := range s.m.CPUs {
			m.cpus = append(m.cpus, result.Series{Kind: "cpu_busy", Index: i, Unit: "%", Scale: 100, Cap: 10000})
		}
	}
	for p := range s.procs {
		var th, pg []result.Series
		for i := range l {
			th = append(th, result.Series{Kind: "proc_llc_threads", Index: i, Sub: p, Unit: "threads", Scale: 1})
		}
		for i := range n {
			pg = append(pg, result.Series{Kind: "proc_node_pages", Index: i, Sub: p, Unit: "MiB", Scale: 1})
		}
		m.threads = append(m.threads, th)
		m.pages = append(m.pages, pg)
		m.avg = append(m.avg, []result.Series{{Kind: "proc_nr_running_avg", Index: p, Sub: p, Unit: "threads", Scale: 1}})
		m.foot = append(m.foot, []result.Series{{Kind: "proc_footprint", Index: p, Sub: p, Unit: "pages", Scale: 1}})
		s.procs[p].threadNs = make([]int64, l)
	}
	m.preferred = make([][][2]int64, len(s.procs))
	m.footMax, m.avgMax = make([]int64, len(s.procs)), make([]int64, len(s.procs))
}

func mbps(gbps float64) int32 { return int32(gbps * 1000) }

// integrate adds the current rates up to now; it comes before every change of them.
func (m *meter) integrate(s *Sim) {
	d := s.now - m.at
	m.at = s.now
	if d == 0 {
		return
	}
	for i := range m.hit {
		m.hit[i] += s.mem.LLCHit(i) * d
		f := s.mem.LLCFill(i) * d
		m.fill[i] += f
	}
	for i := range m.local {
		m.local[i] += s.mem.NodeLocal(i) * d
		m.remote[i] += s.mem.NodeRemote(i) * d
	}
	for i := range m.links {
		m.link[i] += s.mem.Link(m.links[i].Index, m.links[i].Sub) * d
	}
}

// sample closes the interval since the last sample.
func (m *meter) sample(s *Sim) {
	m.integrate(s)
	d := s.now - m.sampleAt
	if d <= 0 {
		return
	}
	m.sampleAt = s.now
	m.samples++
	for i := range m.util {
		var busy int64
		n := 0
		for c := s.m.LLCs[i].CPUs.First(); c >= 0; c = s.m.LLCs[i].CPUs.Next(c + 1) {
			b := s.sched.BusyNs(int32(c))
			busy += b - m.lastBusy[c]
			if m.cpus != nil {
				m.cpus[c].V = append(m.cpus[c].V, int32((b-m.lastBusy[c])*10000/d))
			}
			m.lastBusy[c] = b
			n++
		}
		m.util[i].V = append(m.util[i].V, int32(busy*10000/d/int64(n)))
		m.fillTotal[i] += m.fill[i]
		push(&m.hits[i], &m.hit[i], d)
		push(&m.fills[i], &m.fill[i], d)
	}
	for i := range m.nodeBW {
		total := m.local[i] + m.remote[i]
		m.nodeTotal[i] += total
		m.local[i] = 0
		push(&m.nodeBW[i], &total, d)
		push(&m.nodeRemote[i], &m.remote[i], d)
	}
	for i := range m.links {
		push(&m.links[i], &m.link[i], d)
	}
	for p := range s.procs {
		m.sampleProc(s, p, d)
	}
}

func push(se *result.Series, sum *int64, d int64) {
	se.V = append(se.V, int32(*sum/d))
	*sum = 0
}

func (m *meter) sampleProc(s *Sim, pi int, d int64) {
	p := &s.procs[pi]
	for l := range m.threads[pi] {
		m.threads[pi][l].V = append(m.threads[pi][l].V, p.perLLC[l])
		p.threadNs[l] += int64(p.perLLC[l]) * d
	}
	for n := range m.pages[pi] {
		v := int64(0)
		if p.mm != nil {
			v = p.mm.NodePages(n) * machine.PageBytes >> 20
		}
		m.pages[pi][n].V = append(m.pages[pi][n].V, int32(v))
	}
	var avg, foot int64
	if p.group >= 0 {
		g := &s.sched.CAS.Groups[p.group]
		avg, foot = g.NrRunningAvg, g.Footprint
		m.footMax[pi] = max(m.footMax[pi], foot)
		m.avgMax[pi] = max(m.avgMax[pi], avg)
	}
	m.avg[pi][0].V = append(m.avg[pi][0].V, int32(avg))
	m.foot[pi][0].V = append(m.foot[pi][0].V, int32(min(foot, 1<<31-1)))
}

// finish closes the last, shorter interval.
func (m *meter) finish(s *Sim) {
	if s.now > m.sampleAt {
		m.sample(s)
	}
}
