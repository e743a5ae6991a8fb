package oracle

import (
	"encoding/json"
	"errors"
	"strings"

	"casplay/core/kernel"
	"casplay/core/machine"
	"casplay/core/scenario"
)

// knobPaths are the settings behind the knobs of a spec.
var knobPaths = map[string]string{
	"enabled": "kernel.cas.enabled", "tol": "kernel.cas.aggr_tolerance", "ep": "kernel.cas.epoch_period",
	"to": "kernel.cas.epoch_affinity_timeout", "over": "kernel.cas.overaggr_pct", "imb": "kernel.cas.imb_pct",
	"numa": "kernel.numa_balancing", "scandelay": "kernel.numa.scan_delay_ms",
}

// Convert makes a scenario of an experiment. It lacks what a scenario cannot
// say: the runner that forks the processes, threads that bind themselves, the
// random gaps and phases of the guest, partitions, CPUs that are switched off,
// affinities that change during a run; Prepare adds these to a run.
func Convert(e *Experiment, lib scenario.Library) (*scenario.Scenario, error) {
	spec, err := ParseSpec(e.Spec)
	if err != nil {
		return nil, err
	}
	mach, err := machineOf(e, lib)
	if err != nil {
		return nil, err
	}
	doc := object{
		"v": 1, "name": scenarioName(e.Name), "title": "Recorded experiment " + e.Name,
		"purpose": "What a real kernel decided in an emulated machine. There are no caches there: read nothing about performance here.",
		"source":  "core/oracle/harness, " + clip(e.Kernel, 80) + ", " + e.Topology.Name + ": " + e.Spec,
		"machine": mach, "kernel": kernelOf(e, spec),
		"run":  object{"seeds": 20, "seed": 1, "until": "time", "max_s": float64(spec.DurMs) / 1000, "sample_ms": 20},
		"arms": []object{{"label": "model"}},
	}
	var work, events []object
	for i := range spec.Work {
		name := procName(i)
		work = append(work, entryOf(&spec.Work[i], name, spec))
		events = append(events, sleepsOf(&spec.Work[i], name)...)
	}
	for _, c := range spec.At {
		if knobPaths[c.Knob] == "" {
			continue
		}
		var v any = c.Value
		if c.Knob == "enabled" || c.Knob == "numa" {
			v = c.Value != 0
		}
		events = append(events, object{"at_ms": c.Ms, "set": object{knobPaths[c.Knob]: v}})
	}
	doc["workload"] = work
	if len(events) > 0 {
		doc["events"] = events
	}
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	return scenario.Parse(text, lib)
}

// procName names a process so that no name is the beginning of another.
func procName(i int) string { return "w" + string(rune('0'+i/10)) + string(rune('0'+i%10)) }

type object map[string]any

func clip(s string, n int) string { return s[:min(len(s), n)] }

func scenarioName(s string) string {
	return clip(strings.ReplaceAll(strings.ToLower(s), "_", "-"), 40)
}

// kernelOf is the kernel section: the recorded knobs, and the costs of kernel
// code in the emulation.
func kernelOf(e *Experiment, s *Spec) object {
	cas := object{"enabled": s.Enabled != 0}
	for key, v := range map[string]int{"aggr_tolerance": s.Tol, "epoch_period": s.Ep, "epoch_affinity_timeout": s.To, "overaggr_pct": s.Over, "imb_pct": s.Imb} {
		if v >= 0 {
			cas[key] = v
		}
	}
	numa := e.Knobs.NUMA != 0
	if s.NUMA >= 0 {
		numa = s.NUMA != 0
	}
	return object{
		"hz": e.HZ, "nohz": !strings.HasSuffix(e.Topology.Name, "hz"), "numa_balancing": numa,
		"cas": cas, "numa": object{"scan_delay_ms": s.ScanDelay},
		"timing": timingOf(Emulated(s.busy())),
	}
}

func timingOf(t kernel.Timing) object {
	return object{
		"stopper_ns": t.StopperNs, "switch_ns": t.SwitchNs, "wake_ns": t.WakeNs, "submit_window_ns": t.SubmitWindowNs,
		"hint_fault_ns": t.HintFaultNs, "migrate_folio_ns": t.MigrateFolioNs, "scan_entry_ns": t.ScanEntryNs,
		"cache_scan_cpu_ns": t.CacheScanCPUNs, "tick_ns": t.TickNs, "balance_cpu_ns": t.BalanceCPUNs, "wake_lines": t.WakeLines, "move_lines": t.MoveLines,
		"kworker_period_ns": t.KworkerPeriodNs, "kworker_run_ns": t.KworkerRunNs,
		"unbound_period_ns": t.UnboundPeriodNs, "unbound_run_ns": t.UnboundRunNs,
		"rcu_period_ns": t.RcuPeriodNs, "rcu_run_ns": t.RcuRunNs, "tick_skew_ns": t.TickSkewNs,
	}
}

// entryOf is the workload entry of a process.
func entryOf(w *Work, name string, spec *Spec) object {
	o := object{"name": name, "start_ms": w.Start, "spawn_gap_us": 1000}
	switch w.Kind {
	case "spin":
		o["kind"], o["threads"] = "spin", w.N
		if w.Split > 0 && w.Split < w.N {
			o["last_threads"], o["late_ms"] = w.N-w.Split, w.Late
			if w.Mix > 0 {
				o["last_busy_pct"], o["period_us"] = w.Mix, w.Per
			}
		}
	case "duty":
		o["kind"], o["threads"], o["busy_pct"], o["period_us"] = "duty", w.N, w.Pct, w.Per
	case "pp":
		o["kind"], o["pairs"], o["work_us"], o["syscall_ns"] = "pipe", w.N, w.Work, messageNs(spec.busy())
	case "hb":
		o["kind"], o["groups"], o["fds"], o["loops"], o["syscall_ns"] = "hackbench", w.G, w.F, 0, messageNs(spec.busy())
	case "bar":
		o["kind"], o["threads"], o["work_us"] = "barrier", w.N, w.Work
	case "mem":
		o["kind"], o["threads"], o["mib"], o["page_ns"] = "mem", w.N, max(w.MB, 1), pageNs(spec.busy())
		if w.Touch != 0 {
			o["sweep"] = "all"
		}
	}
	switch {
	case w.Split > 0:
		o["place"] = "split:" + itoa(w.Split)
	case w.Pin > 0:
		o["place"] = "llc:" + itoa(w.Pin-1)
	case w.Place == 1:
		o["place"], o["place_until_ms"] = "round-robin", spec.AffMs
	case w.Place == 2:
		o["place"], o["place_until_ms"] = "packed", spec.AffMs
	}
	return o
}

// sleepsOf are the timeline sleeps of a process.
func sleepsOf(w *Work, name string) (out []object) {
	if w.Keep > 0 && w.Keep < w.Threads() {
		out = append(out, object{"at_ms": w.KeepAt, "sleep": name, "threads": w.Threads() - w.Keep})
	}
	if w.OffAt > 0 {
		out = append(out, object{"at_ms": w.OffAt, "sleep": name, "for_ms": w.OffMs})
	}
	return out
}

// machineOf is the shipped description of a recorded machine when there is
// one, else one made from the recorded topology.
func machineOf(e *Experiment, lib scenario.Library) (any, error) {
	t := &e.Topology
	if len(t.LLCs) == 0 || len(t.LLCs) > machine.MaxLLCs {
		return nil, errors.New("topology: needs 1 to 128 llcs")
	}
	cpus, err := countCPUs(t.LLCs[0].CPUs)
	if err != nil {
		return nil, err
	}
	for _, l := range t.LLCs {
		if n, err := countCPUs(l.CPUs); err != nil || n != cpus {
			return nil, errors.New("topology: all LLCs must have equally many CPUs")
		}
	}
	if name := "emu-" + strings.TrimSuffix(t.Name, "hz"); lib.Machine(name) != nil {
		return name, nil
	}
	smt := 1
	if t.SMT != "" {
		if smt, err = countCPUs(t.SMT); err != nil || cpus%smt != 0 {
			return nil, errors.New("topology: smt_siblings_cpu0 must be a CPU list whose length divides an LLC")
		}
	}
	packages := len(t.LLCs)
	for _, f := range strings.Split(t.SMP, ",") {
		if v, ok := strings.CutPrefix(f, "sockets="); ok {
			if n, err := number(v, machine.MaxLLCs); err == nil && n > 0 && len(t.LLCs)%n == 0 {
				packages = n
			}
		}
	}
	size, err := number(strings.TrimSuffix(t.LLCs[0].Size, "K"), 1<<30)
	if err != nil || size == 0 {
		return nil, errors.New("topology: size of an LLC must look like 16384K")
	}
	nodes := max(len(t.Nodes), 1)
	m := object{
		"v": 1, "name": scenarioName("emu-" + t.Name), "title": "Emulated machine " + t.Name, "source": "topology of the recording; no performance parameter means anything",
		"packages": packages, "nodes": nodes, "cpu_numbering": "adjacent", "reclaim_distance": 30, "node_mem_gib": 1.5 / float64(nodes),
		"llcs": []object{{"count": len(t.LLCs) / packages, "cores": cpus / smt, "cluster_cores": 1, "smt": smt,
			"size_mib": object{"v": float64(size) / 1024, "source": "public", "why": "cache/index3/size read in the guest"}}},
	}
	if nodes > 1 {
		d := make([][]int, nodes)
		for i := range d {
			d[i] = make([]int, nodes)
			for j := range d[i] {
				d[i][j] = 20
			}
			d[i][i] = 10
		}
		m["distances"] = d
	}
	return m, nil
}

// countCPUs is the length of a list like 0-7 or 0,16.
func countCPUs(list string) (int, error) {
	cpus, err := cpuList(list)
	return len(cpus), err
}

// cpuList reads a list like 0-7 or 0,16.
func cpuList(list string) (out []int, err error) {
	for _, part := range strings.Split(list, ",") {
		a, b, isRange := strings.Cut(part, "-")
		if !isRange {
			b = a
		}
		lo, err := number(a, machine.MaxCPUs-1)
		hi, err2 := number(b, machine.MaxCPUs-1)
		if err != nil || err2 != nil || hi < lo {
			return nil, errors.New(list + " is not a CPU list")
		}
		for c := lo; c <= hi; c++ {
			out = append(out, c)
		}
	}
	return out, nil
}
