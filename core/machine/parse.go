package machine

import (
	"sort"
	"strconv"
	"strings"

	"casplay/core/json"
)

// MaxSpecBytes is the largest machine file that is read.
const MaxSpecBytes = 64 << 10

// ParseSpec reads a machine file. It reports all errors at once: unknown keys
// with the nearest known one, wrong types, values out of range. Absent
// performance parameters take DefaultPerf, so that the Spec returned is
// complete; without errors it can be built.
func ParseSpec(data []byte) (Spec, []FieldError) {
	if len(data) > MaxSpecBytes {
		return Spec{}, Errors{{Problem: "must be at most " + strconv.Itoa(MaxSpecBytes) + " bytes", Value: strconv.Itoa(len(data)) + " bytes"}}
	}
	tree, repeated, err := json.Parse(data)
	if err != nil {
		return Spec{}, Errors{{Problem: "is not valid JSON: " + err.Error()}}
	}
	var r specReader
	for _, path := range repeated {
		r.errs = append(r.errs, FieldError{Path: string(path), Problem: "appears twice"})
	}
	root := tree.Any()
	s := Spec{Numbering: Adjacent, ReclaimDistance: 30}
	obj, ok := r.object("", root)
	if !ok {
		return s, r.errs
	}
	r.keys("", obj, "v", "name", "title", "source", "packages", "nodes", "cpu_numbering", "llcs", "distances", "asym_packing", "asym_capacity", "smt_threads", "reclaim_distance", "node_mem_gib", "perf")
	s.V = r.integer("v", obj["v"], true, 0)
	s.Name = r.text("name", obj["name"], true)
	s.Title = r.text("title", obj["title"], false)
	s.Source = r.text("source", obj["source"], false)
	s.Packages = r.integer("packages", obj["packages"], true, 1)
	s.Nodes = r.integer("nodes", obj["nodes"], false, min(max(s.Packages, 1), maxNodes))
	if v, ok := obj["cpu_numbering"]; ok {
		s.Numbering = Numbering(r.text("cpu_numbering", v, true))
	}
	s.ReclaimDistance = r.integer("reclaim_distance", obj["reclaim_distance"], false, 30)
	r.flag(obj, "asym_packing", &s.AsymPacking)
	r.flag(obj, "asym_capacity", &s.AsymCapacity)
	s.SMTThreads = r.integer("smt_threads", obj["smt_threads"], false, 0)
	s.NodeMemGiB = r.float("node_mem_gib", obj["node_mem_gib"], false, 256)
	s.LLCs = r.llcs(obj["llcs"])
	s.Distances = r.distances(obj["distances"])
	s.Perf = DefaultPerf(&s)
	r.perf(obj["perf"], &s.Perf)
	for _, e := range s.Validate() {
		if !r.reported(e.Path) {
			r.errs = append(r.errs, e)
		}
	}
	return s, r.errs.sorted()
}

// specReader walks decoded JSON and collects errors.
type specReader struct{ errs Errors }

// reported tells whether the path, a part or a parent of it has an error already.
func (r *specReader) reported(path string) bool {
	for _, e := range r.errs {
		if e.Path == path || strings.HasPrefix(path, e.Path+".") || strings.HasPrefix(e.Path, path+".") {
			return true
		}
	}
	return false
}

func (r *specReader) add(path string, v any, problem string) {
	e := FieldError{Path: path, Problem: problem}
	if v == nil {
		e.Problem = "is missing: " + problem
	} else if b, err := json.Marshal(v); err == nil {
		e.Value = string(b[:min(len(b), 60)])
	}
	r.errs = append(r.errs, e)
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func (r *specReader) object(path string, v any) (map[string]any, bool) {
	o, ok := v.(map[string]any)
	if !ok {
		r.add(path, v, "must be an object")
	}
	return o, ok
}

// keys reports unknown keys, in order.
func (r *specReader) keys(path string, o map[string]any, known ...string) {
	var unknown []string
next:
	for k := range o {
		for _, n := range known {
			if k == n {
				continue next
			}
		}
		unknown = append(unknown, k)
	}
	sort.Stable(sort.StringSlice(unknown))
	for _, k := range unknown {
		r.errs = append(r.errs, FieldError{Path: join(path, k[:min(len(k), 64)]), Problem: "is not a known key", Nearest: NearestKey(k, known)})
	}
}

func (r *specReader) text(path string, v any, required bool) string {
	if v == nil && !required {
		return ""
	}
	s, ok := v.(string)
	if !ok {
		r.add(path, v, "must be a text")
	}
	return s
}

func (r *specReader) flag(obj map[string]any, key string, to *bool) {
	if v, ok := obj[key]; ok {
		if *to, ok = v.(bool); !ok {
			r.add(key, v, "must be true or false")
		}
	}
}

func (r *specReader) float(path string, v any, required bool, def float64) float64 {
	if v == nil && !required {
		return def
	}
	if n, ok := v.(json.Number); ok {
		if f, err := n.Float64(); err == nil {
			return f
		}
	}
	r.add(path, v, "must be a number")
	return def
}

func (r *specReader) integer(path string, v any, required bool, def int) int {
	if v == nil && !required {
		return def
	}
	if n, ok := v.(json.Number); ok {
		if i, err := strconv.ParseInt(n.String(), 10, 32); err == nil {
			return int(i)
		}
	}
	r.add(path, v, "must be a whole number")
	return def
}

func (r *specReader) list(path string, v any, limit int) []any {
	l, ok := v.([]any)
	switch {
	case !ok:
		r.add(path, v, "must be a list")
	case len(l) > limit:
		r.errs = append(r.errs, FieldError{Path: path, Value: strconv.Itoa(len(l)) + " members", Problem: "must have at most " + strconv.Itoa(limit) + " members"})
		return nil
	}
	return l
}

func (r *specReader) llcs(v any) []LLCGroup {
	var out []LLCGroup
	for i, e := range r.list("llcs", v, MaxLLCs) {
		path := "llcs." + strconv.Itoa(i)
		o, ok := r.object(path, e)
		if !ok {
			continue
		}
		r.keys(path, o, "count", "cores", "cluster_cores", "smt", "size_mib", "offline_cpus", "freq_ghz")
		g := LLCGroup{
			Count: r.integer(path+".count", o["count"], false, 1), Cores: r.integer(path+".cores", o["cores"], true, 1),
			ClusterCores: r.integer(path+".cluster_cores", o["cluster_cores"], false, 1), SMT: r.integer(path+".smt", o["smt"], false, 1),
			Offline: r.integer(path+".offline_cpus", o["offline_cpus"], false, 0),
		}
		if o["size_mib"] == nil {
			r.add(path+".size_mib", nil, "the capacity of one LLC, an object with v, source and why")
		} else {
			g.SizeMiB = r.param(path+".size_mib", o["size_mib"])
		}
		if o["freq_ghz"] != nil {
			p := r.param(path+".freq_ghz", o["freq_ghz"])
			g.FreqGHz = &p
		}
		out = append(out, g)
	}
	return out
}

func (r *specReader) distances(v any) [][]int {
	if v == nil {
		return nil
	}
	out := [][]int{}
	for i, e := range r.list("distances", v, maxNodes) {
		path := "distances." + strconv.Itoa(i)
		row := []int{}
		for j, d := range r.list(path, e, maxNodes) {
			row = append(row, r.integer(path+"."+strconv.Itoa(j), d, true, 0))
		}
		out = append(out, row)
	}
	return out
}

func (r *specReader) param(path string, v any) Param {
	o, ok := r.object(path, v)
	if !ok {
		return Param{}
	}
	r.keys(path, o, "v", "source", "why", "rows")
	p := Param{V: r.float(path+".v", o["v"], true, 0)}
	p.Source, p.Why, p.Rows = r.provenance(path, o)
	return p
}

func (r *specReader) provenance(path string, o map[string]any) (ParamSource, string, []string) {
	src := ParamSource(r.text(path+".source", o["source"], true))
	why := r.text(path+".why", o["why"], true)
	var rows []string
	if o["rows"] != nil {
		for i, e := range r.list(path+".rows", o["rows"], 32) {
			rows = append(rows, r.text(path+".rows."+strconv.Itoa(i), e, true))
		}
	}
	return src, why, rows
}

func (r *specReader) perf(v any, p *PerfSpec) {
	if v == nil {
		return
	}
	o, ok := r.object("perf", v)
	if !ok {
		return
	}
	known := []string{"idle_states"}
	for _, info := range Params() {
		known = append(known, info.Name)
		if e := o[info.Name]; e != nil {
			*info.field(p) = r.param("perf."+info.Name, e)
		}
	}
	r.keys("perf", o, known...)
	if e := o["idle_states"]; e != nil {
		p.Idle = r.idle("perf.idle_states", e)
	}
}

func (r *specReader) idle(path string, v any) IdleSpec {
	var out IdleSpec
	o, ok := r.object(path, v)
	if !ok {
		return out
	}
	r.keys(path, o, "v", "source", "why", "rows")
	out.Source, out.Why, out.Rows = r.provenance(path, o)
	for i, e := range r.list(path+".v", o["v"], 8) {
		at := path + ".v." + strconv.Itoa(i)
		st, ok := r.object(at, e)
		if !ok {
			continue
		}
		r.keys(at, st, "exit_ns", "min_residency_ns")
		out.States = append(out.States, IdleStateSpec{
			ExitNs:         int64(r.integer(at+".exit_ns", st["exit_ns"], true, 0)),
			MinResidencyNs: int64(r.integer(at+".min_residency_ns", st["min_residency_ns"], true, 0)),
		})
	}
	return out
}
