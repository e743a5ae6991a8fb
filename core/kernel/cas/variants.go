package cas

import "casplay/core/kernel"

// The thread gates of the versions, and the size of an LLC with CPUs offline.
// Each is the rule of a row of about.go.

// InvalidThreads is the thread gate of a variant. From RFC v3 on (patch 2/20) the
// posted ones leave out a single thread. RFC v4 (patch 25/28, exceed_llc_nr) and the posted series
// compare with all CPUs of the LLC, strictly; the RFC has no tolerance.
func InvalidThreads(gate kernel.ThreadGate, threads int, nrRunningAvg, smt, llcCPUs int64, tolerance uint32) bool {
	switch gate {
	case kernel.ThreadsNone:
		return false
	case kernel.ThreadsSingle:
		return threads <= 1
	case kernel.ThreadsCap:
		return nrRunningAvg > 16
	case kernel.ThreadsRFC:
		return threads <= 1 || nrRunningAvg*smt > llcCPUs
	case kernel.ThreadsV1, kernel.ThreadsV3:
		s := Scale(tolerance, 1)
		return threads <= 1 || s != Unlimited && nrRunningAvg*smt > s*llcCPUs
	}
	return InvalidLLCNr(threads, nrRunningAvg, smt, llcCPUs, tolerance)
}

// ThreadLimit is the largest nr_running_avg that InvalidThreads lets pass.
func ThreadLimit(gate kernel.ThreadGate, smt, llcCPUs int64, tolerance uint32) int64 {
	s := Scale(tolerance, 1)
	switch gate {
	case kernel.ThreadsNone, kernel.ThreadsSingle:
		return Unlimited
	case kernel.ThreadsCap:
		return 16
	case kernel.ThreadsRFC:
		return llcCPUs / smt
	case kernel.ThreadsV1, kernel.ThreadsV3:
		if s != Unlimited {
			s = s * llcCPUs / smt
		}
		return s
	}
	return NrRunningLimit(smt, llcCPUs, tolerance)
}

// UpdateRunning is nr_running_avg of a variant after one more sample: before v3
// the generic average over eight samples, which truncates toward zero and so
// stays up to seven below a steady number of threads (RFC v4 to v2, update_avg).
func UpdateRunning(gate kernel.ThreadGate, avg, sample, llcCPUs int64) int64 {
	if gate == kernel.ThreadsRFC || gate == kernel.ThreadsV1 {
		return avg + (sample-avg)/8
	}
	return UpdateAvgScale(avg, sample, llcCPUs)
}

// DomainBytes is the share of a cache of bytes that a domain of n CPUs has
// among sharers (7.3 get_effective_llc_bytes: those online; before fix
// 3cb0243767fd: those that had been there).
func DomainBytes(bytes, n, sharers int64) int64 { return bytes * n / sharers }
