package oracle

import (
	"slices"

	"casplay/core/kernel"
	"casplay/core/kernel/fair"
	"casplay/core/scenario"
	"casplay/core/sim"
	"casplay/core/workload"
)

const (
	usec = int64(1000)
	msec = int64(1_000_000)
	// napNs is how long a thread that is no longer kept sleeps between two looks.
	napNs = 100 * msec
)

// Prepare lays out one run of a converted experiment as the guest does it: the
// runner sleeps 200 to 260 ms, forks the processes with random gaps, and
// sleeps between the points of the timeline; threads are created one after
// another with random pauses, bind themselves, and start their duty cycles at
// random phases. startNs is the time of START in the run.
func Prepare(e *Experiment, sc *scenario.Scenario, seed uint64) (setup sim.Setup, startNs int64, err error) {
	spec, err := ParseSpec(e.Spec)
	if err != nil {
		return setup, 0, err
	}
	if setup, err = sc.Setup(0, seed); err != nil {
		return setup, 0, err
	}
	m := *setup.Machine
	m.Perf.IPINs = 10_000
	m.Perf.Idle = nil // the guest has no idle driver
	setup.Machine = &m

	// What a scenario does not have.
	emulated := Emulated(spec.busy())
	setup.Kernel.Timing = emulated
	for i := range setup.Events {
		if k := setup.Events[i].Kernel; k != nil {
			k.Timing = emulated
		}
	}

	// Where in a second START falls is not the guest's choice.
	rng := fair.NewRand(seed, 5)
	guest := newGuestRand(seed)
	startNs = 1300*msec + guest.below(60_000)*usec + int64(rng.Below(uint64(1000*msec)))
	if spec.Iso {
		startNs += isoNs
	}
	for i := range setup.Events {
		setup.Events[i].AtNs += startNs
	}
	setup.MaxNs = startNs + spec.endNs()
	setup.SampleNs = setup.MaxNs
	setup.SampleCPUs = false
	setup.UntilDone = false
	setup.Daemons = daemons()

	run := runner(spec, len(spec.Work), startNs, &guest)
	setup.Workload = guestSet(spec, &m)
	others := 0
	for i := range setup.Workload.Procs {
		p := &setup.Workload.Procs[i]
		p.StartNs = -1
		child := run.child[i]
		sum := int64(2 * msec) // the fork, and the clones so far
		for k := range p.Threads {
			t := &p.Threads[k]
			if t.AllowedUntilNs > 0 {
				t.AllowedUntilNs += startNs
			}
			if k > 0 {
				busy := others + k
				if i < len(spec.Work)-1 {
					busy++ // the runner forks the next process meanwhile
				}
				t.DelayNs = child.cloneGap(&spec.Work[i], k, busy)
				sum += t.DelayNs
				if w := &spec.Work[i]; k == len(p.Threads)-w.More {
					t.DelayNs = max(int64(w.MoreAt)*msec-sum, t.DelayNs)
				}
			}
			t.PhaseNs = child.below(int64(max(spec.Work[i].Per, 1))) * usec
		}
		others += len(p.Threads)
		if len(m.Nodes) > 1 && setup.Kernel.NumaBalancing {
			addSmallMappings(p, &spec.Work[i])
		}
		setup.Events = append(setup.Events, naps(spec, i, startNs)...)
		w := &spec.Work[i]
		setup.Events = slices.DeleteFunc(setup.Events, func(ev sim.Event) bool {
			return w.Keep > 0 && ev.Park && ev.Proc == i && ev.ParkFrom == w.Keep && ev.ParkNs == 0
		})
	}
	if spec.Iso {
		period := setup.Kernel
		old := setup.Kernel
		old.CAS.EpochPeriod = kernel.Default(e.HZ).CAS.EpochPeriod
		setup.Kernel = old
		setup.Events = append(setup.Events, sim.Event{AtNs: isoNs, Kernel: &period})
	}
	setup.Workload.Procs = append(setup.Workload.Procs, run.proc)
	if err := partition(spec, &setup, startNs); err != nil {
		return setup, 0, err
	}
	if spec.Iso {
		setup.Workload.Procs = append(setup.Workload.Procs, history(spec, len(m.CPUs), &rng)...)
	}
	return setup, startNs, nil
}

// isoNs is how long a machine is up before a changed epoch period.
const isoNs = 10_000 * msec

// guestRand is the generator of the guest's runner and workloads: their pauses
// and phases are those of the boot of the same seed.
type guestRand struct{ state uint32 }

func newGuestRand(seed uint64) guestRand {
	g := guestRand{uint32(seed)*2654435761 + 17}
	for range 8 {
		g.next()
	}
	return g
}

func (g *guestRand) next() uint32 {
	g.state = g.state*1103515245 + 12345
	return g.state >> 8 & 0xffffff
}

func (g *guestRand) below(n int64) int64 { return int64(g.next()) % n }

func (g *guestRand) coin() bool { return g.next()&1 == 1 }

// fork is the generator of the process that is forked into a slot.
func (g *guestRand) fork(slot int) guestRand {
	c := guestRand{g.state*31 + uint32(slot)*977 + 1}
	c.next()
	return c
}

// cloneGap is the time from the clone of thread k-1 to that of thread k, while
// busy CPUs share the time of the emulation.
func (g *guestRand) cloneGap(w *Work, k, busy int) int64 {
	gap := int64(cloneNs)
	switch {
	case k == 1:
		gap += firstCloneNs
	case g.coin():
		gap += g.below(20_000) * iterationNs
	}
	gap *= int64(busy)
	if k == 1 && w.Kind == "mem" {
		gap += int64(w.MB) << 20 / 4096 * touchPageNs
	}
	return gap
}

// naps are the sleeps of process i that a scenario does not express.
func naps(spec *Spec, i int, startNs int64) (out []sim.Event) {
	w := &spec.Work[i]
	if w.Start > 0 {
		// The main thread sleeps before it creates the others.
		out = append(out, sim.Event{AtNs: startNs + msec, Park: true, Proc: i, ParkTo: 1, ParkNs: int64(w.Start) * msec})
	}
	if w.Part != 0 {
		out = append(out, sim.Event{AtNs: startNs + msec, Park: true, Proc: i, ParkTo: 1, ParkNs: enterNs + enterMoreNs*int64(len(spec.Work)-1)})
	}
	if n := w.Threads(); w.Keep > 0 && w.Keep < n {
		// The others look every 100 ms whether they may go on.
		for at := int64(w.KeepAt) * msec; at < int64(spec.DurMs)*msec; at += napNs + 50*usec {
			out = append(out, sim.Event{AtNs: startNs + at, Park: true, Proc: i, ParkFrom: w.Keep, ParkTo: n, ParkNs: napNs})
		}
	}
	return out
}

// runnerPlan is the process that starts the others, and the state of the
// generator that each of them inherits.
type runnerPlan struct {
	proc  workload.Proc
	child []guestRand
}

func runner(spec *Spec, procs int, startNs int64, guest *guestRand) (out runnerPlan) {
	prog := []workload.Op{op(workload.OpCompute, 100*usec, 0)}
	if spec.Iso {
		// It writes the period, and is the last to run under the old one.
		prog = append(prog, op(workload.OpSleep, isoNs-20*msec, 0), op(workload.OpCompute, 10*msec, 0), op(workload.OpSleep, startNs-isoNs+10*msec, 0))
	} else {
		prog = append(prog, op(workload.OpSleep, startNs, 0))
	}
	now := int64(0)
	earlier := 0
	for i := range procs {
		out.child = append(out.child, guest.fork(i))
		busy := earlier
		if i > 0 {
			// The last process has only begun to create its threads.
			busy += min(spec.Work[i-1].Threads(), 2)
			earlier += spec.Work[i-1].Threads()
		}
		fork, rest := int64(forkNs*(1+busy)), int64(afterForkNs*(1+busy))
		prog = append(prog, op(workload.OpCompute, fork, 0), op(workload.OpFork, int64(i), 0), op(workload.OpCompute, rest, 0))
		now += fork + rest
		if guest.coin() {
			nap := max(guest.below(3000), 1) * usec
			prog = append(prog, op(workload.OpSleep, nap, 0), op(workload.OpCompute, lookNs, 0))
			now += nap + lookNs
		}
	}
	for _, at := range points(spec) {
		act := int64(lookNs)
		if at != spec.AffMs || spec.places() {
			act = markNs * int64(1+spec.busy())
		}
		if d := int64(at)*msec - now; d > 0 {
			prog = append(prog, op(workload.OpSleep, d, 0), op(workload.OpCompute, act, 0))
			now += d + act
		}
	}
	prog = append(prog, op(workload.OpSleep, max(int64(spec.DurMs)*msec-now, 1), 0), compute(forever), op(workload.OpExit, 0, 0))
	out.proc = workload.Proc{Name: "runner", Progs: [][]workload.Op{prog}, Threads: []workload.Thread{{SliceCount: 1}}, Background: true}
	return out
}

// places reports whether the runner lifts affinities during a run.
func (s *Spec) places() bool {
	return slices.ContainsFunc(s.Work, func(w Work) bool { return w.Place > 0 })
}

// points are the times in ms at which the runner wakes.
func points(spec *Spec) []int {
	at := []int{spec.AffMs}
	for i := range spec.Work {
		w := &spec.Work[i]
		if w.Keep > 0 {
			at = append(at, w.KeepAt)
		}
		if w.OffAt > 0 {
			at = append(at, w.OffAt)
		}
		if w.More > 0 {
			at = append(at, w.MoreAt)
		}
		if w.Bind > 0 {
			at = append(at, w.BindAt)
			if w.BindMs > 0 {
				at = append(at, w.BindAt+w.BindMs)
			}
		}
	}
	for _, c := range spec.At {
		at = append(at, c.Ms)
	}
	for i := range at {
		for k := i; k > 0 && at[k] < at[k-1]; k-- {
			at[k], at[k-1] = at[k-1], at[k]
		}
	}
	return at
}

// history is what ran before an experiment that changes the epoch period: boot
// scripts on every CPU, which leave the epochs of the CPUs apart, and with
// sync=1 a busy thread on every CPU while the knob is written.
func history(spec *Spec, cpus int, rng *fair.Rand) []workload.Proc {
	var out []workload.Proc
	for c := range cpus {
		t := workload.Thread{SliceCount: 1}
		t.Allowed.Add(c)
		out = append(out, workload.Proc{
			Name: "boot", Background: true, StartNs: 300*msec + int64(rng.Below(uint64(1500*msec))),
			Progs:   [][]workload.Op{{op(workload.OpCompute, 5*msec, 0), op(workload.OpExit, 0, 0)}},
			Threads: []workload.Thread{t},
		})
	}
	if spec.Sync {
		for c := range cpus {
			t := workload.Thread{SliceCount: 1, BindsItself: true}
			t.Allowed.Add(c)
			out = append(out, workload.Proc{
				Name: "sync", Background: true, StartNs: isoNs - 150*msec + int64(c)*usec, ExitNs: isoNs + 60*msec,
				Progs:   [][]workload.Op{{op(workload.OpCompute, 1000*msec, 0), op(workload.OpExit, 0, 0)}},
				Threads: []workload.Thread{t},
			})
		}
	}
	return out
}
