package fair

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pair runs two tasks on a CPU; the running one is ahead of the average by
// half of ns afterwards.
func (s rig) pair(cpu int32, ns int64) (running, waiting int32) {
	running, waiting = s.add(cpu, -1), s.add(cpu, -1)
	s.later(ns)
	s.updateCurr(&s.rqs[cpu])
	return
}

// A task that sleeps while it is ahead stays queued as delayed: it counts in
// nr_running, the tree and llc_counts, but not as runnable (7.3
// dequeue_entity with DELAY_DEQUEUE, account_llc_dequeue).
func TestDelayedDequeueStays(t *testing.T) {
	s := newRig(t, twoLLCs, nil)
	g := s.process()
	a := s.add(0, g)
	s.add(0, -1)
	s.prefer(g, 0, a)
	s.later(1e6)
	s.tasks[a].utilEst = 300
	s.rqs[0].utilEst = 300
	s.Block(0, false)
	r := &s.rqs[0]
	assert.Equal(t, Delayed, s.tasks[a].State)
	assert.EqualValues(t, 2, r.nrRunning)
	assert.EqualValues(t, 1, r.runnable)
	assert.Contains(t, r.tree, a)
	assert.Zero(t, r.utilEst)
	assert.EqualValues(t, 1, r.llcCounts[0], "llc_counts includes delayed tasks")
	assert.EqualValues(t, 0, r.nrPrefLLCRunning, "nr_pref_llc_running does not")
	assert.EqualValues(t, -500_000, s.tasks[a].vlag)

	// Woken, it becomes runnable where it is: no CPU is selected.
	assert.True(t, s.Wake(a, 9, -1, false))
	assert.Equal(t, Queued, s.tasks[a].State)
	assert.Equal(t, int32(0), s.tasks[a].CPU)
	assert.EqualValues(t, 2, r.runnable)
	assert.EqualValues(t, 1, r.nrPrefLLCRunning)
	assert.Empty(t, s.moves())
}

// A task that is not ahead leaves the queue at once; so does one that exits.
func TestSleepOfAnEligibleTask(t *testing.T) {
	s := newRig(t, twoLLCs, nil)
	a := s.add(0, -1)
	s.later(1e6)
	s.Block(0, false) // alone it is never ahead
	assert.Equal(t, Sleeping, s.tasks[a].State)
	assert.Zero(t, s.rqs[0].nrRunning)

	s = newRig(t, twoLLCs, nil)
	a, _ = s.pair(0, 1e6)
	s.Block(0, true)
	assert.Equal(t, Dead, s.tasks[a].State)
	assert.EqualValues(t, 1, s.rqs[0].nrRunning)
}

// A delayed task that is picked is really dequeued, with no lag to its credit
// (7.3 pick_next_entity, DELAY_ZERO); a CPU never idles with one.
func TestDelayedTaskIsDequeuedWhenPicked(t *testing.T) {
	s := newRig(t, twoLLCs, nil)
	a, b := s.pair(0, 1e6)
	s.Block(0, false)
	require.Equal(t, Delayed, s.tasks[a].State)
	require.Equal(t, b, s.rqs[0].Curr)
	s.later(3e6)
	s.Block(0, false) // b is ahead now and a behind: a comes up and goes, then b
	assert.Equal(t, Sleeping, s.tasks[a].State)
	assert.Equal(t, Sleeping, s.tasks[b].State)
	assert.LessOrEqual(t, s.tasks[a].vlag, int64(0))
	assert.Zero(t, s.rqs[0].nrRunning)
	assert.True(t, s.rqs[0].Idle())
}

// Waking a delayed task places it anew only if its lag has been clamped; lag
// that it has paid back while it waited does not become credit (7.3
// requeue_delayed_entity, update_entity_lag).
func TestDelayedTaskIsPlacedAnewWhenClamped(t *testing.T) {
	for _, c := range []struct {
		ran  int64 // of the other task before the wakeup
		lag  int64
		same bool // the virtual runtime stays
	}{{200_000, -400_000, true}, {3_000_000, 0, false}} {
		s := newRig(t, twoLLCs, nil)
		a, _ := s.pair(0, 1e6)
		s.Block(0, false)
		before := s.tasks[a].vruntime
		s.later(c.ran)
		s.Wake(a, 0, -1, false)
		assert.Equal(t, c.lag, s.tasks[a].vlag)
		assert.Equal(t, c.same, s.tasks[a].vruntime == before, "after %d ns", c.ran)
	}
}

// util_est follows a rise at once and a fall by a quarter; small falls and
// tasks that waited for their CPU leave it (7.3 util_est_update).
func TestUtilEst(t *testing.T) {
	for _, c := range []struct {
		name                       string
		ewma, util, runnable, want int64
		unchanged                  bool
	}{
		{"rise", 100, 400, 400, 400, false},
		{"equal", 400, 400, 400, 400, false},
		{"fall by a quarter", 400, 200, 200, 350, false},
		{"rounded down", 400, 389, 389, 397, false},
		{"a fall within the margin", 400, 391, 391, 400, false},
		{"at the margin", 400, 390, 390, 397, false},
		{"it waited for the CPU", 400, 200, 211, 400, false},
		{"it hardly waited", 400, 200, 210, 350, false},
		{"utilisation was not updated since the enqueue", 400, 200, 200, 400, true},
	} {
		s := newRig(t, twoLLCs, nil)
		task := Task{utilEst: c.ewma, utilChanged: !c.unchanged}
		task.avg.UtilAvg, task.avg.RunnableAvg = c.util, c.runnable
		s.utilEstUpdate(&task)
		assert.Equal(t, c.want, task.utilEst, c.name)
	}
}

// A CPU's utilisation is the larger of what was tracked and what its queued
// tasks are estimated at, at most its capacity (7.3 cpu_util).
func TestCPUUtil(t *testing.T) {
	for _, c := range []struct{ avg, est, want int64 }{{300, 200, 300}, {200, 300, 300}, {1100, 0, 1024}, {0, 3000, 1024}} {
		r := RQ{utilEst: c.est}
		r.avg.UtilAvg = c.avg
		assert.Equal(t, c.want, r.util())
	}
}

// A wakeup preemption of a busy CPU in the waker's LLC waits for that CPU's
// next tick: a lazy request sends no interrupt. Across LLCs the wakeup itself
// comes by interrupt, and the request is honoured when that returns (7.3
// resched_curr_lazy with PREEMPT_LAZY, ttwu_queue).
func TestLazyPreemption(t *testing.T) {
	for _, c := range []struct {
		name   string
		waker  int32
		prompt bool
	}{{"same LLC", 1, false}, {"other LLC", 9, true}} {
		s := newRig(t, twoLLCs, nil)
		for cpu := range int32(8) { // the wakee must go to CPU 0
			if cpu != 0 {
				s.add(cpu, -1)
			}
		}
		a := s.sleeper(0, -1)
		s.tasks[a].Allowed = cpus(0)
		s.tasks[a].setAllowed(s.m)
		s.tasks[a].vlag = 2e6 // behind: it will come first
		victim := s.add(0, -1)
		s.later(1e6)
		s.Actions = s.Actions[:0]
		s.Wake(a, c.waker, -1, false)
		s.EndEvent(c.waker)
		if c.prompt {
			require.Equal(t, Waking, s.tasks[a].State)
			require.Equal(t, victim, s.rqs[0].Curr)
			s.Arrive(0, a)
			assert.Equal(t, a, s.rqs[0].Curr, c.name)
			continue
		}
		assert.Equal(t, victim, s.rqs[0].Curr, c.name)
		assert.True(t, s.rqs[0].lazy)
		s.BeginTick(s.Jiffies + 1)
		s.TickCPU(0)
		s.EndTick(0)
		assert.Equal(t, a, s.rqs[0].Curr, "taken at the tick")
	}
}

// The waker's own CPU takes a lazy request when its event ends.
func TestLazyPreemptionOfTheWaker(t *testing.T) {
	s := newRig(t, twoLLCs, nil)
	a := s.sleeper(0, -1)
	s.tasks[a].Allowed = cpus(0)
	s.tasks[a].setAllowed(s.m)
	s.tasks[a].vlag = 2e6
	b := s.add(0, -1)
	s.later(1e6)
	s.Wake(a, 0, b, false)
	assert.Equal(t, b, s.rqs[0].Curr)
	s.EndEvent(0)
	assert.Equal(t, a, s.rqs[0].Curr)
}
