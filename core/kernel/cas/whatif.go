package cas

import (
	"casplay/core/kernel"
	"casplay/core/kernel/expr"
	"casplay/core/kernel/why"
)

// WhatIfRule documents a rule that a scenario can give as an expression.
type WhatIfRule struct {
	// Name is the rule's in a scenario (kernel.what_if.<name>); Doc says what the
	// value means and, as an expression, what 7.3 does.
	Name, Doc string
	Env       *expr.Env
	// Of is where the text of the rule lies.
	Of func(*kernel.WhatIf) *string

	rule why.Rule
	put  func(*System, *expr.Program)
}

// whatIf are the compiled rules of the present configuration, nil for built-in
// ones; those of the policy are in Policy.
type whatIf struct {
	threads, memory, prefer *expr.Program
	// hits tells that a gate reads hit_rate, which has to be sampled then.
	hits bool
}

// Variables that several rules have.
var (
	smtVar  = expr.Var{Name: "smt", Doc: "hardware threads of a core (machine)"}
	busyVar = expr.Var{Name: "busy_pct", Doc: "% of an LLC's capacity from which it takes no more: overaggr_pct, times 3/2 without SMT"}
)

// gateVars are the variables of both gates, in the order of judge.
var gateVars = []expr.Var{
	{Name: "footprint_bytes", Doc: "bytes, NUMA balancing's estimate of the working set; 0 until hint faults came, and while NUMA balancing is off"},
	{Name: "rss_bytes", Doc: "bytes, resident set of the process"},
	{Name: "llc_bytes", Doc: "bytes, the LLC domain's share of the cache (7.3 get_effective_llc_bytes)"},
	{Name: "llc_cpus", Doc: "CPUs of the LLC domain (7.3 sd_llc_size)"},
	{Name: "nr_running_avg", Doc: "average of the running threads of the process (7.3 update_avg_scale)"},
	{Name: "nr_threads", Doc: "threads of the process"},
	smtVar,
	{Name: "tolerance", Doc: "aggr_tolerance, 0 to 2^32-1"},
	{Name: "scale", Doc: "7.3 get_sched_cache_scale: 1 + (tolerance-1)*m with m = 256 for sizes and 1 for threads; 0 at tolerance 0, 2^62 from 100"},
	{Name: "hit_rate", Doc: "thousandths of the traffic below L2 that hit the LLC, averaged over scans; -1 until there is one, and again after 500 scans below 500 (our choice, hitrate.go)"},
	{Name: "numa_balancing", Type: expr.Bool, Doc: "NUMA balancing is on and there are several nodes"},
}

// WhatIfRules is the table of rules: errors, documentation and the page's facts
// come from it.
var WhatIfRules = []WhatIfRule{
	{
		Name: "invalid_llc_nr", Doc: "true keeps the process apart; 7.3: nr_threads <= 1 || tolerance < 100 && !fits(nr_running_avg*smt, scale*llc_cpus)",
		Env: &expr.Env{Vars: gateVars, Want: expr.Bool}, Of: func(w *kernel.WhatIf) *string { return &w.InvalidLLCNr },
		rule: why.InvalidLLCNr, put: func(s *System, p *expr.Program) { s.whatIf.threads = p },
	},
	{
		Name: "exceed_llc_capacity", Doc: "true keeps the process apart; 7.3: numa_balancing && tolerance < 100 && footprint_bytes > llc_bytes*scale",
		Env: &expr.Env{Vars: gateVars, Want: expr.Bool}, Of: func(w *kernel.WhatIf) *string { return &w.ExceedLLCCapacity },
		rule: why.ExceedLLCCapacity, put: func(s *System, p *expr.Program) { s.whatIf.memory = p },
	},
	{
		Name: "fits_llc_capacity", Doc: "true lets an LLC take more; 7.3: util*100 < capacity*busy_pct",
		Env: &expr.Env{Want: expr.Bool, Vars: []expr.Var{
			{Name: "util", Doc: "utilisation of the LLC as published, 1024 for a busy CPU"},
			{Name: "capacity", Doc: "capacity of the LLC as published, 1024 for a CPU"},
			busyVar, smtVar,
		}},
		Of: func(w *kernel.WhatIf) *string { return &w.FitsLLCCapacity }, rule: why.FitsLLCCapacity, put: func(s *System, p *expr.Program) { s.Config.Policy.fits = p },
	},
	{
		Name: "can_migrate_llc", Doc: "forbid, move (for LLC affinity) or generic (leave it to the balancer); 7.3: !src_fits && !dst_fits ? generic : to_pref ? (!dst_fits && 100*dst_util > (100+imb_pct)*src_util ? forbid : move) : src_fits || 100*src_util <= (100+imb_pct)*dst_util ? forbid : move",
		Env: &expr.Env{Want: expr.Verdict, Words: []string{"forbid", "move", "generic"}, Vars: []expr.Var{
			{Name: "src_util", Doc: "utilisation of the source LLC without the task, 1024 for a busy CPU"},
			{Name: "dst_util", Doc: "utilisation of the destination LLC with the task"},
			{Name: "src_cap", Doc: "capacity of the source LLC, 1024 for a CPU"},
			{Name: "dst_cap", Doc: "capacity of the destination LLC"},
			{Name: "task_util", Doc: "utilisation of the task, 0 to 1024; 0 when a whole group is judged"},
			{Name: "src_fits", Type: expr.Bool, Doc: "fits_llc_capacity of the source"},
			{Name: "dst_fits", Type: expr.Bool, Doc: "fits_llc_capacity of the destination"},
			{Name: "to_pref", Type: expr.Bool, Doc: "the destination is the preferred LLC; else the source is"},
			busyVar,
			{Name: "imb_pct", Doc: "%, the knob"},
			smtVar,
		}},
		Of: func(w *kernel.WhatIf) *string { return &w.CanMigrateLLC }, rule: why.FitsLLCCapacity, put: func(s *System, p *expr.Program) { s.Config.Policy.migrate = p },
	},
	{
		Name: "preferred_llc", Doc: "true moves the preference to the LLC of the best occupancy; 7.3: best > 2*current",
		Env: &expr.Env{Want: expr.Bool, Vars: []expr.Var{
			{Name: "best", Doc: "largest occupancy of an LLC that the scan found, 2^20 for each CPU used alone"},
			{Name: "current", Doc: "occupancy of the present preferred LLC, 0 without one"},
			{Name: "home", Doc: "the present preferred LLC, -1 without one"},
		}},
		Of: func(w *kernel.WhatIf) *string { return &w.PreferredLLC }, rule: why.PreferredLLC, put: func(s *System, p *expr.Program) { s.whatIf.prefer = p },
	},
}

// CheckWhatIf finds the first expression that does not compile.
func CheckWhatIf(w *kernel.WhatIf) error {
	for i := range WhatIfRules {
		r := &WhatIfRules[i]
		if text := *r.Of(w); text != "" {
			if _, err := expr.Compile(text, r.Env); err != nil {
				return err
			}
		}
	}
	return nil
}

// compileWhatIf takes over the expressions of the configuration, which have
// been checked.
func (s *System) compileWhatIf() {
	s.whatIf.hits = false
	for i := range WhatIfRules {
		r := &WhatIfRules[i]
		var p *expr.Program
		if text := *r.Of(&s.Config.WhatIf); text != "" {
			p, _ = expr.Compile(text, r.Env)
		}
		r.put(s, p)
		s.whatIf.hits = s.whatIf.hits || p != nil && r.Env.Uses(p, "hit_rate")
		if s.Book != nil {
			s.Book.WhatIf[r.rule] = s.Book.WhatIf[r.rule] || p != nil
		}
	}
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// judge asks the expression of a gate, whose tolerance counts mul-fold. Value and
// limit are what it compared last.
func (s *System) judge(p *expr.Program, g *Group, l *LLC, mul int64) (veto bool, value, limit int64) {
	footprint := int64(0)
	if s.Config.NumaBalancing {
		footprint = g.Footprint * 4096
	}
	hits := int64(-1)
	if g.hits.known {
		hits = g.hits.avg
	}
	tol := s.tolerance(g)
	if mul > 1 {
		tol = s.sizeTolerance(g)
	}
	r := p.Run([]int64{
		footprint, g.RSSBytes, l.Bytes, l.CPUs, g.NrRunningAvg, int64(g.Threads), s.Config.Policy.SMT,
		int64(tol), Scale(tol, mul), hits, truth(s.Config.NumaBalancing),
	})
	return r.Value != 0, r.Left, min(r.Right, Unlimited)
}
