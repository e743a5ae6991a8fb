// Package play is the facade over the core that the command line, the browser
// and the tests share: open a scenario, run its arms and seeds, summarise.
// Bytes in, bytes out; nothing here reads a file, a clock or the network.
package play

import (
	"strings"

	"casplay/core/json"
	"casplay/core/machine"
	"casplay/core/result"
	"casplay/core/scenario"
	"casplay/core/sim"
	"casplay/scenarios"
)

// Engine names the version of the model in results, reports and links. A change
// that moves the digests of published links gets a new version; testdata/links.txt
// keeps those of the versions before.
const Engine = "0.2.0"

// Library is the shipped scenarios and machines.
func Library() scenario.Library { return scenarios.Library{} }

// Preset describes a shipped scenario. Points of a table have the texts of
// their table where a list needs them only once, in the first.
type Preset struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Purpose string `json:"purpose"`
	Source  string `json:"source"`
	Notice  string `json:"notice"`
}

// Presets lists the shipped scenarios by name.
func Presets() []Preset {
	lib := scenarios.Library{}
	var out []Preset
	for _, name := range lib.Files() {
		t := lib.Table(name)
		if t == nil {
			out = append(out, described(lib.Preset(name)))
			continue
		}
		for i, label := range t.Labels() {
			p := Preset{Name: name + "." + label, Title: t.PointTitle(i)}
			if i == 0 {
				p = described(t.Point(label))
			}
			out = append(out, p)
		}
	}
	return out
}

// described reads the texts of a scenario and nothing else of it.
func described(text []byte) Preset {
	root, _, err := json.Parse(text)
	if err != nil {
		return Preset{}
	}
	get := func(key string) string {
		if n := root.Get(key); n != nil {
			return n.Text
		}
		return ""
	}
	return Preset{get("name"), get("title"), get("purpose"), get("source"), get("notice")}
}

// Open reads a scenario from its JSON text, from a link (with or without the
// address before the #), or by the name of a preset. Errors are scenario.Problems.
func Open(text string) (*scenario.Scenario, error) {
	link, err := OpenLink(text)
	if err != nil {
		return nil, err
	}
	return link.Scenario, nil
}

// OpenLink is Open with all that a link says besides. With an error the Link
// may hold what could be read, as with scenario.ParseLink.
func OpenLink(text string) (*scenario.Link, error) {
	lib := Library()
	text = strings.TrimSpace(text)
	data := []byte(text)
	if !strings.HasPrefix(text, "{") {
		if data = lib.Preset(text); data == nil {
			if strings.ContainsAny(text, "#;%&") || strings.HasPrefix(text, "1") {
				return scenario.ParseLink(text, lib)
			}
			if len(text) > 60 {
				text = text[:60] + "..."
			}
			return nil, scenario.Problems{{
				Path: "scenario", Value: text, Problem: "is not the name of a scenario, a link or JSON",
				Nearest: machine.NearestKey(text, lib.Presets()),
			}}
		}
	}
	s, err := scenario.Parse(data, lib)
	if err != nil {
		return nil, err
	}
	return &scenario.Link{Scenario: s}, nil
}

// Job is one run: an arm by index, and a seed.
type Job struct {
	Arm  int
	Seed uint64
}

// Jobs lists the runs of a scenario, seed by seed, so that all arms can be
// compared as soon as the first seed is through.
func Jobs(s *scenario.Scenario) []Job {
	var out []Job
	for _, seed := range s.Seeds() {
		for arm := range s.Arms {
			out = append(out, Job{arm, seed})
		}
	}
	return out
}

// NewSim prepares the simulator for one run.
func NewSim(s *scenario.Scenario, j Job) (*sim.Sim, error) {
	setup, err := s.Setup(j.Arm, j.Seed)
	if err != nil {
		return nil, err
	}
	return sim.New(setup)
}

// Finish takes what a simulator has measured so far and makes it a Run of the
// scenario, with arm, label and digest.
func Finish(s *scenario.Scenario, j Job, m *sim.Sim) *result.Run {
	r := m.Measured()
	r.Arm, r.Label, r.Seed = j.Arm, s.Arms[j.Arm].Label, j.Seed
	if m.Done() {
		r.Digest = result.DigestRun(r)
	}
	return r
}

// Progress tells how far one run is.
type Progress struct {
	Job Job
	// NowNs is the simulated time, Ppm the estimated share done in millionths.
	NowNs int64
	Ppm   int32
}

// sliceEvents is how many events are simulated between two reports: some milliseconds.
const sliceEvents = 20000

// Run simulates one job to its end. Report is called between slices and
// stops the run by returning false; the Run is then nil. It may be nil.
func Run(s *scenario.Scenario, j Job, report func(Progress) bool) (*result.Run, error) {
	m, err := NewSim(s, j)
	if err != nil {
		return nil, err
	}
	for done := false; !done; {
		done = m.Step(sliceEvents)
		if report != nil && !report(Progress{j, m.Now(), m.Fraction()}) {
			return nil, nil
		}
	}
	return Finish(s, j, m), nil
}

// RunAll simulates every job one after another. It returns what is complete;
// fewer runs than jobs when report stopped it.
func RunAll(s *scenario.Scenario, report func(Progress) bool) ([]*result.Run, error) {
	var runs []*result.Run
	for _, j := range Jobs(s) {
		r, err := Run(s, j, report)
		if r == nil || err != nil {
			return runs, err
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// Summarise reduces runs to a result; runs may be in any order and incomplete.
func Summarise(s *scenario.Scenario, runs []*result.Run) *result.Result {
	return result.Summarise(s.Plan(Engine), runs)
}
