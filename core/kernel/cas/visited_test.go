package cas

import (
	"testing"

	"casplay/core/kernel"

	"github.com/stretchr/testify/assert"
)

// SC_NODE and SC_VISIT in their combinations (v8 2/2): how many CPUs a scan of
// LLC 0 looks at, the group having run on one CPU of each LLC.
func TestScanSwitches(t *testing.T) {
	for _, c := range []struct {
		mask     kernel.ScanMask
		visit    bool
		cpu, nid int32
		want     int64
	}{
		{kernel.ScanAuto, false, 0, -1, 16}, {kernel.ScanAuto, false, 0, 0, 8}, {kernel.ScanAuto, false, 0, 1, 16}, {kernel.ScanNode, false, 0, 0, 8},
		{kernel.ScanAuto, true, 0, 0, 2}, {kernel.ScanNode, true, 0, 0, 1}, {kernel.ScanNode, true, 0, -1, 2}, {kernel.ScanNone, false, 0, -1, 0},
	} {
		s, g := testSystem(2, 8)
		s.Config.ScanMask, s.Config.VisitedCPUs = c.mask, c.visit
		s.Account(g, 0, 1000, 100, 0)
		s.Account(g, 9, 1000, 100, 0)
		s.Scan(0, c.cpu, c.nid, running(16), 100, 0)
		assert.Equal(t, c.want, g.Visited, "%+v", c)
	}
}
