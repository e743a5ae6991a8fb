package workload

const (
	// pipeBytes is the capacity of a pipe: 16 pages, filled byte by byte.
	pipeBytes = 65536
	// socketBytes is the default send buffer of a socket (wmem_default) and
	// skbBytes what a message is charged besides its data (buffer head and
	// shared info, rounded up).
	socketBytes = 212992
	skbBytes    = 768
)

// capacity is how many messages fit into a pipe or socket.
func capacity(transport string, bytes int64) int {
	if transport == "pipe" {
		return int(max(pipeBytes/bytes, 1))
	}
	return int(max(socketBytes/(skbBytes+bytes/512*512), 1))
}

func (c *compiler) pipe(s Spec) error {
	pairs, bytes, syscall := int(s.Int("pairs")), s.Int("bytes"), s.Int("syscall_ns")
	work := s.Int("work_us") * usec
	ping := []Op{compute(work + syscall), simple(OpSend, 0, bytes), compute(syscall), simple(OpRecv, 1, 0), loop(0, -1)}
	pong := []Op{compute(syscall), simple(OpRecv, 0, 0), compute(work + syscall), simple(OpSend, 1, bytes), loop(0, -1)}
	p, err := c.add(2*pairs, ping, pong)
	if err != nil {
		return err
	}
	ch := Channel{Capacity: capacity("pipe", bytes)}
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

func (c *compiler) hackbench(s Spec) error {
	fds, groups, bytes, syscall := int(s.Int("fds")), int(s.Int("groups")), s.Int("bytes"), s.Int("syscall_ns")
	loops := s.Int("loops")
	var send []Op
	for r := range fds {
		send = append(send, compute(syscall), simple(OpSend, int64(r), bytes))
	}
	send = append(send, repeat(0, loops), simple(OpExit, 0, 0))
	recv := []Op{compute(syscall), simple(OpRecv, 0, 0), repeat(0, loops*int64(fds)), simple(OpExit, 0, 0)}
	one := Channel{Capacity: capacity(s.String("transport"), bytes)}
	threads := s.String("mode") == "threads"
	var p *Proc
	for i := range groups * 2 * fds {
		if i == 0 || !threads {
			n := 1
			if threads {
				n = groups * 2 * fds
			}
			var err error
			if p, err = c.add(n, send, recv); err != nil {
				return err
			}
		}
		r := i % (2 * fds)
		if r == 0 {
			for range fds {
				c.set.Channels = append(c.set.Channels, one)
			}
		}
		t := &p.Threads[i%len(p.Threads)]
		t.ChannelBase = int32(len(c.set.Channels) - fds)
		if r >= fds {
			t.Prog = 1
			t.ChannelBase += int32(r - fds)
		}
	}
	return nil
}
