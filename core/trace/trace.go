// Package trace turns the records of a run into what people follow: a Chrome
// trace for Perfetto and a story, a line of text for each decision.
package trace

import (
	"casplay/core/kernel/record"
	"casplay/core/machine"
	"casplay/core/result"
	"casplay/core/sim"
)

// MaxRecords is how many context switches, and how many decisions, a
// Recording keeps; what comes later is counted and said to be missing.
const MaxRecords = 1 << 20

// Recording is one run with its records.
type Recording struct {
	Machine *machine.Machine
	Log     *record.Log
	// Tasks and Processes name the indices in the log.
	Tasks, Processes []string
	// Threads is how many of the tasks belong to the workload; the others are
	// kernel threads.
	Threads int
	Run     *result.Run
}

// Record runs a set-up to its end with at most so many records of each sort;
// between, which may be nil, is called every now and then.
func Record(setup sim.Setup, most int, between func()) (*Recording, error) {
	setup.Record = min(most, MaxRecords)
	s, err := sim.New(setup)
	if err != nil {
		return nil, err
	}
	for !s.Step(1 << 14) {
		if between != nil {
			between()
		}
	}
	r := Of(setup, s)
	r.Run = s.Result()
	return r, nil
}

// Of is the recording of a run that is still going on, without its result.
func Of(setup sim.Setup, s *sim.Sim) *Recording {
	r := &Recording{Machine: setup.Machine, Log: s.Log(), Tasks: s.Tasks()}
	for p := range setup.Workload.Procs {
		r.Processes = append(r.Processes, s.ProcessName(p))
		r.Threads += len(setup.Workload.Procs[p].Threads)
	}
	return r
}

// task names a task; -1 is the idle task.
func (r *Recording) task(ti int32) string {
	if ti < 0 {
		return "idle"
	}
	return r.Tasks[ti]
}

func (r *Recording) process(p int32) string {
	if p < 0 {
		return "kernel"
	}
	return r.Processes[p]
}

func (r *Recording) llc(cpu int32) int32 { return r.Machine.CPUs[cpu].LLC }
