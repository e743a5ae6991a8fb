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
	// the op sweeps the thread's slice of that region (all of it if B = 1)
	// once, evenly over the op, so that accesses reach NUMA hint faults.
	OpCompute OpKind = iota
	// OpTouch is the first touch of the thread's slice of Region (of all of
	// it if B = TouchAll, of the slice with the thread's shifts if B =
	// TouchShifted): pages are placed on the node of the CPU that runs. A is the
	// cost in ns for each page of machine.PageBytes.
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
	// OpFork forks process A of the Set from the CPU that the thread runs on.
	OpFork
	// OpReply is OpSend to the channel that the sender of the message last read
	// has as its Reply.
	OpReply
	// OpStamp begins a request now or, with B = 1, at the time that the last
	// OpPeriod waited for, even if the thread came late to it.
	OpStamp
	// OpRecord ends a request: the time since its stamp is a request latency.
	// Messages carry the stamp of their sender to the reader.
	OpRecord
	// OpUnits counts A units of what Proc.Unit names.
	OpUnits
	// OpGather reads A lines that the other threads of the process wrote last,
	// spread evenly over them, B at a time.
	OpGather
)

// Op is one step of a program. Programs are shared by threads; what differs
// between threads is in Thread.
type Op struct {
	Kind    OpKind
	Profile int16 // index into Proc.Profiles; -1: no traffic below L2
	Region  int16 // index into Proc.Regions; -1: none
	Jitter  int32 // ppm of A
	// System says that the work of an OpCompute is kernel time.
	System bool
	A, B   int64
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
	// Unmovable pages are never migrated, though NUMA balancing tries.
	Unmovable bool
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
	// Lines is how many cache lines of kernel state (lock, indices, buffer
	// head, wait queue) a read or write moves to its CPU, HoldNs how long it
	// holds the lock besides.
	Lines, HoldNs int64
	// HandoverLines is how many more move when the lock comes from a holder
	// while others wait for it.
	HandoverLines int64
	// Sync says that wakeups tell the scheduler that the waker is about to
	// sleep (WF_SYNC), as those of pipes and sockets do and futexes don't.
	Sync bool
	// WakeFree is how many messages must fit again before a reader wakes a
	// blocked writer; 0 means 1.
	WakeFree int
	// Signal makes it a condition variable: a write wakes a reader that
	// sleeps, or all of them if it has Broadcast bytes, and is lost if none does.
	Signal bool
}

// The B of an OpTouch.
const (
	TouchSlice = iota
	TouchAll
	TouchShifted
)

// Broadcast is the B of an OpSend that wakes all who wait for a signal.
const Broadcast = 1

// Thread is one thread of a process.
type Thread struct {
	Prog int32 // index into Proc.Progs
	// SliceIndex of SliceCount: the part of each region that it sweeps.
	SliceIndex, SliceCount int32
	// TouchFrom and TouchTo are how many bytes the ends of the part that it
	// touches first lie beyond those of its slice (OpTouch with TouchShifted).
	TouchFrom, TouchTo int64
	// Slabs are other parts of regions that it sweeps; a profile names one by
	// its place here, from 1 on (memory.Profile.Slab).
	Slabs []Slab
	// ChannelBase is added to the channel index of OpSend and OpRecv.
	ChannelBase int32
	// PhaseNs shifts OpPeriod.
	PhaseNs int64
	// Allowed limits the CPUs until AllowedUntilNs; empty means all CPUs.
	Allowed machine.Set
	// AllowedUntilNs is when the limit is lifted; < 0 means never.
	AllowedUntilNs int64
	// BindsItself makes the thread start anywhere and limit itself to Allowed
	// when it first runs its program (sched_setaffinity), instead of being
	// created with the limit.
	BindsItself bool
	// Reply is the channel that answers to this thread's messages go to, an
	// index into Set.Channels; only read by receivers that use OpReply.
	Reply int32
	// WakeStats: the wakeups of this thread count for the wakeup latency.
	WakeStats bool
	// DelayNs is an extra wait between its creation by the main thread and
	// that of the thread before.
	DelayNs int64
}

// Slab is a part of a region: that of the thread's slice, its ends moved by
// From and To bytes.
type Slab struct {
	Region   int16
	From, To int64
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
	// StartNs is when the process is forked, < 0 when an OpFork does it;
	// SpawnGapNs the time between two thread creations.
	StartNs, SpawnGapNs int64
	// ExitNs ends the process; 0 means when its threads end.
	ExitNs int64
	// RSSBytes is the resident set (the sum of the regions if 0).
	RSSBytes int64
	// Unit names what OpUnits counts ("messages"; "bytes" is reported in GB/s).
	// FullUnits is how many the whole benchmark has, 0 if it has no end.
	Unit      string
	FullUnits int64
	// WarmupNs after the start of the process the measurement of latencies,
	// units and kernel time begins.
	WarmupNs int64
	// Group joins cache groups of processes that name the same one; 0 = own.
	Group int32
	// CacheOff and Tolerance are what the process has asked for with the
	// proposed prctl; -1 is the global tolerance.
	CacheOff  bool
	Tolerance int64
	// SizeTolerance is the same for the memory gate; OveraggrPct above 0 replaces
	// overaggr_pct; CacheGroups is into how many groups the threads are split.
	SizeTolerance, OveraggrPct int64
	CacheGroups                int32
	// Background excludes the process from runtime and from the end of the run.
	Background bool
}

// Set is all that runs on one machine.
type Set struct {
	Procs    []Proc
	Channels []Channel
}
