package workload

import "casplay/core/memory"

// schbench: message threads wake worker threads, which serve a request each
// time they are woken.

func schbenchKind() Kind {
	return Kind{"schbench", "Message threads wake workers; a woken worker serves a request (a short sleep, then matrix operations), asks for the next one and sleeps. Wakeup latency is that of workers, request latency the time from the wakeup to the end of the request.", []Key{
		{Name: "messengers", Type: Int, Unit: "threads", Default: int64(1), Min: 1, Max: 256, Doc: "message threads"},
		{Name: "workers", Type: Int, Unit: "threads", Default: int64(16), Min: 1, Max: 1024, Doc: "workers of each message thread"},
		{Name: "operations", Type: Int, Unit: "operations", Default: int64(5), Min: 1, Max: 1000, Doc: "matrix operations of a request"},
		{Name: "operation_us", Type: Int, Unit: "us", Default: int64(740), Min: 1, Max: 1000000, Doc: "CPU time of one operation (five of them and the sleep make the 3.9 ms of a request in published runs)"},
		{Name: "footprint_kib", Type: Int, Unit: "KiB", Default: int64(256), Min: 1, Max: 1 << 20, Doc: "matrices of a worker"},
		{Name: "sleep_us", Type: Int, Unit: "us", Default: int64(100), Min: 0, Max: 1000000, Doc: "sleep at the beginning of a request"},
		{Name: "rps", Type: Int, Unit: "requests/s", Default: int64(0), Min: 0, Max: 1000000, Doc: "requests a second of each message thread, its workers in turn; 0: as fast as workers ask"},
		futexKey,
	}}
}

// futexKey prices a futex call.
var futexKey = Key{Name: "futex_ns", Type: Int, Unit: "ns", Default: int64(300), Min: 10, Max: 100000, Doc: "kernel time of a futex call besides the wakeup itself (guess)"}

// wordChannel hands over one word in user memory: no kernel state moves but
// that of the wakeup.
func wordChannel(capacity int) Channel { return Channel{Capacity: capacity, Lines: 1} }

func (c *compiler) schbench(s Spec) error {
	m, w, futex := int(s.Int("messengers")), int(s.Int("workers")), s.Int("futex_ns")
	// Of each group channel 0 takes the posts of workers, 1+i wakes worker i. A
	// worker posts by answering the message that woke it.
	wake := func(to Op) []Op { return []Op{system(futex), simple(OpStamp, 0, 0), to} }
	var message []Op
	rps := s.Int("rps")
	for i := range w {
		if rps > 0 {
			message = append(message, simple(OpSleep, 1e9/rps, 0))
		}
		message = append(message, wake(simple(OpSend, int64(1+i), 1))...)
	}
	if rps > 0 {
		message = append(message, loop(0, -1))
	} else {
		message = append(message, simple(OpRecv, 0, 0))
		message = append(message, wake(simple(OpReply, 0, 1))...)
		message = append(message, loop(len(message)-4, -1))
	}
	work := compute(s.Int("operations") * s.Int("operation_us") * usec)
	work.Profile = 0
	worker := []Op{system(futex), simple(OpRecv, 0, 0)}
	if s.Int("sleep_us") > 0 {
		worker = append(worker, simple(OpSleep, s.Int("sleep_us")*usec, 0))
	}
	worker = append(worker, work, simple(OpRecord, 0, 0), units(1))
	if rps == 0 {
		worker = append(worker, system(futex), simple(OpReply, 0, 1))
	}
	worker = append(worker, loop(0, -1))
	p, err := c.add(m*(1+w), message, worker)
	if err != nil {
		return err
	}
	p.Unit = "requests"
	// Blocked multiplication re-reads its matrices; most hits are in L2 (guess).
	p.Profiles = []memory.Profile{{
		Name: "matrix", BytesPerNs: 2, WriteShare: 0.2, Overlap: 0.8, Reuse: memory.Uniform,
		WorkingSetBytes: int64(m*w) * s.Int("footprint_kib") << 10, Threads: m * w,
	}}
	p.RSSBytes = int64(m*w) * s.Int("footprint_kib") << 10
	for g := range m {
		base := int32(len(c.set.Channels))
		c.set.Channels = append(c.set.Channels, wordChannel(w))
		p.Threads[g].ChannelBase, p.Threads[g].Reply = base, base
		for i := range w {
			c.set.Channels = append(c.set.Channels, wordChannel(1024))
			// Messengers come first, then the workers group by group.
			n := m + g*w + i
			t := &p.Threads[n]
			t.Prog, t.ChannelBase, t.Reply = 1, base+1+int32(i), base+1+int32(i)
			p.measureWakeups(n)
		}
	}
	return nil
}
