package numab

import "math/bits"

// loadAvgMax is the load_sum of a task that always ran (kernel/sched/pelt.h).
const loadAvgMax = 47742

// placement digests the faults of the window that ends with a sweep, once for
// each task and sweep, and returns the node that the task should prefer
// (7.3 fair.c task_numa_placement). It is the only place that raises the
// footprint.
func (t *Task) placement(now Clock) int {
	m := t.mm
	sys := m.sys
	m.Stats.PlacementCalls++
	if t.scanSeq == m.scanSeq {
		m.Stats.GateStops++
		return t.preferred
	}
	m.Stats.FootprintWrites++
	t.scanSeq = m.scanSeq
	t.scanPeriodMax = t.scanMax()
	seen := t.locality[0] + t.locality[1]
	runtime, elapsed := t.averageRuntime(now)
	weight := (runtime << 16) / (elapsed + 1)

	g := t.group
	best, most := NoNode, int64(0)
	var window [2]int64
	for node := range sys.topo.nodes {
		var own, all int64
		for priv := shared; priv <= private; priv++ {
			mem, cpu := sys.at(statMem, node, priv), sys.at(statCPU, node, priv)
			memBuf, cpuBuf := sys.at(statMemBuf, node, priv), sys.at(statCPUBuf, node, priv)

			diff := t.faults[memBuf] - t.faults[mem]/2
			window[priv] += t.faults[memBuf]
			t.faults[memBuf] = 0
			cpuDiff := weight*t.faults[cpuBuf]/(seen+1) - t.faults[cpu]/2
			t.faults[cpuBuf] = 0

			t.faults[mem] += diff
			t.faults[cpu] += cpuDiff
			own += t.faults[mem]
			t.totalFaults += diff
			if fp := t.footprint; fp != nil {
				*fp = max(0, *fp+diff)
			}
			if g != nil {
				g.faults[mem] += diff
				g.faults[cpu] += cpuDiff
				g.totalFaults += diff
				all += g.faults[mem]
			}
		}
		if g != nil {
			own = all
		}
		if own > most {
			best, most = node, own
		}
	}
	best = sys.topo.nearestWithCPUs(best)
	if g != nil {
		g.countActive(&sys.topo)
		best = sys.groupNode(t, best)
	}
	t.adaptPeriod(window[shared], window[private], now.Jiffies)
	if most == 0 {
		return t.preferred
	}
	return best
}

// averageRuntime is the CPU time used since the last accounting and the time
// that passed, in ns; before the first one PELT stands in
// (fair.c numa_get_avg_runtime).
func (t *Task) averageRuntime(now Clock) (runtime, elapsed int64) {
	if t.lastPlacement != 0 {
		runtime, elapsed = now.RuntimeNs-t.lastRuntime, max(0, now.ExecStartNs-t.lastPlacement)
	} else {
		runtime, elapsed = now.LoadSum, loadAvgMax
	}
	t.lastRuntime, t.lastPlacement = now.RuntimeNs, now.ExecStartNs
	return runtime, elapsed
}

// groupNode adjusts the node with the most group faults to the wiring of the
// machine (fair.c preferred_group_nid).
func (s *System) groupNode(t *Task, node int) int {
	topo := &s.topo
	switch topo.shape {
	case mesh:
		most := int64(0)
		for n := range topo.nodes {
			if topo.weight[n] == 0 {
				continue
			}
			if w := t.GroupWeight(n, topo.maxDist); w > most {
				node, most = n, w
			}
		}
	case backplane:
		candidates := uint64(0)
		for n := range topo.nodes {
			if topo.weight[n] > 0 {
				candidates |= 1 << n
			}
		}
		for dist := topo.maxDist; dist > localDistance; dist-- {
			if !topo.hasDistance(dist) {
				continue
			}
			winner, group, most := node, uint64(0), int64(0)
			for left := candidates; left != 0; {
				a := bits.TrailingZeros64(left)
				near, faults := uint64(0), int64(0)
				for x := left; x != 0; x &= x - 1 {
					if b := bits.TrailingZeros64(x); topo.dist[a][b] < dist {
						near |= 1 << b
						faults += t.group.memFaults(b)
					}
				}
				left &^= near
				if faults > most {
					winner, group, most = a, near, faults
				}
			}
			if most == 0 {
				break
			}
			node, candidates = winner, group
		}
	}
	return node
}

// hasDistance reports whether two nodes with CPUs are that far apart.
func (t *topology) hasDistance(dist int) bool {
	for a := range t.dist {
		for b := range t.dist {
			if t.weight[a] > 0 && t.weight[b] > 0 && t.dist[a][b] == dist {
				return true
			}
		}
	}
	return false
}
