// Package why keeps count of every rule that can veto or force a placement:
// how often it was asked, how often it fired, and the numbers of one example.
package why

// Rule names a rule of the kernel model.
type Rule uint8

const (
	// InvalidLLCNr vetoes aggregation of a process with one or too many running threads.
	InvalidLLCNr Rule = iota
	// ExceedLLCCapacity vetoes aggregation of a process whose footprint exceeds the LLC.
	ExceedLLCCapacity
	// EpochTimeout drops a preference that no scan has refreshed for too many epochs.
	EpochTimeout
	// NumaConflict hides the preferred LLC from a task that prefers another node.
	NumaConflict
	// PreferredLLC moves the preferred LLC of a process (the 2x rule).
	PreferredLLC
	// FitsLLCCapacity forbids a move into a busy preferred LLC, or permits one away from it.
	FitsLLCCapacity
	// LLCBalanceTag makes a sched group a source of migrations for LLC affinity.
	LLCBalanceTag
	// MigrateLLCWrongDst keeps a task whose preferred LLC is not the destination.
	MigrateLLCWrongDst
	// AlbBreakLLC protects the lone runner of a CPU from active balance.
	AlbBreakLLC
	// FailedOverride lets the balancer ignore LLC affinity after too many failures.
	FailedOverride
	// ActiveLLC pulls a running task to its preferred LLC with the stopper.
	ActiveLLC
	// ActiveGeneric moves a running task for generic balance with the stopper.
	ActiveGeneric
	// NumaLocality decides a move before the LLC test is asked.
	NumaLocality
	// NumaMove moves a task to its preferred node.
	NumaMove
	// NumaSeqGate stops the accounting of hint faults until a sweep completes.
	NumaSeqGate
	// LowHitRate vetoes aggregation of a process that misses the LLC (a proposal).
	LowHitRate
	// NumRules is the number of rules.
	NumRules
)

var names = [NumRules]string{
	"invalid_llc_nr", "exceed_llc_capacity", "epoch_affinity_timeout", "numa_preferred_nid", "preferred_llc",
	"fits_llc_capacity", "llc_balance", "migrate_llc_task_wrong_dst", "alb_break_llc", "nr_balance_failed",
	"active_load_balance_llc", "active_load_balance", "migrate_degrades_locality", "task_numa_migrate", "numa_scan_seq", "llc_hit_rate",
}

// String is the kernel's name of the rule.
func (r Rule) String() string { return names[r] }

// Counter is the record of one rule for one process.
type Counter struct {
	Evaluated, Fired int64
	// First and Last are when it fired, in ns.
	First, Last int64
	// At, Value and Limit are one example: the first firing, else the last evaluation.
	At, Value, Limit int64
}

// Entry is a change of a verdict, for the decision log.
type Entry struct {
	At      int64
	Rule    Rule
	Process int32
	Fired   bool
	// Move marks a change of the preferred LLC: Value is the new one, Limit the old (-1: none).
	Move         bool
	Value, Limit int64
}

// MaxLog bounds the decision log.
const MaxLog = 10000

// Book holds the counters of all processes and the log.
type Book struct {
	counters [][NumRules]Counter
	verdict  [][NumRules]bool
	Log      []Entry
	// WhatIf marks rules that an expression replaces.
	WhatIf [NumRules]bool
	// OnEntry, if set, is told of every entry, kept or not.
	OnEntry func(Entry)
	// Dropped counts log entries beyond MaxLog.
	Dropped int64
}

// NewBook makes a book for n processes.
func NewBook(n int) *Book {
	return &Book{counters: make([][NumRules]Counter, n), verdict: make([][NumRules]bool, n)}
}

// Counter returns the record of rule r for process p.
func (b *Book) Counter(p int, r Rule) Counter { return b.counters[p][r] }

// Note records one evaluation; a change of the verdict goes to the log.
func (b *Book) Note(p int32, r Rule, at int64, fired bool, value, limit int64) {
	b.Count(p, r, at, fired, value, limit)
	if v := &b.verdict[p][r]; *v != fired {
		*v = fired
		b.log(Entry{at, r, p, fired, false, value, limit})
	}
}

// Count records one evaluation without a line in the log.
func (b *Book) Count(p int32, r Rule, at int64, fired bool, value, limit int64) {
	c := &b.counters[p][r]
	c.Evaluated++
	if fired {
		if c.Fired == 0 {
			c.First, c.At, c.Value, c.Limit = at, at, value, limit
		}
		c.Fired++
		c.Last = at
	} else if c.Fired == 0 {
		c.At, c.Value, c.Limit = at, value, limit
	}
}

// Moved logs a change of a process's preferred LLC.
func (b *Book) Moved(p int32, at, to, from int64) {
	b.log(Entry{at, PreferredLLC, p, to >= 0, true, to, from})
}

func (b *Book) log(e Entry) {
	if b.OnEntry != nil {
		b.OnEntry(e)
	}
	if len(b.Log) == MaxLog {
		b.Dropped++
		return
	}
	b.Log = append(b.Log, e)
}
