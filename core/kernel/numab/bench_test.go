package numab

import "testing"

// mgProcess is NAS MG class D: 26.4 GiB of huge pages, 112 threads.
func mgProcess(b *testing.B) *process {
	s := testSystem(b, testMachine(144, 1, twoNodes), nil)
	return newProcess(b, s, 27034*mib, 512, 112, 0)
}

// A thread's share of MG with nothing armed: the usual case.
func BenchmarkAccessNothingArmed(b *testing.B) {
	p := mgProcess(b)
	p.armAll()
	p.regions[0].armed.clear(1)
	for c := 240; c < 360; c++ {
		p.regions[0].armed.clear(c)
	}
	b.ReportAllocs()
	for b.Loop() {
		p.tasks[2].Access(0, 241, 361-1, 2, Clock{Jiffies: 1})
	}
}

// One hint fault and its re-arming, page local.
func BenchmarkAccessFault(b *testing.B) {
	p := mgProcess(b)
	r := &p.regions[0]
	r.armed.or(300>>6, 1<<(300&63))
	b.ReportAllocs()
	for b.Loop() {
		p.tasks[2].Access(0, 241, 361, 2, Clock{Jiffies: 1})
		r.armed.or(300>>6, 1<<(300&63))
	}
}

// One hint fault that migrates the huge page to the other node.
func BenchmarkAccessMigrate(b *testing.B) {
	p := mgProcess(b)
	r := &p.regions[0]
	cpu := 0
	b.ReportAllocs()
	for b.Loop() {
		r.armed.or(300>>6, 1<<(300&63))
		cpu = 144 - cpu
		p.tasks[2].Access(0, 241, 361, cpu, Clock{Jiffies: 1})
	}
}

// One scan window of 256 MiB of huge pages.
func BenchmarkScan(b *testing.B) {
	p := mgProcess(b)
	r := &p.regions[0]
	b.ReportAllocs()
	for b.Loop() {
		from := int(max(p.scanOffset-r.start, 0) / r.chunk)
		scanNow(p.tasks[1], 0, p.nextScan)
		for c := r.armed.next(from, r.n); c >= 0; c = r.armed.next(c+1, r.n) {
			r.armed.clear(c)
		}
	}
}

func TestAccessDoesNotAllocate(t *testing.T) {
	s := testSystem(t, testMachine(4, 1, twoNodes), nil)
	p := newProcess(t, s, 64*mib, 1, 4, 0)
	j := p.sweep(0)
	cpu := 0
	allocs := testing.AllocsPerRun(20, func() {
		p.armAll()
		p.scanSeq++
		j += 100
		cpu = 4 - cpu
		p.accessAll(p.tasks[1], cpu, Clock{Jiffies: j})
	})
	if allocs != 0 {
		t.Fatalf("%v allocations", allocs)
	}
}
