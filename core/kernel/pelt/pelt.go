// Package pelt is per-entity load tracking in the integer arithmetic of Linux
// 7.3 (kernel/sched/pelt.c): geometric series over periods of 1024 x 1024 ns
// with y^32 = 1/2.
package pelt

const (
	// Max is the limit of a sum over all periods (LOAD_AVG_MAX).
	Max = 47742
	// MinDivider is the smallest divider of a sum (PELT_MIN_DIVIDER).
	MinDivider = Max - 1024
)

// inverse[k] = floor((2^32-1) * 2^(-k/32)) (runnable_avg_yN_inv).
var inverse = [32]uint32{
	0xffffffff, 0xfa83b2da, 0xf5257d14, 0xefe4b99a, 0xeac0c6e6, 0xe5b906e6, 0xe0ccdeeb, 0xdbfbb796,
	0xd744fcc9, 0xd2a81d91, 0xce248c14, 0xc9b9bd85, 0xc5672a10, 0xc12c4cc9, 0xbd08a39e, 0xb8fbaf46,
	0xb504f333, 0xb123f581, 0xad583ee9, 0xa9a15ab4, 0xa5fed6a9, 0xa2704302, 0x9ef5325f, 0x9b8d39b9,
	0x9837f050, 0x94f4efa8, 0x91c3d373, 0x8ea4398a, 0x8b95c1e3, 0x88980e80, 0x85aac367, 0x82cd8698,
}

// Decay returns v * y^n (decay_load).
func Decay(v uint64, n uint64) uint64 {
	if n > 32*63 {
		return 0
	}
	if n >= 32 {
		v >>= n / 32
		n %= 32
	}
	// v stays below 2^32 for the sums of one CPU (weights in units of 1024).
	if v < 1<<32 {
		return v * uint64(inverse[n]) >> 32
	}
	return v>>32*uint64(inverse[n]) + v&0xffffffff*uint64(inverse[n])>>32
}

// Avg is the signal set of a task or of a run queue (struct sched_avg).
type Avg struct {
	// LastUpdate is in ns of the PELT clock.
	LastUpdate                    int64
	LoadSum, RunnableSum, UtilSum uint64
	// LoadAvg, RunnableAvg and UtilAvg are in units of 1024 = one nice-0 task
	// or one fully busy CPU.
	LoadAvg, RunnableAvg, UtilAvg int64
	// PeriodContrib is the part of the current period already counted, 0..1023 us-units.
	PeriodContrib uint32
}

// Divider is what a sum is divided by to make an average (get_pelt_divider).
func (a *Avg) Divider() int64 { return MinDivider + int64(a.PeriodContrib) }

// Accumulate moves the sums to now (___update_load_sum). load, runnable and
// running are what held since LastUpdate: for a task 0 or 1 each, for a queue
// its weight / 1024, its runnable tasks, and 1 while a fair task runs. It
// reports whether a period boundary was crossed, after which Average must run.
func (a *Avg) Accumulate(now int64, load, runnable, running uint64) bool {
	delta := now - a.LastUpdate
	if delta < 0 {
		a.LastUpdate = now
		return false
	}
	delta >>= 10
	if delta == 0 {
		return false
	}
	a.LastUpdate += delta << 10
	if load == 0 {
		runnable, running = 0, 0
	}
	contrib := uint64(delta)
	d := uint64(delta) + uint64(a.PeriodContrib)
	periods := d / 1024
	if periods > 0 {
		a.LoadSum = Decay(a.LoadSum, periods)
		if a.UtilSum == a.RunnableSum { // the usual case: whoever is runnable runs
			a.UtilSum = Decay(a.UtilSum, periods)
			a.RunnableSum = a.UtilSum
		} else {
			a.RunnableSum = Decay(a.RunnableSum, periods)
			a.UtilSum = Decay(a.UtilSum, periods)
		}
		d %= 1024
		if load != 0 {
			contrib = segments(periods, 1024-uint64(a.PeriodContrib), d)
		}
	}
	a.PeriodContrib = uint32(d)
	if load != 0 {
		a.LoadSum += load * contrib
	}
	if runnable != 0 {
		a.RunnableSum += runnable * contrib << 10
	}
	if running != 0 {
		a.UtilSum += contrib << 10
	}
	return periods > 0
}

// segments is the contribution of the rest of the old period, the full
// periods between, and the begun one (__accumulate_pelt_segments).
func segments(periods, first, last uint64) uint64 {
	return Decay(first, periods) + (Max - Decay(Max, periods) - 1024) + last
}

// Average sets the averages from the sums (___update_load_avg); weight is 1
// for a queue, whose sums already hold weights, and the weight of a
// task (1024 at nice 0).
func (a *Avg) Average(weight uint64) {
	div := uint64(a.Divider())
	a.LoadAvg = int64(weight * a.LoadSum / div)
	a.RunnableAvg = int64(a.RunnableSum / div)
	a.UtilAvg = a.RunnableAvg
	if a.UtilSum != a.RunnableSum { // a division takes longer than all the rest
		a.UtilAvg = int64(a.UtilSum / div)
	}
}

// Attach makes the sums of a task fit the period position of the queue q it
// joins and adds it there (attach_entity_load_avg).
func (a *Avg) Attach(q *Avg) {
	div := uint64(q.Divider())
	a.LastUpdate = q.LastUpdate
	a.PeriodContrib = q.PeriodContrib
	a.UtilSum = uint64(a.UtilAvg) * div
	a.RunnableSum = uint64(a.RunnableAvg) * div
	a.LoadSum = uint64(a.LoadAvg) * div / 1024
	if a.LoadSum == 0 {
		a.LoadSum = 1
	}
	q.LoadAvg += a.LoadAvg
	q.LoadSum += 1024 * a.LoadSum
	q.UtilAvg += a.UtilAvg
	q.UtilSum += a.UtilSum
	q.RunnableAvg += a.RunnableAvg
	q.RunnableSum += a.RunnableSum
}

// Detach takes a task's averages out of its queue (detach_entity_load_avg).
func (q *Avg) Detach(a *Avg) {
	q.LoadAvg = max(q.LoadAvg-a.LoadAvg, 0)
	q.LoadSum = floorSub(q.LoadSum, 1024*a.LoadSum, q.LoadAvg)
	q.Remove(a.UtilAvg, a.RunnableAvg)
}

// Remove subtracts averages of tasks that left without a visit to the queue
// (the removed part of update_cfs_rq_load_avg, without load).
func (q *Avg) Remove(util, runnable int64) {
	div := uint64(q.Divider())
	q.UtilAvg = max(q.UtilAvg-util, 0)
	q.UtilSum = floorSub(q.UtilSum, uint64(util)*div, q.UtilAvg)
	q.RunnableAvg = max(q.RunnableAvg-runnable, 0)
	q.RunnableSum = floorSub(q.RunnableSum, uint64(runnable)*div, q.RunnableAvg)
}

// RemoveLoad is Remove for the load signal.
func (q *Avg) RemoveLoad(load int64) {
	div := uint64(q.Divider())
	q.LoadAvg = max(q.LoadAvg-load, 0)
	q.LoadSum = floorSub(q.LoadSum, uint64(load)*div, q.LoadAvg)
}

// floorSub subtracts from a sum without falling below what its average implies.
func floorSub(sum, sub uint64, avg int64) uint64 {
	var left uint64
	if sum > sub {
		left = sum - sub
	}
	return max(left, uint64(avg)*MinDivider)
}
