package sim

import "casplay/core/workload"

type barrier struct {
	arrived int32
	waiting []int32
}

// arrive is a thread at a barrier: the last one lets all go and reports true,
// the others busy-wait and then sleep.
func (s *Sim) arrive(ti int32, op *workload.Op) bool {
	t := &s.threads[ti]
	p := &s.procs[t.proc]
	b := &p.barriers[op.A]
	b.arrived++
	if int(b.arrived) < p.w.Barriers[op.A].Parties {
		b.waiting = append(b.waiting, ti)
		if op.B > 0 {
			s.begin(ti, spinning, op.B, -1)
		} else {
			s.block(ti)
		}
		return false
	}
	b.arrived = 0
	n := len(b.waiting)
	for i := range n {
		s.letGo(b.waiting[i], ti)
	}
	b.waiting = append(b.waiting[:0], b.waiting[n:]...)
	return true
}

// letGo releases a waiter, wherever it is in its wait.
func (s *Sim) letGo(ti, by int32) {
	t := &s.threads[ti]
	switch t.phase {
	case spinning:
		t.phase, t.work = ready, 0
		if t.cpu >= 0 {
			t.endAt = 0
			s.arm(ti)
		}
	case blocked:
		s.release(ti, s.threads[by].cpu, by, false)
	}
}

// barrierSleep ends the busy wait of a thread.
func (s *Sim) barrierSleep(ti int32) { s.block(ti) }

type message struct {
	bytes int64
	cpu   int32
}

type channel struct {
	capacity       int
	queue          []message
	reader, writer int32
	lastCPU        int32
}

// transferNs is the cost of moving n bytes and their header between two CPUs'
// caches (performance-model.md section 5).
func (s *Sim) transferNs(n int64, from, to int32) int64 {
	const header = 64
	lines := (n + header + 63) / 64
	return int64(float64(lines) * s.m.TransferNs(int(from), int(to)))
}

// send writes a message, waking a reader; it reports false if the thread had
// to sleep because the channel is full.
func (s *Sim) send(ti, ci int32, bytes int64) bool {
	c := &s.channels[ci]
	t := &s.threads[ti]
	if len(c.queue) >= c.capacity {
		c.writer = ti
		t.pc--
		s.block(ti)
		return false
	}
	c.queue = append(c.queue, message{bytes, t.cpu})
	if r := c.reader; r >= 0 {
		c.reader = -1
		s.release(r, t.cpu, ti, true)
	}
	return true
}

// recv reads a message, paying for its transfer; it reports false if the
// thread had to sleep because there is none.
func (s *Sim) recv(ti, ci int32) bool {
	c := &s.channels[ci]
	t := &s.threads[ti]
	if len(c.queue) == 0 {
		c.reader = ti
		t.pc--
		s.block(ti)
		return false
	}
	m := c.queue[0]
	copy(c.queue, c.queue[1:])
	c.queue = c.queue[:len(c.queue)-1]
	t.stall += s.transferNs(m.bytes, m.cpu, t.cpu)
	if w := c.writer; w >= 0 {
		c.writer = -1
		s.release(w, t.cpu, ti, true)
	}
	return true
}
