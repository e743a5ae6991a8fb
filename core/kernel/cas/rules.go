package cas

import "casplay/core/kernel/expr"

// The pure rules of cache-aware scheduling in Linux 7.3: numbers in, verdict
// out. State that feeds them is in group.go and scan.go.

// Unlimited is a scale that removes a gate.
const Unlimited = int64(1) << 62

// Scale turns aggr_tolerance into the factor of a gate: 0 vetoes always,
// Unlimited never (7.3 get_sched_cache_scale).
func Scale(tolerance uint32, mul int64) int64 {
	switch {
	case tolerance == 0:
		return 0
	case tolerance >= 100:
		return Unlimited
	}
	return 1 + (int64(tolerance)-1)*mul
}

// fits is the generic 80 % margin (7.3 fits_capacity).
func fits(x, c int64) bool { return 1280*x < 1024*c }

// InvalidLLCNr vetoes a process with one thread, or whose average of running
// threads times the hardware threads of a core reaches 80 % of an LLC of
// llcCPUs CPUs scaled by the tolerance (7.3 invalid_llc_nr).
func InvalidLLCNr(threads int, nrRunningAvg, smt, llcCPUs int64, tolerance uint32) bool {
	if threads <= 1 {
		return true
	}
	s := Scale(tolerance, 1)
	return s != Unlimited && !fits(nrRunningAvg*smt, s*llcCPUs)
}

// NrRunningLimit is the largest nr_running_avg that InvalidLLCNr lets pass,
// for display; -1 if none does, Unlimited if all do.
func NrRunningLimit(smt, llcCPUs int64, tolerance uint32) int64 {
	s := Scale(tolerance, 1)
	if s == Unlimited {
		return Unlimited
	}
	return (1024*s*llcCPUs-1+1280*smt)/(1280*smt) - 1
}

// ExceedLLCCapacity vetoes a process whose size exceeds the LLC scaled by the
// tolerance (7.3 exceed_llc_capacity; size = footprint there).
func ExceedLLCCapacity(sizeBytes, llcBytes int64, tolerance uint32) bool {
	limit := CapacityLimit(llcBytes, tolerance)
	return limit != Unlimited && limit < sizeBytes
}

// CapacityLimit is the size in bytes up to which ExceedLLCCapacity lets pass.
func CapacityLimit(llcBytes int64, tolerance uint32) int64 {
	s := Scale(tolerance, 256)
	if s == Unlimited {
		return Unlimited
	}
	return llcBytes * s
}

// UpdateAvgScale is the average of running threads after one more sample: an
// EWMA whose divisor grows with the LLC (2..8) and truncates toward zero (7.3
// update_avg_scale).
func UpdateAvgScale(avg, sample, llcCPUs int64) int64 {
	return avg + (sample-avg)/min(max(llcCPUs>>2, 2), 8)
}

// Hint is the answer of the migration policy (7.3 enum llc_mig).
type Hint uint8

const (
	// Forbid keeps the task where it is.
	Forbid Hint = iota
	// MoveLLC asks for the move because of LLC affinity.
	MoveLLC
	// Unrestricted leaves the decision to generic balancing.
	Unrestricted
)

// String is the short form used in tables: N, Y, G.
func (h Hint) String() string { return [...]string{"N", "Y", "G"}[h] }

// Policy holds what CanMigrate needs of the configuration.
type Policy struct {
	OveraggrPct, ImbPct int64
	// SMT is the number of hardware threads of a core; 1 raises the limit by half.
	SMT int64
	// DeadBand replaces the policy (deadband.go).
	DeadBand bool
	// fits and migrate are rules given as expressions, nil for those of 7.3.
	fits, migrate *expr.Program
}

// BusyPct is the utilisation in percent at which an LLC no longer fits.
func (p Policy) BusyPct() int64 {
	if p.SMT == 1 {
		return p.OveraggrPct * 3 / 2
	}
	return p.OveraggrPct
}

// FitsLLC reports whether an LLC of that utilisation takes more (7.3 fits_llc_capacity).
func (p Policy) FitsLLC(util, capacity int64) bool {
	if p.fits != nil {
		return p.fits.Run([]int64{util, capacity, p.BusyPct(), p.SMT}).Value != 0
	}
	return util*100 < capacity*p.BusyPct()
}

func (p Policy) greater(a, b int64) bool { return a*100 > b*(100+p.ImbPct) }

// CanMigrate judges moving a task of utilisation util from an LLC to another,
// given their published utilisation and capacity; toPref says whether the
// destination is the task's preferred LLC, else the source is (7.3 can_migrate_llc).
func (p Policy) CanMigrate(srcUtil, srcCap, dstUtil, dstCap, util int64, toPref bool) Hint {
	src, dst := max(srcUtil-util, 0), dstUtil+util
	srcFits, dstFits := p.FitsLLC(src, srcCap), p.FitsLLC(dst, dstCap)
	if p.migrate != nil {
		return Hint(p.migrate.Run([]int64{src, dst, srcCap, dstCap, util, truth(srcFits), truth(dstFits), truth(toPref), p.BusyPct(), p.ImbPct, p.SMT}).Value)
	}
	if !srcFits && !dstFits {
		return Unrestricted
	}
	if p.DeadBand {
		return deadBand(src+util, srcCap, dst, dstCap, toPref)
	}
	if toPref {
		if !dstFits && p.greater(dst, src) {
			return Forbid
		}
		return MoveLLC
	}
	if srcFits || !p.greater(src, dst) {
		return Forbid
	}
	return MoveLLC
}
