package workload

import (
	"casplay/core/machine"
	"casplay/core/memory"
)

// OpKind says what one step of a thread's program does.
type OpKind uint8

const (
	// OpCompute runs A ns of work (time alone on an idle machine with all
	// data in L2), scaled by a uniform draw of ±Jitter ppm. If Region >= 0
	// the op sweeps the thread's slice of that region once, evenly over the
	// op, so that accesses reach NUMA hint faults.
	OpCompute OpKind = iota
	// OpTouch is the first touch of the thread's slice of Region (of all of
	// it if B = 1): pages are placed on the node of the CPU that runs. A is
	// the cost in ns for each page of machine.PageBytes.
	OpTouch
	// OpBarrier waits until all threads of the process have reached barrier
	// A (an index into Proc.Barriers): busy-waiting for at most B ns, then sleeping.
	OpBarrier
	// OpSleep blocks for A ns.
	OpSleep
	// OpPeriod blocks until the next multiple of A ns since the thread began
	// (plus its phase). A multiple that has passed already returns at once.
	OpPeriod
	// OpSend writes one message of B bytes to channel A (an index into
	// Setup-wide channels of the process); it blocks while the channel is full.
	OpSend
	// OpRecv reads one message from channel A; it blocks while it is empty.
	OpRecv
	// OpLoop jumps back to op B until it has been passed A times; A < 0
	// loops for ever.
	OpLoop
	// OpMark begins the part of the run that a benchmark reports; runtime_s
	// counts from the first thread that passes one, else from the start.
	OpMark
	// OpExit ends the thread.
	OpExit
	// OpPark blocks until a timeline event wakes the thread.
	OpPark
)

// Op is one step of a program. Programs are shared by threads; what differs
// between threads is in Thread.
type Op struct {
	Kind    OpKind
	Profile int16 // index into Proc.Profiles; -1: no traffic below L2
	Region  int16 // index into Proc.Regions; -1: none
	Jitter  int32 // ppm of A
	A, B    int64
}

// Region is a piece of a process's address space.
type Region struct {
	Name  string
	Bytes int64
	// ChunkPages is how many pages are mapped, faulted and migrated
	// together: 1, or 512 for a 2 MiB huge page.
	ChunkPages int
	// Resident makes the pages present from the start, touched by whoever
	// creates the process (its first thread's node).
	Resident bool
}

// Barrier is one meeting point of a process.
type Barrier struct {
	// Parties is how many threads meet.
	Parties int
}

// Channel is a pipe or socket between threads of any processes in a Setup.
type Channel struct {
	// Capacity is how many messages fit before a writer blocks.
	Capacity int
}

// Thread is one thread of a process.
type Thread struct {
	Prog int32 // index into Proc.Progs
	// SliceIndex of SliceCount: the part of each region that it sweeps.
	SliceIndex, SliceCount int32
	// ChannelBase is added to the channel index of OpSend and OpRecv.
	ChannelBase int32
	// PhaseNs shifts OpPeriod.
	PhaseNs int64
	// Allowed limits the CPUs until AllowedUntilNs; empty means all CPUs.
	Allowed machine.Set
	// AllowedUntilNs is when the limit is lifted; < 0 means never.
	AllowedUntilNs int64
	// DelayNs is an extra wait between its creation by the main thread and
	// that of the thread before.
	DelayNs int64
}

// Proc is one process, ready to run.
type Proc struct {
	Name string
	// Threads[0] is the main thread; it creates the others one after another.
	Threads []Thread
	Progs   [][]Op
	// Profiles are the memory profiles its ops refer to.
	Profiles []memory.Profile
	Regions  []Region
	Barriers []Barrier
	// StartNs is when the process is forked; SpawnGapNs the time between two
	// thread creations.
	StartNs, SpawnGapNs int64
	// ExitNs ends the process; 0 means when its threads end.
	ExitNs int64
	// RSSBytes is the resident set (the sum of the regions if 0).
	RSSBytes int64
	// Group joins cache groups of processes that name the same one; 0 = own.
	Group int32
	// Background excludes the process from runtime and from the end of the run.
	Background bool
}

// Set is all that runs on one machine.
type Set struct {
	Procs    []Proc
	Channels []Channel
}
