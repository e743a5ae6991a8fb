package explain

import (
	"errors"

	"casplay/core/kernel/record"
	"casplay/core/sim"
	"casplay/core/trace"
)

// Differences are where two runs part.
type Differences struct {
	// Decision is the first decision of any kind that differs: verdict of a gate,
	// scan, policy, balance pass, placement. Placement is the first among those
	// that put a thread of the workload on a CPU. Nil when there is none.
	Decision  *Difference `json:"decision,omitempty"`
	Placement *Difference `json:"placement,omitempty"`
}

// Difference is a pair of decisions in the same place of two runs' sequences.
type Difference struct {
	A Side `json:"a"`
	B Side `json:"b"`
}

// Side is the decision of one run with its inputs, and when, in ns from the
// start. Text is empty when the run has decided everything already. Rule is what
// the gate compared here whose verdict the other run has in this place, if any.
type Side struct {
	AtNs int64  `json:"at_ns"`
	Text string `json:"text"`
	Rule string `json:"rule,omitempty"`
}

// Bounds of the comparison: events between two looks at the logs, and records
// of one run in that time or waiting for the other run.
const (
	lookEvents = 256
	maxPending = 1 << 16
)

// difference follows two runs step by step and keeps only what waits for the
// other run.
type difference struct {
	sims    [2]*sim.Sim
	words   [2]*trace.Recording
	pending [2][2][]record.Decision // by run, then all and placements
	ended   [2]bool
	found   [2]*Difference
}

// First finds where the runs of two set-ups part. Decisions are compared in
// their order, by what was decided: task, CPU, process, rule and verdict.
// When, and the numbers compared, do not make a difference; they are in the
// text. With set-ups of one seed the runs begin alike.
func First(a, b sim.Setup) (Differences, error) {
	var d difference
	for i, setup := range [2]sim.Setup{a, b} {
		setup.Record = maxPending
		s, err := sim.New(setup)
		if err != nil {
			return Differences{}, err
		}
		d.sims[i], d.words[i] = s, trace.Of(setup, s)
	}
	for d.found[0] == nil || d.found[1] == nil {
		if d.ended[0] && d.ended[1] {
			break
		}
		if err := d.step(); err != nil {
			return Differences{}, err
		}
		for kind := range d.found {
			d.compare(kind)
		}
	}
	return Differences{d.found[0], d.found[1]}, nil
}

// step advances the run that is behind in simulated time.
func (d *difference) step() error {
	i := 0
	if d.ended[0] || !d.ended[1] && d.sims[1].Now() < d.sims[0].Now() {
		i = 1
	}
	d.ended[i] = d.sims[i].Step(lookEvents)
	l := d.sims[i].Log()
	for _, r := range l.Decisions {
		switch r.What.(type) {
		case *record.Knob, *record.Park: // the timeline decides them
			continue
		}
		if task := placed(r.What); task >= 0 && int(task) < d.words[i].Threads {
			d.add(i, 1, r)
		}
		d.add(i, 0, r)
	}
	l.Decisions, l.Switches = l.Decisions[:0], l.Switches[:0]
	if l.Dropped > 0 || max(len(d.pending[i][0]), len(d.pending[i][1])) > maxPending {
		return errors.New("the runs decide too much to be compared; shorten them with run.max_s")
	}
	return nil
}

// placed is the task that a record puts on a CPU, -1 for none.
func placed(what record.Record) int32 {
	switch x := what.(type) {
	case *record.Fork:
		return x.Task
	case *record.Wakeup:
		return x.Task
	case *record.Migration:
		return x.Task
	}
	return -1
}

func (d *difference) add(run, kind int, r record.Decision) {
	if d.found[kind] == nil {
		d.pending[run][kind] = append(d.pending[run][kind], r)
	}
}

// compare drops what both runs have decided alike and keeps the first difference.
func (d *difference) compare(kind int) {
	a, b := &d.pending[0][kind], &d.pending[1][kind]
	n := 0
	for n < len(*a) && n < len(*b) && same((*a)[n].What, (*b)[n].What) {
		n++
	}
	*a, *b = append((*a)[:0], (*a)[n:]...), append((*b)[:0], (*b)[n:]...)
	over := d.ended[0] && len(*a) == 0 || d.ended[1] && len(*b) == 0
	if d.found[kind] != nil || len(*a)+len(*b) == 0 || (len(*a) == 0 || len(*b) == 0) && !over {
		return
	}
	d.found[kind] = &Difference{d.side(0, *a, *b), d.side(1, *b, *a)}
	*a, *b = nil, nil
}

func (d *difference) side(run int, rest, other []record.Decision) Side {
	s := Side{AtNs: d.sims[run].Now()}
	var mine record.Record
	if len(rest) > 0 {
		mine = rest[0].What
		s.AtNs, s.Text = rest[0].At, d.words[run].Tell(mine)
	}
	if len(other) == 0 {
		return s
	}
	if v, ok := other[0].What.(*record.Verdict); ok {
		if m, ok := mine.(*record.Verdict); !ok || m.Rule != v.Rule || m.Process != v.Process {
			s.Rule = v.Rule.String() + " here: not asked"
			if c := d.sims[run].Counter(int(v.Process), v.Rule); c.Evaluated > 0 {
				s.Rule = v.Rule.String() + " here: " + d.sims[run].CAS().Book.Explain(v.Rule, c.Value, c.Limit, c.Fired > 0)
			}
		}
	}
	return s
}

// same reports whether two records decide the same.
func same(a, b record.Record) bool {
	switch x := a.(type) {
	case *record.Fork:
		y, ok := b.(*record.Fork)
		return ok && *x == *y
	case *record.Wakeup:
		y, ok := b.(*record.Wakeup)
		return ok && *x == *y
	case *record.Migration:
		y, ok := b.(*record.Migration)
		return ok && x.Task == y.Task && x.From == y.From && x.To == y.To && x.Cause == y.Cause
	case *record.Balance:
		y, ok := b.(*record.Balance)
		return ok && x.Pass == y.Pass && x.Src == y.Src && x.Class == y.Class && x.Moved == y.Moved && x.Protected == y.Protected && x.Stopper == y.Stopper
	case *record.Policy:
		y, ok := b.(*record.Policy)
		return ok && x.Pass == y.Pass && x.Task == y.Task && x.Src == y.Src && x.Dst == y.Dst && x.ToPref == y.ToPref && x.Hint == y.Hint
	case *record.Override:
		y, ok := b.(*record.Override)
		return ok && x.Pass == y.Pass && x.Task == y.Task
	case *record.Preferred:
		y, ok := b.(*record.Preferred)
		return ok && *x == *y
	case *record.Verdict:
		y, ok := b.(*record.Verdict)
		return ok && x.Process == y.Process && x.Rule == y.Rule && x.Fired == y.Fired
	case *record.Scan:
		y, ok := b.(*record.Scan)
		return ok && x.Process == y.Process && x.CPU == y.CPU
	case *record.Kick:
		y, ok := b.(*record.Kick)
		return ok && x.From == y.From && x.CPU == y.CPU && x.Balance == y.Balance
	}
	return false
}
