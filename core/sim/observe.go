package sim

// Observer is told what happens to the threads of the workload. Times are in
// ns since the start of the run, processes and threads are indices into the
// Set. It must not change the simulation.
type Observer interface {
	// Born tells on which CPU a thread was created.
	Born(proc, thread int, cpu int32, atNs int64)
	// Moved tells that a thread changed its CPU.
	Moved(proc, thread int, from, to int32, atNs int64)
	// Scanned tells of a run of task_cache_work: at its entry (done false),
	// and again at its end if it looked at the CPUs. cpu is the preferred CPU
	// of the process (-1: none) and avg its nr_running_avg at that moment.
	Scanned(proc int, done bool, cpu int32, avg, atNs int64)
}

// Observe sets the observer; it must come before the first Step.
func (s *Sim) Observe(o Observer) {
	s.observer = o
	s.sched.CAS.OnScan = func(process int32, done bool, cpu int32, avg int64) {
		o.Scanned(int(process), done, cpu, avg, s.Now())
	}
}
