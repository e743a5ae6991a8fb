package scenario

import (
	"slices"
	"strconv"
	"strings"

	"casplay/core/kernel"
	"casplay/core/kernel/cas"
	"casplay/core/machine"
	"casplay/core/sim"
	"casplay/core/workload"
)

// layout is what one effective scenario comes to.
type layout struct {
	machine *machine.Machine
	set     workload.Set
	events  []sim.Event
}

// check finds what is wrong across settings, in the base and in every arm,
// and refuses what would cost too much.
func (s *Scenario) check() Problems {
	var out Problems
	seen := map[string]bool{}
	add := func(prefix string, ps Problems) {
		for _, p := range ps {
			if key := p.Error(); !seen[key] { // the base has it already
				seen[key] = true
				p.Path = prefix + p.Path
				out = append(out, p)
			}
		}
	}
	_, ps := s.lay()
	add("", ps)
	var cost Cost
	for i, a := range s.Arms {
		e := s.Effective(i)
		l, ps := e.lay()
		add(a.Label+":", ps)
		if len(ps) == 0 {
			cost.add(e.runCost(&l))
		}
	}
	if len(out) == 0 {
		out = cost.check()
	}
	return out
}

// minWorkerPeriodNs keeps kernel workers from drowning the workload.
const minWorkerPeriodNs = 1_000_000

// lay builds machine, workload and events of an effective scenario.
func (s *Scenario) lay() (l layout, out Problems) {
	k := &s.Kernel
	if k.Numa.ScanPeriodMinMs > k.Numa.ScanPeriodMaxMs {
		out = append(out, Problem{
			Path: "kernel.numa.scan_period_min_ms", Value: strconv.Itoa(int(k.Numa.ScanPeriodMinMs)),
			Problem: "must not exceed kernel.numa.scan_period_max_ms (" + strconv.Itoa(int(k.Numa.ScanPeriodMaxMs)) + ")",
		})
	}
	for _, p := range []Override{{"kernel.timing.kworker_period_ns", k.Timing.KworkerPeriodNs}, {"kernel.timing.rcu_period_ns", k.Timing.RcuPeriodNs}} {
		if ns := p.Value.(int64); ns > 0 && ns < minWorkerPeriodNs {
			out = append(out, Problem{Path: p.Path, Value: strconv.FormatInt(ns, 10), Problem: "must be 0 or at least " + strconv.Itoa(minWorkerPeriodNs)})
		}
	}
	for _, c := range cas.Check(&k.Features, k.Rules) {
		path := "kernel.features." + c.Feature
		f, _ := s.Field(path)
		out = append(out, Problem{Path: path, Value: f.Format(s.Value(f)), Problem: c.Reason})
	}
	if k.Features.Control == kernel.ControlGlobal {
		out = append(out, s.ungrouped()...)
	}
	if s.Run.SampleMs > s.Run.MaxMs {
		out = append(out, Problem{
			Path: "run.sample_ms", Value: strconv.FormatInt(s.Run.SampleMs, 10),
			Problem: "must not exceed run.max_s (" + formatMilli(s.Run.MaxMs) + " s)",
		})
	}
	m, err := s.Machine.Spec.Build()
	if err != nil {
		return l, append(out, Problem{Path: MachinePath, Problem: err.Error()})
	}
	l.machine = m
	if l.set, err = workload.Compile(s.Workload, m); err != nil {
		path, problem, ok := strings.Cut(err.Error(), ": ")
		if !ok {
			path, problem = "workload", err.Error()
		}
		return l, append(out, Problem{Path: path, Problem: problem})
	}
	if s.Run.Until == "done" && !slices.ContainsFunc(l.set.Procs, func(p workload.Proc) bool { return !p.Background }) {
		out = append(out, Problem{Path: "run.until", Value: `"done"`, Problem: "never comes: every workload is in the background; use time"})
	}
	var bad Problems
	l.events, bad = s.timeline(l.machine, &l.set)
	return l, append(out, bad...)
}

// ungrouped refuses what processes can only ask for where there is a prctl.
func (s *Scenario) ungrouped() (out Problems) {
	for i := range s.Workload {
		for _, ask := range [...]struct {
			name string
			not  any
		}{{"group", int64(0)}, {"cas_off", false}, {"cas_tolerance", int64(-1)}, {"cas_size_tolerance", int64(-1)}, {"cas_overaggr_pct", int64(0)}, {"cache_groups", int64(1)}} {
			if v := s.Workload[i].Values[ask.name]; v != nil && v != ask.not {
				out = append(out, Problem{Path: "workload." + strconv.Itoa(i) + "." + ask.name, Problem: "needs the proposed prctl: set kernel.features.control to always or advise"})
			}
		}
	}
	return out
}

// timeline turns events into the simulator's, in the order of time.
func (s *Scenario) timeline(m *machine.Machine, set *workload.Set) (out []sim.Event, bad Problems) {
	order := make([]int, len(s.Events))
	for i := range order {
		at := i
		for ; at > 0 && s.Events[order[at-1]].AtMs > s.Events[i].AtMs; at-- {
			order[at] = order[at-1]
		}
		order[at] = i
	}
	at := s.clone()
	var online machine.Set
	for c := range m.CPUs {
		online.Add(c)
	}
	for _, i := range order {
		e := &s.Events[i]
		if e.Arm != "" && e.Arm != s.arm {
			continue
		}
		path := "events." + strconv.Itoa(i)
		if e.AtMs >= s.Run.MaxMs {
			bad = append(bad, Problem{Path: path + ".at_ms", Value: strconv.FormatInt(e.AtMs, 10), Problem: "must come before run.max_s (" + formatMilli(s.Run.MaxMs) + " s)"})
		}
		if e.Kind == EventOffline {
			online.Remove(e.CPU)
			if e.CPU >= len(m.CPUs) || online.Empty() {
				bad = append(bad, Problem{Path: path + ".offline", Value: strconv.Itoa(e.CPU), Problem: "must be a CPU of the machine, 0 to " + strconv.Itoa(len(m.CPUs)-1) + ", and not the last one online"})
				continue
			}
			out = append(out, sim.Event{AtNs: e.AtMs * 1e6, Partitions: []machine.Set{online}})
			continue
		}
		if e.Kind == EventSet {
			at.apply(e.Set)
			k := kernel.Config(at.Kernel)
			out = append(out, sim.Event{AtNs: e.AtMs * 1e6, Kernel: &k})
			continue
		}
		found := false
		for p := range set.Procs {
			if !named(set.Procs[p].Name, e.Sleep) {
				continue
			}
			found = true
			n := len(set.Procs[p].Threads)
			if e.Threads > n {
				bad = append(bad, Problem{Path: path + ".threads", Value: strconv.Itoa(e.Threads), Problem: "must be at most " + strconv.Itoa(n) + ", the threads of " + set.Procs[p].Name})
				break
			}
			count := e.Threads
			if count == 0 {
				count = n
			}
			out = append(out, sim.Event{AtNs: e.AtMs * 1e6, Park: true, Proc: p, ParkFrom: n - count, ParkTo: n, ParkNs: e.ForMs * 1e6})
		}
		if !found {
			var names []string
			for _, p := range set.Procs {
				names = append(names, p.Name)
			}
			bad = append(bad, Problem{Path: path + ".sleep", Value: quote(e.Sleep), Problem: "must be the name of a process", Nearest: machine.NearestKey(e.Sleep, names)})
		}
	}
	return out, bad
}

// named reports whether a process is the one of that name or an instance
// ("mg.0") or part ("hackbench/3") of it.
func named(process, name string) bool {
	rest, ok := strings.CutPrefix(process, name)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '/')
}

// Setup lays out one run: arm by index, seed as in Seeds.
func (s *Scenario) Setup(arm int, seed uint64) (sim.Setup, error) {
	if arm < 0 || arm >= len(s.Arms) {
		return sim.Setup{}, Problems{{Path: "arms", Value: strconv.Itoa(arm), Problem: "has no arm of this number"}}
	}
	e := s.Effective(arm)
	l, problems := e.lay()
	if len(problems) > 0 {
		return sim.Setup{}, problems
	}
	return sim.Setup{
		Machine: l.machine, Kernel: e.Kernel, Workload: l.set, Events: l.events, Seed: seed,
		MaxNs: e.Run.MaxMs * 1e6, UntilDone: e.Run.Until == "done",
		SampleNs: e.Run.SampleMs * 1e6, SampleCPUs: e.Run.SampleCPUs,
	}, nil
}
