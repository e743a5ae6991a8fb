package oracle

import (
	"strings"

	"casplay/core/machine"
	"casplay/core/scenario"
	"casplay/core/sim"
)

// move is a thread that begins to count on an LLC.
type move struct {
	at     int64
	thread int
	llc    int32
	birth  bool
}

// meter collects what the probes of the harness collect.
type meter struct {
	m     *machine.Machine
	start int64
	procs []procMeter
}

type procMeter struct {
	moves   []move
	cross   int
	changes int
	lastCPU int32
	avg     int64
	scanned bool
	scans   int
	first   int64 // when the last thread was born
	born    int
}

func (p *meter) known(proc int) bool { return proc < len(p.procs) }

// Born implements sim.Observer.
func (p *meter) Born(proc, thread int, cpu int32, at int64) {
	if p.known(proc) {
		q := &p.procs[proc]
		q.moves = append(q.moves, move{at - p.start, thread, p.m.CPUs[cpu].LLC, true})
		q.first = at - p.start
		q.born++
	}
}

// Moved implements sim.Observer.
func (p *meter) Moved(proc, thread int, from, to int32, at int64) {
	a, b := p.m.CPUs[from].LLC, p.m.CPUs[to].LLC
	if p.known(proc) && a != b {
		q := &p.procs[proc]
		q.moves = append(q.moves, move{at - p.start, thread, b, false})
		q.cross++
	}
}

// Scanned implements sim.Observer.
func (p *meter) Scanned(proc int, done bool, cpu int32, avg, at int64) {
	if !p.known(proc) {
		return
	}
	q := &p.procs[proc]
	if !q.scanned || q.lastCPU != cpu {
		q.changes++
	}
	q.scanned, q.lastCPU = true, cpu
	if done {
		q.scans++
	} else {
		q.avg = avg // the probe at the end reads it before the update
	}
}

// Measure runs one seed of an experiment and takes the figures of a recording.
func Measure(e *Experiment, sc *scenario.Scenario, seed uint64) (*Run, error) {
	spec, err := ParseSpec(e.Spec)
	if err != nil {
		return nil, err
	}
	setup, start, err := Prepare(e, sc, seed)
	if err != nil {
		return nil, err
	}
	s, err := sim.New(setup)
	if err != nil {
		return nil, err
	}
	m := &meter{m: setup.Machine, start: start, procs: make([]procMeter, len(spec.Work))}
	s.Observe(m)
	for !s.Step(1 << 20) {
	}
	r := &Run{Seed: int(seed)}
	for i := range m.procs {
		r.Procs = append(r.Procs, m.procs[i].figures(spec, i, len(setup.Machine.LLCs)))
	}
	return r, nil
}

// figures are those of one process, by the rules of the harness's analysis.
func (q *procMeter) figures(spec *Spec, i, llcs int) Proc {
	w := &spec.Work[i]
	n := w.Threads()
	out := Proc{Threads: q.born, CrossLLC: q.cross, PrefChange: q.changes, Scans: q.scans}
	if q.scanned {
		avg := q.avg
		out.NrRunningAvg = &avg
	}
	if q.born < n {
		return out
	}
	ref := q.reference(spec, w)
	end := spec.endNs()
	from := max(end-500*msec, ref)
	kept := n
	if w.Keep > 0 {
		kept = min(w.Keep, n)
	}
	where := make([]int32, n)
	split := make([]int, llcs)
	share := make([]int64, llcs)
	seen := 0
	stable := int64(-1)
	for k, mv := range q.moves {
		if mv.birth {
			seen++
		} else if mv.thread < kept {
			split[where[mv.thread]]--
		}
		where[mv.thread] = mv.llc
		if mv.thread < kept {
			split[mv.llc]++
		}
		if mv.birth && seen == n {
			out.InitSplit = make([]int, llcs)
			for _, l := range where {
				out.InitSplit[l]++
			}
		}
		next := end
		if k+1 < len(q.moves) {
			next = min(q.moves[k+1].at, end)
		}
		if d := next - max(mv.at, from); d > 0 {
			for l, c := range split {
				share[l] += int64(c) * d
			}
		}
		if seen < n || next <= ref {
			continue
		}
		top, sum := topOf(split)
		if top*10 < sum*9 {
			stable = -1
		} else if stable < 0 {
			stable = max(mv.at, ref)
		}
	}
	out.RefMs = ms(ref)
	if stable >= 0 {
		v := ms(stable - ref)
		out.StableMs = &v
	}
	out.LLCShare = make([]float64, llcs)
	var total, best int64
	for _, v := range share {
		total += v
		best = max(best, v)
	}
	if total > 0 {
		for l, v := range share {
			out.LLCShare[l] = float64(v) / float64(total)
		}
		out.TopShare = float64(best) / float64(total)
	}
	return out
}

func topOf(split []int) (top, sum int) {
	for _, c := range split {
		top = max(top, c)
		sum += c
	}
	return top, sum
}

func ms(ns int64) float64 { return float64(ns/usec) / 1000 }

// reference is the origin of the time until a process has gathered: its last
// thread exists and every change that matters to it has happened.
func (q *procMeter) reference(spec *Spec, w *Work) int64 {
	ref := q.first
	later := func(at int) { ref = max(ref, int64(at)*msec) }
	if w.Place > 0 {
		later(spec.AffMs)
	}
	if w.Keep > 0 {
		later(w.KeepAt)
	}
	if w.BindMs > 0 {
		later(w.BindAt + w.BindMs)
	}
	for i := range spec.At {
		c := &spec.At[i]
		if strings.HasPrefix(c.Knob, "cpu") {
			_, done := spec.hotplug(c)
			ref = max(ref, done)
		}
		if c.Knob == "enabled" && c.Value == 1 || c.Knob == "tol" && c.Value != 1 {
			later(c.Ms)
		}
	}
	return ref
}
