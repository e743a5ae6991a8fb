package workload

import "casplay/core/machine"

// MaxThreads is the largest number of threads in a Set.
const MaxThreads = 8192

// entry joins the documentation of a kind to the function that compiles it.
type entry struct {
	Kind
	compile func(*compiler, Spec) error
}

// threadsKey is the key that most kinds have.
func threadsKey(def int64, doc string) Key {
	return Key{Name: "threads", Type: Int, Unit: "threads", Default: def, Min: 1, Max: MaxThreads, Doc: doc}
}

// syscallKey prices one read or write of a small message.
var syscallKey = Key{Name: "syscall_ns", Type: Int, Unit: "ns", Default: int64(130), Min: 100, Max: 100000,
	Doc: "kernel time of one read or write of a message, without moving its cache lines (fit to hackbench with 16 groups on Sapphire Rapids, row C06: casplay calibrate --only pipe)"}

// writeExtraKey makes writing dearer than reading.
var writeExtraKey = Key{Name: "write_extra_ns", Type: Int, Unit: "ns", Default: int64(50), Min: 0, Max: 100000,
	Doc: "what a write costs more than a read: getting the page or buffer, and the full barrier before looking for sleepers (guess)"}

// entries lists the kinds in the order in which they are shown.
func entries() []entry {
	return []entry{
		{Kind{"spin", "Threads that always run and touch no memory. The main thread creates the others and spins too.", []Key{
			threadsKey(4, "threads, the main thread included"),
			{Name: "last_threads", Type: Int, Unit: "threads", Default: int64(0), Min: 0, Max: MaxThreads, Doc: "how many of the last threads behave as late_ms and last_busy_pct say"},
			{Name: "late_ms", Type: Int, Unit: "ms", Default: int64(0), Min: 0, Max: 600000, Doc: "the last threads sleep this long before they start"},
			{Name: "last_busy_pct", Type: Int, Unit: "%", Default: int64(100), Min: 1, Max: 100, Doc: "share of each period that the last threads run"},
			{Name: "period_us", Type: Int, Unit: "us", Default: int64(20000), Min: 100, Max: 10000000, Doc: "period of the last threads"},
		}}, (*compiler).spin},
		{Kind{"duty", "Threads that use busy_pct of CPU time in each period and sleep to its end. Phases are spread evenly.", []Key{
			threadsKey(4, "threads, the main thread included"),
			{Name: "busy_pct", Type: Int, Unit: "%", Default: int64(50), Min: 1, Max: 100, Doc: "CPU time per period"},
			{Name: "period_us", Type: Int, Unit: "us", Default: int64(20000), Min: 100, Max: 10000000, Doc: "length of a period"},
		}}, (*compiler).duty},
		{Kind{"pipe", "Ping-pong over two pipes between the two threads of each pair, all in one process.", []Key{
			{Name: "pairs", Type: Int, Unit: "pairs", Default: int64(1), Min: 1, Max: MaxThreads / 2, Doc: "pairs of threads"},
			{Name: "work_us", Type: Int, Unit: "us", Default: int64(0), Min: 0, Max: 1000000, Doc: "CPU time of each side before it answers"},
			{Name: "bytes", Type: Int, Unit: "bytes", Default: int64(1), Min: 1, Max: 65536, Doc: "length of a message"},
			syscallKey,
		}}, (*compiler).pipe},
		{Kind{"hackbench", "Groups of fds senders and fds receivers; every sender writes to every receiver of its group in turn.", []Key{
			{Name: "groups", Type: Int, Unit: "groups", Default: int64(1), Min: 1, Max: 256, Doc: "groups"},
			{Name: "fds", Type: Int, Unit: "pairs", Default: int64(20), Min: 1, Max: 128, Doc: "senders, and receivers, of a group"},
			{Name: "mode", Type: String, Default: "threads", Enum: []string{"threads", "process"}, Doc: "threads of one process, or a process for each"},
			{Name: "transport", Type: String, Default: "socket", Enum: []string{"pipe", "socket"}, Doc: "what carries the messages; sets how many fit before a writer blocks"},
			{Name: "bytes", Type: Int, Unit: "bytes", Default: int64(100), Min: 1, Max: 65536, Doc: "length of a message"},
			{Name: "loops", Type: Int, Unit: "messages", Default: int64(100), Min: 0, Max: 10000000, Doc: "messages from each sender to each receiver; 0 = no end"},
			syscallKey,
			writeExtraKey,
		}}, (*compiler).hackbench},
		{Kind{"barrier", "All threads compute, then meet at a barrier.", []Key{
			threadsKey(4, "threads, the main thread included"),
			{Name: "work_us", Type: Int, Unit: "us", Default: int64(3000), Min: 1, Max: 10000000, Doc: "CPU time between two barriers"},
			{Name: "imbalance_pct", Type: Int, Unit: "%", Default: int64(25), Min: 0, Max: 400, Doc: "each thread draws up to this much more each time"},
			{Name: "iterations", Type: Int, Unit: "barriers", Default: int64(0), Min: 0, Max: 10000000, Doc: "barriers; 0 = no end"},
			{Name: "spin_us", Type: Int, Unit: "us", Default: int64(0), Min: 0, Max: 1000000, Doc: "busy-waiting before a thread sleeps in the futex"},
		}}, (*compiler).barrier},
		{Kind{"mem", "Threads that write one word of every page of their memory, again and again.", []Key{
			threadsKey(4, "threads, the main thread included"),
			{Name: "mib", Type: Int, Unit: "MiB", Default: int64(64), Min: 1, Max: 1 << 20, Doc: "memory of the process"},
			{Name: "touch", Type: String, Default: "all", Enum: []string{"all", "own"}, Doc: "all: the main thread has touched everything before it creates the others; own: each thread touches its slice first"},
			{Name: "sweep", Type: String, Default: "slice", Enum: []string{"slice", "all"}, Doc: "slice: each thread sweeps its part; all: each sweeps everything"},
			{Name: "page_ns", Type: Int, Unit: "ns", Default: int64(20), Min: 1, Max: 100000, Doc: "CPU time for each page, without the cache miss (guess)"},
			{Name: "fault_ns", Type: Int, Unit: "ns", Default: int64(500), Min: 1, Max: 1000000, Doc: "first touch of a page (guess: fault and clearing of 4 KiB)"},
			{Name: "pages_per_fault", Type: Int, Unit: "pages", Default: int64(1), Min: 1, Max: 512, Doc: "1, or 512 for huge pages"},
		}}, (*compiler).mem},
		{mgKind(), (*compiler).mg},
		{schbenchKind(), (*compiler).schbench},
		{streamKind(), (*compiler).stream},
		{netperfKind(), (*compiler).netperf},
		{iperfKind(), (*compiler).iperf},
		{sharedKind(), (*compiler).shared},
		{verilatorKind(), (*compiler).verilator},
		{sysbenchKind(), (*compiler).sysbench},
		{valkeyKind(), (*compiler).valkey},
		{stressKind(), (*compiler).stress},
		{ebizzyKind(), (*compiler).ebizzy},
		{noiseKind(), (*compiler).noise},
		{scriptKind(), (*compiler).script},
		{rtappKind(), (*compiler).rtapp},
	}
}

// Kinds documents the kinds of workload.
func Kinds() []Kind {
	var ks []Kind
	for _, e := range entries() {
		ks = append(ks, e.Kind)
	}
	return ks
}

// CommonKeys documents the keys that every workload entry may have besides
// "kind" and those of its kind.
func CommonKeys() []Key {
	return []Key{
		{Name: "name", Type: String, Default: "", Doc: "name of the process in results; the kind if empty"},
		{Name: "instances", Type: Int, Unit: "processes", Default: int64(1), Min: 1, Max: 1024, Doc: "separate processes of this kind"},
		{Name: "instance_gap_us", Type: Int, Unit: "us", Default: int64(1000), Min: 0, Max: 60000000, Doc: "time between the starts of two instances"},
		{Name: "start_ms", Type: Int, Unit: "ms", Default: int64(0), Min: 0, Max: 600000, Doc: "when the first instance is forked"},
		{Name: "exit_ms", Type: Int, Unit: "ms", Default: int64(0), Min: 0, Max: 600000, Doc: "when the process is killed; 0 = it ends with its threads"},
		{Name: "rss_mib", Type: Int, Unit: "MiB", Default: int64(0), Min: 0, Max: 64 << 20, Doc: "resident set; 0 = the memory that the kind describes"},
		{Name: "place", Type: String, Default: "fork", Doc: "fork: where the kernel puts the threads; packed: all bound to LLC 0; round-robin: thread i bound to LLC i mod n; llc:N, node:N: all bound there; split:K: the first K bound to LLC 0, the rest to LLC 1"},
		{Name: "place_until_ms", Type: Int, Unit: "ms", Default: int64(-1), Min: -1, Max: 600000, Doc: "time of the run at which the binding of place is lifted; -1 = never"},
		{Name: "spawn_gap_us", Type: Int, Unit: "us", Default: int64(30), Min: 0, Max: 1000000, Doc: "time from the creation of one thread to that of the next (guess: one clone call and its stack)"},
		{Name: "group", Type: Int, Default: int64(0), Min: 0, Max: 1024, Doc: "processes with the same number above 0 share one cache group"},
		{Name: "cas_off", Type: Bool, Default: false, Doc: "the process has switched cache-aware scheduling off (proposed prctl)"},
		{Name: "cas_tolerance", Type: Int, Default: int64(-1), Min: -1, Max: 100, Doc: "aggr_tolerance of the process (proposed prctl); -1 = the global one"},
		{Name: "cas_size_tolerance", Type: Int, Default: int64(-1), Min: -1, Max: 100, Doc: "the same for the memory gate alone; -1 = as the other"},
		{Name: "cas_overaggr_pct", Type: Int, Unit: "%", Default: int64(0), Min: 0, Max: 1000, Doc: "overaggr_pct of the process (proposed prctl); 0 = the global one"},
		{Name: "cache_groups", Type: Int, Unit: "groups", Default: int64(1), Min: 1, Max: 64, Doc: "cache groups into which the process splits its threads, equal parts in the order of their creation (proposed prctl)"},
		{Name: "warmup_ms", Type: Int, Unit: "ms", Default: int64(0), Min: 0, Max: 600000, Doc: "time from the start of the process during which latencies, throughput and kernel time are not measured"},
		{Name: "background", Type: Bool, Default: false, Doc: "does not count for the runtime and does not keep the run going"},
	}
}

// Defaults returns a Spec of a kind with every key at its default; ok is
// false for an unknown kind.
func Defaults(kind string) (s Spec, ok bool) {
	for _, e := range entries() {
		if e.Name != kind {
			continue
		}
		s = Spec{Kind: kind, Values: map[string]any{}}
		for _, k := range append(CommonKeys(), e.Keys...) {
			s.Values[k.Name] = k.Default
		}
		return s, true
	}
	return Spec{}, false
}

// compiler builds a Set.
type compiler struct {
	m       *machine.Machine
	set     Set
	threads int
	at      string // "workload.2", for errors
}
