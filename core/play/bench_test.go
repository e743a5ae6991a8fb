package play_test

import (
	"testing"

	"casplay/core/play"

	"github.com/stretchr/testify/require"
)

// BenchmarkHeadline is one run of mg-d-112 with CAS on: 288 CPUs, some 40
// simulated seconds.
func BenchmarkHeadline(b *testing.B) {
	benchmark(b, "mg-d-112", "on")
}

// BenchmarkMessages is one run of hackbench on pipes with CAS on: wakeups instead
// of ticks.
func BenchmarkMessages(b *testing.B) { benchmark(b, "hackbench-spr.g1", "on") }

func benchmark(b *testing.B, scenario, arm string) {
	s, err := play.Open(scenario)
	require.NoError(b, err)
	var events int64
	for b.Loop() {
		r, err := play.Run(s, play.Job{Arm: s.ArmIndex(arm), Seed: 1}, nil)
		require.NoError(b, err)
		events += r.Events
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}
