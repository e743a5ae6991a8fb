package sim

import (
	"math/bits"

	"casplay/core/kernel"
	"casplay/core/kernel/cas"
)

// measure is what is measured from the end of the warm-up on: latencies,
// kernel time by function, and the units of work that processes count.
type measure struct {
	from int64 // ns of the scheduler's clock
	// wake is the time from a wakeup to the first instruction of the woken
	// thread, request that of requests.
	wake, request histogram
	sys           [kernel.NumFunctions]int64
	busy0         int64 // busy time of all CPUs at from
	// waits counts waits for locks and lines, waitNs their time.
	waits, waitNs int64
}

// startMeasure has the measurement begin when every process is warm.
func (s *Sim) startMeasure() {
	s.measure.from = s.t0
	warm := int64(0)
	for i := range s.procs {
		if w := s.procs[i].w; w.WarmupNs > 0 && !w.Background {
			warm = max(warm, max(w.StartNs, 0)+w.WarmupNs)
		}
	}
	if warm > 0 {
		s.q.push(event{at: s.t0 + warm, kind: evWarm})
	}
}

// begin forgets what came before.
func (m *measure) begin(s *Sim) {
	for ti := range s.threads {
		s.progress(int32(ti))
	}
	*m = measure{from: s.now, busy0: s.busyNs()}
	for i := range s.procs {
		s.procs[i].units = 0
	}
}

func (s *Sim) busyNs() int64 {
	var busy int64
	for c := range s.m.CPUs {
		busy += s.sched.BusyNs(int32(c))
	}
	return busy
}

// charge has a running thread spend kernel time before it goes on.
func (s *Sim) charge(ti int32, f kernel.Function, ns int64) {
	if ns > 0 {
		s.threads[ti].stall += ns
		s.measure.sys[f] += ns
	}
}

// takeCharges charges what the scheduler did on a CPU to the thread that runs
// there; on an idle CPU nobody waits for it.
func (s *Sim) takeCharges() {
	list := s.sched.CAS.Charges
	for i := range list {
		c := &list[i]
		if c.WaitNs > 0 {
			s.measure.waits++
			s.measure.waitNs += c.WaitNs
		}
		if ti := s.onCPU[c.CPU]; ti >= 0 && int(ti) < len(s.threads) {
			s.charge(ti, c.Function, c.Ns)
		}
	}
	s.sched.CAS.Charges = list[:0]
}

// moveWakeLines charges a wakeup for the lines of task and queue: the waker
// fetches them from the CPU that it puts the task on, and that CPU fetches them back.
func (s *Sim) moveWakeLines(ti, cpu, by int32) {
	if by < 0 {
		return
	}
	ns := s.transferNs(s.cfg.Timing.WakeLines, s.sched.Task(ti).CPU, cpu)
	s.charge(by, kernel.Wakeup, ns)
	s.threads[ti].wakeDebt = ns
}

// fetchTask is a thread that runs on another CPU than before fetching its lines
// from there.
func (s *Sim) fetchTask(ti int32) {
	t := &s.threads[ti]
	if t.last >= 0 && t.last != t.cpu {
		ns := s.transferNs(s.cfg.Timing.MoveLines, t.last, t.cpu)
		s.charge(ti, kernel.Switch, ns)
		t.moveNs = ns
	}
	t.last = t.cpu
}

// wakeEnds is a woken thread getting its CPU. The latency has in it what the
// waker took for the wakeup and the switch to the thread.
func (s *Sim) wakeEnds(ti int32) {
	t := &s.threads[ti]
	if t.wokenAt == 0 {
		t.moveNs = 0
		return
	}
	debt := t.wakeDebt
	s.charge(ti, kernel.Wakeup, debt)
	if s.procs[t.proc].w.Threads[t.index].WakeStats {
		tm := &s.cfg.Timing
		s.measure.wake.add(s.now - t.wokenAt + tm.WakeNs + 2*debt + tm.SwitchNs + t.moveNs)
	}
	t.wokenAt, t.wakeDebt, t.moveNs = 0, 0, 0
}

// mulDiv is a*b/c without overflow, for non-negative numbers; the result must fit.
func mulDiv(a, b, c int64) int64 {
	if c <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi >= uint64(c) {
		return 0
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(q)
}

// metrics reports what the workload has of it.
func (m *measure) metrics(s *Sim, add func(name string, raw, scale int64)) {
	if m.wake.n > 0 {
		add("wake_p50_us", m.wake.quantile(50, 100), 1000)
		add("wake_p99_us", m.wake.quantile(99, 100), 1000)
	}
	if m.request.n > 0 {
		add("request_p50_ms", m.request.quantile(50, 100), 1e6)
		add("request_p99_ms", m.request.quantile(99, 100), 1e6)
	}
	m.throughput(s, add)
	var sys int64
	for f := range m.sys {
		sys += m.sys[f]
	}
	if sys == 0 {
		return
	}
	busy := max(s.busyNs()-m.busy0, 1)
	add("sys_pct", mulDiv(sys, 1e6, busy), 1e4)
	for f := range kernel.NumFunctions {
		if m.sys[f] > 0 {
			add("sys_"+f.String()+"_pct", mulDiv(m.sys[f], 1e6, busy), 1e4)
		}
	}
	// A profile of the kernel's own cycles shows a share of kernel time.
	add("scan_kernel_pct", mulDiv(m.sys[kernel.CacheScan], 1e6, sys), 1e4)
	s.lockStat(add)
	if m.waits > 0 {
		add("lock_wait_us", m.waitNs/m.waits, 1000)
	}
}

// lockStat is the line of sc_stat.lock in /proc/lock_stat: the average wait is
// that of contended takers.
func (s *Sim) lockStat(add func(name string, raw, scale int64)) {
	var t cas.LockStat
	for i := range s.sched.CAS.Groups {
		g := s.sched.CAS.Groups[i].Stat()
		t.Taken += g.Taken
		t.Contended += g.Contended
		t.WaitNs += g.WaitNs
		t.HoldNs += g.HoldNs
		t.Busy += g.Busy
		t.Bounced += g.Bounced
		t.MaxWaitNs, t.MaxHoldNs = max(t.MaxWaitNs, g.MaxWaitNs), max(t.MaxHoldNs, g.MaxHoldNs)
	}
	if !s.cfg.Features.LockStat || t.Taken == 0 {
		return
	}
	add("sc_lock_taken", t.Taken, 1)
	add("sc_lock_contended_pct", t.Contended*10000/t.Taken, 100)
	add("sc_lock_bounced_pct", t.Bounced*10000/t.Taken, 100)
	add("sc_lock_wait_us", t.WaitNs/max(t.Contended, 1), 1000)
	add("sc_lock_hold_us", t.HoldNs/t.Taken, 1000)
	add("sc_lock_wait_max_us", t.MaxWaitNs, 1000)
	add("sc_lock_hold_max_us", t.MaxHoldNs, 1000)
	add("sc_lock_busy", t.Busy, 1)
}

// throughput adds up the rates of the processes that count the same unit.
func (m *measure) throughput(s *Sim, add func(name string, raw, scale int64)) {
	var names []string
	var rates, full []int64
	for i := range s.procs {
		p := &s.procs[i]
		if p.w.Unit == "" || p.startedAt < 0 {
			continue
		}
		k := 0
		for k < len(names) && names[k] != p.w.Unit {
			k++
		}
		if k == len(names) {
			names, rates, full = append(names, p.w.Unit), append(rates, 0), append(full, 0)
		}
		end := s.now
		if p.endedAt >= 0 {
			end = p.endedAt
		}
		full[k] += p.w.FullUnits
		if elapsed := end - max(m.from, p.startedAt); elapsed > 0 {
			rates[k] += mulDiv(p.units, 1e12, elapsed) // thousandths a second
		}
	}
	for k, name := range names {
		if name == "bytes" {
			add("throughput_gbps", rates[k]/1e9, 1000)
		} else {
			add("throughput_"+name, rates[k], 1000)
		}
		if full[k] > 0 && rates[k] > 0 {
			add("projected_s", mulDiv(full[k], 1e12, rates[k]), 1e9)
		}
	}
}
