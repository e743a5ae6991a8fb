// Package record holds what a run leaves behind for its trace and its story:
// typed records of the scheduler's decisions, with the numbers they compared.
// Terms are those of kernel/sched/fair.c in Linux 7.3.
package record

// Log collects the records of one run, in order of time.
type Log struct {
	// Max bounds Switches and Decisions, each on its own; Dropped counts what
	// came after.
	Max     int
	Dropped int64
	// Start is the time of the scheduler's clock, in ns, that records count from.
	Start int64

	Switches  []Switch
	Decisions []Decision
}

// Switch is a context switch: from At on CPU runs Task, -1 for the idle task.
type Switch struct {
	At        int64
	CPU, Task int32
}

// Decision is anything else: when, and one of the record types of this package.
type Decision struct {
	At   int64
	What Record
}

// Record is implemented by the record types.
type Record interface{ record() }

// Add keeps a record of time at, in ns of the scheduler's clock.
func (l *Log) Add(at int64, r Record) {
	if len(l.Decisions) >= l.Max {
		l.Dropped++
		return
	}
	l.Decisions = append(l.Decisions, Decision{at - l.Start, r})
}

// Switch keeps a context switch.
func (l *Log) Switch(at int64, cpu, task int32) {
	if len(l.Switches) >= l.Max {
		l.Dropped++
		return
	}
	l.Switches = append(l.Switches, Switch{at - l.Start, cpu, task})
}
