package sim

import "math/bits"

// event kinds.
type kind uint8

const (
	evTick       kind = iota // a jiffy begins
	evTickCPU                // CPU a takes its tick
	evStart                  // process a is forked
	evEnd                    // the running op of thread a may have ended (gen)
	evTimer                  // the sleep of thread a ends (gen)
	evWake                   // task b arrives at CPU a
	evStopper                // the stopper runs on CPU a
	evNohz                   // the nohz kick reaches CPU a
	evSlice                  // the slice timer of CPU a (gen)
	evSolve                  // the memory model is due
	evSample                 // a sample is due
	evChange                 // timeline event a
	evUnpark                 // a timeline sleep of thread a ends
	evAllow                  // the affinity limit of thread a is lifted
	evNumaMove               // planned NUMA move a
	evKill                   // process a ends
	evKwork                  // kernel thread a has something to do
	evKwake                  // kernel thread a is woken
	evKthreadEnd             // it has done it (gen)
	evScanDone               // the NUMA scan of thread a is over
	evWarm                   // measuring begins
)

type event struct {
	at   int64
	seq  uint64
	kind kind
	gen  uint32
	a, b int32
	next int32
}

const (
	slotBits  = 13 // 8.192 us
	wheelBits = 12 // 33.5 ms
	wheelSize = 1 << wheelBits
)

// queue orders events by time, then by insertion: a wheel of unsorted slots,
// a heap for the slot in progress, and a heap for what lies beyond the wheel.
type queue struct {
	pool  []event
	free  int32
	slots [wheelSize]int32
	used  [wheelSize / 64]uint64
	base  int64 // slot number of the slot in progress
	near  []int32
	far   []int32
	seq   uint64
	n     int
}

func newQueue(now int64) *queue {
	q := &queue{free: -1, base: now >> slotBits}
	for i := range q.slots {
		q.slots[i] = -1
	}
	return q
}

// push adds an event; at must not lie before the last popped one.
func (q *queue) push(e event) {
	q.seq++
	e.seq = q.seq
	i := q.free
	if i < 0 {
		i = int32(len(q.pool))
		q.pool = append(q.pool, e)
	} else {
		q.free = q.pool[i].next
		q.pool[i] = e
	}
	q.n++
	q.file(i)
}

func (q *queue) file(i int32) {
	e := &q.pool[i]
	switch slot := e.at >> slotBits; {
	case slot <= q.base:
		q.near = q.heapPush(q.near, i)
	case slot < q.base+wheelSize:
		k := slot & (wheelSize - 1)
		e.next = q.slots[k]
		q.slots[k] = i
		q.used[k>>6] |= 1 << (k & 63)
	default:
		q.far = q.heapPush(q.far, i)
	}
}

// pop removes the earliest event; the queue must not be empty.
func (q *queue) pop() event {
	if len(q.near) == 0 {
		q.advance()
	}
	i := q.near[0]
	q.near = q.heapPop(q.near)
	e := q.pool[i]
	q.pool[i].next = q.free
	q.free = i
	q.n--
	return e
}

// next is the time of the earliest event.
func (q *queue) next() int64 {
	if len(q.near) == 0 {
		q.advance()
	}
	return q.pool[q.near[0]].at
}

// advance moves to the next slot with events.
func (q *queue) advance() {
	next := q.nextSlot()
	if len(q.far) > 0 {
		if s := q.pool[q.far[0]].at >> slotBits; next < 0 || s < next {
			next = s
		}
	}
	q.base = next
	for len(q.far) > 0 && q.pool[q.far[0]].at>>slotBits < q.base+wheelSize {
		i := q.far[0]
		q.far = q.heapPop(q.far)
		q.file(i)
	}
	k := q.base & (wheelSize - 1)
	i := q.slots[k]
	q.slots[k] = -1
	q.used[k>>6] &^= 1 << (k & 63)
	for i >= 0 {
		j := q.pool[i].next
		q.near = q.heapPush(q.near, i)
		i = j
	}
}

// nextSlot is the number of the next used slot after base, -1 if none.
func (q *queue) nextSlot() int64 {
	from := (q.base + 1) & (wheelSize - 1)
	for n := int64(0); n <= wheelSize; {
		k := (from + n) & (wheelSize - 1)
		w := q.used[k>>6] >> (k & 63)
		if w != 0 {
			return q.base + 1 + n + int64(bits.TrailingZeros64(w))
		}
		n += 64 - k&63
	}
	return -1
}

func (q *queue) less(a, b int32) bool {
	x, y := &q.pool[a], &q.pool[b]
	return x.at < y.at || x.at == y.at && x.seq < y.seq
}

func (q *queue) heapPush(h []int32, i int32) []int32 {
	h = append(h, i)
	k := len(h) - 1
	for k > 0 {
		p := (k - 1) / 2
		if !q.less(h[k], h[p]) {
			break
		}
		h[k], h[p] = h[p], h[k]
		k = p
	}
	return h
}

func (q *queue) heapPop(h []int32) []int32 {
	n := len(h) - 1
	h[0] = h[n]
	h = h[:n]
	k := 0
	for {
		c := 2*k + 1
		if c >= n {
			return h
		}
		if c+1 < n && q.less(h[c+1], h[c]) {
			c++
		}
		if !q.less(h[c], h[k]) {
			return h
		}
		h[k], h[c] = h[c], h[k]
		k = c
	}
}
