package fair

import (
	"testing"

	"casplay/core/kernel"
	"casplay/core/kernel/record"
	"casplay/core/machine"
)

// rig is a scheduler without noise on which tests place tasks by hand.
type rig struct{ *Sched }

func newRig(t testing.TB, topology string, edit func(*kernel.Config)) rig {
	s := newSched(t, topology, func(c *kernel.Config) {
		c.NumaBalancing = false
		c.Timing = kernel.Timing{StopperNs: 1000}
		if edit != nil {
			edit(c)
		}
	})
	s.Log = &record.Log{Max: 1 << 16}
	return rig{s}
}

// process makes a multi-threaded process and returns its cache group.
func (s rig) process() int32 {
	g := s.NewGroup(int32(len(s.CAS.Groups)), 0)
	s.CAS.Groups[g].Threads = 8
	return g
}

// add puts a new task on the queue of a CPU, running if that was idle. group
// is -1 for a task without a process.
func (s rig) add(cpu, group int32) int32 {
	p := int32(-1)
	if group >= 0 {
		p = s.CAS.Groups[group].Process
	}
	ti := s.Create(NewTask{Group: group, Process: p, NumaPreferred: -1})
	s.Settle(ti, cpu)
	s.enqueue(cpu, ti, false)
	if s.rqs[cpu].Curr < 0 {
		s.Schedule(cpu)
	}
	return ti
}

// sleeper makes a task that sleeps after it ran on an idle CPU.
func (s rig) sleeper(cpu, group int32) int32 {
	ti := s.add(cpu, group)
	s.Block(cpu, false)
	return ti
}

// prefer makes a process prefer an LLC, and queued tasks know it.
func (s rig) prefer(group, cpu int32, tasks ...int32) {
	s.CAS.Groups[group].CPU = cpu
	for _, ti := range tasks {
		s.setPreferred(&s.rqs[s.tasks[ti].CPU], &s.tasks[ti], s.llcOf[cpu])
	}
}

// publish sets the published utilisation of an LLC in percent.
func (s rig) publish(llc int, pct int64) {
	n := int64(len(s.CAS.LLCCPUs[llc])) * Capacity
	s.llcs[llc].util, s.llcs[llc].capacity = n*pct/100, n
}

// pass runs one balance pass of a CPU at a level and returns what it moved.
func (s rig) pass(cpu int32, level Level, idle idleType) int {
	goOn := true
	r := &s.rqs[cpu]
	for k := range r.ndom {
		if s.doms[r.dom0+k].level == level {
			return s.balance(cpu, k, idle, &goOn)
		}
	}
	panic("no such level")
}

// dom is a CPU's domain of a level.
func (s rig) dom(cpu int32, level Level) *domain {
	r := &s.rqs[cpu]
	for k := range r.ndom {
		if d := &s.doms[r.dom0+k]; d.level == level {
			return d
		}
	}
	panic("no such level")
}

// stop carries out a requested active balance and reports whether there was one.
func (s rig) stop() bool {
	for i := range s.rqs {
		if s.rqs[i].activeBalance {
			s.RunStopper(int32(i))
			return true
		}
	}
	return false
}

// moves lists the migrations in the log.
func (s rig) moves() (out []record.Migration) {
	for _, d := range s.Log.Decisions {
		if m, ok := d.What.(*record.Migration); ok {
			out = append(out, *m)
		}
	}
	return
}

// last is the record of the last pass that found an imbalance.
func (s rig) last() record.Balance {
	for i := len(s.Log.Decisions) - 1; i >= 0; i-- {
		if b, ok := s.Log.Decisions[i].What.(*record.Balance); ok {
			return *b
		}
	}
	return record.Balance{}
}

// later lets time pass.
func (s rig) later(ns int64) { s.Now += ns }

func cpus(list ...int) (m machine.Set) {
	for _, c := range list {
		m.Add(c)
	}
	return
}
