// Package scenario holds the description of an experiment: machine, kernel,
// workload, and the arms that are compared. It reads and writes its two forms,
// a JSON text and a link; checks everything that came from outside; applies
// overrides; and lays out the simulator's input for one arm and seed.
package scenario

import (
	"slices"

	"casplay/core/kernel"
	"casplay/core/kernel/cas"
	"casplay/core/machine"
	"casplay/core/result"
	"casplay/core/workload"
)

// Limits of a scenario. A machine has limits of its own (machine.MaxCPUs,
// machine.MaxLLCs).
const (
	Version      = 1
	MaxBytes     = 256 << 10           // of the JSON text
	MaxLink      = 8000                // characters of a link after the #
	MaxThreads   = workload.MaxThreads // of all processes together
	MaxWorkloads = 32                  // entries
	MaxArms      = 6
	MaxSeeds     = 64
	MaxMs        = 600_000 // simulated time
	MaxEvents    = 64      // of the timeline
	MaxExpect    = 128
	maxText      = 2000 // bytes of a free text
)

// Problem is one thing wrong with a scenario or link: the dotted path, the
// value found, what is allowed, and the nearest known key.
type Problem = machine.FieldError

// Problems are all that is wrong with a scenario or link, as one error.
type Problems = machine.Errors

// Library finds the files that a scenario or link refers to by name.
type Library interface {
	// Preset and Machine return the JSON text of a name, nil when unknown.
	Preset(name string) []byte
	Machine(name string) []byte
	// Presets and Machines list the names in order.
	Presets() []string
	Machines() []string
}

// Scenario is a checked description. Parse, ParseLink and With make one; it
// is not changed afterwards.
type Scenario struct {
	// Name is that of the preset it is or was made from; letters, digits, dashes.
	Name string
	// Title, Purpose and Source (who measured what, where, when) are for
	// people; Notice says what to look at.
	Title, Purpose, Source, Notice string
	Machine                        MachineRef
	Kernel                         kernel.Config
	// Preempt is the preemption model.
	Preempt  string
	Workload []workload.Spec
	Events   []Event
	Run      Run
	// Arms are the variants compared; the first is the reference.
	Arms   []Arm
	Expect []result.Expect

	lib Library
	// arm is the label of the arm that an effective scenario is of.
	arm string
}

// MachineRef is a machine by name or in full.
type MachineRef struct {
	// Name is a machine of the library; empty for one described in place.
	Name string
	Spec machine.Spec
}

// Run says how often and how long to simulate, and what to record.
type Run struct {
	// Seeds is how many runs each arm gets; run i uses seed Seed+i.
	Seeds int
	Seed  uint64
	// Until is "done" (the workload's end) or "time" (always MaxMs).
	Until string
	// MaxMs ends a run in any case, in simulated ms.
	MaxMs int64
	// SampleMs is the distance of the samples of every series; SampleCPUs adds
	// a series for each CPU.
	SampleMs   int64
	SampleCPUs bool
}

// Arm is a set of overrides on the base scenario, in the order of Fields.
type Arm struct {
	Label string
	Set   []Override
}

// Override gives one setting a value: int64, float64, string, bool or
// MachineRef, by the type of the Field at Path.
type Override struct {
	Path  string
	Value any
}

// clone copies everything that an override can change.
func (s *Scenario) clone() *Scenario {
	c := *s
	c.Workload = slices.Clone(s.Workload)
	for i, w := range c.Workload {
		c.Workload[i].Values = make(map[string]any, len(w.Values))
		for k, v := range w.Values {
			c.Workload[i].Values[k] = v
		}
	}
	c.Arms = slices.Clone(s.Arms)
	for i := range c.Arms {
		c.Arms[i].Set = slices.Clone(c.Arms[i].Set)
	}
	c.Expect = slices.Clone(s.Expect)
	return &c
}

// Effective is the scenario that one arm runs: the base with the arm's
// overrides applied.
func (s *Scenario) Effective(arm int) *Scenario {
	e := s.clone()
	e.apply(s.Arms[arm].Set)
	e.arm = s.Arms[arm].Label
	return e
}

// apply sets checked overrides.
func (s *Scenario) apply(set []Override) {
	for _, o := range set {
		if f, ok := s.Field(o.Path); ok {
			s.set(f, o.Value)
		}
	}
}

// ArmIndex finds an arm by its label, or returns -1.
func (s *Scenario) ArmIndex(label string) int {
	return slices.IndexFunc(s.Arms, func(a Arm) bool { return a.Label == label })
}

// Seeds lists the seeds of a run.
func (s *Scenario) Seeds() []uint64 {
	out := make([]uint64, s.Run.Seeds)
	for i := range out {
		out[i] = s.Run.Seed + uint64(i)
	}
	return out
}

// newScenario has every default.
func newScenario(hz int, rules string, lib Library) *Scenario {
	k := kernel.Default(hz)
	if v, ok := cas.FindVersion(rules); ok {
		k.Rules, k.Features = rules, v.Features
	}
	return &Scenario{
		Kernel: k, Preempt: "lazy",
		Run: Run{Seeds: 5, Seed: 1, Until: "done", MaxMs: 120_000, SampleMs: 20},
		lib: lib,
	}
}

// defaultRules is the version when a scenario names none.
const defaultRules = "v7.3"

// defaultHZ is the tick rate when a scenario names none.
const defaultHZ = 250
