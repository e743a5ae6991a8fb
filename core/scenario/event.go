package scenario

// EventKind says what an event does; the file has a key of that name.
type EventKind uint8

const (
	// EventSet: knobs change.
	EventSet EventKind = iota
	// EventSleep: threads of a process sleep.
	EventSleep
	// EventOffline: a CPU is switched off.
	EventOffline
	eventKinds
)

var eventNames = [eventKinds]string{"set", "sleep", "offline"}

// String is the key of the kind in a scenario file.
func (k EventKind) String() string { return eventNames[k] }

// Event is something that happens during a run, at AtMs (0 to MaxMs).
type Event struct {
	AtMs int64
	// Arm is the label of the only arm that has the event; empty for all.
	Arm string
	// Kind says which of the fields below count.
	Kind EventKind
	// Set overrides knobs from AtMs on (EventSet).
	Set []Override
	// Sleep names a process (every instance of that name); its last Threads
	// threads (all when 0) sleep for ForMs, for good when 0 (EventSleep).
	Sleep   string
	Threads int
	ForMs   int64
	// CPU is switched off for the rest of the run (EventOffline).
	CPU int
}
