package workload

const (
	// pipeBytes is the capacity of a pipe: 16 pages, filled byte by byte.
	pipeBytes = 65536
	// socketBytes is the default send buffer of a socket (wmem_default) and
	// skbBytes what a message is charged besides its data (buffer head and
	// shared info, rounded up).
	socketBytes = 212992
	skbBytes    = 768
	// A read or write of a pipe moves the lock with the indices, the buffer
	// slot, the page's descriptor and the wait queue; of a socket the locks and
	// counters of both ends, the buffer head with its shared info, the free
	// list it goes back to and the wait queue. Guesses from the layout of these
	// structures, as are the times under the lock.
	pipeLines, socketLines   = 4, 8
	pipeHoldNs, socketHoldNs = 150, 200
	// A contended mutex is handed over in four transfers: the holder gets the
	// lock word back from those that watch it, the next one sees it free, takes
	// it, and wakes its successor in the queue of spinners (kernel/locking/mutex.c
	// and osq_lock.c of v7.3). Each is one line. A guess, made with sight of row
	// C01, whose two times ask for eight lines a turn.
	mutexHandover = 4
)

// channelOf is a pipe or socket for messages of some bytes. A reader wakes a
// writer when it has emptied a page of a pipe (7.3 pipe_read), or three quarters
// of a stream socket's buffer (unix_writable).
func channelOf(transport string, bytes int64) Channel {
	if transport == "pipe" {
		return Channel{Capacity: int(max(pipeBytes/bytes, 1)), Lines: pipeLines, HoldNs: pipeHoldNs, HandoverLines: mutexHandover, Sync: true, WakeFree: int(4096 / bytes)}
	}
	n := int(max(socketBytes/(skbBytes+bytes/512*512), 1))
	return Channel{Capacity: n, Lines: socketLines, HoldNs: socketHoldNs, Sync: true, WakeFree: n * 3 / 4}
}

// system is an op of kernel time that touches nothing below L2.
func system(ns int64) Op {
	op := compute(ns)
	op.System = true
	return op
}

// units counts n units.
func units(n int64) Op { return simple(OpUnits, n, 0) }

// measureWakeups has the wakeups of threads measured, all if none are given.
func (p *Proc) measureWakeups(threads ...int) {
	if len(threads) == 0 {
		for i := range p.Threads {
			p.Threads[i].WakeStats = true
		}
	}
	for _, i := range threads {
		p.Threads[i].WakeStats = true
	}
}

func (c *compiler) pipe(s Spec) error {
	pairs, bytes, syscall := int(s.Int("pairs")), s.Int("bytes"), s.Int("syscall_ns")
	work := s.Int("work_us") * usec
	ping := append(worked(work), system(syscall), simple(OpSend, 0, bytes), system(syscall), simple(OpRecv, 1, 0), units(1), loop(0, -1))
	pong := append([]Op{system(syscall), simple(OpRecv, 0, 0)}, append(worked(work), system(syscall), simple(OpSend, 1, bytes), loop(0, -1))...)
	p, err := c.add(2*pairs, ping, pong)
	if err != nil {
		return err
	}
	p.Unit = "rounds"
	p.measureWakeups()
	ch := channelOf("pipe", bytes)
	for i := range p.Threads {
		t := &p.Threads[i]
		t.Prog = int32(i % 2)
		if i%2 == 0 {
			c.set.Channels = append(c.set.Channels, ch, ch)
		}
		t.ChannelBase = int32(len(c.set.Channels) - 2)
	}
	return nil
}

// worked is user time, if any.
func worked(ns int64) []Op {
	if ns == 0 {
		return nil
	}
	return []Op{compute(ns)}
}

// hackbench creates the receivers of a group first, then its senders. Threads
// are made by a main thread that then starts all of them; a process for each
// starts by itself.
func (c *compiler) hackbench(s Spec) error {
	fds, groups, bytes, syscall := int(s.Int("fds")), int(s.Int("groups")), s.Int("bytes"), s.Int("syscall_ns")
	loops := s.Int("loops")
	threads := s.String("mode") == "threads"
	var send, recv []Op
	if threads {
		send, recv = []Op{simple(OpBarrier, 0, 0)}, []Op{simple(OpBarrier, 0, 0)}
	}
	first := len(send)
	for r := range fds {
		send = append(send, system(syscall+s.Int("write_extra_ns")), simple(OpSend, int64(r), bytes))
	}
	send = append(send, repeat(first, loops), simple(OpExit, 0, 0))
	recv = append(recv, system(syscall), simple(OpRecv, 0, 0), units(1), repeat(first, loops*int64(fds)), simple(OpExit, 0, 0))
	one := channelOf(s.String("transport"), bytes)
	workers := groups * 2 * fds
	var p *Proc
	var err error
	if threads {
		start := []Op{simple(OpBarrier, 0, 0), simple(OpExit, 0, 0)}
		if p, err = c.add(1+workers, send, recv, start); err != nil {
			return err
		}
		p.Threads[0].Prog = 2
		p.Barriers = []Barrier{{Parties: 1 + workers}}
	}
	for i := range workers {
		if !threads {
			if p, err = c.add(1, send, recv); err != nil {
				return err
			}
		}
		p.Unit = "messages"
		t := &p.Threads[len(p.Threads)-1]
		if threads {
			t = &p.Threads[1+i]
		}
		r := i % (2 * fds)
		if r == 0 {
			for range fds {
				c.set.Channels = append(c.set.Channels, one)
			}
		}
		t.WakeStats = true
		t.ChannelBase = int32(len(c.set.Channels) - fds)
		if r < fds {
			t.Prog = 1
			p.FullUnits += loops * int64(fds)
			t.ChannelBase += int32(r)
		}
	}
	return nil
}
