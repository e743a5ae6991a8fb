package memory

// Traffic is the traffic below L2 of the thread on a CPU after the last Solve,
// as hardware counters would show it: hits in the LLC and traffic with memory,
// in bytes a millisecond of work.
func (md *Model) Traffic(cpu int32) (hit, miss int64) {
	if i := md.cpus[cpu].class; i >= 0 {
		return int64(md.classes[i].hit * 1e6), int64(md.classes[i].fill * 1e6)
	}
	return 0, 0
}
