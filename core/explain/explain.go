// Package explain answers in sentences: why a process is or is not gathered on
// one LLC at some moment, which gate would decide otherwise and from which
// value on; and where two runs part.
package explain

import (
	"slices"
	"strconv"

	"casplay/core/kernel/cas"
	"casplay/core/kernel/why"
	"casplay/core/sim"
)

// Answer is what there is to say about one process.
type Answer struct {
	Process string `json:"process"`
	// AtNs is the moment, in ns from the start of the run.
	AtNs int64 `json:"at_ns"`
	// Wanted (the knob is on), Possible (some root domain has several LLCs) and
	// Active (both, so that the rules are asked) are three facts.
	Wanted   bool `json:"wanted"`
	Possible bool `json:"possible"`
	Active   bool `json:"active"`
	// Gathered: 90 % of the threads are on one LLC. Preferred is the preferred
	// LLC, -1 for none.
	Gathered  bool  `json:"gathered"`
	Preferred int32 `json:"preferred"`
	// NumaSweeps of the NUMA scanner are complete, and it has moved PagesMigrated.
	NumaSweeps    int64 `json:"numa_sweeps"`
	PagesMigrated int64 `json:"pages_migrated"`
	// Gates are the two gates as they would decide now.
	Gates []Gate `json:"gates"`
	// Text are the sentences.
	Text []string `json:"text"`
}

// Gate is one gate's verdict now, and what would change it: the values at which
// a closed gate opens, or an open one closes. -1 stands for no such value.
type Gate struct {
	Rule   string `json:"rule"`
	Closed bool   `json:"closed"`
	Value  int64  `json:"value"`
	Limit  int64  `json:"limit"`
	Unit   string `json:"unit"`
	// Knob is the tolerance that the gate reads: kernel.cas.aggr_tolerance, or one
	// for sizes or for the process alone.
	Knob string `json:"knob"`
	// Tolerance is its smallest value that lets the process pass as it is
	// now, ToleranceAll one that also does when all its threads run and the average
	// has followed.
	Tolerance    int64 `json:"tolerance"`
	ToleranceAll int64 `json:"tolerance_all"`
	// Most is the largest nr_running_avg, in threads, or footprint, in bytes, that
	// passes, all else as it is; MostRSS is the largest resident set, in bytes, for
	// a gate that compares it.
	Most    int64 `json:"most"`
	MostRSS int64 `json:"most_rss"`
}

const page = 4096

// lookAlive is how many events pass between two looks when no moment is given,
// once the run is older than that.
const lookAlive = 1 << 14

// Why runs a set-up up to a moment, in ns, and explains process p there; with a
// negative moment, at the last look before the process or the run ended.
func Why(setup sim.Setup, p int, atNs int64) (*Answer, error) {
	if atNs >= 0 {
		setup.MaxNs = min(setup.MaxNs, max(atNs, 1))
	}
	s, err := sim.New(setup)
	if err != nil {
		return nil, err
	}
	var last *Answer
	for done, n := false, 1; !done; n = min(2*n, lookAlive) {
		done = s.Step(n)
		if g := s.Gathering(p); atNs < 0 && g.Group >= 0 && g.Alive == 0 && last != nil {
			break
		}
		if done || atNs < 0 {
			last = look(s, p)
		}
	}
	return last, nil
}

// look explains process p as it is now.
func look(s *sim.Sim, p int) *Answer {
	at, sys := s.Gathering(p), s.CAS()
	a := &Answer{Process: s.ProcessName(p), AtNs: s.Now(), Wanted: s.Kernel().CAS.Enabled, Possible: at.Possible, Active: sys.Config.Active, Preferred: -1, NumaSweeps: at.Sweeps, PagesMigrated: at.PagesMigrated, Gates: []Gate{}}
	a.say("Cache-aware scheduling is " + not(a.Wanted) + "wanted (kernel.cas.enabled), " + not(a.Possible) + "possible (it takes several LLCs under one root domain) and so " + not(a.Active) + "active.")
	if at.Group < 0 {
		a.say(a.Process + " has not started yet.")
		return a
	}
	g := sys.Groups[at.Group]
	if g.CPU >= 0 {
		a.Preferred = sys.LLCOf[g.CPU]
	}
	a.Gathered = at.LLC >= 0
	if at.CPU < 0 {
		a.say(a.Process + " has no threads any more.")
		return a
	}
	home, total := sys.LLCOf[at.CPU], int32(0)
	for _, n := range at.PerLLC {
		total += n
	}
	where := num(int64(at.PerLLC[home])) + " of " + num(int64(total)) + " threads are on LLC " + num(int64(home))
	if a.Gathered {
		a.say(a.Process + " is gathered: " + where + ", since " + ms(at.SinceNs) + " ms.")
	} else {
		a.say(a.Process + " is not gathered: " + where + ", fewer than 90 %.")
	}
	if !a.Active {
		a.say("No rule of cache-aware scheduling is asked; the generic balancer alone placed the threads.")
		return a
	}
	a.gates(sys, g, at.CPU)
	a.preference(s, sys, &g, at.CPU)
	return a
}

// gates judges the group on a CPU and turns the rules round.
func (a *Answer) gates(sys *cas.System, g cas.Group, cpu int32) {
	g.Process = 0
	rules := newProbe(sys)
	for _, rule := range [...]why.Rule{why.InvalidLLCNr, why.ExceedLLCCapacity} {
		knob, now := knob(sys, &g, rule)
		closed := rules.judge(g, cpu, rule, now)
		counter := rules.sys.Book.Counter(0, rule)
		gate := Gate{Rule: rule.String(), Knob: knob, Closed: closed, Value: counter.Value, Limit: counter.Limit, Unit: rule.Unit()}
		gate.Tolerance = rules.tolerance(g, cpu, rule)
		all := g
		all.NrRunningAvg = max(g.NrRunningAvg, int64(g.Threads))
		gate.ToleranceAll = rules.tolerance(all, cpu, rule)
		most := func(set func(*cas.Group, int64)) int64 {
			return largest(func(v int64) bool {
				h := g
				set(&h, v)
				return !rules.judge(h, cpu, rule, now)
			})
		}
		gate.MostRSS = -1
		if rule == why.InvalidLLCNr {
			gate.Most = most(func(h *cas.Group, v int64) { h.NrRunningAvg = v })
		} else {
			gate.MostRSS = most(func(h *cas.Group, v int64) { h.RSSBytes = v })
			if gate.Most = most(func(h *cas.Group, v int64) { h.Footprint = v }); gate.Most >= 0 {
				gate.Most *= page
			}
		}
		if gate.Limit >= cas.Unlimited {
			gate.Limit = -1
		}
		a.Gates = append(a.Gates, gate)
		if counter.Evaluated == 0 {
			verdict := " compares nothing now and lets everything pass"
			if c := rules.sys.Book.Counter(0, why.LowHitRate); closed { // which then stands for the memory gate
				verdict = " (hit rate) keeps " + a.Process + " apart: " + why.LowHitRate.Explain(c.Value, c.Limit, true)
			}
			a.say(gate.Rule + verdict + ".")
			continue
		}
		text := a.gate(&gate, &g, rule, counter)
		if closed && rule == why.InvalidLLCNr && g.Threads > 1 && sys.Latches() {
			text += " While it is closed, scans end before they count running threads, so the average does not fall by itself."
		}
		a.say(text)
	}
}

// gate is the sentence about one gate.
func (a *Answer) gate(x *Gate, g *cas.Group, rule why.Rule, c why.Counter) string {
	size, most := num, "an nr_running_avg of at most "
	if rule == why.ExceedLLCCapacity {
		size, most = bytes, "a footprint of at most "
	}
	most += size(x.Most)
	if x.MostRSS >= 0 {
		rss := "an RSS of at most " + size(x.MostRSS)
		if x.Most >= 0 { // with fail_closed, while no footprint is known
			rss += ", or " + most + " but not 0"
		}
		most = rss
	}
	bound := x.Most >= 0 || x.MostRSS >= 0
	compared := "it compared " + size(c.Value) + " with " + size(c.Limit)
	if !x.Closed {
		switch {
		case c.Limit >= cas.Unlimited:
			compared = "there is no limit"
		case bound:
			compared += ", and would with " + most
		}
		return x.Rule + " passes: " + compared + "."
	}
	switch {
	case rule == why.InvalidLLCNr && g.Threads <= 1:
		compared = "it has one thread"
	case c.Limit < 0:
		compared = "nothing passes at this tolerance"
	}
	text, or := x.Rule+" keeps "+a.Process+" apart: "+compared+". ", "; it would with "
	if x.Tolerance >= 0 {
		text += "It would pass with " + x.Knob + "=" + num(x.Tolerance)
		if x.ToleranceAll > x.Tolerance {
			text += " as the average stands, and with " + num(x.ToleranceAll) + " when all " + num(int64(g.Threads)) + " threads run"
		}
		or = ", or with "
	} else {
		text += "No tolerance lets it pass"
	}
	if bound {
		text += or + most
	}
	return text + "."
}

// preference says what came of the gates.
func (a *Answer) preference(s *sim.Sim, sys *cas.System, g *cas.Group, cpu int32) {
	closed := slices.ContainsFunc(a.Gates, func(x Gate) bool { return x.Closed })
	age := sys.CPUs[cpu].Epoch - g.Epoch
	switch {
	case a.Preferred >= 0:
		a.say("It prefers LLC " + num(int64(a.Preferred)) + ".")
	case closed:
		a.say("So it has no preferred LLC.")
	case age > sys.Config.Timeout:
		a.say("It has no preferred LLC: no scan for " + num(age) + " epochs, more than epoch_affinity_timeout=" + num(sys.Config.Timeout) + ".")
	case g.Scans == 0:
		a.say("It has no preferred LLC: no scan (task_cache_work) has gone through yet.")
	default:
		a.say("It has no preferred LLC: it was dropped, and no scan has gone through since.")
	}
	for _, rule := range [...]why.Rule{why.NumaConflict, why.FitsLLCCapacity, why.NumaLocality, why.FailedOverride, why.ActiveGeneric, why.NumaMove} {
		if c := s.Counter(int(g.Process), rule); c.Fired > 0 {
			a.say(rule.String() + " acted " + num(c.Fired) + " of " + num(c.Evaluated) + " times so far, first at " + ms(s.Since(c.First)) + " ms: " + rule.Explain(c.Value, c.Limit, true) + ".")
		}
	}
}

// probe is a copy of the rules that can be asked without leaving a trace.
type probe struct{ sys cas.System }

func newProbe(sys *cas.System) *probe {
	p := &probe{*sys}
	p.sys.LLCs = slices.Clone(sys.LLCs)
	p.sys.Book, p.sys.Log = why.NewBook(1), nil
	return p
}

// knob is the tolerance that a gate reads for a group, and its value.
func knob(sys *cas.System, g *cas.Group, rule why.Rule) (string, uint32) {
	size := rule == why.ExceedLLCCapacity
	switch {
	case size && g.OwnSize:
		return "cas_size_tolerance", g.SizeTolerance
	case g.Own:
		return "cas_tolerance", g.Tolerance
	case size && sys.Config.SplitTolerance:
		return "kernel.features.size_tolerance", sys.Config.SizeTolerance
	}
	return "kernel.cas.aggr_tolerance", sys.Config.Tolerance
}

// tolerance is the smallest tolerance with which a gate passes, -1 for none.
func (p *probe) tolerance(g cas.Group, cpu int32, rule why.Rule) int64 {
	for t := range uint32(101) {
		if !p.judge(g, cpu, rule, t) {
			return int64(t)
		}
	}
	return -1
}

// judge asks a gate with another tolerance, whichever it reads.
func (p *probe) judge(g cas.Group, cpu int32, rule why.Rule, tolerance uint32) (closed bool) {
	g.Tolerance, g.SizeTolerance = tolerance, tolerance
	if config := p.sys.Config; config.Tolerance != tolerance || config.SizeTolerance != tolerance {
		config.Tolerance, config.SizeTolerance = tolerance, tolerance
		p.sys.Configure(config)
	}
	if rule == why.InvalidLLCNr {
		return p.sys.TooManyThreads(&g, cpu, 0)
	}
	return p.sys.TooLarge(&g, cpu, 0)
}

// largest is the largest value that passes, given that those below it do; -1 if
// none does, or all do up to 2^47. That is above all that a tolerance below 100
// scales an LLC to, and 1280 x SMT8 times it fits 64 bits.
func largest(passes func(int64) bool) int64 {
	lo, hi := int64(-1), int64(1)<<47
	if passes(hi) {
		return -1
	}
	for lo+1 < hi {
		if mid := (lo + hi) / 2; passes(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

func (a *Answer) say(text string) { a.Text = append(a.Text, text) }

func num(v int64) string { return strconv.FormatInt(v, 10) }

// bytes prints a size exactly, and in MiB where that is another number.
func bytes(v int64) string {
	if v%(1<<20) == 0 {
		return num(v>>20) + " MiB"
	}
	return num(v) + " bytes (" + strconv.FormatFloat(float64(v)/(1<<20), 'f', 1, 64) + " MiB)"
}

// ms prints ns in ms.
func ms(ns int64) string { return strconv.FormatFloat(float64(ns)/1e6, 'f', 3, 64) }

func not(yes bool) string {
	if yes {
		return ""
	}
	return "not "
}
