package scenario

import (
	"strconv"

	"casplay/core/workload"
)

// Cost is a rough forecast of the work of a scenario, an upper bound where
// the workload ends before the time limit.
type Cost struct {
	// Events counts the simulator's events of all arms and seeds.
	Events int64
	// Samples counts the values of all series.
	Samples int64
}

// What a scenario may cost: about a quarter of an hour of one browser worker,
// and a hundred megabytes of curves.
const (
	MaxEventCost  = 4_000_000_000
	MaxSampleCost = 32_000_000
)

// Cost forecasts what running every arm and seed takes.
func (s *Scenario) Cost() Cost {
	var c Cost
	for i := range s.Arms {
		e := s.Effective(i)
		if l, problems := e.lay(); len(problems) == 0 {
			c.add(e.runCost(&l))
		}
	}
	return c
}

func (c *Cost) add(o Cost) {
	c.Events += o.Events
	c.Samples += o.Samples
}

func (c Cost) check() Problems {
	var out Problems
	if c.Events > MaxEventCost {
		out = append(out, Problem{
			Path: "run", Value: "about " + millions(c.Events) + " events",
			Problem: "would take too long: at most " + millions(MaxEventCost) + " events in all; lower run.max_s, run.seeds, arms or threads",
		})
	}
	if c.Samples > MaxSampleCost {
		out = append(out, Problem{
			Path: "run.sample_ms", Value: "about " + millions(c.Samples) + " values",
			Problem: "would record too much: at most " + millions(MaxSampleCost) + " values in all; raise run.sample_ms or lower run.max_s or run.seeds",
		})
	}
	return out
}

func millions(n int64) string { return strconv.FormatInt((n+500_000)/1_000_000, 10) + " million" }

// runCost forecasts all seeds of an effective scenario.
func (s *Scenario) runCost(l *layout) Cost {
	cpus, threads := len(l.machine.CPUs), 0
	for p := range l.set.Procs {
		threads += len(l.set.Procs[p].Threads)
	}
	ticking := min(threads, cpus)
	perThread := 0.0 // ops/s of all threads if each had a CPU
	for p := range l.set.Procs {
		proc := &l.set.Procs[p]
		rate := make([]float64, len(proc.Progs))
		for i, prog := range proc.Progs {
			rate[i] = opRate(prog)
		}
		for t := range proc.Threads {
			perThread += rate[proc.Threads[t].Prog]
		}
	}
	if threads > cpus {
		perThread = perThread * float64(cpus) / float64(threads)
	}
	if !s.Kernel.NoHz {
		ticking = cpus
	}
	const modelSteps, idleBalances = 1000, 10 // a second; the latter for each CPU
	perSecond := float64(ticking*s.Kernel.HZ) + modelSteps + float64(cpus*idleBalances) + perThread
	for _, p := range [...]int64{s.Kernel.Timing.KworkerPeriodNs, s.Kernel.Timing.RcuPeriodNs} {
		if p > 0 {
			perSecond += 2 * float64(ticking) * 1e9 / float64(p)
		}
	}
	seconds := float64(s.Run.MaxMs) / 1000
	m := l.machine
	series := 3*len(m.LLCs) + 2*len(m.Nodes) + len(m.Packages)*len(m.Packages) + len(l.set.Procs)*(len(m.LLCs)+len(m.Nodes)+2)
	if s.Run.SampleCPUs {
		series += cpus
	}
	return Cost{
		Events:  int64(perSecond*seconds) * int64(s.Run.Seeds),
		Samples: s.Run.MaxMs / s.Run.SampleMs * int64(series) * int64(s.Run.Seeds),
	}
}

// opRate estimates how many events a second a thread makes, from one pass over
// its program: ops that take time end with one, the others are part of them.
func opRate(prog []workload.Op) float64 {
	const messageNs = 200 // a message takes a while even when nothing moves
	passNs, events := 1000.0, 1.0
	for i := range prog {
		switch op := &prog[i]; op.Kind {
		case workload.OpCompute, workload.OpSleep:
			passNs += float64(op.A)
			events++
		case workload.OpPeriod:
			passNs = max(passNs, float64(op.A))
			events++
		case workload.OpSend, workload.OpRecv, workload.OpReply:
			passNs += messageNs
		case workload.OpTouch, workload.OpBarrier:
			events++
		}
	}
	return events * 1e9 / passNs
}
