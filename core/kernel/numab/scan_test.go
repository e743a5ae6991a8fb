package numab

import (
	"testing"

	"github.com/stretchr/testify/require"

	"casplay/core/kernel"
)

// 7.3 fair.c task_tick_numa.
func TestAttempt(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), nil)
	p := newProcess(t, s, 4<<30, 512, 1, 0) // 16 windows: start at 100 ms
	task := p.tasks[0]
	require.EqualValues(t, 250, p.NextScan())
	require.EqualValues(t, 1000, task.ScanPeriodMs())

	require.False(t, task.Attempt(1000e6, 250), "must exceed the period")
	require.True(t, task.Attempt(1001e6, 250))
	require.EqualValues(t, 100, task.ScanPeriodMs(), "first attempt of a process sets the start period")
	require.False(t, task.Attempt(5000e6, 250), "work pending")
	require.True(t, scanNow(task, 0, 250).Ran)
	require.EqualValues(t, 1008e6, task.nodeStamp, "two ticks behind")
	require.EqualValues(t, 275, p.NextScan())
	require.False(t, task.Attempt(1108e6, 275))
	require.False(t, task.Attempt(1109e6, 274), "too early for the address space")
	require.EqualValues(t, 1108e6, task.nodeStamp, "an attempt in vain counts")
}

func TestScanLosers(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), nil)
	p := newProcess(t, s, 4<<30, 512, 3, 0)
	a, b := p.tasks[1], p.tasks[2]
	require.True(t, a.Attempt(2000e6, 500))
	require.True(t, b.Attempt(2000e6, 500))
	require.True(t, scanNow(a, 0, 500).Ran)
	require.False(t, scanNow(b, 0, 500).Ran)
	require.EqualValues(t, 750, p.NextScan(), "a thread created by clone scans with 1000 ms")
	b.SingleMemNode = true
	require.False(t, scanNow(b, 0, 800).Ran, "cpuset of one memory node")
	b.SingleMemNode = false
	b.Exit()
	require.False(t, scanNow(b, 0, 800).Ran)
	require.False(t, b.Attempt(9000e6, 800))
}

// 7.3 fair.c init_numa_balancing.
func TestThreadStart(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), nil)
	p := newProcess(t, s, mib, 1, 1, 0)
	main := p.tasks[0]
	main.SetPreferred(1)
	p.scanSeq, p.nextScan = 7, 3

	first := NewThread(main, 1, 101, 100)
	require.Zero(t, p.scanSeq, "the first clone restarts the sweep counter")
	require.EqualValues(t, 350, p.nextScan)
	require.Equal(t, 1, first.Preferred())
	require.EqualValues(t, 8e6+60000, first.nodeStamp, "two ticks and 60000 ns")

	p.scanSeq, p.nextScan = 7, 3
	second := NewThread(main, 2, 102, 100)
	require.EqualValues(t, 3, p.nextScan, "later ones do not")
	require.Equal(t, 7, second.ScanSeq())
	require.EqualValues(t, 1000, second.ScanPeriodMs())

	p.rss = 27034 * 256
	require.EqualValues(t, 8e6+566, NewThread(main, 3, 103, 100).nodeStamp, "less than 1 us for 106 windows")
	require.False(t, second.Attempt(1008e6, 500))
	require.True(t, second.Attempt(1009e6, 500))
	require.EqualValues(t, 1000, second.ScanPeriodMs(), "only a process starts with its own period")
}

// Sweep times of numa-balancing.md section 9: 26.4 GiB in windows of 256 MiB.
func TestSweepTimeOfMG(t *testing.T) {
	for _, c := range []struct {
		intervalMs uint32
		wantS      float64
	}{{1000, 106}, {833, 88}, {379, 40}, {312, 33}, {250, 26}, {100, 10.6}} {
		s := testSystem(t, testMachine(2, 1, twoNodes), nil)
		p := newProcess(t, s, 27034*mib, 512, 2, 0)
		require.EqualValues(t, 6_920_704, p.RSSPages())
		task := p.tasks[0]
		task.scanPeriod = c.intervalMs
		start := p.nextScan
		end := p.sweep(0)
		interval := s.msToJiffies(int64(c.intervalMs))
		require.Equal(t, 106*interval, end-start+interval, "interval %d ms", c.intervalMs)
		// The spec's figures ignore that intervals round up to 4 ms jiffies.
		require.InEpsilon(t, c.wantS, float64(106*interval)/250, 0.03, "interval %d ms", c.intervalMs)
		require.EqualValues(t, 1, p.Stats.Sweeps)
		require.EqualValues(t, 13517, p.regions[0].armed.count)
	}
}

// With every thread at 1000 ms, 43 s see 42 windows at most: no sweep, so every
// placement stops at the gate and the footprint stays 0 (section 9.1 and 9.2).
func TestShortRunOfManyThreadsCompletesNoSweep(t *testing.T) {
	s := testSystem(t, testMachine(36, 1, twoNodes), nil)
	p := newProcess(t, s, 27034*mib, 512, 64, 0)
	main, workers := p.tasks[0], p.tasks[1:]
	chunks := p.Chunks(0)
	for j := int64(1); j <= 43*250; j++ {
		for i, task := range workers { // main waits at a barrier
			if task.Attempt(j*4_000_000, j) {
				scanNow(task, i%2, j)
			}
			if j%125 == 0 {
				task.Access(0, i*chunks/63, (i+1)*chunks/63, i, Clock{Jiffies: j, ExecStartNs: j * 4e6, RuntimeNs: j * 4e6})
			}
		}
	}
	require.EqualValues(t, 0, p.Stats.Sweeps)
	require.Zero(t, p.footprint)
	require.Positive(t, p.Stats.HintFaults)
	require.Equal(t, p.Stats.HintFaults, p.Stats.PlacementCalls, "one call for each fault")
	require.Equal(t, p.Stats.PlacementCalls, p.Stats.GateStops)
	require.Zero(t, p.Stats.FootprintWrites)
	require.LessOrEqual(t, p.Stats.FaultPages, int64(42*65536))
	require.EqualValues(t, NoNode, main.Preferred())
}

// 7.3 fair.c task_numa_work: the budget counts ranges in which something was
// armed; the rest costs an eighth.
func TestScanBudget(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), func(k *kernel.Config) { k.Numa.ScanSizeMB = 4 })
	p := newProcess(t, s, 99*mib, 1, 2, 0)
	task := p.tasks[0]
	scan := func() Scan { return scanNow(task, 0, p.nextScan) }

	require.Equal(t, Scan{Ran: true, Entries: 1024, Pages: 1024}, scan())
	require.EqualValues(t, 512+1024, p.ScanOffset())
	p.scanOffset = 0
	got := scan()
	require.EqualValues(t, 1024, got.Pages, "skips what is armed and arms the next 4 MiB")
	require.EqualValues(t, 512+2048, p.ScanOffset())

	p.sweep(0)
	require.Equal(t, 1, p.ScanSeq())
	require.EqualValues(t, 25344, p.regions[0].armed.count)
	got = scanNow(task, 0, p.nextScan+10000)
	require.EqualValues(t, 0, got.Entries)
	require.EqualValues(t, 512+8*1024, p.ScanOffset(), "nothing to arm: eight times as far")
}

// A last window that ends with the mapping leaves the end of the sweep to the
// next scan, which then starts over at once.
func TestSweepThatEndsWithAWindow(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), func(k *kernel.Config) { k.Numa.ScanSizeMB = 4 })
	p := newProcess(t, s, 8*mib, 512, 2, 0)
	task := p.tasks[0]
	for range 2 {
		require.Equal(t, Scan{Ran: true, Entries: 2, Pages: 1024}, scanNow(task, 0, p.nextScan))
	}
	p.regions[0].armed.clear(0)
	p.regions[0].armed.clear(1)
	require.Equal(t, Scan{Ran: true, Entries: 2, Pages: 1024, Sweeps: 1}, scanNow(task, 0, p.nextScan))
	require.EqualValues(t, 512+1024, p.ScanOffset())
}

// Pages local to a single-threaded process are not armed
// (mm/mempolicy.c folio_can_map_prot_numa).
func TestScanOfSingleThread(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), nil)
	p := newProcess(t, s, 8*mib, 512, 1, 0)
	require.EqualValues(t, 0, scanNow(p.tasks[0], 0, p.nextScan).Entries)
	require.Equal(t, 1, p.ScanSeq())
	require.EqualValues(t, 4, scanNow(p.tasks[0], 1, p.nextScan+1000).Entries)
}

// A period of 0, as from scan_delay_ms=0, is replaced at the first scan.
func TestScanWithoutDelay(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), func(k *kernel.Config) { k.Numa.ScanDelayMs = 0 })
	p := newProcess(t, s, 8*mib, 512, 2, 0)
	task := p.tasks[1]
	require.Zero(t, task.ScanPeriodMs())
	require.True(t, task.Attempt(9e6, 0))
	require.True(t, scanNow(task, 0, 0).Ran)
	require.EqualValues(t, 1000, task.ScanPeriodMs())
}

// Only what update_curr sees delays the next attempt (7.3 fair.c
// task_numa_work): the ticks that fall into the scan.
func TestScanThatSpansTicksDelaysTheNextAttempt(t *testing.T) {
	for _, c := range []struct{ at, end, stamp int64 }{
		{5e6, 5e6, 8e6},
		{5e6, 9e6, 8e6 + 32*4e6},
	} {
		s := testSystem(t, testMachine(2, 1, twoNodes), nil)
		s.costs.ScanEntryNs = 1000
		p := newProcess(t, s, 8*mib, 512, 2, 0)
		task := p.tasks[0]
		got := task.Scan(0, p.nextScan, c.at)
		require.True(t, got.Ran)
		require.EqualValues(t, 4000, got.CostNs)
		task.ScanDone(c.end)
		require.Equal(t, c.stamp, task.nodeStamp)
	}
}

// Faults taken while a scan runs precede the end of its sweep: the first
// accounting then finds them (n_mem4_8m in the oracle: footprint 506 to 749
// after the first sweep).
func TestFaultsDuringScanPrecedeTheSweep(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), nil)
	p := newProcess(t, s, 8*mib, 1, 3, 0)
	scanner, other := p.tasks[0], p.tasks[1]
	require.True(t, scanner.Scan(0, 250, 0).Ran)
	other.Access(0, 0, 700, 1, Clock{Jiffies: 251})
	require.Zero(t, p.Stats.FootprintWrites)
	require.Zero(t, p.ScanSeq())
	require.True(t, scanner.ScanDone(0))
	other.Access(0, 700, 2048, 1, Clock{Jiffies: 252})
	require.EqualValues(t, 700, p.footprint)
	require.EqualValues(t, 1, p.Stats.FootprintWrites)
}

// The first clone restarts the sweep counter but not what mappings remember:
// one that the lone process scanned counts as done in the new sweep 0
// (n_mem4_64m in the oracle: the first sweep after the clones arms nothing).
func TestFirstSweepAfterCloneSkipsScannedMappings(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), nil)
	p := newProcess(t, s, 8*mib, 1, 1, 0)
	require.Equal(t, Scan{Ran: true, Sweeps: 1}, scanNow(p.tasks[0], 0, 250))
	thread := NewThread(p.tasks[0], 1, 101, 300)
	require.Zero(t, p.ScanSeq())
	require.Equal(t, Scan{Ran: true, Sweeps: 1}, scanNow(thread, 0, 550))
	require.Equal(t, Scan{Ran: true, Entries: 2048, Pages: 2048, Sweeps: 1}, scanNow(thread, 0, 800))
}

// 7.3 fair.c vma_is_accessed and the tests before it.
func TestScanSkipsMappings(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), nil)
	p := newProcess(t, s, 2*mib, 512, 2, 0)
	task := p.tasks[0]
	r := &p.regions[0]
	at := func(j int64) Scan { r.armed.clear(0); return scanNow(task, 0, j) }

	require.EqualValues(t, 1, scanNow(task, 0, 250).Entries) // seq 0 -> 1
	require.EqualValues(t, 500, r.scan.next)
	require.Equal(t, 1, p.ScanSeq())
	p.nextScan = 0
	got := at(499)
	require.Equal(t, Scan{Ran: true, Sweeps: 1}, got, "new mapping, 1 s after the first sweep")
	twin := *r
	require.True(t, (&walk{t: task, m: p.MM, jiffies: 500}).eligible(&twin, true), "no longer")
	r.armed.or(0, 1)
	require.EqualValues(t, 1, at(750).Entries, "no PID faulted: forced, it is the only one")
	require.Equal(t, 2, p.ScanSeq(), "a forced mapping does not end the sweep")
	require.Equal(t, r.end, p.ScanOffset())

	// The next scan ends the sweep and finds the mapping untouched by its PID.
	got = at(1000)
	require.Equal(t, 1, got.Sweeps)
	require.EqualValues(t, 1, got.Entries)
	r.scan.pids[1] = 1 << pidHash(task.pid)
	require.Equal(t, 3, p.ScanSeq())
	require.Equal(t, r.scan.prevSeq, p.ScanSeq())
	p.scanOffset = 0
	got = scanNow(task, 0, 1250)
	require.Equal(t, Scan{Ran: true, Sweeps: 1}, got, "already completed in this sweep")

	got = at(1500)
	require.Equal(t, Scan{Ran: true, Entries: 1, Pages: 512, Sweeps: 1}, got, "faulted in by this PID: part of the sweep")

	r.noScan = true
	require.EqualValues(t, 0, at(2000).Entries)
}

// Who faulted is forgotten after two periods of four scan delays.
func TestPIDsAgeOut(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), nil)
	p := newProcess(t, s, 2*mib, 512, 2, 0)
	task, v := p.tasks[0], &p.regions[0].scan
	scanNow(task, 0, 250)
	require.EqualValues(t, 1500, v.pidsReset)
	v.pids[1] = 5
	scanNow(task, 0, 1500)
	require.Equal(t, [2]uint64{0, 5}, v.pids)
	scanNow(task, 0, 1750)
	require.Equal(t, [2]uint64{5, 0}, v.pids)
	require.EqualValues(t, 2500, v.pidsReset)
	scanNow(task, 0, 2750)
	require.Equal(t, [2]uint64{0, 0}, v.pids)
}

// Hash of PIDs over 64 bits (linux/hash.h hash_32): first values by hand.
func TestPIDHash(t *testing.T) {
	require.EqualValues(t, 0, pidHash(0))
	require.EqualValues(t, 0x61C88647>>26, pidHash(1))
	require.EqualValues(t, 0xC3910C8E>>26, pidHash(2))
}
