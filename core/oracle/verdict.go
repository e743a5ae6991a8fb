package oracle

import (
	"math"
	"slices"
)

// Check compares one figure of the kernel's runs with that of the model's.
type Check struct {
	// Name is the figure, with the process it belongs to when there are several.
	Name string `json:"name"`
	// Kernel and Model are the two figures; nil where a side has none.
	Kernel *float64 `json:"kernel"`
	Model  *float64 `json:"model"`
	// Low and High bound what passes.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
	Pass bool     `json:"pass"`
}

// Row is the verdict on one experiment: it passes when all checks do.
type Row struct {
	Experiment string  `json:"experiment"`
	Pass       bool    `json:"pass"`
	Checks     []Check `json:"checks"`
	// Why names the mechanism behind a known miss.
	Why string `json:"why,omitempty"`
}

// Report is the verdict on all experiments.
type Report struct {
	Rows   []Row `json:"rows"`
	Passed int   `json:"passed"`
	Total  int   `json:"total"`
}

// Tolerances of the verdict.
const (
	shareTol = 0.25 // of runs that end gathered
	topTol   = 0.08 // of the mean top share
	waitMs   = 10   // added to the range of times, with half their median
	factor   = 2    // of counts of migrations and preference changes
	countTol = 2    // added to these
	avgTol   = 1    // threads of nr_running_avg
	rateTol  = 0.10 // of the scans per second
)

// Judge compares the model's runs of an experiment with the kernel's.
func Judge(e *Experiment, model []Run) Row {
	r := Row{Experiment: e.Name, Pass: true, Why: knownMiss(e.Name)}
	procs := len(e.Runs[0].Procs)
	for i := range procs {
		prefix := ""
		if procs > 1 {
			prefix = "p" + itoa(i) + "."
		}
		k, m := column(e.Runs, i), column(model, i)
		r.add(prefix, judgeProc(e, k, m))
	}
	if procs > 1 {
		r.add("", []Check{judgeHomes(e.Runs, model)})
	}
	return r
}

func (r *Row) add(prefix string, checks []Check) {
	for _, c := range checks {
		c.Name = prefix + c.Name
		r.Checks = append(r.Checks, c)
		r.Pass = r.Pass && c.Pass
	}
}

// column is one process over all runs in which it was complete.
func column(runs []Run, i int) []*Proc {
	var out []*Proc
	for k := range runs {
		if i < len(runs[k].Procs) && runs[k].Procs[i].Threads > 0 {
			out = append(out, &runs[k].Procs[i])
		}
	}
	return out
}

func judgeProc(e *Experiment, k, m []*Proc) []Check {
	s, _ := ParseSpec(e.Spec)
	stable := func(p *Proc) (float64, bool) {
		if p.StableMs == nil {
			return 0, false
		}
		return *p.StableMs, true
	}
	kt, mt := collect(k, stable), collect(m, stable)
	checks := []Check{judgeShare(len(kt), len(k), len(mt), len(m))}
	top := func(p *Proc) (float64, bool) { return p.TopShare, true }
	kTop, mTop := mean(collect(k, top)), mean(collect(m, top))
	checks = append(checks, within("top_share_last500ms", kTop, mTop, kTop-topTol, kTop+topTol))
	if len(kt) > 0 && len(mt) > 0 {
		slack := median(kt)/2 + waitMs
		checks = append(checks, within("stable90_ms", median(kt), median(mt), slices.Min(kt)-slack, slices.Max(kt)+slack))
	}
	count := func(name string, f func(*Proc) float64) {
		kv := collect(k, func(p *Proc) (float64, bool) { return f(p), true })
		mv := collect(m, func(p *Proc) (float64, bool) { return f(p), true })
		checks = append(checks, within(name, median(kv), median(mv), slices.Min(kv)/factor-countTol, slices.Max(kv)*factor+countTol))
	}
	count("cross_llc_migrations", func(p *Proc) float64 { return float64(p.CrossLLC) })
	count("pref_cpu_changes", func(p *Proc) float64 { return float64(p.PrefChange) })
	avg := func(p *Proc) (float64, bool) {
		if p.NrRunningAvg == nil {
			return 0, false
		}
		return float64(*p.NrRunningAvg), true
	}
	if ka, ma := collect(k, avg), collect(m, avg); len(ka) > 0 && len(ma) > 0 {
		checks = append(checks, within("nr_running_avg", median(ka), median(ma), median(ka)-avgTol, median(ka)+avgTol))
	} else if len(ka)+len(ma) > 0 {
		c := Check{Name: "nr_running_avg"}
		if len(ka) > 0 {
			c.Kernel = ptr(median(ka))
		} else {
			c.Model = ptr(median(ma))
		}
		checks = append(checks, c)
	}
	rate := func(p *Proc) (float64, bool) { return float64(p.Scans) * 1000 / float64(s.DurMs), true }
	kr, mr := collect(k, rate), collect(m, rate)
	return append(checks, within("scans_per_s", median(kr), median(mr), slices.Min(kr)*(1-rateTol), slices.Max(kr)*(1+rateTol)))
}

// judgeShare compares how many runs end gathered. With few boots the kernel's
// own share is uncertain: its 95 % interval (Wilson) passes too.
func judgeShare(ks, kn, ms, mn int) Check {
	k, m := float64(ks)/float64(kn), float64(ms)/float64(max(mn, 1))
	lo, hi := wilson(ks, kn)
	return within("stable90_share", k, m, min(k-shareTol, lo), max(k+shareTol, hi))
}

// wilson is the 95 % score interval of a share of k in n.
func wilson(k, n int) (lo, hi float64) {
	const z = 1.96
	p, m := float64(k)/float64(n), float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z * math.Sqrt(p*(1-p)/m+z*z/(4*m*m)) / (1 + z*z/m)
	return mid - half, mid + half
}

// judgeHomes compares on how many LLCs competing processes end. The model's
// most frequent number must be one that the kernel reached in a quarter of its runs.
func judgeHomes(kernel, model []Run) Check {
	k, m := homes(kernel), homes(model)
	c := Check{Name: "distinct_homes", Kernel: ptr(mode(k)), Model: ptr(mode(m))}
	n := 0
	for _, v := range k {
		if v == *c.Model {
			n++
		}
	}
	c.Pass = n*4 >= len(k)
	return c
}

func homes(runs []Run) (out []float64) {
	for _, r := range runs {
		var seen []int
		for i := range r.Procs {
			if h := r.Procs[i].home(); r.Procs[i].Threads > 0 && !slices.Contains(seen, h) {
				seen = append(seen, h)
			}
		}
		out = append(out, float64(len(seen)))
	}
	return out
}

func within(name string, kernel, model, low, high float64) Check {
	return Check{Name: name, Kernel: ptr(kernel), Model: ptr(model), Low: ptr(low), High: ptr(high), Pass: model >= low-1e-9 && model <= high+1e-9}
}

func ptr(v float64) *float64 {
	v = math.Round(v*1000) / 1000
	return &v
}

func collect(ps []*Proc, f func(*Proc) (float64, bool)) (out []float64) {
	for _, p := range ps {
		if v, ok := f(p); ok {
			out = append(out, v)
		}
	}
	return out
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(max(len(v), 1))
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(v))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

// mode is the most frequent value, the smallest of equals.
func mode(v []float64) float64 {
	best, most := 0.0, 0
	for _, x := range slices.Sorted(slices.Values(v)) {
		n := 0
		for _, y := range v {
			if y == x {
				n++
			}
		}
		if n > most {
			best, most = x, n
		}
	}
	return best
}
