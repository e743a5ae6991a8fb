// Package cas is cache-aware scheduling: cache groups, epochs, the scan, the
// gates, the migration policy, and the versions and proposals that differ from
// Linux 7.3. Pure rules are in rules.go and variants.go, one file each for
// larger proposals; group.go and scan.go keep the state; versions.go is the
// table of versions, about.go says who proposed what. The load balancer's hooks
// are in kernel/fair, in llc.go.
//
// # Adding a rule
//
// A proposal is a switch, a pure rule, the place that asks it, a setting, a row
// in about.go and a scenario. As an example, take one that aggregates a process
// only while at most a quarter of the LLC's CPUs would run it. A test carries
// out these steps to the letter.
//
// The switch. In core/kernel/features.go, before "	// GroupLine is the layout":
//
//	// FewThreads aggregates only up to a quarter of the LLC's CPUs.
//	FewThreads bool
//
// The rule, numbers in and verdict out. A new file core/kernel/cas/fewthreads.go:
//
//	package cas
//
//	// TooManyForQuarter vetoes more running threads than a quarter of the LLC's CPUs.
//	func TooManyForQuarter(nrRunningAvg, llcCPUs int64) bool { return 4*nrRunningAvg > llcCPUs }
//
// Its table test. A new file core/kernel/cas/fewthreads_test.go:
//
//	package cas
//
//	import "testing"
//
//	func TestTooManyForQuarter(t *testing.T) {
//		for _, c := range []struct {
//			avg, cpus int64
//			want      bool
//		}{{2, 8, false}, {3, 8, true}, {36, 144, false}, {37, 144, true}} {
//			if got := TooManyForQuarter(c.avg, c.cpus); got != c.want {
//				t.Errorf("%+v: got %v", c, got)
//			}
//		}
//	}
//
// The place: here the thread gate, which accounting, scan and migration ask;
// System.TooLarge is the memory gate, Policy.CanMigrate the policy, and
// Config holds the features. In core/kernel/cas/group.go, before
// "	s.Book.Note(g.Process, why.InvalidLLCNr":
//
//	v = v || s.Config.FewThreads && TooManyForQuarter(g.NrRunningAvg, l.CPUs)
//
// The setting, kernel.features.few_threads. In core/scenario/features.go, before
// "	{"hit_rate"":
//
//	{"few_threads", nil, false, "aggregate up to a quarter of the LLC's CPUs", func(f *kernel.Features) any { return &f.FewThreads }},
//
// What cannot be combined goes into Check in versions.go, a version that
// brings the rule into FindVersion. The row. In core/kernel/cas/about.go, before
// "		{"visited_cpus"":
//
//	{"few_threads", "you", "your mail", "at most a quarter of the LLC's CPUs run an aggregated process", ""},
//
// The scenario that shows it. A new file scenarios/few-threads.json:
//
//	{"v": 1, "name": "few-threads", "title": "Six threads on LLCs of eight CPUs",
//	 "purpose": "Show the rule.", "source": "your mail", "notice": "With the rule the threads stay apart.",
//	 "machine": "emu-t2x8", "workload": [{"kind": "spin", "threads": 6}],
//	 "run": {"seeds": 1, "until": "time", "max_s": 2},
//	 "arms": [{"label": "merged"}, {"label": "few", "set": {"kernel.features.few_threads": true}}]}
//
// Then run it:
//
//	go test ./core/kernel/cas -run TooManyForQuarter
//	go run ./core/cmd/casplay run few-threads --json --quiet
package cas
