package fair

import (
	"math/big"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The base slice by CPUs (7.3 update_sysctl): 0.7, 1.4, 2.1, 2.8 ms for 1, 2-3,
// 4-7, 8 or more.
func TestBaseSlice(t *testing.T) {
	for topology, want := range map[string]int64{
		"pack:1 l3:1 core:1 pu:1": 700_000, "pack:1 l3:1 core:2 pu:1": 1_400_000, "pack:1 l3:1 core:3 pu:1": 1_400_000,
		"pack:1 l3:1 core:4 pu:1": 2_100_000, "pack:1 l3:1 core:7 pu:1": 2_100_000, "pack:1 l3:1 core:8 pu:1": 2_800_000, twoLLCs: 2_800_000,
	} {
		assert.Equal(t, want, newRig(t, topology, nil).baseSlice, topology)
	}
}

// twin is a queue in plain rationals: the definition, without the kernel's
// sums (7.3 avg_vruntime, entity_eligible, pick_eevdf).
type twin struct {
	vruntime, deadline, vprot []int64
	order                     []int // by time of insertion into the tree
	curr                      int   // -1: none queued
}

func (w *twin) mean() *big.Rat {
	sum, n := new(big.Rat), int64(len(w.order))
	for _, i := range w.order {
		sum.Add(sum, new(big.Rat).SetInt64(w.vruntime[i]))
	}
	if w.curr >= 0 {
		sum.Add(sum, new(big.Rat).SetInt64(w.vruntime[w.curr]))
		n++
	}
	return sum.Quo(sum, new(big.Rat).SetInt64(n))
}

func (w *twin) eligible(i int) bool { return new(big.Rat).SetInt64(w.vruntime[i]).Cmp(w.mean()) <= 0 }

func (w *twin) pick() int {
	if w.curr >= 0 && len(w.order) == 0 {
		return w.curr
	}
	if w.curr < 0 && len(w.order) == 1 {
		return w.order[0]
	}
	if w.curr >= 0 && w.eligible(w.curr) && w.vruntime[w.curr] < w.vprot[w.curr] {
		return w.curr
	}
	best := -1
	for _, i := range w.order {
		if w.eligible(i) && (best < 0 || w.deadline[i] < w.deadline[best]) {
			best = i
		}
	}
	if w.curr >= 0 && w.eligible(w.curr) && (best < 0 || w.deadline[w.curr] < w.deadline[best]) {
		return w.curr
	}
	return best
}

// The pick, eligibility and V of random queues are those of the definition,
// ties included.
func TestPickIsTheTwins(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	for range 3000 {
		s := newRig(t, "pack:1 l3:1 core:1 pu:1", nil)
		r := &s.rqs[0]
		n := 1 + rnd.Intn(7)
		w := &twin{curr: -1}
		r.zero = rnd.Int63n(100) - 50
		spread := []int64{3, 20, 1e7}[rnd.Intn(3)]
		for i := range n {
			ti := s.Create(NewTask{Group: -1, Process: -1, NumaPreferred: -1})
			task := &s.tasks[ti]
			task.State = Queued
			task.vruntime = rnd.Int63n(2*spread) - spread
			task.deadline = task.vruntime + rnd.Int63n(spread) + 1
			task.vprot = task.vruntime + rnd.Int63n(3) - 1
			w.vruntime = append(w.vruntime, task.vruntime)
			w.deadline = append(w.deadline, task.deadline)
			w.vprot = append(w.vprot, task.vprot)
			if i == 0 && rnd.Intn(2) == 0 {
				r.Curr, r.currQueued, w.curr = ti, true, 0
			} else {
				s.treeInsert(r, ti)
				w.order = append(w.order, i)
			}
			r.nrRunning++
		}
		for i := range n {
			require.Equal(t, w.eligible(i), s.eligible(r, &s.tasks[i]))
		}
		require.Equal(t, int32(w.pick()), s.pick(r))
		v := s.avgVruntime(r)
		mean := w.mean()
		floor := new(big.Int).Div(mean.Num(), mean.Denom()) // Euclidean: toward minus infinity
		require.Equal(t, floor.Int64(), v)
		for i := range n {
			require.Equal(t, w.eligible(i), s.eligible(r, &s.tasks[i]), "moving the reference changes nothing")
		}
	}
}

// A task that joins keeps its lag: W times its place ahead of V counts once it
// is in (7.3 place_entity with PLACE_LAG).
func TestPlacementKeepsTheLag(t *testing.T) {
	for _, c := range []struct {
		others   int
		vlag     int64
		vruntime int64 // relative to V of the others
	}{
		{0, 5000, 0}, {0, -5000, 0}, // an empty queue has no lag to keep
		{1, 1000, -2000}, {1, -1000, 2000}, {2, 1000, -1500}, {4, 1000, -1250}, {3, 1000, -1333}, {3, -1000, 1333},
		{5, 0, 0},
	} {
		s := newRig(t, twoLLCs, nil)
		for range c.others {
			s.add(0, -1)
		}
		r := &s.rqs[0]
		v := s.avgVruntime(r)
		task := Task{vlag: c.vlag, State: Queued}
		s.place(r, &task, r.nrRunning, false)
		assert.Equal(t, c.vruntime, task.vruntime-v, "%+v", c)
		assert.Equal(t, task.vruntime+s.baseSlice, task.deadline)
	}
}

// A new task gets half a slice; one that moves keeps its deadline relative to
// its virtual runtime (7.3 PLACE_DEADLINE_INITIAL, PLACE_REL_DEADLINE).
func TestPlacementDeadline(t *testing.T) {
	s := newRig(t, twoLLCs, nil)
	s.add(0, -1)
	r := &s.rqs[0]
	task := Task{State: Queued}
	s.place(r, &task, 1, true)
	assert.Equal(t, s.baseSlice/2, task.deadline-task.vruntime)

	_, b := s.pair(1, 1e6)
	left := s.tasks[b].deadline - s.tasks[b].vruntime
	s.dequeueMove(&s.rqs[1], b)
	assert.Equal(t, left, s.tasks[b].deadline)
	s.enqueue(0, b, false)
	assert.Equal(t, left, s.tasks[b].deadline-s.tasks[b].vruntime)
	assert.False(t, s.tasks[b].relDeadline)
}

// Lag at a dequeue is V - vruntime, at most a slice and a tick (7.3 update_entity_lag).
func TestLagIsClamped(t *testing.T) {
	limit := int64(2_800_000 + 4_000_000)
	for _, c := range []struct{ ahead, want int64 }{{0, 0}, {1e6, -500_000}, {-1e6, 500_000}, {1e9, -limit}, {-1e9, limit}} {
		s := newRig(t, twoLLCs, nil)
		s.add(0, -1)
		b := s.add(0, -1)
		r := &s.rqs[0]
		s.treeRemove(r, b)
		s.tasks[b].vruntime += c.ahead
		s.treeInsert(r, b)
		clamped := s.updateLag(r, &s.tasks[b])
		assert.Equal(t, c.want, s.tasks[b].vlag)
		assert.Equal(t, c.want == limit || c.want == -limit, clamped)
	}
}

// RUN_TO_PARITY: a running task keeps the CPU to the end of its slice, however
// eligible the others are; then the earliest deadline takes over (7.3
// set_protect_slice, update_curr).
func TestProtection(t *testing.T) {
	s := newRig(t, twoLLCs, nil)
	a, b := s.add(0, -1), s.add(0, -1)
	r := &s.rqs[0]
	for _, c := range []struct {
		at   int64
		want int32
	}{{100_000, a}, {2_799_999, a}, {2_800_000, b}} {
		s.Now = s.tasks[a].execStart + c.at - s.tasks[a].SumExec
		s.updateCurr(r)
		// With an equal slice the running task is ahead of V from its first ns
		// on, so what keeps it is that nothing asks for a reschedule.
		assert.Equal(t, c.want == b, r.lazy, "after %d ns", c.at)
	}
	s.Schedule(0)
	assert.Equal(t, b, r.Curr)
	assert.Equal(t, s.tasks[b].deadline, s.tasks[b].vprot)
}

// A wakee takes the CPU only if it would be picked: protection and an earlier
// deadline keep the running task, which is then protected for a slice at most
// from the smaller of its virtual runtime and V (7.3 wakeup_preempt_fair,
// update_protect_slice).
func TestWakeupPreemption(t *testing.T) {
	for _, c := range []struct {
		name string
		vlag int64
		ran  int64
		want bool
		fork bool
	}{
		{"no lag, running task just started", 0, 0, false, false},
		{"behind V: the running task is not eligible any more", 1e6, 0, true, false},
		{"ahead of V: the wakee is not eligible", -1e6, 1e6, false, false},
		{"a new task never preempts", 1e6, 0, false, true},
	} {
		s := newRig(t, twoLLCs, nil)
		a := s.sleeper(0, -1)
		b := s.add(0, -1)
		s.later(c.ran)
		s.tasks[a].vlag = c.vlag
		r := &s.rqs[0]
		s.enqueue(0, a, false)
		r.lazy = false
		s.wakeupPreempt(r, a, c.fork)
		assert.Equal(t, c.want, r.lazy, c.name)
		if !c.want {
			assert.LessOrEqual(t, s.tasks[b].vprot, min(s.tasks[b].vruntime, s.avgVruntime(r))+s.baseSlice, c.name)
		}
	}
}
