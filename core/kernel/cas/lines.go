package cas

import (
	"casplay/core/kernel"
	"casplay/core/machine"
)

// The cache lines of a group and of the run queues' epochs, and what moving
// them costs. No rule reads any of it.

// Line is a cache line that several CPUs read and write.
type Line struct {
	// owner wrote it last, plus 1; 0: nobody.
	owner int32
	// free is when the transfers asked for so far are over, in ns.
	free int64
	// valid are the CPUs with a copy.
	valid machine.Set
}

// Read gets cpu a copy at time now: nothing if it has one, else one transfer
// from the last writer, after the transfers asked for before. It returns the
// time until the copy is there, and the part that was waiting.
func (l *Line) Read(cpu int32, now int64, transfer func(from, to int32) int64) (ns, wait int64) {
	if l.owner == 0 {
		l.valid.Add(int(cpu))
		return 0, 0
	}
	if l.valid.Has(int(cpu)) {
		return 0, 0
	}
	ns, wait = l.move(cpu, now, transfer)
	l.valid.Add(int(cpu))
	return ns, wait
}

// Write makes cpu the only one with a copy.
func (l *Line) Write(cpu int32, now int64, transfer func(from, to int32) int64) (ns, wait int64) {
	if l.owner == cpu+1 {
		var alone machine.Set
		alone.Add(int(cpu))
		if l.valid == alone {
			return 0, 0
		}
	}
	if l.owner != 0 {
		ns, wait = l.move(cpu, now, transfer)
	}
	l.owner = cpu + 1
	l.valid = machine.Set{}
	l.valid.Add(int(cpu))
	return ns, wait
}

// move queues one transfer. A writer that has the line but must invalidate
// copies of others pays as for a transfer within its LLC at least; the model
// takes the transfer from the last owner, or from the first other holder.
func (l *Line) move(cpu int32, now int64, transfer func(from, to int32) int64) (ns, wait int64) {
	from := l.owner - 1
	if from == cpu {
		from = int32(l.valid.First())
		if from == cpu {
			from = int32(l.valid.Next(int(cpu) + 1))
		}
	}
	if from < 0 {
		return 0, 0
	}
	wait = max(l.free-now, 0)
	ns = wait + transfer(from, cpu)
	l.free = now + ns
	return ns, wait
}

// lines are the lines of a group: gate holds nr_running_avg, state the rest;
// in a layout with one line state holds both.
type lines struct{ gate, state Line }

// Pricing says what lines cost; the zero value makes them free.
type Pricing struct {
	// Transfer is the time in ns to move a line from one CPU to another; nil: free.
	Transfer func(from, to int32) int64
	Layout   kernel.GroupLine
}

// gateLine is where nr_running_avg lies.
func (s *System) gateLine(g *Group) *Line {
	if s.Pricing.Layout == kernel.LineFix {
		return &g.lines.gate
	}
	return &g.lines.state
}

// readGroup is account_mm_sched reading the fields of a group.
func (s *System) readGroup(g *Group, cpu int32, now int64) {
	if s.Pricing.Transfer == nil {
		return
	}
	ns, wait := g.lines.state.Read(cpu, now, s.Pricing.Transfer)
	if s.Pricing.Layout == kernel.LineFix {
		n, w := g.lines.gate.Read(cpu, now+ns, s.Pricing.Transfer)
		ns, wait = ns+n, wait+w
	}
	s.charge(cpu, kernel.CacheAccount, ns, wait)
}

// writeLine is a write to one of the group's lines.
func (s *System) writeLine(l *Line, cpu int32, now int64, f kernel.Function) {
	if s.Pricing.Transfer == nil {
		return
	}
	ns, wait := l.Write(cpu, now, s.Pricing.Transfer)
	s.charge(cpu, f, ns, wait)
}

// postWrite is a plain store to one of the group's lines: the CPU does not
// wait for it, but the line is busy.
func (s *System) postWrite(l *Line, cpu int32, now int64) {
	if s.Pricing.Transfer != nil {
		l.Write(cpu, now, s.Pricing.Transfer)
	}
}

// Submitted is the price of Submit: the group's lock and epoch.
func (s *System) Submitted(g *Group, cpu int32, now int64) {
	s.waitForScan(g, cpu, now)
	s.writeLine(&g.lines.state, cpu, now, kernel.CacheScan)
}

// fetchEpoch moves the two lines of a CPU's epoch to the CPU that updates
// them: the run queue's with the lock, and the group's record.
func (s *System) fetchEpoch(g *Group, of, cpu int32) int64 {
	if s.Pricing.Transfer == nil {
		return 0
	}
	var ns int64
	c, r := &s.CPUs[of], &g.Records[of]
	if c.by != cpu+1 {
		if c.by != 0 {
			ns += s.Pricing.Transfer(c.by-1, cpu)
		}
		c.by = cpu + 1
	}
	if r.by != cpu+1 {
		if r.by != 0 {
			ns += s.Pricing.Transfer(r.by-1, cpu)
		}
		r.by = cpu + 1
	}
	return ns
}

// charge has a CPU spend kernel time.
func (s *System) charge(cpu int32, f kernel.Function, ns, wait int64) {
	if ns > 0 {
		s.Charges = append(s.Charges, kernel.Charge{CPU: cpu, Function: f, Ns: ns, WaitNs: wait})
	}
}
