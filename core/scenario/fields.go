package scenario

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"casplay/core/kernel"
	"casplay/core/kernel/cas"
	"casplay/core/kernel/expr"
	"casplay/core/machine"
	"casplay/core/workload"
)

// Field documents one setting that overrides and links can change.
type Field struct {
	// Path is the dotted path, Short the short form used in links, or empty.
	Path, Short string
	// Key has the type, unit, default, range and description.
	Key workload.Key
	// InArms is set for settings that may differ between arms, Live for those
	// that an event may change during a run.
	InArms, Live bool
	// Observes is set for settings that change what is recorded or how often,
	// not what happens.
	Observes bool

	// milli marks a decimal with three places, kept in thousandths.
	milli bool
	// entry is the workload entry that holds the value, -1 for the others.
	entry int
	// env is set for a rule given as an expression, empty for the built-in one.
	env *expr.Env
	// ref points to the value inside a scenario; nil for workload and machine.
	ref func(*Scenario) any
}

// MachinePath is the path of the machine, whose value is a MachineRef.
const MachinePath = "machine"

// Fields lists every setting of the scenario in canonical order: machine,
// kernel, workload entry by entry, run.
func (s *Scenario) Fields() []Field {
	out := make([]Field, 0, len(fixedFields)+16*len(s.Workload))
	for _, f := range fixedFields {
		if !strings.HasPrefix(f.Path, "run.") {
			out = append(out, f)
		}
	}
	for i := range s.Workload {
		for _, k := range keysOf(s.Workload[i].Kind) {
			out = append(out, workloadField(i, k))
		}
	}
	for _, f := range fixedFields {
		if strings.HasPrefix(f.Path, "run.") {
			out = append(out, f)
		}
	}
	return out
}

// Field finds a setting by its path or short form.
func (s *Scenario) Field(path string) (Field, bool) {
	for _, f := range fixedFields {
		if f.Path == path || (f.Short == path && path != "") {
			return f, true
		}
	}
	rest, isWorkload := strings.CutPrefix(path, "workload.")
	if !isWorkload {
		rest = "0." + path // the short forms of the first entry
	}
	index, key, _ := strings.Cut(rest, ".")
	i, err := strconv.Atoi(index)
	if err != nil || i < 0 || i >= len(s.Workload) || strconv.Itoa(i) != index {
		return Field{}, false
	}
	for _, k := range keysOf(s.Workload[i].Kind) {
		if f := workloadField(i, k); k.Name == key && (isWorkload || f.Short == path) {
			return f, true
		}
	}
	return Field{}, false
}

// nearest suggests a known path for an unknown one.
func (s *Scenario) nearest(path string) string {
	var known []string
	for _, f := range s.Fields() {
		known = append(known, f.Path)
		if f.Short != "" {
			known = append(known, f.Short)
		}
	}
	if n := machine.NearestKey(path, known); n != "" {
		return n
	}
	// The last part alone often names the knob: cas.tolerance, epoch_period.
	last := path[strings.LastIndexByte(path, '.')+1:]
	for _, k := range known {
		if strings.HasSuffix(k, "."+last) {
			return k
		}
	}
	return ""
}

// keysOf lists the common and the own keys of a workload kind.
func keysOf(kind string) []workload.Key {
	for _, k := range workload.Kinds() {
		if k.Name == kind {
			return append(append([]workload.Key{}, workload.CommonKeys()...), k.Keys...)
		}
	}
	return nil
}

func workloadField(entry int, k workload.Key) Field {
	f := Field{Path: "workload." + strconv.Itoa(entry) + "." + k.Name, Key: k, InArms: true, entry: entry}
	if entry == 0 && (k.Name == "threads" || k.Name == "class") {
		f.Short = k.Name
	}
	return f
}

// Value returns a setting of the scenario: int64, float64, string, bool or MachineRef.
func (s *Scenario) Value(f Field) any {
	switch {
	case f.Path == MachinePath:
		return s.Machine
	case f.entry >= 0:
		return s.Workload[f.entry].Values[f.Key.Name]
	}
	switch p := f.ref(s).(type) {
	case *int:
		return int64(*p)
	case *int64:
		return *p
	case *uint32:
		return int64(*p)
	case *uint64:
		return int64(*p)
	case *bool:
		return *p
	case *string:
		return *p
	}
	return nil
}

// Default is the value of a setting when a scenario does not give it.
func (s *Scenario) Default(f Field) any {
	if f.ref == nil {
		return f.Key.Default
	}
	return newScenario(s.Kernel.HZ, s.Kernel.Rules, nil).Value(f)
}

// set gives a setting a checked value. Another tick rate brings its own
// default epoch period, as a kernel built with it would have, and another
// version of the rules its features; fields are set in the order of Fields, so
// that an explicit period or feature wins.
func (s *Scenario) set(f Field, v any) {
	hz, rules := s.Kernel.HZ, s.Kernel.Rules
	s.put(f, v)
	if s.Kernel.Rules != rules {
		version, _ := cas.FindVersion(s.Kernel.Rules)
		s.Kernel.Features = version.Features
	}
	if s.Kernel.HZ != hz {
		s.Kernel.CAS.EpochPeriod = kernel.Default(s.Kernel.HZ).CAS.EpochPeriod
	}
}

// put stores a checked value and nothing else.
func (s *Scenario) put(f Field, v any) {
	switch {
	case f.Path == MachinePath:
		s.Machine = v.(MachineRef)
		return
	case f.entry >= 0:
		s.Workload[f.entry].Values[f.Key.Name] = v
		return
	}
	switch p := f.ref(s).(type) {
	case *int:
		*p = int(v.(int64))
	case *int64:
		*p = v.(int64)
	case *uint32:
		*p = uint32(v.(int64))
	case *uint64:
		*p = uint64(v.(int64))
	case *bool:
		*p = v.(bool)
	case *string:
		*p = v.(string)
	}
}

// knob is a field under kernel that arms and events may change.
func knob(path, short, unit string, lo, hi float64, doc string, ref func(*Scenario) any) Field {
	return Field{
		Path: "kernel." + path, Short: short, InArms: true, Live: true, entry: -1, ref: ref,
		Key: workload.Key{Name: path[strings.LastIndexByte(path, '.')+1:], Type: workload.Int, Unit: unit, Min: lo, Max: hi, Doc: doc},
	}
}

// toggle is a knob that is on or off.
func toggle(path, short, doc string, ref func(*Scenario) any) Field {
	f := knob(path, short, "", 0, 0, doc, ref)
	f.Key.Type = workload.Bool
	return f
}

// choice is a kernel setting with named values, fixed for a run.
func choice(path, short string, enum []string, t workload.KeyType, doc string, ref func(*Scenario) any) Field {
	f := knob(path, short, "", 0, math.MaxInt32, doc, ref)
	f.Live, f.Key.Type, f.Key.Enum = false, t, enum
	return f
}

// runField is a field under run; arms share them.
func runField(name, short, unit string, lo, hi float64, observes bool, doc string, ref func(*Scenario) any) Field {
	return Field{
		Path: "run." + name, Short: short, Observes: observes, entry: -1, ref: ref,
		Key: workload.Key{Name: name, Type: workload.Int, Unit: unit, Min: lo, Max: hi, Doc: doc},
	}
}

// cost is a duration of the simulated kernel's own work, fixed for a run.
func cost(name, doc string, ref func(*kernel.Timing) *int64) Field {
	f := knob("timing."+name, "", "ns", 0, 60e9, doc, func(s *Scenario) any { return ref(&s.Kernel.Timing) })
	f.Live = false
	return f
}

// lines is a number of cache lines of the simulated kernel, fixed for a run.
func lines(name, doc string, ref func(*kernel.Timing) *int64) Field {
	f := cost(name, doc, ref)
	f.Key.Unit, f.Key.Max = "lines", 1000
	return f
}

const maxUint32 = math.MaxUint32

// fixedFields are the settings that every scenario has, in canonical order.
var fixedFields = withDefaults(slices.Concat([]Field{
	{
		Path: MachinePath, InArms: true, entry: -1,
		Key: workload.Key{Name: "machine", Type: workload.String, Doc: "name of a machine file, an inline machine, or an lstopo synthetic string"},
	},
	choice("rules", "rules", cas.VersionNames[:], workload.String, "version of the rules of cache-aware scheduling: brings its own features, which those of the same arm change", func(s *Scenario) any { return &s.Kernel.Rules }),
	choice("hz", "hz", []string{"100", "250", "300", "1000"}, workload.Int, "CONFIG_HZ, ticks a second", func(s *Scenario) any { return &s.Kernel.HZ }),
	choice("preempt", "", []string{"lazy"}, workload.String, "preemption model", func(s *Scenario) any { return &s.Preempt }),
	toggleBoot("nohz", "nohz", "idle CPUs stop their tick (nohz=on)", func(s *Scenario) any { return &s.Kernel.NoHz }),
	toggle("numa_balancing", "numab", "sysctl kernel.numa_balancing", func(s *Scenario) any { return &s.Kernel.NumaBalancing }),
	toggle("cas.enabled", "cas", "llc_balancing/enabled: cache-aware scheduling is wanted", func(s *Scenario) any { return &s.Kernel.CAS.Enabled }),
	knob("cas.aggr_tolerance", "tol", "", 0, maxUint32, "llc_balancing/aggr_tolerance: 0 disables, 1..99 scale the thread and size gates, 100 and more remove them",
		func(s *Scenario) any { return &s.Kernel.CAS.AggrTolerance }),
	knob("cas.epoch_period", "epoch", "jiffies", 0, maxUint32, "llc_balancing/epoch_period: distance of two scans (0 acts as 1)",
		func(s *Scenario) any { return &s.Kernel.CAS.EpochPeriod }),
	knob("cas.epoch_affinity_timeout", "timeout", "epochs", 0, maxUint32, "llc_balancing/epoch_affinity_timeout: a process idle longer loses its preference",
		func(s *Scenario) any { return &s.Kernel.CAS.EpochAffinityTimeout }),
	knob("cas.overaggr_pct", "overaggr", "%", 0, maxUint32, "llc_balancing/overaggr_pct: utilisation up to which an LLC takes more, times 3/2 without SMT",
		func(s *Scenario) any { return &s.Kernel.CAS.OveraggrPct }),
	knob("cas.imb_pct", "imb", "%", 0, maxUint32, "llc_balancing/imb_pct: how much busier the preferred LLC may be when it no longer fits",
		func(s *Scenario) any { return &s.Kernel.CAS.ImbPct }),
	knob("numa.scan_delay_ms", "scan_delay", "ms", 0, maxUint32, "numa_balancing/scan_delay_ms: CPU time before the first scan",
		func(s *Scenario) any { return &s.Kernel.Numa.ScanDelayMs }),
	knob("numa.scan_period_min_ms", "", "ms", 1, maxUint32, "numa_balancing/scan_period_min_ms", func(s *Scenario) any { return &s.Kernel.Numa.ScanPeriodMinMs }),
	knob("numa.scan_period_max_ms", "", "ms", 1, maxUint32, "numa_balancing/scan_period_max_ms", func(s *Scenario) any { return &s.Kernel.Numa.ScanPeriodMaxMs }),
	knob("numa.scan_size_mb", "scan_size", "MiB", 1, 65536, "numa_balancing/scan_size_mb: address space unmapped by one scan",
		func(s *Scenario) any { return &s.Kernel.Numa.ScanSizeMB }),
}, featureFields(), []Field{
	expression(0), expression(1), expression(2), expression(3), expression(4),
	cost("stopper_ns", "from the request of an active balance until the stopper runs", func(t *kernel.Timing) *int64 { return &t.StopperNs }),
	cost("switch_ns", "one context switch", func(t *kernel.Timing) *int64 { return &t.SwitchNs }),
	cost("wake_ns", "enqueueing one wakeup", func(t *kernel.Timing) *int64 { return &t.WakeNs }),
	cost("submit_window_ns", "how long other CPUs do not see that a cache scan was submitted", func(t *kernel.Timing) *int64 { return &t.SubmitWindowNs }),
	cost("hint_fault_ns", "one NUMA hint fault", func(t *kernel.Timing) *int64 { return &t.HintFaultNs }),
	cost("migrate_folio_ns", "migration of one page, huge or not, besides its copy", func(t *kernel.Timing) *int64 { return &t.MigrateFolioNs }),
	cost("scan_entry_ns", "one page-table entry of a NUMA scan", func(t *kernel.Timing) *int64 { return &t.ScanEntryNs }),
	cost("cache_scan_cpu_ns", "one CPU visited by task_cache_work", func(t *kernel.Timing) *int64 { return &t.CacheScanCPUNs }),
	cost("account_ns", "what account_mm_sched adds to a context switch, besides moving its lines", func(t *kernel.Timing) *int64 { return &t.AccountNs }),
	cost("tick_ns", "one tick of a busy CPU", func(t *kernel.Timing) *int64 { return &t.TickNs }),
	cost("balance_cpu_ns", "one CPU of the domain in a balance pass", func(t *kernel.Timing) *int64 { return &t.BalanceCPUNs }),
	lines("wake_lines", "cache lines that a wakeup moves to the waker, and as many to the woken task's CPU", func(t *kernel.Timing) *int64 { return &t.WakeLines }),
	lines("move_lines", "cache lines that a thread fetches when it runs on another CPU than before", func(t *kernel.Timing) *int64 { return &t.MoveLines }),
	cost("kworker_period_ns", "how often the kernel worker of a busy CPU runs; 0: never", func(t *kernel.Timing) *int64 { return &t.KworkerPeriodNs }),
	cost("kworker_run_ns", "how long it runs", func(t *kernel.Timing) *int64 { return &t.KworkerRunNs }),
	cost("unbound_period_ns", "how often the unbound worker of each LLC runs; 0: never", func(t *kernel.Timing) *int64 { return &t.UnboundPeriodNs }),
	cost("unbound_run_ns", "how long it runs", func(t *kernel.Timing) *int64 { return &t.UnboundRunNs }),
	cost("rcu_period_ns", "how often the RCU worker runs; 0: never", func(t *kernel.Timing) *int64 { return &t.RcuPeriodNs }),
	cost("rcu_run_ns", "how long it runs", func(t *kernel.Timing) *int64 { return &t.RcuRunNs }),
	cost("tick_turn_ns", "time between the ticks of two CPUs that take turns, as under emulation; 0: all in phase", func(t *kernel.Timing) *int64 { return &t.TickTurnNs }),
	cost("interrupt_spread_ns", "spread of the delay with which an interrupt is taken", func(t *kernel.Timing) *int64 { return &t.InterruptSpreadNs }),
	cost("tick_skew_ns", "spread of the tick over the CPUs", func(t *kernel.Timing) *int64 { return &t.TickSkewNs }),
	cost("tick_spread_ns", "the same where takers of sc_stat.lock queue (lock_stat)", func(t *kernel.Timing) *int64 { return &t.TickSpreadNs }),
	runField("seeds", "seeds", "", 1, MaxSeeds, true, "runs of each arm", func(s *Scenario) any { return &s.Run.Seeds }),
	runField("seed", "", "", 0, maxUint32, true, "seed of the first run", func(s *Scenario) any { return &s.Run.Seed }),
	untilField(),
	maxSField(),
	runField("sample_ms", "sample_ms", "ms", 1, MaxMs, true, "distance of two samples of a series", func(s *Scenario) any { return &s.Run.SampleMs }),
	sampleCPUsField(),
}))

// expression is a rule of cas.WhatIfRules.
func expression(i int) Field {
	r := &cas.WhatIfRules[i]
	f := knob("what_if."+r.Name, "", "", 0, 0, "what-if rule, an expression over "+r.Env.Names()+"; empty: the rule of the version. "+r.Doc,
		func(s *Scenario) any { return r.Of(&s.Kernel.WhatIf) })
	f.Key.Type, f.env = workload.String, r.Env
	return f
}

// toggleBoot is a toggle that is fixed at boot.
func toggleBoot(path, short, doc string, ref func(*Scenario) any) Field {
	return boot(toggle(path, short, doc, ref))
}

// boot fixes a field for a run.
func boot(f Field) Field {
	f.Live = false
	return f
}

func untilField() Field {
	f := runField("until", "until", "", 0, 0, false, "run to the end of the workload (done) or for max_s (time)", func(s *Scenario) any { return &s.Run.Until })
	f.Key.Type, f.Key.Enum = workload.String, []string{"done", "time"}
	return f
}

func maxSField() Field {
	f := runField("max_s", "max_s", "s", 0.001, MaxMs/1000, false, "longest simulated time", func(s *Scenario) any { return &s.Run.MaxMs })
	f.Key.Type, f.milli = workload.Float, true
	return f
}

func sampleCPUsField() Field {
	f := runField("sample_cpus", "sample_cpus", "", 0, 0, true, "record a series for each CPU", func(s *Scenario) any { return &s.Run.SampleCPUs })
	f.Key.Type = workload.Bool
	return f
}

// withDefaults fills Key.Default for a 1000 Hz kernel.
func withDefaults(fs []Field) []Field {
	s := newScenario(1000, defaultRules, nil)
	for i := range fs {
		if fs[i].ref != nil {
			fs[i].Key.Default = s.Value(fs[i])
		}
	}
	return fs
}
