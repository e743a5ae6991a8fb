package oracle

import (
	"strconv"

	"casplay/core/kernel"
	"casplay/core/sim"
)

func itoa(n int) string { return strconv.Itoa(n) }

// What the emulation costs. Virtual time is 4 ns for each instruction of any
// virtual CPU, so kernel code takes long, and the longer the more CPUs are busy.
// These are one setting for all experiments. The costs of starting processes
// and threads are fits to when the threads of spin1 to spin12, w_spin16 and
// singles4 had all been created; no verdict reads them.
const (
	// offNs and onNs are from the write that switches a CPU off or on to the new
	// domains, offDoneNs to the return of the first, for each busy CPU: measured in
	// boots of hot_spin4, hot_spin7 and s_hot_spin3.
	offNs, offDoneNs, onNs = 5 * msec, 20 * msec, 40 * msec
	// enterNs is how long a process sleeps until it is in its partition (the cgroup
	// waits for a grace period), enterMoreNs what it is longer for each other
	// process: 6 to 9 and 13 to 17 ms in boots of part_spin3 and part_two4.
	enterNs, enterMoreNs = 8 * msec, 6 * msec
	// forkNs is the fork of a process until it runs, afterForkNs what the
	// runner still does, cloneNs a clone and firstCloneNs what the first one of
	// a process costs more: each for every busy CPU.
	forkNs       = 700_000
	afterForkNs  = 200_000
	firstCloneNs = 900_000
	cloneNs      = 270_000
	// iterationNs is one iteration of the random pause between two clones.
	iterationNs = 24
	// touchPageNs is the first touch of a page (n_mem4_64m: 16384 pages in 527 ms).
	touchPageNs = 32_000
	// lookNs is a look of the runner at its clock, markNs what it takes for
	// each busy CPU and itself to change something and to mark that in the trace.
	lookNs = 30_000
	markNs = 500_000
	// endMarkNs is from the end of the duration to the mark that ends the trace,
	// for each busy CPU (0.9 to 1.4 ms in boots of qs_spin2 to spin8_at_tol2). The
	// runner wakes for it, which may yet move a thread.
	endMarkNs = 1_100_000
)

// pageNs is the time for one page of a sweep by n threads: about ten
// instructions, on a virtual CPU that has 1/n of the time.
func pageNs(n int) int64 { return 40 * int64(n) }

// busy is how many virtual CPUs the workload of an experiment keeps busy.
func (s *Spec) busy() int {
	n := 0
	for i := range s.Work {
		w := &s.Work[i]
		switch {
		case w.Kind == "duty":
			n += (w.N*w.Pct + 99) / 100
		case w.Kind == "pp":
			n += w.N // one of each pair waits
		case w.Mix > 0 && w.Split > 0:
			n += w.Split + ((w.N-w.Split)*w.Mix+99)/100
		default:
			n += w.Threads()
		}
	}
	return max(n, 1)
}

// hotplug is when a switched CPU has come or gone after the start, and when the
// runner has returned from it.
func (s *Spec) hotplug(c *Change) (at, done int64) {
	n := int64(s.busy())
	if c.Knob == "cpuoff" {
		return int64(c.Ms)*msec + n*offNs, int64(c.Ms)*msec + n*offDoneNs
	}
	return int64(c.Ms)*msec + n*onNs, int64(c.Ms)*msec + n*onNs
}

// endNs is when the recording of an experiment ends, after its start.
func (s *Spec) endNs() int64 { return int64(s.DurMs)*msec + endMarkNs*int64(s.busy()) }

// messageNs is one read or write of a pipe or socket: about 3000 instructions.
func messageNs(busy int) int64 { return 12_000 * int64(busy) }

// Emulated is the timing of the recorded kernel in the emulation while so many
// virtual CPUs are busy. Ticks, interrupts and kernel threads were measured, not
// fitted to any verdict, in boots of spin2, spin4,
// spin6, scatter2, q_spin2 and q_spin3 with the events of interrupts, context
// switches, workqueues and the tick. They show ticks about 130 us apart,
// interrupts taken after up to 90 us for each other busy CPU, vmstat_update
// about every 1.024 s on each CPU for 22 us of that CPU's share
// (harness/background.py). The costs of switches, wakeups, hint faults and page
// migrations are guesses of how many instructions they take.
func Emulated(busy int) kernel.Timing {
	n := int64(busy)
	t := kernel.Default(250).Timing
	t.TickTurnNs = 130_000
	t.InterruptSpreadNs = 90_000*(n-1) + 20_000
	t.StopperNs = 20_000
	t.SwitchNs = 4_000 * n
	t.WakeNs = 4_000 * n
	t.SubmitWindowNs = 0
	t.HintFaultNs = 10_000 * n
	t.MigrateFolioNs = 10_000 * n
	t.ScanEntryNs = 250 * n
	t.CacheScanCPUNs = 2_200
	t.TickNs, t.BalanceCPUNs, t.WakeLines, t.MoveLines = 0, 0, 0, 0
	t.KworkerPeriodNs, t.KworkerRunNs = 1_024_000_000, 22_000*n
	t.RcuPeriodNs, t.UnboundPeriodNs = 0, 0
	return t
}

// daemons are the unbound kernel threads of the guest, measured likewise:
// kdamond samples every 44 ms at first and every 164 ms after a few
// experiments, kcompactd looks every 512 ms.
func daemons() []sim.Daemon {
	return []sim.Daemon{{Name: "kdamond", PeriodNs: 164 * msec, RunNs: 65 * usec}, {Name: "kcompactd", PeriodNs: 512 * msec, RunNs: 20 * usec}}
}
