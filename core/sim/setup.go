// Package sim runs a workload on a machine under a kernel: it owns the clock
// and the event queue, asks kernel/fair where threads run and memory how fast.
package sim

import (
	"casplay/core/kernel"
	"casplay/core/kernel/cas"
	"casplay/core/machine"
	"casplay/core/workload"
)

// Setup is everything one run needs.
type Setup struct {
	Machine  *machine.Machine
	Kernel   kernel.Config
	Workload workload.Set
	Events   []Event
	// Daemons run besides the kernel threads that Kernel.Timing describes.
	Daemons []Daemon
	// Seed selects the random streams.
	Seed uint64
	// MaxNs ends the run (> 0). UntilDone ends it earlier, when all
	// non-background processes have ended.
	MaxNs     int64
	UntilDone bool
	// SampleNs is the distance of samples (> 0); SampleCPUs adds a series for each CPU.
	SampleNs   int64
	SampleCPUs bool
	// Record keeps at most this many context switches, and as many decisions,
	// for a trace or a story; 0 records nothing and costs nothing.
	Record int
}

// Daemon is a kernel thread that may run anywhere and does so periodically, on a timer.
type Daemon struct {
	Name            string
	PeriodNs, RunNs int64
	// Allowed limits its CPUs; empty means all.
	Allowed machine.Set
}

// Event changes the kernel, the machine or the workload at a time of the run.
type Event struct {
	AtNs int64
	// Kernel replaces the kernel configuration when not nil.
	Kernel *kernel.Config
	// Park puts threads [ParkFrom, ParkTo) of process Proc to sleep for
	// ParkNs (0: for good).
	Park             bool
	Proc             int
	ParkFrom, ParkTo int
	ParkNs           int64
	// Bind limits the threads of process Proc to Allowed, to nothing when empty.
	Bind    bool
	Allowed machine.Set
	// Partitions, when not nil, are the sets of CPUs that balance among
	// themselves from now on; they are disjoint. A CPU in none is offline.
	Partitions []machine.Set
}

// checkRules compiles the what-if rules, at the start and of every event.
func (s *Setup) checkRules() error {
	if err := cas.CheckWhatIf(&s.Kernel.WhatIf); err != nil {
		return err
	}
	for i := range s.Events {
		if k := s.Events[i].Kernel; k != nil {
			if err := cas.CheckWhatIf(&k.WhatIf); err != nil {
				return err
			}
		}
	}
	return nil
}
