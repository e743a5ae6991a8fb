// Package result holds what a simulation produced: metrics, series,
// decisions, and their statistics over seeds.
package result

// Run is the outcome of one arm with one seed.
type Run struct {
	Arm   int    `json:"arm"`
	Label string `json:"label"`
	Seed  uint64 `json:"seed"`
	// Done is false when the run hit its time limit before the workload ended.
	Done bool `json:"done"`
	// SimNs is the simulated time, Events how many events it took.
	SimNs   int64    `json:"sim_ns"`
	Events  int64    `json:"events"`
	Metrics []Metric `json:"metrics"`
	Series  []Series `json:"series"`
	// SampleNs is the distance between two samples of every series.
	SampleNs  int64      `json:"sample_ns"`
	Processes []Process  `json:"processes"`
	Decisions []Decision `json:"decisions"`
	Log       []Entry    `json:"log"`
	Warnings  []string   `json:"warnings,omitempty"`
	// Digest is a hash of everything above, equal on every platform.
	Digest string `json:"digest"`
}

// Metric is one number; the unit is in its name (runtime_s, llc_migrations).
// Value = Raw / Scale, so that the digest covers an integer.
type Metric struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Raw   int64   `json:"raw"`
	Scale int64   `json:"scale"`
}

// Series is one curve: a sample is the mean over the SampleNs before it.
// Value = V[i] / Scale in Unit.
type Series struct {
	// Kind: "llc_util", "llc_hit", "llc_fill", "node_bw", "node_remote",
	// "link_bw", "cpu_busy", "proc_llc_threads", "proc_node_pages",
	// "proc_nr_running_avg", "proc_footprint".
	Kind string `json:"kind"`
	// Index is the LLC, node, CPU...; Sub the second index (process for proc_*).
	Index int     `json:"index"`
	Sub   int     `json:"sub,omitempty"`
	Unit  string  `json:"unit"`
	Scale int32   `json:"scale"`
	Cap   int32   `json:"cap,omitempty"` // capacity in the same unit and scale, 0 = none
	V     []int32 `json:"v"`
}

// Process is the state of one process at the end, with what changed on the way.
type Process struct {
	Name    string `json:"name"`
	Threads int    `json:"threads"`
	// Preferred is [time ns, LLC or -1] whenever the preferred LLC changed.
	Preferred [][2]int64 `json:"preferred"`
	// RSSBytes, FootprintPagesMax, NumaSweeps, PagesMigrated, HintFaults,
	// ScanRuns (entries of task_cache_work), Scans (those that completed).
	RSSBytes          int64 `json:"rss_bytes"`
	FootprintPagesMax int64 `json:"footprint_pages_max"`
	NumaSweeps        int64 `json:"numa_sweeps"`
	PagesMigrated     int64 `json:"pages_migrated"`
	HintFaults        int64 `json:"hint_faults"`
	ScanRuns          int64 `json:"scan_runs"`
	Scans             int64 `json:"scans"`
	NrRunningAvg      int64 `json:"nr_running_avg"`
	NrRunningAvgMax   int64 `json:"nr_running_avg_max"`
}

// Decision counts one rule that can veto or force a placement.
type Decision struct {
	// Rule is the kernel's name (invalid_llc_nr, exceed_llc_capacity, ...).
	Rule string `json:"rule"`
	// Process is the index of the process it was asked for, -1 for all.
	Process int `json:"process"`
	// Evaluated and Fired count calls and those that vetoed or forced.
	Evaluated int64 `json:"evaluated"`
	Fired     int64 `json:"fired"`
	// FirstNs and LastNs are when it fired first and last, -1 if never.
	FirstNs int64 `json:"first_ns"`
	LastNs  int64 `json:"last_ns"`
	// Value against Limit: the numbers of the example (the first firing, else
	// the last evaluation), in Unit; AtNs is when.
	AtNs  int64  `json:"at_ns"`
	Value int64  `json:"value"`
	Limit int64  `json:"limit"`
	Unit  string `json:"unit"`
	// Text is the comparison in words and numbers.
	Text string `json:"text"`
}

// Entry is one line of the decision log: a change of a verdict or of state.
type Entry struct {
	AtNs    int64  `json:"at_ns"`
	Rule    string `json:"rule"`
	Process int    `json:"process"`
	Text    string `json:"text"`
}
