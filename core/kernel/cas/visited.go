package cas

// The visited-CPUs proposal (v8 1/2 of July 2026): a group remembers which
// CPUs it used, and scans look only there.

// visit notes that the group ran on cpu in the CPU's present epoch.
func (s *System) visit(g *Group, cpu int32) {
	g.Records[cpu].lastVisit = s.CPUs[cpu].Epoch
	g.seen.Add(int(cpu))
}

// forget drops a CPU that the group has not used for more epochs than the
// timeout, and reports whether it did.
func (s *System) forget(g *Group, cpu int32) bool {
	if uint64(s.CPUs[cpu].Epoch-g.Records[cpu].lastVisit) <= uint64(s.Config.Timeout) {
		return false
	}
	g.seen.Remove(int(cpu))
	return true
}
