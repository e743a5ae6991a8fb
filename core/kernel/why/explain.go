package why

import "strconv"

// Unit is the unit of a rule's value and limit.
func (r Rule) Unit() string {
	switch r {
	case InvalidLLCNr:
		return "threads"
	case ExceedLLCCapacity:
		return "bytes"
	case EpochTimeout:
		return "epochs"
	case PreferredLLC:
		return "occupancy"
	case FitsLLCCapacity:
		return "%"
	case NumaConflict, NumaLocality, NumaMove:
		return "node"
	case LLCBalanceTag, AlbBreakLLC:
		return "tasks"
	case FailedOverride:
		return "failures"
	case NumaSeqGate:
		return "sweeps"
	case LowHitRate:
		return "per mille"
	}
	return "LLC"
}

const unlimited = int64(1) << 62

func num(v int64) string {
	if v >= unlimited {
		return "no limit"
	}
	return strconv.FormatInt(v, 10)
}

// mib prints bytes in MiB, or GiB from 10 GiB.
func mib(v int64) string {
	switch {
	case v >= unlimited:
		return "no limit"
	case v >= 10<<30:
		return strconv.FormatFloat(float64(v)/(1<<30), 'f', 1, 64) + " GiB"
	}
	return strconv.FormatInt(v>>20, 10) + " MiB"
}

// llc names an LLC, or none.
func llc(v int64) string {
	if v < 0 {
		return "none"
	}
	return "LLC " + num(v)
}

// Explain says in a sentence what a rule compared and what came of it.
func (r Rule) Explain(value, limit int64, fired bool) string {
	yes := func(a, b string) string {
		if fired {
			return a
		}
		return b
	}
	switch r {
	case InvalidLLCNr:
		if limit < 0 {
			return "nr_running_avg " + num(value) + ": nothing passes at this tolerance"
		}
		return "nr_running_avg " + num(value) + yes(" > ", " <= ") + num(limit) + yes(": too many threads for the LLC", ": passes") + yes(" (or one thread only)", "")
	case ExceedLLCCapacity:
		return mib(value) + yes(" > ", " <= ") + mib(limit) + yes(": too large for the LLC", ": passes")
	case EpochTimeout:
		return num(value) + yes(" > ", " <= ") + num(limit) + " epochs since the last scan"
	case NumaConflict:
		return "task prefers node " + num(value) + ", preferred LLC is on node " + num(limit)
	case PreferredLLC:
		return "best occupancy " + num(value) + yes(" > ", " <= ") + num(limit) + " (twice the current)"
	case FitsLLCCapacity:
		return "preferred LLC at " + num(value) + " % after the move, busy from " + num(limit) + " %: " + yes("move forbidden", "move allowed")
	case LLCBalanceTag:
		return num(value) + " tasks prefer this LLC: " + yes("group tagged as a source", "group not tagged")
	case MigrateLLCWrongDst:
		return "task prefers " + llc(value) + ", pass is for " + llc(limit)
	case AlbBreakLLC:
		return num(value) + " of " + num(limit) + " runnable tasks prefer this LLC: " + yes("protected", "not protected")
	case FailedOverride:
		return num(value) + " failures >= " + num(limit) + ": LLC preference ignored"
	case ActiveLLC, ActiveGeneric:
		return "running task pushed from " + llc(value) + " to " + llc(limit)
	case NumaLocality:
		return "task prefers node " + num(limit) + ", move to node " + num(value) + yes(": refused for locality", ": helps locality")
	case NumaMove:
		return "task moved from node " + num(value) + " to node " + num(limit)
	case NumaSeqGate:
		return "sweep " + num(value) + yes(" not finished: faults not accounted", " finished: faults accounted")
	case LowHitRate:
		return num(value) + yes(" < ", " >= ") + num(limit) + " of 1000 accesses hit the LLC"
	}
	return num(value) + " against " + num(limit)
}

// Explain is that of the rule, or, for one that an expression replaces, what the
// expression compared last where this is not what the rule would say.
func (b *Book) Explain(r Rule, value, limit int64, fired bool) string {
	switch {
	case !b.WhatIf[r]:
	case r == InvalidLLCNr || r == ExceedLLCCapacity:
		if fired == (value > limit) {
			break
		}
		verdict := "passes"
		if fired {
			verdict = "kept apart"
		}
		return "what-if rule compared " + num(value) + " with " + num(limit) + " last: " + verdict
	default:
		return r.Explain(value, limit, fired) + " (what-if rule)"
	}
	return r.Explain(value, limit, fired)
}

// ExplainMove says how the preferred LLC of a process changed.
func ExplainMove(to, from int64) string {
	if to < 0 {
		return "preference for " + llc(from) + " dropped"
	}
	if from < 0 {
		return "process prefers " + llc(to) + " from now on"
	}
	return "process prefers " + llc(to) + " instead of " + llc(from)
}
