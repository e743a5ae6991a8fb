package oracle

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// Experiment is one recorded experiment: the part of a result file of the
// harness that the verdict needs. The field names are those of that file, so
// that a full recording and a copy of its facts read alike.
type Experiment struct {
	Name     string   `json:"experiment"`
	Spec     string   `json:"spec"`
	Kernel   string   `json:"kernel"`
	HZ       int      `json:"hz"`
	Topology Topology `json:"topology"`
	Knobs    Knobs    `json:"knobs"`
	// Batches names where the runs came from.
	Batches []string `json:"batches,omitempty"`
	Runs    []Run    `json:"runs"`
}

// Topology is what the guest read back about its machine.
type Topology struct {
	Name  string   `json:"name"`
	SMP   string   `json:"smp"`
	LLCs  []LLC    `json:"llcs"`
	Nodes []string `json:"nodes"`
	// SMT lists the hardware threads of the core of CPU 0.
	SMT string `json:"smt_siblings_cpu0"`
}

// LLC is one last-level cache of the guest.
type LLC struct {
	CPUs string `json:"cpus"`
	Size string `json:"size"`
}

// Knobs are the settings at the start, read back from the guest.
type Knobs struct {
	NUMA int `json:"numa"`
}

// Run is one boot of the kernel.
type Run struct {
	Seed  int    `json:"seed"`
	Procs []Proc `json:"procs"`
}

// Proc is what one process did in one run. Times are in ms after RefMs.
type Proc struct {
	Threads    int       `json:"threads"`
	InitSplit  []int     `json:"init_split,omitempty"`
	RefMs      float64   `json:"ref_ms"`
	StableMs   *float64  `json:"t_stable90_ms"`
	TopShare   float64   `json:"top_frac_last500ms"`
	LLCShare   []float64 `json:"llc_share_last500ms"`
	CrossLLC   int       `json:"cross_llc_migrations"`
	PrefChange int       `json:"pref_cpu_changes"`
	// NrRunningAvg is nil when no scan was ever run.
	NrRunningAvg *int64 `json:"nr_running_avg_final"`
	Scans        int    `json:"tcw_scans"`
}

// home is the LLC where a process spent most of the last 500 ms, the first of equals.
func (p *Proc) home() int {
	best := 0
	for l, v := range p.LLCShare {
		if v > p.LLCShare[best] {
			best = l
		}
	}
	return best
}

// limits of a file: what is beyond them is refused before any work.
const (
	maxRuns    = 1000
	maxProcs   = 16
	maxThreads = 256
)

// ParseFacts reads a result file of the harness, or a copy of its facts.
func ParseFacts(file []byte) (*Experiment, error) {
	var e Experiment
	if err := json.Unmarshal(file, &e); err != nil {
		return nil, errors.New("is not a recorded experiment: " + err.Error())
	}
	switch {
	case e.Name == "" || strings.ContainsAny(e.Name, " /\\") || len(e.Name) > 60:
		return nil, errors.New(`"experiment" must be a name without spaces and slashes`)
	case e.Spec == "":
		return nil, errors.New(`"spec" is missing: the line of the experiments file`)
	case len(e.Runs) == 0 || len(e.Runs) > maxRuns:
		return nil, errors.New(`"runs" must have 1 to 1000 entries`)
	case e.HZ != 100 && e.HZ != 250 && e.HZ != 300 && e.HZ != 1000:
		return nil, errors.New(`"hz" must be 100, 250, 300 or 1000`)
	}
	for _, r := range e.Runs {
		if len(r.Procs) == 0 || len(r.Procs) > maxProcs {
			return nil, errors.New(`"procs" of a run must have 1 to 16 entries`)
		}
	}
	return &e, nil
}

// Join merges recordings of the same experiment from several batches.
func Join(batches ...*Experiment) *Experiment {
	out := *batches[0]
	out.Runs = slices.Clone(out.Runs)
	for _, b := range batches[1:] {
		out.Runs = append(out.Runs, b.Runs...)
		out.Batches = append(out.Batches, b.Batches...)
	}
	return &out
}

// Facts is a compact copy of what a verdict needs, one run to a line.
func (e *Experiment) Facts() ([]byte, error) {
	head := *e
	head.Runs = nil
	text, err := json.MarshalIndent(head, "", " ")
	if err != nil {
		return nil, err
	}
	out, _ := strings.CutSuffix(string(text), "\n \"runs\": null\n}")
	out += "\n \"runs\": [\n"
	for i := range e.Runs {
		run, err := json.Marshal(&e.Runs[i])
		if err != nil {
			return nil, err
		}
		out += "  " + string(run)
		if i < len(e.Runs)-1 {
			out += ","
		}
		out += "\n"
	}
	return []byte(out + " ]\n}\n"), nil
}
