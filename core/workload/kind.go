// Package workload turns a scenario's workload entries into programs: what
// each thread does, which memory it sweeps, where it may run. The scheduler
// sees none of it; the simulator executes it.
package workload

// KeyType is the type of a workload key in a scenario.
type KeyType uint8

const (
	Int    KeyType = iota // whole number
	Float                 // any number
	String                // one of Key.Enum, or free text if Enum is empty
	Bool
)

// Key documents one key of a workload kind; the validator, the form on the
// page and the documentation are made from it.
type Key struct {
	Name string
	Type KeyType
	// Unit is shown beside the value ("threads", "us", "MiB", "").
	Unit string
	// Default is used when the key is absent: int64, float64, string or bool.
	Default any
	// Min and Max bound numbers, inclusive; Max > 0 the bytes of a String.
	Min, Max float64
	Enum     []string
	Doc      string
}

// Kind documents one kind of workload.
type Kind struct {
	Name string
	Doc  string
	Keys []Key // without the common keys
}

// Spec is one validated workload entry: every key of its kind and every
// common key is present, with the right Go type.
type Spec struct {
	Kind   string
	Values map[string]any
}

// Int returns an Int key.
func (s Spec) Int(name string) int64 { return s.Values[name].(int64) }

// Float returns a Float key.
func (s Spec) Float(name string) float64 { return s.Values[name].(float64) }

// String returns a String key.
func (s Spec) String(name string) string { return s.Values[name].(string) }

// Bool returns a Bool key.
func (s Spec) Bool(name string) bool { return s.Values[name].(bool) }
