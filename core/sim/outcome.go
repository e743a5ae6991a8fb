package sim

import (
	"strconv"

	"casplay/core/kernel/cas"
	"casplay/core/kernel/why"
	"casplay/core/result"
)

// Done reports whether the run has ended.
func (s *Sim) Done() bool { return s.done }

// Result is Measured with the digest, once the run has ended.
func (s *Sim) Result() *result.Run {
	r := s.Measured()
	if s.done {
		r.Digest = result.DigestRun(r)
	}
	return r
}

// Measured returns what has been measured so far, without a digest; complete
// once Step returned true. It shares its series with the simulation: use it before the next Step.
func (s *Sim) Measured() *result.Run {
	r := &result.Run{Seed: s.setup.Seed, Done: s.ended || s.done && !s.setup.UntilDone, SimNs: s.Now(), Events: s.events, SampleNs: s.setup.SampleNs}
	m := &s.meter
	for _, list := range [][]result.Series{m.util, m.hits, m.fills, m.nodeBW, m.nodeRemote, m.links, m.cpus} {
		r.Series = append(r.Series, list...)
	}
	for p := range s.procs {
		for _, list := range [][]result.Series{m.threads[p], m.pages[p], m.avg[p], m.foot[p]} {
			r.Series = append(r.Series, list...)
		}
	}
	s.metrics(r)
	s.decisions(r)
	for p := range s.procs {
		r.Processes = append(r.Processes, s.process(p))
	}
	r.Warnings = append(r.Warnings, s.warnings...)
	if !s.ended && s.done && s.setup.UntilDone {
		r.Warnings = append(r.Warnings, "the run was cut at its time limit before the workload ended")
	}
	return r
}

// metrics fills the numbers of the whole run.
func (s *Sim) metrics(r *result.Run) {
	add := func(name string, raw, scale int64) {
		r.Metrics = append(r.Metrics, result.Metric{Name: name, Raw: raw, Scale: scale, Value: float64(raw) / float64(scale)})
	}
	total := max(s.Now(), 1)
	var end int64
	for i := range s.procs {
		p := &s.procs[i]
		if p.w.Background || p.endedAt < 0 {
			continue
		}
		start := p.startedAt
		if p.markedAt >= 0 {
			start = p.markedAt
		}
		end = max(end, p.endedAt-start)
	}
	if s.ended {
		add("runtime_s", end, 1e9)
	}
	var busy, mig, llcMig, nodeMig int64
	for c := range s.m.CPUs {
		busy += s.sched.BusyNs(int32(c))
	}
	for i := range s.threads {
		t := s.sched.Task(int32(i))
		mig += t.Migrations
		llcMig += t.LLCMigrations
		nodeMig += t.NodeMigrations
	}
	add("cpu_util_pct", busy*100*100/total, 100)
	var threadNs, topNs int64
	for i := range s.procs {
		top := int64(0)
		for _, ns := range s.procs[i].threadNs {
			threadNs += ns
			top = max(top, ns)
		}
		topNs += top
	}
	if threadNs > 0 {
		add("aggregated_pct", topNs*100/max(threadNs/100, 1), 100)
	}
	add("migrations", mig, 1)
	add("llc_migrations", llcMig, 1)
	add("node_migrations", nodeMig, 1)
	s.procMetrics(add)
	s.measure.metrics(s, add)
	for i, v := range s.meter.fillTotal {
		add("llc"+strconv.Itoa(i)+"_fill_gbps", v/total, 1000)
	}
	for i, v := range s.meter.nodeTotal {
		add("node"+strconv.Itoa(i)+"_bw_gbps", v/total, 1000)
	}
}

func (s *Sim) procMetrics(add func(string, int64, int64)) {
	var pref, runs, scans, visited, sweeps, migrated, faults, footMax int64
	converged := int64(-1)
	for i := range s.procs {
		p := &s.procs[i]
		if p.group < 0 || p.w.Background {
			continue
		}
		if g := &s.sched.CAS.Groups[p.group]; int(g.Process) == i {
			runs += g.Runs
			scans += g.Scans
			visited += g.Visited
		}
		footMax = max(footMax, s.meter.footMax[i])
		st := &p.mm.Stats
		sweeps += st.Sweeps
		migrated += st.PagesMigrated
		faults += st.HintFaults
		pref += int64(len(s.preferredChanges(i)))
		if p.gatheredLLC >= 0 {
			converged = max(converged, p.gatheredAt-p.startedAt)
		} else {
			converged = 1 << 62
		}
	}
	add("pref_llc_changes", pref, 1)
	if converged >= 0 && converged < 1<<62 {
		add("converged_s", converged, 1e9)
	}
	add("footprint_pages_max", footMax, 1)
	add("numa_sweeps", sweeps, 1)
	add("pages_migrated", migrated, 1)
	add("hint_faults", faults, 1)
	add("scan_runs", runs, 1)
	if scans > 0 {
		add("scan_cpus_mean", visited*100/scans, 100)
	}
}

// preferredChanges lists when the preferred LLC of a process changed.
func (s *Sim) preferredChanges(pi int) [][2]int64 {
	var out [][2]int64
	last := int64(-1)
	for i := range s.sched.Book.Log {
		e := &s.sched.Book.Log[i]
		if !e.Move || int(e.Process) != pi {
			continue
		}
		if e.Value != last {
			last = e.Value
			out = append(out, [2]int64{e.At - s.t0, e.Value})
		}
	}
	return out
}

func (s *Sim) process(pi int) result.Process {
	p := &s.procs[pi]
	out := result.Process{Name: p.w.Name, Threads: len(p.w.Threads), RSSBytes: p.rss, Preferred: s.preferredChanges(pi), FootprintPagesMax: s.meter.footMax[pi], NrRunningAvgMax: s.meter.avgMax[pi]}
	if p.group < 0 {
		return out
	}
	g := &s.sched.CAS.Groups[p.group]
	out.ScanRuns, out.Scans, out.NrRunningAvg = g.Runs, g.Scans, g.NrRunningAvg
	st := &p.mm.Stats
	out.NumaSweeps, out.PagesMigrated, out.HintFaults = st.Sweeps, st.PagesMigrated, st.HintFaults
	return out
}

// decisions turns counters and log into words.
func (s *Sim) decisions(r *result.Run) {
	for p := range s.procs {
		for rule := why.Rule(0); rule < why.NumRules; rule++ {
			c := s.sched.Book.Counter(p, rule)
			if c.Evaluated == 0 {
				continue
			}
			d := result.Decision{Rule: rule.String(), Process: p, Evaluated: c.Evaluated, Fired: c.Fired, FirstNs: -1, LastNs: -1, AtNs: c.At - s.t0, Value: c.Value, Limit: c.Limit, Unit: rule.Unit()}
			if c.Fired > 0 {
				d.FirstNs, d.LastNs = c.First-s.t0, c.Last-s.t0
			}
			if d.Limit == cas.Unlimited {
				d.Limit = -1
			}
			d.Text = s.sched.Book.Explain(rule, c.Value, c.Limit, c.Fired > 0)
			r.Decisions = append(r.Decisions, d)
		}
	}
	for i := range s.sched.Book.Log {
		e := &s.sched.Book.Log[i]
		text := s.sched.Book.Explain(e.Rule, e.Value, e.Limit, e.Fired)
		if e.Move {
			text = why.ExplainMove(e.Value, e.Limit)
		}
		r.Log = append(r.Log, result.Entry{AtNs: e.At - s.t0, Rule: e.Rule.String(), Process: int(e.Process), Text: text})
	}
}
