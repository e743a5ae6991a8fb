package trace

import (
	"slices"
	"strconv"

	"casplay/core/json"
	"casplay/core/kernel/record"
	"casplay/core/result"
)

// Numbers of the rows in a trace. Threads and processes must not share any:
// viewers take a thread with the number of a process for its main thread.
const (
	llcPid     = 1     // + LLC
	processPid = 1001  // + process
	nodePid    = 5001  // + node
	cpuTid     = 10001 // + CPU
	decideTid  = 20001 // + process
)

// Chrome writes the run in the trace-event format (JSON object form) that
// Perfetto and chrome://tracing open: a process for each LLC, sorted by node,
// with a row for each CPU; slices of running threads; arrows for migrations
// between LLCs; decisions as instants, those about a process on a row of its
// own; counters of the LLCs and nodes. Times are in us.
func (r *Recording) Chrome() []byte {
	w := &chrome{r: r, out: []byte(`{"displayTimeUnit":"ms","otherData":{"source":"casplay: a model, not a measurement","arm":`)}
	w.out = append(json.AppendString(w.out, r.Run.Label), `,"seed":"`...)
	w.out = append(strconv.AppendUint(w.out, r.Run.Seed, 10), `","records left out":"`...)
	w.out = append(strconv.AppendInt(w.out, int64(r.Log.Dropped), 10), `"},"traceEvents":[`...)
	w.rows()
	w.slices()
	w.decisions()
	w.counters()
	return append(w.out, "\n]}\n"...)
}

type chrome struct {
	r     *Recording
	out   []byte
	any   bool
	flows int64
	// runs are the slices of each task in order of time.
	runs [][]slice
}

// slice is one stretch of a task on a CPU.
type slice struct {
	from, to int64
	cpu      int32
}

// event opens an event with the fields that all have; close ends it.
func (w *chrome) event(ph, name string, pid, tid int32, at int64) *chrome {
	if w.any {
		w.out = append(w.out, ',')
	}
	w.any = true
	w.out = append(w.out, "\n{\"ph\":\""...)
	w.out = append(w.out, ph...)
	w.out = append(w.out, `","name":`...)
	w.out = json.AppendString(w.out, name)
	w.number("pid", int64(pid))
	w.number("tid", int64(tid))
	return w.time("ts", at)
}

func (w *chrome) key(k string) {
	w.out = append(w.out, ',', '"')
	w.out = append(w.out, k...)
	w.out = append(w.out, '"', ':')
}

func (w *chrome) number(k string, v int64) *chrome {
	w.key(k)
	w.out = strconv.AppendInt(w.out, v, 10)
	return w
}

func (w *chrome) text(k, v string) *chrome {
	w.key(k)
	w.out = json.AppendString(w.out, v)
	return w
}

// time writes ns as us.
func (w *chrome) time(k string, ns int64) *chrome {
	w.key(k)
	w.out = append(w.out, thousandths(ns)...)
	return w
}

// arg writes a single argument whose value is already JSON.
func (w *chrome) arg(k, v string) *chrome {
	w.key("args")
	w.out = append(w.out, '{', '"')
	w.out = append(w.out, k...)
	w.out = append(w.out, '"', ':')
	w.out = append(append(w.out, v...), '}')
	return w
}

func (w *chrome) argText(k, v string) *chrome { return w.arg(k, string(json.AppendString(nil, v))) }

func (w *chrome) close() { w.out = append(w.out, '}') }

func (w *chrome) meta(what string, pid, tid int32, k, v string) {
	w.event("M", what, pid, tid, 0).arg(k, v).close()
}

func (w *chrome) name(what string, pid, tid int32, name string, order int) {
	w.meta(what+"_name", pid, tid, "name", string(json.AppendString(nil, name)))
	w.meta(what+"_sort_index", pid, tid, "sort_index", strconv.Itoa(order))
}

// rows names and sorts processes and threads: the workload's processes with
// their decisions, then node by node its bandwidth and its LLCs.
func (w *chrome) rows() {
	m := w.r.Machine
	order := 0
	for p, name := range w.r.Processes {
		pid, tid := processPid+int32(p), decideTid+int32(p)
		w.name("process", pid, tid, name, order)
		w.name("thread", pid, tid, "decisions", 0)
		order++
	}
	for n := range m.Nodes {
		w.name("process", nodePid+int32(n), nodePid+int32(n), "node "+strconv.Itoa(n), order)
		order++
		for l := range m.LLCs {
			if int(m.LLCs[l].Node) != n {
				continue
			}
			w.name("process", llcPid+int32(l), llcPid+int32(l), "node "+strconv.Itoa(n)+", LLC "+strconv.Itoa(l), order)
			order++
		}
	}
	for c := range m.CPUs {
		w.name("thread", llcPid+m.CPUs[c].LLC, cpuTid+int32(c), "CPU "+strconv.Itoa(c), c)
	}
}

// slices writes what ran where.
func (w *chrome) slices() {
	type open struct {
		task int32
		at   int64
	}
	on := make([]open, len(w.r.Machine.CPUs))
	for c := range on {
		on[c].task = -1
	}
	w.runs = make([][]slice, len(w.r.Tasks))
	end := func(c int32, at int64) {
		o := on[c]
		if o.task < 0 || at == o.at {
			return
		}
		w.runs[o.task] = append(w.runs[o.task], slice{o.at, at, c})
		w.event("X", w.r.task(o.task), llcPid+w.r.llc(c), cpuTid+c, o.at).time("dur", at-o.at).text("cat", "sched").close()
	}
	for _, s := range w.r.Log.Switches {
		end(s.CPU, s.At)
		on[s.CPU] = open{s.Task, s.At}
	}
	last := w.r.Run.SimNs
	if n := len(w.r.Log.Switches); w.r.Log.Dropped > 0 && n == w.r.Log.Max {
		// what ran afterwards is not known
		last = w.r.Log.Switches[n-1].At
		w.event("i", "no slices from here on: the trace is full", processPid, decideTid, last).text("s", "g").text("cat", "decision").argText("text", strconv.Itoa(int(w.r.Log.Dropped))+" records were left out").close()
	}
	for c := range on {
		end(int32(c), last)
	}
}

// decisions writes instants, and arrows for migrations between LLCs.
func (w *chrome) decisions() {
	for i := range w.r.Log.Decisions {
		d := &w.r.Log.Decisions[i]
		topic, text, _ := w.r.tell(d.What)
		pid, tid, scope := int32(0), int32(0), "t"
		onCPU := func(c int32) { pid, tid = llcPid+w.r.llc(c), cpuTid+c }
		onProcess := func(p int32) { pid, tid = processPid+p, decideTid+p }
		switch v := d.What.(type) {
		case *record.Migration:
			if topic == Moves {
				w.arrow(v, d.At, text)
			}
			continue
		case *record.Fork:
			onCPU(v.CPU)
		case *record.Wakeup:
			onCPU(v.CPU)
		case *record.Balance:
			onCPU(v.CPU)
		case *record.Policy:
			onCPU(v.CPU)
		case *record.Override:
			onCPU(v.CPU)
		case *record.Kick:
			onCPU(v.CPU)
		case *record.Preferred:
			onProcess(v.Process)
		case *record.Verdict:
			onProcess(v.Process)
		case *record.Scan:
			onProcess(v.Process)
		case *record.Park:
			onProcess(v.Process)
		default:
			pid, tid, scope = processPid, decideTid, "g"
		}
		w.event("i", string(topic), pid, tid, d.At).text("s", scope).text("cat", "decision").argText("text", text).close()
	}
}

// arrow joins the last slice of a task before a migration to the first after it.
func (w *chrome) arrow(m *record.Migration, at int64, text string) {
	runs := w.runs[m.Task]
	next, _ := slices.BinarySearchFunc(runs, at, func(s slice, at int64) int {
		if s.from < at {
			return -1
		}
		return 1
	})
	if next == 0 || next == len(runs) || runs[next-1].cpu != m.From || runs[next].cpu != m.To {
		return
	}
	a, b := runs[next-1], runs[next]
	w.flows++
	w.event("s", "LLC migration", llcPid+w.r.llc(a.cpu), cpuTid+a.cpu, a.to-1).number("id", w.flows).text("cat", "migration").argText("text", text).close()
	w.event("f", "LLC migration", llcPid+w.r.llc(b.cpu), cpuTid+b.cpu, b.from).number("id", w.flows).text("cat", "migration").text("bp", "e").close()
}

// counters writes the curves of LLCs and nodes. A sample is a mean over the
// interval before it and so stands at the start of that.
func (w *chrome) counters() {
	for i := range w.r.Run.Series {
		s := &w.r.Run.Series[i]
		var name string
		pid := llcPid + int32(s.Index)
		switch s.Kind {
		case "llc_util":
			name = "utilisation"
		case "llc_hit":
			name = "hit bandwidth"
		case "llc_fill":
			name = "fill bandwidth"
		case "node_bw":
			name, pid = "memory bandwidth", nodePid+int32(s.Index)
		default:
			continue
		}
		w.curve(s, name+" ("+s.Unit+")", pid)
	}
}

func (w *chrome) curve(s *result.Series, name string, pid int32) {
	for i, v := range s.V {
		if i > 0 && v == s.V[i-1] {
			continue
		}
		value := thousandths(int64(v) * 1000 / int64(s.Scale))
		w.event("C", name, pid, pid, int64(i)*w.r.Run.SampleNs).arg("value", value).close()
	}
}
