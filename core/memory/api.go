// Package memory says how fast a thread runs where it is: cache occupancy,
// bandwidth and latency of one fixed point. It never decides a placement.
package memory

// FullRate is the Rate of a thread that runs as if alone on an idle machine
// with all its data in L2.
const FullRate = 1 << 20

// Profile is the memory behaviour of a compute op.
//
// Its traffic has two parts: re-reads of lines that the thread itself used a
// moment ago (ReuseShare), which hit in whatever cache holds the thread's
// window, and the rest, which hits only if the whole working set stays.
type Profile struct {
	Name string
	// BytesPerNs is the traffic below L2 for each ns of work, when no window
	// fits in L2.
	BytesPerNs float64
	// WriteShare is the share of that traffic that is written back [0..1].
	WriteShare float64
	// Overlap is how much of a miss is hidden: 0 stalls for all of it, 1 is
	// perfectly prefetched.
	Overlap float64
	// MLP is the number of lines the code keeps in flight; 0 means the core's own limit.
	MLP float64
	// Reuse says how the region is swept.
	Reuse Reuse
	// WorkingSetBytes is what all threads of the process together touch while
	// in this profile; a thread touches its share of it.
	WorkingSetBytes int64
	// Threads is how many threads share WorkingSetBytes (0 means 1).
	Threads int
	// ReuseShare is the share of BytesPerNs that re-reads lines which one
	// thread touched WindowBytes of its own traffic ago [0..1-WriteShare];
	// only for Stream.
	ReuseShare  float64
	WindowBytes int64
	// ReadOnlyShare is the share of BytesPerNs that reads lines which nobody
	// writes: what their first reader changed in a coherence directory stays.
	ReadOnlyShare float64
	// HaloShare is the share of the traffic to memory that goes to the pages
	// of the thread's neighbours (Model.Ring) instead of its own.
	HaloShare float64
	// Slab says whose pages the rest goes to: 0 those of the thread's own
	// slices, k those told by SetSlab with the same number.
	Slab int16
}

// Reuse is the pattern of accesses to a working set.
type Reuse uint8

const (
	// Stream sweeps cyclically; it hits only while its share stays resident.
	Stream Reuse = iota
	// Uniform is random within the working set.
	Uniform
	// SharedRW is random within one buffer that all threads of the profile
	// use: an LLC holds it once, and a line that was written on another LLC
	// comes from there (performance-model.md section 3).
	SharedRW
)
