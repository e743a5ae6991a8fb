package trace

import (
	"slices"
	"strings"

	"casplay/core/kernel/record"
)

// Topic is a sort of line in a story.
type Topic string

const (
	Forks    Topic = "fork"   // creation of threads
	Wakeups  Topic = "wakeup" // CPU selection at wakeups
	Moves    Topic = "move"   // migrations between LLCs
	Steps    Topic = "step"   // migrations within an LLC
	Passes   Topic = "pass"   // balance passes that found an imbalance
	Policies Topic = "policy" // verdicts of can_migrate_llc
	Prefers  Topic = "prefer" // changes of the preferred LLC
	Gates    Topic = "gate"   // changes of a gate's verdict
	Scans    Topic = "scan"   // completed scans
	Knobs    Topic = "knob"   // the timeline
	Kicks    Topic = "kick"   // nohz kicks
)

// Decisions are the topics of a story that names none: all but wakeups,
// kicks and moves within an LLC.
func Decisions() []Topic {
	return []Topic{Forks, Moves, Passes, Policies, Prefers, Gates, Scans, Knobs}
}

// Topics lists all topics.
func Topics() []Topic { return append(Decisions(), Wakeups, Steps, Kicks) }

// line is one line of a story.
type line struct {
	at   int64
	text string
	// more counts repetitions that were left out, the last one at until.
	more  int
	until int64
}

// Story writes what happened between two times of the run in ns, a line for
// each decision: ms since the start, then the numbers that were compared. A
// line that only repeats one since the last change of state is counted there
// instead. Lines end with \n.
func (r *Recording) Story(from, to int64, topics ...Topic) string {
	if len(topics) == 0 {
		topics = Decisions()
	}
	var lines []line
	since := map[string]int{}
	for i := range r.Log.Decisions {
		d := &r.Log.Decisions[i]
		if d.At < from || d.At >= to {
			continue
		}
		topic, text, key := r.tell(d.What)
		if topic == "" || !slices.Contains(topics, topic) {
			continue
		}
		if key == "" {
			clear(since)
		} else if n, seen := since[key]; seen {
			lines[n].more++
			lines[n].until = d.At
			continue
		} else {
			since[key] = len(lines)
		}
		lines = append(lines, line{at: d.At, text: text})
	}
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(pad(ms(l.at), 10) + "  " + l.text)
		if l.more > 0 {
			b.WriteString(" [" + num(int64(l.more)) + " more like this until " + ms(l.until) + "]")
		}
		b.WriteByte('\n')
	}
	if r.Log.Dropped > 0 {
		b.WriteString(num(r.Log.Dropped) + " later records were not kept\n")
	}
	return b.String()
}

// Tell puts a record into words.
func (r *Recording) Tell(what record.Record) string {
	_, text, _ := r.tell(what)
	return text
}

// tell puts a record into words. The key says what makes it a repetition; it
// is empty for a change of state.
func (r *Recording) tell(what record.Record) (topic Topic, text, key string) {
	switch w := what.(type) {
	case *record.Fork:
		return Forks, r.task(w.Task) + " is created on " + r.cpu(w.CPU), ""
	case *record.Wakeup:
		return r.wakeup(w)
	case *record.Migration:
		return r.migration(w)
	case *record.Balance:
		return r.balance(w)
	case *record.Policy:
		return r.policy(w)
	case *record.Override:
		return Policies, pass(&w.Pass) + ": " + num(w.Failed) + " failures >= " + num(w.Limit) + ": LLC affinity of " + r.task(w.Task) + " no longer counts",
			"override" + w.Level + num(int64(w.CPU))
	case *record.Preferred:
		return Prefers, r.process(w.Process) + " prefers " + llcName(w.LLC) + " (was " + llcName(w.Was) + ")", ""
	case *record.Verdict:
		return r.verdict(w)
	case *record.Scan:
		return r.scan(w)
	case *record.Knob:
		return Knobs, w.Name + " = " + w.Value, ""
	case *record.Park:
		return Knobs, num(int64(w.Threads)) + " threads of " + r.process(w.Process) + " sleep", ""
	case *record.Kick:
		return r.kick(w)
	}
	return "", "", ""
}
