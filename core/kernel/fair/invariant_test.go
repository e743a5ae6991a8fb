package fair

import (
	"math/big"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"casplay/core/kernel"
)

// world drives a scheduler with random events, carrying out its actions.
type world struct {
	t *testing.T
	s *Sched
	r *rand.Rand
	// due are actions that wait for their time.
	due []Action
	on  []int32 // task on each CPU as told by Switched
}

func newWorld(t *testing.T, topology string, seed int64, tasks int) *world {
	w := &world{t: t, r: rand.New(rand.NewSource(seed))}
	w.s = newSched(t, topology, func(c *kernel.Config) {
		c.NumaBalancing = false
		c.CAS.AggrTolerance = []uint32{1, 2, 100}[seed%3]
	})
	for range w.s.rqs {
		w.on = append(w.on, -1)
	}
	for p := range int32(3) {
		g := w.s.NewGroup(p, 0)
		w.s.CAS.Groups[g].Threads = tasks / 3
	}
	for i := range tasks {
		p := int32(i % 3)
		w.s.Create(NewTask{Group: p, Process: p, NumaPreferred: -1})
	}
	return w
}

// run carries out what the scheduler asked for, some of it later.
func (w *world) run() {
	for len(w.s.Actions) > 0 {
		acts := append([]Action(nil), w.s.Actions...)
		w.s.Actions = w.s.Actions[:0]
		for _, a := range acts {
			if a.Kind == Switched {
				w.on[a.CPU] = a.Task
				continue
			}
			w.due = append(w.due, a)
		}
	}
	for c, ti := range w.on {
		r := &w.s.rqs[c]
		if !r.inStopper {
			require.Equal(w.t, r.Curr, ti, "CPU %d runs what was announced", c)
		}
	}
}

func (w *world) fire() {
	for i := 0; i < len(w.due); i++ {
		a := w.due[i]
		if a.At > w.s.Now {
			continue
		}
		w.due = append(w.due[:i], w.due[i+1:]...)
		i = -1
		switch a.Kind {
		case RunStopper:
			w.s.RunStopper(a.CPU)
		case NohzKick:
			w.s.NohzIPI(a.CPU)
		case WakeIPI:
			w.s.Arrive(a.CPU, a.Task)
		case SliceEnd:
			w.s.SliceEnd(a.CPU, a.Gen)
		}
		w.run()
	}
}

// check compares the counters of all queues with a plain count over tasks.
func (w *world) check() {
	s, t := w.s, w.t
	where := map[int32]int32{}
	for c := range s.rqs {
		r := &s.rqs[c]
		var runnable, pref, llcRunning int32
		counts := make([]int32, len(s.m.LLCs))
		sum := int64(0)
		for _, ti := range r.list {
			task := &s.tasks[ti]
			if old, ok := where[ti]; ok {
				require.Fail(t, "task in two places", "task %d on CPUs %d and %d", ti, old, c)
			}
			where[ti] = int32(c)
			require.Equal(t, int32(c), task.CPU)
			require.True(t, task.OnQueue(), "task %d state %d", ti, task.State)
			if task.State == Queued {
				runnable++
				if task.prefQueued {
					pref++
				}
			}
			if task.preferredLLC >= 0 {
				llcRunning++
				counts[task.preferredLLC]++
			}
		}
		last := int64(-1 << 62)
		for _, ti := range r.tree {
			require.Equal(t, int32(c), where[ti])
			sum += s.tasks[ti].vruntime - r.zero
			require.LessOrEqual(t, last, s.tasks[ti].deadline, "tree by deadline")
			last = s.tasks[ti].deadline
		}
		n := len(r.tree)
		if r.currQueued {
			n++
			require.Equal(t, int32(c), where[r.Curr])
		}
		require.Equal(t, len(r.list), n)
		require.Equal(t, len(r.list), int(r.nrRunning))
		require.Equal(t, runnable, r.runnable)
		require.Equal(t, pref, r.nrPrefLLCRunning)
		require.Equal(t, llcRunning, r.nrLLCRunning)
		require.Equal(t, counts, r.llcCounts)
		require.Equal(t, sum, r.sumKey)
		require.True(t, r.Curr >= 0 || r.nrRunning == 0 || r.inStopper, "CPU %d idles with a task", c)
		require.GreaterOrEqual(t, r.avg.UtilAvg, int64(0))
		w.checkEligible(r)
	}
	for ti := range s.tasks {
		if _, on := where[int32(ti)]; !on {
			st := s.tasks[ti].State
			require.True(t, st == Sleeping || st == Waking || st == Unborn, "task %d: %d", ti, st)
		}
	}
}

// checkEligible compares eligibility with the definition in rationals: a task
// is eligible iff its vruntime is at most the mean.
func (w *world) checkEligible(r *RQ) {
	n, sum := int64(0), new(big.Int)
	each := func(ti int32) {
		n++
		sum.Add(sum, big.NewInt(w.s.tasks[ti].vruntime))
	}
	for _, ti := range r.tree {
		each(ti)
	}
	if r.currQueued {
		each(r.Curr)
	}
	for _, ti := range r.list {
		t := &w.s.tasks[ti]
		v := new(big.Int).Mul(big.NewInt(t.vruntime), big.NewInt(n))
		require.Equal(w.t, v.Cmp(sum) <= 0, w.s.eligible(r, t))
	}
}

// Random forks, sleeps, wakeups, ticks and pushes keep every counter right and
// every task in one place.
func TestRandomEventsKeepInvariants(t *testing.T) {
	for seed, topology := range []string{"pack:2 l3:1 core:4 pu:1", "pack:4 l3:1 core:2 pu:2", "pack:2 numa:2 l3:1 core:2 pu:1", "pack:2 l3:1 l2:2 core:2 pu:1"} {
		for k := range int64(3) {
			w := newWorld(t, topology, int64(seed)*3+k, 24)
			jiffies := w.s.Jiffies
			for step := range 6000 {
				w.s.Now += w.r.Int63n(300_000)
				w.fire()
				if w.s.Now >= (jiffies+1)*w.s.Tick {
					jiffies++
					w.s.BeginTick(jiffies)
					w.tick()
				}
				w.randomEvent()
				w.run()
				if step%7 == 0 {
					w.check()
				}
			}
			w.conservation()
		}
	}
}

// tick lets all CPUs that run something tick in phase.
func (w *world) tick() {
	var on []int32
	for c := range w.s.rqs {
		if w.s.rqs[c].Curr >= 0 {
			on = append(on, int32(c))
		}
	}
	for _, c := range on {
		w.s.TickCPU(c)
		w.run()
	}
	for _, c := range on {
		w.s.EndTick(c)
		w.run()
	}
}

func (w *world) randomEvent() {
	s := w.s
	cpu := int32(w.r.Intn(len(s.rqs)))
	ti := int32(w.r.Intn(len(s.tasks)))
	switch k := w.r.Intn(10); {
	case s.tasks[ti].State == Unborn:
		s.Fork(ti, cpu)
		s.EndEvent(cpu)
	case k < 4 && s.rqs[cpu].Curr >= 0:
		s.Block(cpu, false)
	case k < 8 && (s.tasks[ti].State == Sleeping || s.tasks[ti].State == Delayed):
		by := s.rqs[cpu].Curr
		s.Wake(ti, cpu, by, by >= 0 && w.r.Intn(2) == 0)
		s.EndEvent(cpu)
	case k == 8:
		s.NumaMove(ti, cpu, -1)
	}
}

// conservation: the CPUs' busy time is the tasks' runtime.
func (w *world) conservation() {
	var busy, used int64
	for c := range w.s.rqs {
		w.s.updateCurr(&w.s.rqs[c])
		busy += w.s.rqs[c].BusyNs
	}
	for i := range w.s.tasks {
		used += w.s.tasks[i].SumExec
	}
	require.Equal(w.t, busy, used)
	require.Positive(w.t, used)
}
