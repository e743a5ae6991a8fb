package workload

import "strconv"

// Clients and servers that talk through sockets.

// pairs joins client and server processes: one process of each, n threads in each.
type pairs struct {
	n              int
	client, server []Op
	request, reply Channel
	joined         bool // all pairs in one client and one server process
}

func (c *compiler) pairs(d pairs, unit string) error {
	procs, threads := d.n, 1
	if d.joined {
		procs, threads = 1, d.n
	}
	for range procs {
		base := int32(len(c.set.Channels))
		for range threads {
			c.set.Channels = append(c.set.Channels, d.request, d.reply)
		}
		for side, prog := range [][]Op{d.server, d.client} {
			p, err := c.add(threads, prog)
			if err != nil {
				return err
			}
			for i := range p.Threads {
				p.Threads[i].ChannelBase = base + int32(2*i)
			}
			if side == 1 {
				p.Unit = unit
				p.measureWakeups()
			}
		}
	}
	return nil
}

// callKey prices a socket call.
func callKey(ns int64, doc string) Key {
	return Key{Name: "syscall_ns", Type: Int, Unit: "ns", Default: ns, Min: 100, Max: 1000000, Doc: doc}
}

// tcpChannel is a loopback connection with room for some messages.
func tcpChannel(capacity int) Channel {
	return Channel{Capacity: capacity, Lines: tcpLines, HoldNs: 300, Sync: true}
}

// tcpLines is the state of two ends of a loopback connection: socket locks,
// sequence numbers, buffer head and shared info, backlog queue, wait queue (guess).
const tcpLines = 12

func netperfKind() Kind {
	return Kind{"netperf", "Pairs of client and server processes over loopback.", []Key{
		{Name: "pairs", Type: Int, Unit: "pairs", Default: int64(8), Min: 1, Max: MaxThreads / 2, Doc: "clients, and servers; each a process with one thread"},
		{Name: "mode", Type: String, Default: "rr", Enum: []string{"rr", "stream"}, Doc: "rr: request and answer in turn; stream: the client sends without end"},
		{Name: "bytes", Type: Int, Unit: "bytes", Default: int64(1), Min: 1, Max: 1 << 20, Doc: "length of a message"},
		callKey(3000, "kernel time of a send or receive through the loopback stack, without moving lines (guess)"),
	}}
}

func (c *compiler) netperf(s Spec) error {
	call, bytes := s.Int("syscall_ns"), s.Int("bytes")
	d := pairs{
		n:      int(s.Int("pairs")),
		client: []Op{simple(OpStamp, 0, 0), system(call), simple(OpSend, 0, bytes), system(call), simple(OpRecv, 1, 0), simple(OpRecord, 0, 0), units(1), loop(0, -1)},
		server: []Op{system(call), simple(OpRecv, 0, 0), system(call), simple(OpSend, 1, bytes), loop(0, -1)},
	}
	if s.String("mode") == "stream" {
		d.client = []Op{system(call), simple(OpSend, 0, bytes), units(1), loop(0, -1)}
		d.server = []Op{system(call), simple(OpRecv, 0, 0), loop(0, -1)}
	}
	n := int(max(212992/max(bytes, 768), 1))
	d.request, d.reply = tcpChannel(n), tcpChannel(n)
	return c.pairs(d, "transactions")
}

func iperfKind() Kind {
	return Kind{"iperf", "A client process that sends to a server process as fast as it takes: the two-task pair of the ping-pong between LLCs.", []Key{
		{Name: "pairs", Type: Int, Unit: "pairs", Default: int64(1), Min: 1, Max: MaxThreads / 2, Doc: "connections; client and server are processes with one thread"},
		{Name: "kib", Type: Int, Unit: "KiB", Default: int64(128), Min: 1, Max: 4096, Doc: "length of a write"},
		{Name: "window_kib", Type: Int, Unit: "KiB", Default: int64(2560), Min: 1, Max: 65536, Doc: "data under way before the client sleeps (half of the default largest receive buffer)"},
		{Name: "copy_mbps", Type: Int, Unit: "MB/s", Default: int64(8000), Min: 100, Max: 1000000, Doc: "speed of the stack and its copy on one side (guess)"},
	}}
}

func (c *compiler) iperf(s Spec) error {
	bytes := s.Int("kib") << 10
	work := system(max(bytes*1000/s.Int("copy_mbps"), 1))
	// Sides are never equally fast for long.
	work.Jitter = 200_000
	d := pairs{
		n:       int(s.Int("pairs")),
		client:  []Op{work, simple(OpSend, 0, bytes), units(bytes), loop(0, -1)},
		server:  []Op{work, simple(OpRecv, 0, 0), loop(0, -1)},
		request: tcpChannel(int(max(s.Int("window_kib")<<10/bytes, 1))), reply: tcpChannel(1),
	}
	return c.pairs(d, "bytes")
}

func sysbenchKind() Kind {
	return Kind{"sysbench", "A database server with a thread for each connection, and the benchmark's process with a thread for each client: short queries, much sleeping and waking, two address spaces.", []Key{
		threadsKey(256, "connections: threads of the server, and of the client"),
		{Name: "query_us", Type: Int, Unit: "us", Default: int64(100), Min: 1, Max: 1000000, Doc: "CPU time of a query in the server"},
		{Name: "client_us", Type: Int, Unit: "us", Default: int64(20), Min: 1, Max: 1000000, Doc: "CPU time of the client between two queries (guess)"},
		{Name: "queries", Type: Int, Unit: "queries", Default: int64(1), Min: 1, Max: 1000, Doc: "queries of a transaction"},
		{Name: "bytes", Type: Int, Unit: "bytes", Default: int64(200), Min: 1, Max: 65536, Doc: "length of query and result (guess)"},
		callKey(3000, "kernel time of a send or receive through the loopback stack, without moving lines (guess)"),
	}}
}

func (c *compiler) sysbench(s Spec) error {
	call, bytes := s.Int("syscall_ns"), s.Int("bytes")
	half := func(us int64) Op {
		op := compute(us * usec)
		op.Jitter = 500_000 // queries differ (guess)
		return op
	}
	client := []Op{simple(OpStamp, 0, 0), half(s.Int("client_us")), system(call), simple(OpSend, 0, bytes), system(call), simple(OpRecv, 1, 0)}
	if q := s.Int("queries"); q > 1 {
		client = append(client, loop(1, q))
	}
	d := pairs{
		n: int(s.Int("threads")), joined: true,
		client:  append(client, simple(OpRecord, 0, 0), units(1), loop(0, -1)),
		server:  []Op{system(call), simple(OpRecv, 0, 0), half(s.Int("query_us")), system(call), simple(OpSend, 1, bytes), loop(0, -1)},
		request: tcpChannel(16), reply: tcpChannel(16),
	}
	return c.pairs(d, "transactions")
}

func valkeyKind() Kind {
	return Kind{"valkey", "Single-command servers under load: one thread serves all connections in turn, background threads sleep; one benchmark process for each server, its connections divided over its event loops. With a rate the load is open: a request counts from the time it was due.", []Key{
		{Name: "servers", Type: Int, Unit: "servers", Default: int64(8), Min: 1, Max: 1024, Doc: "servers, each with a benchmark process"},
		{Name: "clients", Type: Int, Unit: "connections", Default: int64(50), Min: 1, Max: 1000, Doc: "connections of each benchmark process; without a rate each has one request under way"},
		{Name: "client_threads", Type: Int, Unit: "threads", Default: int64(1), Min: 1, Max: 64, Doc: "event loops of a benchmark process; at most clients"},
		{Name: "rps", Type: Int, Unit: "requests/s", Default: int64(0), Min: 0, Max: 10000000, Doc: "requests of each benchmark process; 0: each answer is followed by the next request at once"},
		{Name: "serve_ns", Type: Int, Unit: "ns", Default: int64(4500), Min: 100, Max: 1000000, Doc: "CPU time of a request in the server, its socket calls included (guess: some 200000 requests a second)"},
		{Name: "ask_ns", Type: Int, Unit: "ns", Default: int64(3500), Min: 100, Max: 1000000, Doc: "CPU time of a request in the benchmark process, its socket calls included (guess)"},
		{Name: "background_threads", Type: Int, Unit: "threads", Default: int64(4), Min: 0, Max: 64, Doc: "sleeping threads of a server and of a benchmark process (with them the process has more than one thread, so that it is eligible)"},
	}}
}

func (c *compiler) valkey(s Spec) error {
	clients, loops, rps := s.Int("clients"), s.Int("client_threads"), s.Int("rps")
	if loops > clients {
		return c.fail("client_threads", "must be at most clients ("+strconv.FormatInt(clients, 10)+")")
	}
	vary := func(ns int64) Op {
		op := system(ns)
		op.Jitter = 400_000 // commands and socket calls differ (guess)
		return op
	}
	park := []Op{simple(OpPark, 0, 0), loop(0, -1)}
	// Now and then a process passes over all its memory, so that hint faults
	// find it.
	const between = 256
	pass := Op{Kind: OpCompute, Profile: -1, Region: 0, A: usec}
	serve := []Op{simple(OpRecv, 0, 0), vary(s.Int("serve_ns")), simple(OpReply, 0, 64), loop(0, between), pass, loop(0, -1)}
	// Channel 0 takes requests, 1+i the answers for event loop i.
	var ask []Op
	period := max(1e9*loops/max(rps, 1), 1)
	if rps > 0 {
		ask = []Op{simple(OpPeriod, period, 0), simple(OpStamp, 0, 1), vary(s.Int("ask_ns")), simple(OpSend, 0, 64), loop(0, between), pass, loop(0, -1)}
	} else {
		ask = []Op{
			simple(OpStamp, 0, 0), simple(OpSend, 0, 64), loop(0, max(clients/loops, 1)),
			simple(OpRecv, 1, 0), simple(OpRecord, 0, 0), units(1), vary(s.Int("ask_ns")), simple(OpStamp, 0, 0), simple(OpSend, 0, 64), loop(3, between), pass, loop(3, -1),
		}
	}
	// Under a rate a second thread of each event loop takes the answers.
	answers := []Op{simple(OpRecv, 1, 0), simple(OpRecord, 0, 0), units(1), loop(0, -1)}
	// Each event loop has its own program, as they differ in the channel of answers.
	own := func(prog []Op, i int64) []Op {
		out := append([]Op{}, prog...)
		for k := range out {
			if out[k].Kind == OpRecv {
				out[k].A = 1 + i
			}
		}
		return out
	}
	clientProgs := [][]Op{park}
	for i := range loops {
		clientProgs = append(clientProgs, own(ask, i))
		if rps > 0 {
			clientProgs = append(clientProgs, own(answers, i))
		}
	}
	// A server with a small data set, or the benchmark's buffers (guess).
	memory := Region{Name: "data", Bytes: 20 << 20, ChunkPages: 512, Resident: true}
	ch := tcpChannel(int(clients) * 4)
	// One event loop, many sockets: nobody contends for a lock.
	ch.HoldNs = 0
	for range int(s.Int("servers")) {
		base := int32(len(c.set.Channels))
		for range 1 + loops {
			c.set.Channels = append(c.set.Channels, ch)
		}
		extra := int(s.Int("background_threads"))
		p, err := c.add(1+extra, serve, park)
		if err != nil {
			return err
		}
		for i := range p.Threads {
			p.Threads[i].ChannelBase = base
			p.Threads[i].Prog = int32(min(i, 1))
		}
		p.measureWakeups(0)
		p.Regions = []Region{memory}
		active := len(clientProgs) - 1
		if p, err = c.add(active+extra, clientProgs...); err != nil {
			return err
		}
		p.Unit = "requests"
		p.Regions = []Region{memory}
		for i := range p.Threads {
			t := &p.Threads[i]
			t.ChannelBase = base
			if i >= active {
				continue
			}
			t.Prog = int32(1 + i)
			k := i
			if rps > 0 {
				k = i / 2
			}
			t.Reply = base + 1 + int32(k)
			t.PhaseNs = phase(k, period)
			p.measureWakeups(i)
		}
	}
	return nil
}
