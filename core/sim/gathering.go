package sim

import (
	"casplay/core/kernel"
	"casplay/core/kernel/cas"
	"casplay/core/kernel/why"
)

// Gathering is where a process stands at this moment.
type Gathering struct {
	// Group is its cache group; -1 before the process started.
	Group int32
	// Alive is how many threads have not ended, PerLLC where those that began are.
	Alive  int32
	PerLLC []int32
	// CPU is that of the first thread on the LLC that has most of them, -1 without threads.
	CPU int32
	// LLC has 90 % of them, -1 if none has, since SinceNs.
	LLC     int32
	SinceNs int64
	// Sweeps are the NUMA scanner's complete ones, PagesMigrated what it moved, so far.
	Sweeps, PagesMigrated int64
	// Possible says whether the machine lets caches be balanced (7.3 sched_cache_present).
	Possible bool
}

// Gathering tells where process p stands. The slice is the simulation's own.
func (s *Sim) Gathering(p int) Gathering {
	x := &s.procs[p]
	g := Gathering{Group: x.group, Alive: x.alive, PerLLC: x.perLLC, CPU: -1, LLC: x.gatheredLLC, SinceNs: x.gatheredAt - s.t0, Possible: s.sched.MultiLLC()}
	if x.group >= 0 {
		g.Sweeps, g.PagesMigrated = x.mm.Stats.Sweeps, x.mm.Stats.PagesMigrated
	}
	for i := range x.w.Threads {
		t := x.first + int32(i)
		if phase := s.threads[t].phase; phase == unborn || phase == exited {
			continue
		}
		if cpu := s.sched.Task(t).CPU; g.CPU < 0 || x.perLLC[s.m.CPUs[cpu].LLC] > x.perLLC[s.m.CPUs[g.CPU].LLC] {
			g.CPU = cpu
		}
	}
	return g
}

// CAS is the state of cache-aware scheduling, for reading.
func (s *Sim) CAS() *cas.System { return &s.sched.CAS }

// Kernel is the present configuration.
func (s *Sim) Kernel() *kernel.Config { return &s.cfg }

// Counter is what rule r did so far for process p; Since turns its times into ns
// since the start of the run.
func (s *Sim) Counter(p int, r why.Rule) why.Counter { return s.sched.Book.Counter(p, r) }

// Since is a time of the scheduler's clock in ns since the start of the run.
func (s *Sim) Since(at int64) int64 { return at - s.t0 }
