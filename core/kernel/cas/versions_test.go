package cas

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"casplay/core/kernel"
)

func TestVersions(t *testing.T) {
	about := AboutVersions()
	for i, name := range VersionNames {
		v, ok := FindVersion(name)
		assert.True(t, ok)
		assert.Empty(t, Check(&v.Features, v.Name), v.Name)
		assert.Equal(t, v.Name, about[i].Name)
	}
	assert.Len(t, about, len(VersionNames))
	v, ok := FindVersion("v7.3")
	assert.True(t, ok)
	assert.Equal(t, kernel.MergedFeatures(), v.Features)
	v, ok = FindVersion("rfc-v3")
	assert.True(t, ok)
	want := kernel.MergedFeatures()
	want.ThreadGate, want.NoMemoryGate, want.GroupLine = kernel.ThreadsSingle, true, kernel.LineRFC
	want.MisfitGuard, want.AsymFirst, want.ActiveIntent, want.RunnablePref, want.DomainBytes = false, false, false, false, false
	assert.Equal(t, Version{"rfc-v3", want, false}, v)
	for _, name := range []string{"rfc-v1", "rfc-v2"} { // the single thread is new in RFC v3 2/20
		v, _ = FindVersion(name)
		assert.Equal(t, kernel.ThreadsNone, v.Features.ThreadGate, name)
	}
	_, ok = FindVersion("v7.4")
	assert.False(t, ok)
	for _, r := range slices.Concat(AboutProposals(), NotSimulated(), about) {
		assert.NotEmpty(t, r.Where+r.Who, r.Name)
		assert.NotEmpty(t, r.Differs, r.Name)
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		version string
		set     func(*kernel.Features)
		clash   string
	}{
		{"v7.3", func(f *kernel.Features) { f.FailClosed, f.RSSGate = true, true }, "fail_closed"},
		{"v7.3", func(f *kernel.Features) { f.FailClosed, f.HitRate = true, true }, "hit_rate"},
		{"v1", func(f *kernel.Features) { f.FailClosed = true }, "fail_closed"},
		{"v7.3", func(f *kernel.Features) { f.WakeGuard = true }, "wake_guard"},
		{"v7.3", func(f *kernel.Features) { f.NoBalance = true }, "no_balance"},
		{"v7.3", func(f *kernel.Features) { f.VisitedCPUs, f.NumaConflict = true, kernel.NumaFirst }, "numa_conflict"},
		{"v1", func(f *kernel.Features) { f.Control = kernel.ControlAdvise }, "control"},
		{"v7.3", func(f *kernel.Features) { f.SyncWake = true }, "sync_wake"},
		{"v7.3", func(f *kernel.Features) { f.SizeTolerance = 2 }, "size_tolerance"},
		{"v7.3", func(f *kernel.Features) { f.CASOverAsym = true }, "cas_over_asym"},
		{"v7.2", func(f *kernel.Features) { f.CASOverAsym, f.AsymOff = true, true }, "asym_off"},
		{"v7.3", func(f *kernel.Features) { f.VisitedCPUs, f.ScanMask = true, kernel.ScanNone }, "scan_mask"},
		{"v7.3", func(f *kernel.Features) { f.LLCPrefix, f.NumaConflict = true, kernel.NumaIdeal }, "llc_prefix"},
		{"rfc-v4", func(f *kernel.Features) { f.LLCPrefix, f.WakeLLC = true, true }, "llc_prefix"},
	} {
		v, _ := FindVersion(c.version)
		f := v.Features
		c.set(&f)
		got := Check(&f, c.version)
		if assert.Len(t, got, 1, c.clash) {
			assert.Equal(t, c.clash, got[0].Feature)
			assert.NotEmpty(t, got[0].Reason)
		}
	}
	f := kernel.MergedFeatures()
	f.FailClosed, f.VisitedCPUs, f.LLCImb, f.Control, f.Submission = true, true, true, kernel.ControlAdvise, kernel.SubmitTrylock
	assert.Empty(t, Check(&f, "v7.3"), "independent axes")
}
