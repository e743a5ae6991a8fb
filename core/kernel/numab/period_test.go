package numab

import (
	"testing"

	"github.com/stretchr/testify/require"

	"casplay/core/kernel"
)

// 7.3 fair.c task_nr_scan_windows, task_scan_min, task_scan_max.
func TestScanPeriodBounds(t *testing.T) {
	for _, c := range []struct {
		mib, scanMB        int64
		windows, low, high uint32
	}{
		{0, 256, 1, 1000, 60000},
		{1, 256, 1, 1000, 60000},
		{256, 256, 1, 1000, 60000},
		{257, 256, 2, 500, 30000},
		{2560, 256, 10, 100, 6000},
		{3380, 256, 14, 100, 4285}, // MG class C, 3.3 GiB
		{27034, 256, 106, 100, 566},
		{27034, 2560, 11, 1000, 5454},
		{27034, 4096, 7, 1000, 8571},
		{27034, 64, 423, 25, 141},
	} {
		s := testSystem(t, testMachine(2, 1, twoNodes), func(k *kernel.Config) { k.Numa.ScanSizeMB = uint32(c.scanMB) })
		m := NewMM(s, nil, 0)
		task := NewProcess(m, 0, 1)
		m.rss = c.mib * 256
		if c.scanMB != 2560 { // the kernel's rounding is defined for powers of two
			require.Equal(t, c.windows, m.scanWindows(), "%+v", c)
			require.Equal(t, c.high, task.scanMax(), "%+v", c)
		}
		require.Equal(t, c.low, task.scanMin(), "%+v", c)
	}
}

// A fault group stretches start and maximum by R (shared+1)/(private+shared+1).
func TestScanPeriodOfGroup(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), nil)
	task := NewProcess(NewMM(s, nil, 0), 0, 1)
	for _, c := range []struct {
		members           int
		shared, private   int64
		wantStart, wantHi uint32
	}{
		{1, 0, 0, 1000, 60000},
		{4, 0, 0, 4000, 240000},
		{4, 100, 300, 1007, 60448},
		{4, 0, 300, 1000, 60000}, // shorter: stays
		{64, 300, 0, 64000, 3840000},
	} {
		task.group = &Group{members: c.members, nodes: 2, faults: make([]int64, s.nodePieces)}
		task.group.faults[2+shared], task.group.faults[private] = c.shared, c.private
		require.Equal(t, c.wantStart, task.scanStart(), "%+v", c)
		require.Equal(t, c.wantHi, task.scanMax(), "%+v", c)
	}
}

// 7.3 fair.c update_task_scan_period.
func TestAdaptPeriod(t *testing.T) {
	for _, c := range []struct {
		name                  string
		period                uint32
		remote, local, failed int64
		shared, private       int64
		want                  uint32
		postponed             bool
	}{
		{"no faults", 1000, 0, 0, 0, 0, 0, 2000, true},
		{"only remote private", 1000, 9, 0, 0, 0, 9, 2000, true},
		{"failed migration", 1000, 0, 9, 1, 0, 9, 2000, true},
		{"double, capped", 40000, 0, 0, 0, 0, 0, 60000, true},
		{"private 7/10", 2000, 10, 10, 0, 6, 14, 2200, false},
		{"private 8/10", 2000, 10, 10, 0, 4, 16, 2200, false},
		{"private 9/10", 2000, 10, 10, 0, 2, 18, 2400, false},
		{"all private", 2000, 1, 19, 0, 0, 20, 2600, false},
		{"local 7/10", 2000, 6, 14, 0, 20, 0, 2200, false},
		{"all local", 2000, 0, 20, 0, 20, 0, 2600, false},
		{"local 6/10", 2000, 8, 12, 0, 20, 0, 1800, false},
		{"private 5/10 beats local 2/10", 2000, 16, 4, 0, 10, 10, 1600, false},
		{"all remote and shared", 5000, 20, 0, 0, 20, 0, 1500, false},
		{"slots round up", 1001, 0, 20, 0, 20, 0, 1304, false},
		{"low end", 1100, 20, 0, 0, 20, 0, 1000, false},
		{"high end", 59000, 0, 20, 0, 0, 20, 60000, false},
	} {
		s := testSystem(t, testMachine(2, 1, twoNodes), nil)
		task := NewProcess(NewMM(s, nil, 0), 0, 1)
		task.scanPeriod, task.scanPeriodMax = c.period, task.scanMax()
		task.locality = [3]int64{c.remote, c.local, c.failed}
		before := task.mm.nextScan
		task.adaptPeriod(c.shared, c.private, 5000)
		require.Equal(t, c.want, task.scanPeriod, c.name)
		require.Zero(t, task.locality, c.name)
		if c.postponed {
			require.EqualValues(t, 5000+int64(c.want)/4, task.mm.nextScan, c.name)
		} else {
			require.Equal(t, before, task.mm.nextScan, c.name)
		}
	}
}

// 7.3 fair.c update_scan_period.
func TestMigratedResetsPeriod(t *testing.T) {
	for _, c := range []struct {
		name           string
		faults         bool
		seq, preferred int
		src, dst       int
		reset          bool
	}{
		{name: "never faulted", faults: false, seq: 0, preferred: NoNode, src: 0, dst: 1},
		{name: "same node", faults: true, seq: 0, preferred: NoNode, src: 1, dst: 1},
		{name: "before the first sweep", faults: true, seq: 0, preferred: NoNode, src: 0, dst: 1, reset: true},
		{name: "before the first sweep, to the preferred", faults: true, seq: 0, preferred: 1, src: 0, dst: 1, reset: true},
		{name: "no preferred node", faults: true, seq: 1, preferred: NoNode, src: 0, dst: 1, reset: true},
		{name: "to the preferred", faults: true, seq: 1, preferred: 1, src: 0, dst: 1},
		{name: "from the preferred", faults: true, seq: 1, preferred: 0, src: 0, dst: 1, reset: true},
		{name: "between others", faults: true, seq: 1, preferred: 2, src: 0, dst: 1},
	} {
		dist := [][]int{{10, 20, 20}, {20, 10, 20}, {20, 20, 10}}
		m := NewMM(testSystem(t, testMachine(2, 1, dist), nil), nil, 0)
		m.rss = 2560 * 256
		task := NewProcess(m, 0, 1)
		task.hasFaults, task.scanSeq, task.preferred = c.faults, c.seq, c.preferred
		task.Migrated(c.src, c.dst)
		want := uint32(1000)
		if c.reset {
			want = 100
		}
		require.Equal(t, want, task.ScanPeriodMs(), c.name)
	}
}
