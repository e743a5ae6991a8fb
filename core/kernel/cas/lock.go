package cas

import "casplay/core/kernel"

// The lock of a group (7.3 sc_stat.lock), which ticks take to submit a scan,
// with what CONFIG_LOCK_STAT adds and counts. Time passes in the order of
// events: the ticks that read the epoch, the lines that move for them, and the
// queue of the spinlock, which is first come, first served (qspinlock). Two
// lines matter. One holds the lock word and the epoch, so that the holder's
// write waits for the readers and takers that asked for the line meanwhile.
// The other holds lockdep's map, which lock_stat reads when a taker starts to
// wait and writes when one gets the lock, to count the moves between CPUs.

// holdNs is what a holder takes besides moving lines: task_work_add and two
// stores (guess).
const holdNs = 100

// LockStat is what CONFIG_LOCK_STAT counts; times in ns. Waits begin where the
// first try has failed.
type LockStat struct {
	Taken, Contended, WaitNs, HoldNs, MaxWaitNs, MaxHoldNs int64
	// Busy counts tries that failed, Bounced takers on another CPU than the last
	// (acq-bounces).
	Busy, Bounced int64
}

// lock is held until it is released, and not before until; queue are the takers
// that wait; moves is the line of lockdep's map.
type lock struct {
	held  bool
	until int64
	queue []int32
	moves Line
	// arrives is when the copy of the lock's line comes to each LLC domain, in ns.
	arrives []int64
	stat    LockStat
}

// Stat is the lock's statistic.
func (g *Group) Stat() LockStat { return g.lock.stat }

// Taker is a tick that wants to submit a scan: at time At (ns) on CPU for a
// task whose own work is Idle or not. Contend says whether it has Submitted
// and the Ns it spent.
type Taker struct {
	Group, CPU, Task int32
	At               int64
	Idle, Submitted  bool
	Ns               int64
	// since is when it began to wait, -1 if it did not; then when it got the lock.
	since int64
}

// stage is what a taker does next.
type stage uint8

const (
	tick     stage = iota // wants a copy of the line with the epoch
	test                  // has it, and tests the epoch
	tried                 // has the line with the lock word for its first try
	swap                  // knows who has the lock, and wants the line
	enqueued              // has put itself at the end of the queue
	acquired
	store    // wants the line for writing the epoch
	wrote    // has it, and releases the lock
	released // the lock is free that a scan had held
)

// lockEvent is a stage that a taker reaches.
type lockEvent struct {
	at    int64
	taker int32
	stage stage
}

// Contend plays the takers of a jiffy against each other. They come in the
// order of At.
func (s *System) Contend(takers []Taker) {
	s.takers = takers
	for i := range takers {
		k := &takers[i]
		k.since = -1
		if l := &s.Groups[k.Group].lock; l.until > k.At && !l.held {
			l.held = true
			s.lockAt(l.until, int32(i), released)
		}
		s.lockAt(k.At, int32(i), tick)
	}
	for n := 0; n < len(s.events); n++ {
		s.contend(s.events[n])
	}
	s.events = s.events[:0]
}

// lockAt keeps the events in the order of their times, the first asked first.
func (s *System) lockAt(at int64, taker int32, to stage) {
	s.events = append(s.events, lockEvent{at, taker, to})
	for i := len(s.events) - 1; i > 0 && s.events[i].at < s.events[i-1].at; i-- {
		s.events[i], s.events[i-1] = s.events[i-1], s.events[i]
	}
}

// contend is one event.
func (s *System) contend(e lockEvent) {
	k := &s.takers[e.taker]
	g := &s.Groups[k.Group]
	l, word, cpu, move := &g.lock, &g.lines.state, k.CPU, s.Pricing.Transfer
	try := s.Config.Submission == kernel.SubmitTrylock
	next := func(ns int64, to stage) { s.lockAt(e.at+ns, e.taker, to) }
	switch e.stage {
	case tick:
		next(s.readNear(l, word, cpu, e.at), test)
	case test:
		k.Ns = e.at - k.At
		switch {
		case g.Epoch >= s.CPUs[cpu].Epoch:
		case l.held:
			s.lost(k, e, try)
		default:
			ns, _ := word.Write(cpu, e.at, move)
			next(ns, tried)
		}
	case tried:
		if l.held {
			s.lost(k, e, try)
			return
		}
		l.held = true
		next(0, acquired)
	case swap:
		ns, _ := word.Write(cpu, e.at, move)
		next(ns, enqueued)
	case enqueued:
		l.queue = append(l.queue, e.taker)
		if !l.held {
			s.handOver(l, word, e.at)
		}
	case acquired:
		l.stat.Taken++
		if l.moves.owner != cpu+1 {
			l.stat.Bounced++
		}
		if k.since >= 0 {
			l.stat.Contended++
			l.stat.WaitNs += e.at - k.since
			l.stat.MaxWaitNs = max(l.stat.MaxWaitNs, e.at-k.since)
		}
		k.since = e.at
		ns, _ := l.moves.Write(cpu, e.at, move)
		next(ns+holdNs, store)
	case store:
		ns, _ := word.Write(cpu, e.at, move)
		next(ns, wrote)
	case wrote:
		if k.Idle && (!try || g.Epoch < s.CPUs[cpu].Epoch) {
			g.Epoch, k.Submitted = s.CPUs[cpu].Epoch, true
		}
		l.stat.HoldNs += e.at - k.since
		l.stat.MaxHoldNs = max(l.stat.MaxHoldNs, e.at-k.since)
		k.Ns = e.at - k.At
		s.handOver(l, word, e.at)
	case released:
		s.handOver(l, word, e.at)
	}
}

// readNear gets cpu a copy of a line: from within its LLC if somebody there has
// or awaits one, which nobody outside notices, else as Line.Read.
func (s *System) readNear(l *lock, word *Line, cpu int32, at int64) int64 {
	if len(l.arrives) != len(s.LLCs) {
		l.arrives = make([]int64, len(s.LLCs))
	}
	d := s.DomainOf[cpu]
	if !word.valid.Has(int(cpu)) {
		for _, c := range s.LLCCPUs[d] {
			if word.valid.Has(int(c)) {
				word.valid.Add(int(cpu))
				return max(l.arrives[d]-at, 0) + s.Pricing.Transfer(c, cpu)
			}
		}
	}
	ns, _ := word.Read(cpu, at, s.Pricing.Transfer)
	l.arrives[d] = at + ns
	return ns
}

// lost is a first try that failed: with a lock that is only tried that is all,
// else the taker queues.
func (s *System) lost(k *Taker, e lockEvent, try bool) {
	g := &s.Groups[k.Group]
	k.Ns = e.at - k.At
	if try {
		g.lock.stat.Busy++
		return
	}
	k.since = e.at
	ns, _ := g.lock.moves.Read(k.CPU, e.at, s.Pricing.Transfer)
	s.lockAt(e.at+ns, e.taker, swap)
}

// handOver gives the lock to the first in the queue, which has to see it free
// and to write its word, or leaves it free.
func (s *System) handOver(l *lock, word *Line, at int64) {
	l.held = len(l.queue) > 0
	if l.held {
		first := l.queue[0]
		l.queue = l.queue[:copy(l.queue, l.queue[1:])]
		ns, _ := word.Write(s.takers[first].CPU, at, s.Pricing.Transfer)
		s.lockAt(at+ns, first, acquired)
	}
}

// waitForScan is a taker waiting for a scan that holds the group's lock.
func (s *System) waitForScan(g *Group, cpu int32, now int64) {
	if wait := g.scanEnds - now; wait > 0 && s.Config.Submission == kernel.SubmitScanLock {
		s.charge(cpu, kernel.CacheScan, wait, wait)
	}
}

// TimedScan is Scan with its price, perCPU ns for each CPU visited besides the
// lines; it returns when the scan will have ended.
func (s *System) TimedScan(gi int32, cpu, nid int32, running Running, jiffies, now, perCPU int64) int64 {
	g := &s.Groups[gi]
	before, from := g.Visited, len(s.Charges)
	s.waitForScan(g, cpu, now)
	s.Scan(gi, cpu, nid, running, jiffies, now)
	s.charge(cpu, kernel.CacheScan, (g.Visited-before)*perCPU, 0)
	ends := now
	for i := range s.Charges[from:] {
		ends += s.Charges[from+i].Ns
	}
	g.scanEnds = max(g.scanEnds, ends)
	if s.Config.Submission == kernel.SubmitScanLock {
		g.lock.until = max(g.lock.until, g.scanEnds)
	}
	return ends
}
