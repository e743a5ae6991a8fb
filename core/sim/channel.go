package sim

import (
	"casplay/core/kernel"
	"casplay/core/workload"
)

// message is one message in a pipe or socket.
type message struct {
	bytes int64
	// cpu wrote it; stamp is when the request began that it belongs to.
	cpu   int32
	stamp int64
	// reply is where an answer goes to.
	reply int32
}

// channel is a pipe or socket: a ring of messages, a lock, and lines of state
// that move to whoever reads or writes.
type channel struct {
	w       *workload.Channel
	ring    []message
	head, n int
	// readers and writers wait, first come first.
	readers, writers []int32
	// coming is how many readers of a signal have looked and are about to
	// sleep: one that arrives now is theirs.
	coming int
	// last is the CPU that has the lines of the state, -1 at first; free when
	// its lock is free.
	last int32
	free int64
}

func newChannel(w *workload.Channel) channel {
	return channel{w: w, ring: make([]message, max(w.Capacity, 1)), last: -1}
}

// transferNs is the time to move lines from one CPU to another.
func (s *Sim) transferNs(lines int64, from, to int32) int64 {
	return lines * int64(s.m.TransferNs(int(from), int(to)))
}

// messageLines is how many cache lines a message of n bytes occupies with its
// header of one line (performance-model.md section 5).
func messageLines(n int64) int64 {
	const header = 64
	return (n + header + 63) / 64
}

// enter takes the channel's lock for a thread: it waits until it is free,
// fetches the state and holds the lock while it works.
func (s *Sim) enter(c *channel, ti int32) {
	t := &s.threads[ti]
	at := s.now + t.stall
	wait := max(c.free-at, 0)
	var lines int64
	if c.last >= 0 {
		n := c.w.Lines
		if wait > 0 {
			n += c.w.HandoverLines
		}
		lines = s.transferNs(n, c.last, t.cpu)
	}
	c.last = t.cpu
	c.free = at + wait + lines + c.w.HoldNs
	if wait > 0 {
		s.measure.waits++
		s.measure.waitNs += wait
		s.charge(ti, kernel.LockWait, wait)
	}
	s.charge(ti, kernel.Message, lines)
}

// send writes a message and wakes a reader; it reports false if the thread had
// to sleep because the channel is full.
func (s *Sim) send(ti, ci int32, bytes int64) bool {
	c := &s.channels[ci]
	t := &s.threads[ti]
	if !t.looked || c.n < len(c.ring) {
		s.enter(c, ti)
	}
	if c.w.Signal {
		s.signal(c, ti, bytes == workload.Broadcast)
		return true
	}
	if c.n == len(c.ring) {
		s.blockOn(&c.writers, ti)
		return false
	}
	t.looked = false
	c.ring[(c.head+c.n)%len(c.ring)] = message{bytes, t.cpu, t.stamp, s.procs[t.proc].w.Threads[t.index].Reply}
	c.n++
	s.wakeFirst(&c.readers, ti, c.w.Sync)
	if c.n < len(c.ring) {
		s.wakeFirst(&c.writers, ti, c.w.Sync)
	}
	return true
}

// signal wakes one sleeping reader or all of them, each with a message of its own.
func (s *Sim) signal(c *channel, ti int32, all bool) {
	t := &s.threads[ti]
	for n := len(c.readers) + c.coming; n > 0 && c.n < len(c.ring); n-- {
		c.ring[(c.head+c.n)%len(c.ring)] = message{0, t.cpu, t.stamp, 0}
		c.n++
		if len(c.readers) == 0 {
			c.coming--
		}
		s.wakeFirst(&c.readers, ti, false)
		if !all {
			return
		}
	}
}

// recv reads a message, paying for its transfer; it reports false if the
// thread had to sleep because there is none.
func (s *Sim) recv(ti, ci int32) bool {
	c := &s.channels[ci]
	t := &s.threads[ti]
	if !t.looked || c.n > 0 {
		s.enter(c, ti)
	}
	if c.n == 0 {
		if c.w.Signal && t.looked {
			c.coming = max(c.coming-1, 0)
		} else if c.w.Signal && t.stall > 0 {
			c.coming++
		}
		s.blockOn(&c.readers, ti)
		return false
	}
	t.looked = false
	m := c.ring[c.head]
	c.head = (c.head + 1) % len(c.ring)
	c.n--
	t.stamp, t.reply = m.stamp, m.reply
	s.charge(ti, kernel.Message, s.transferNs(messageLines(m.bytes), m.cpu, t.cpu))
	if len(c.ring)-c.n >= c.w.WakeFree {
		s.wakeFirst(&c.writers, ti, c.w.Sync)
	}
	return true
}

// blockOn has a thread sleep in a list, its op to be tried again when it wakes.
// First it does what it has still to do, and then looks once more.
func (s *Sim) blockOn(list *[]int32, ti int32) {
	t := &s.threads[ti]
	t.pc--
	if t.stall > 0 {
		t.phase, t.looked = ready, true
		t.work = 0
		s.arm(ti)
		return
	}
	t.looked = false
	*list = append(*list, ti)
	s.block(ti)
}

// wakeFirst wakes the first thread of a list that still sleeps.
func (s *Sim) wakeFirst(list *[]int32, by int32, sync bool) {
	for len(*list) > 0 {
		ti := (*list)[0]
		*list = append((*list)[:0], (*list)[1:]...)
		if s.threads[ti].phase == blocked {
			s.release(ti, s.threads[by].cpu, by, sync)
			return
		}
	}
}

// gather charges a thread for lines that the others of its process wrote last.
// Where those sit is known by LLC; a line of the own LLC costs the relation of
// its cores.
func (s *Sim) gather(ti int32, op *workload.Op) {
	t := &s.threads[ti]
	p := &s.procs[t.proc]
	others := int64(p.members) - 1
	if others < 1 {
		return
	}
	own := s.m.CPUs[t.cpu].LLC
	sum := 0.0
	for l, n := range p.perLLC {
		switch {
		case int32(l) == own:
			sum += float64(float64(n-1) * s.m.Perf.C2CNs.LLC)
		case n > 0:
			sum += float64(float64(n) * s.m.TransferNs(s.m.LLCs[l].CPUs.First(), int(t.cpu)))
		}
	}
	t.stall += int64(sum * float64(op.A) / float64(others*max(op.B, 1)))
}
