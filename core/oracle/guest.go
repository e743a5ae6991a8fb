package oracle

import (
	"casplay/core/machine"
	"casplay/core/workload"
)

// op is a program step without memory.
func op(kind workload.OpKind, a, b int64) workload.Op {
	return workload.Op{Kind: kind, Profile: -1, Region: -1, A: a, B: b}
}

func compute(ns int64) workload.Op { return op(workload.OpCompute, ns, 0) }

func again(target int) workload.Op { return op(workload.OpLoop, -1, int64(target)) }

// forever is a stretch of work longer than any run.
const forever = 3600 * 1000 * msec

// guestSet is the processes of an experiment with the programs of the guest's
// runner (harness/guest/orc.c), which differ in details from the workload kinds
// of a scenario.
func guestSet(spec *Spec, m *machine.Machine) workload.Set {
	var set workload.Set
	for i := range spec.Work {
		w := &spec.Work[i]
		p := workload.Proc{Name: procName(i), Threads: make([]workload.Thread, w.Threads())}
		for k := range p.Threads {
			t := &p.Threads[k]
			t.SliceIndex, t.SliceCount = int32(k), int32(len(p.Threads))
			t.Allowed, t.AllowedUntilNs = bound(spec, w, k, m)
			t.BindsItself = !t.Allowed.Empty()
		}
		switch w.Kind {
		case "spin":
			spin(&p, w)
		case "duty":
			p.Progs = [][]workload.Op{duty(w.Per, w.Pct)}
		case "bar":
			barrier(&p, w)
		case "mem":
			sweep(&p, w, spec.busy())
		case "pp":
			pipes(&p, &set, w, messageNs(spec.busy()))
		case "hb":
			sockets(&p, &set, w, messageNs(spec.busy()))
		}
		set.Procs = append(set.Procs, p)
	}
	return set
}

// bound is where thread k binds itself, and until when.
func bound(spec *Spec, w *Work, k int, m *machine.Machine) (machine.Set, int64) {
	llc := func(l int) machine.Set { return m.LLCs[min(max(l, 0), len(m.LLCs)-1)].CPUs }
	until := int64(spec.AffMs) * msec
	switch {
	case w.Split > 0 && k < w.Split:
		return llc(0), -1
	case w.Split > 0:
		return llc(1), -1
	case w.Pin > 0:
		return llc(w.Pin - 1), -1
	case w.Place == 1:
		return llc(k % len(m.LLCs)), until
	case w.Place == 2:
		return llc(0), until
	}
	return machine.Set{}, 0
}

func spin(p *workload.Proc, w *Work) {
	p.Progs = [][]workload.Op{{compute(forever), again(0)}}
	if w.Split <= 0 {
		return
	}
	late := []workload.Op{op(workload.OpSleep, max(int64(w.Late)*msec, 1), 0), compute(forever), again(1)}
	if w.Mix > 0 {
		late = append(late[:1], duty(w.Per, w.Mix)...)
		late[len(late)-1] = again(1)
	}
	p.Progs = append(p.Progs, late)
	for k := min(w.Split, len(p.Threads)); k < len(p.Threads); k++ {
		p.Threads[k].Prog = 1
	}
}

// duty runs pct % of each period of per us.
func duty(per, pct int) []workload.Op {
	return []workload.Op{compute(max(int64(per)*usec*int64(pct)/100, usec)), op(workload.OpPeriod, int64(max(per, 1))*usec, 0), again(0)}
}

// barrier works and up to a quarter more, then sleeps until all have arrived.
func barrier(p *workload.Proc, w *Work) {
	work := compute(max(int64(w.Work)*usec*9/8, usec))
	work.Jitter = 111_111
	p.Progs = [][]workload.Op{{work, op(workload.OpBarrier, 0, 0), again(0)}}
	p.Barriers = []workload.Barrier{{Parties: len(p.Threads)}}
}

// sweep writes a word of every page of a buffer that the main thread has touched.
func sweep(p *workload.Proc, w *Work, busy int) {
	bytes := int64(max(w.MB, 1)) << 20
	p.Regions = []workload.Region{{Name: "buffer", Bytes: bytes, ChunkPages: 1, Resident: true}}
	o := workload.Op{Kind: workload.OpCompute, Profile: -1, Region: 0}
	pages := bytes / machine.PageBytes
	if w.Touch != 0 {
		o.B = 1
	} else {
		pages = max(pages/int64(len(p.Threads)), 1)
	}
	// An op covers as many passes as take a millisecond.
	o.A = pages * pageNs(busy)
	o.A *= max(msec/o.A, 1)
	p.Progs = [][]workload.Op{{o, again(0)}}
}

// pipes are pairs of threads that send one byte to and fro.
func pipes(p *workload.Proc, set *workload.Set, w *Work, ns int64) {
	work := int64(w.Work) * usec
	pipe := workload.Channel{Capacity: 65536, Sync: true}
	p.Progs = [][]workload.Op{
		{compute(work + ns), op(workload.OpSend, 0, 1), compute(ns), op(workload.OpRecv, 1, 0), again(0)},
		{compute(ns), op(workload.OpRecv, 0, 0), compute(work + ns), op(workload.OpSend, 1, 1), again(0)},
	}
	for k := range p.Threads {
		t := &p.Threads[k]
		t.Prog = int32(k % 2)
		if k%2 == 0 {
			set.Channels = append(set.Channels, pipe, pipe)
		}
		t.ChannelBase = int32(len(set.Channels) - 2)
	}
}

// sockets are groups of F senders, each of which writes to all receivers of
// its group in turn, and F receivers.
func sockets(p *workload.Proc, set *workload.Set, w *Work, ns int64) {
	var send []workload.Op
	for r := range w.F {
		send = append(send, compute(ns), op(workload.OpSend, int64(r), 100))
	}
	p.Progs = [][]workload.Op{append(send, again(0)), {compute(ns), op(workload.OpRecv, 0, 0), again(0)}}
	for k := range p.Threads {
		t := &p.Threads[k]
		r := k % (2 * w.F)
		if r == 0 {
			for range w.F {
				// 212992 bytes of send buffer, 768 charged for a small message.
				set.Channels = append(set.Channels, workload.Channel{Capacity: 277, Sync: true})
			}
		}
		t.ChannelBase = int32(len(set.Channels) - w.F)
		if r >= w.F {
			t.Prog = 1
			t.ChannelBase += int32(r - w.F)
		}
	}
}
