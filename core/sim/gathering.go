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
	// LLC has 90 % of them, -1 if none has, since SinceNs.
	LLC     int32
	SinceNs int64
	// Possible says whether the machine lets caches be balanced (7.3 sched_cache_present).
	Possible bool
}

// Gathering tells where process p stands. The slice is the simulation's own.
func (s *Sim) Gathering(p int) Gathering {
	x := &s.procs[p]
	return Gathering{x.group, x.alive, x.perLLC, x.gatheredLLC, x.gatheredAt - s.t0, s.sched.MultiLLC()}
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
