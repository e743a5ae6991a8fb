package cas

// Row says of a version or a proposal who made it, where, what differs from
// 7.3, and what the sources leave open and we have chosen.
type Row struct {
	// Name is a version of the rules table, or a setting under kernel.features
	// with, after an equals sign, its value.
	Name                      string
	Who, Where, Differs, Ours string
}

// AboutVersions describes the rows of Versions, in their order.
func AboutVersions() []Row {
	return []Row{
		{"rfc-v1", "Peter Zijlstra", "linux-kernel, 25 Mar 2025", "wakeups go to the preferred LLC and task_hot keeps tasks there; the load balancer knows nothing; no gates, single threads are gathered too", "scan limited to the preferred node (a later mail recalls it, without saying for which version); cache lines as in RFC v4"},
		{"rfc-v2", "Chen Yu", "linux-kernel, Apr 2025", "as rfc-v1, but wakeups leave a busy preferred LLC alone", "busy is overaggr_pct of the published utilisation; scan as rfc-v1"},
		{"rfc-v3", "Tim Chen, Chen Yu", "linux-kernel, 18 Jun 2025", "the load balancer aggregates, wakeups do not; a single thread is left out (2/20), no gate on running threads or memory", "policy numbers of 7.3; the scan's mask is that of 7.3"},
		{"rfc-v4", "Tim Chen, Chen Yu", "linux-kernel, 9 Aug 2025; patch 25/28 and its reply of 2 Sep 2025", "gates: more running threads times SMT than CPUs of the LLC (no tolerance; the scan goes on), RSS above the LLC (the scan stops); -1 is written at every accounting, on the line of nr_running_avg", "that a gate zeroes a per-CPU occupancy is left out: occupancy is computed at the scan here"},
		{"v1", "Tim Chen, Chen Yu", "linux-kernel, 11 Oct 2025, 19 patches", "thread gate at 100 % of the CPUs, on an average over eight samples for any LLC, and RSS gate, both scaled by the tolerance", "threads scale as scale x CPUs (the cover's 1 + (tol-1) x 8 gives 1, not 8, at tolerance 1); the scan mask of 7.3; cache lines as fixed in Sep 2025; period and timeout keep the knobs of 7.3, not ms"},
		{"v2", "Tim Chen, Chen Yu", "linux-kernel, Dec 2025", "no rule that our sources show differs from v1", "taken as v1"},
		{"v3", "Tim Chen, Chen Yu", "linux-kernel, 10 Feb 2026, 21 patches", "as v1, but the average of running threads follows small LLCs faster (15/21, update_avg_scale)", "the rest taken as v1"},
		{"v4", "Tim Chen, Chen Yu", "linux-kernel, Apr 2026, 22 patches; RSS as a measure rejected 10 Apr 2026", "no rule that our sources show differs from v3", "taken as v3"},
		{"v7.2", "Tim Chen, Chen Yu", "merged in 7.2", "7.3 without the fixes of September 2026: misfit_guard, asym_first, active_intent, runnable_pref, domain_bytes", ""},
		{"v7.3", "Tim Chen, Chen Yu", "Linux 7.3.4", "the reference", ""},
		{"next", "Luo Gengkun and others", "reviewed on linux-kernel, not merged", "7.3 with visited_cpus (v9 of Jul 2026, Reviewed-by Tim Chen)", "what counts as next: proposals with a Reviewed-by"},
	}
}

// AboutProposals describes the features, by what they change.
func AboutProposals() []Row {
	return []Row{
		{"thread_gate=v3", "Tim Chen, Chen Yu", "v3, Feb 2026", "at most scale x CPUs / SMT running threads, not 80 % of them", "see v1"},
		{"thread_gate=v1", "Tim Chen, Chen Yu", "v1, Oct 2025", "as v3 on an average over eight samples, up to seven below a steady number", "see v1"},
		{"thread_gate=rfc", "Chen Yu", "RFC v4 25/28, Aug 2025", "at most CPUs / SMT, on the average of v1; no tolerance; the scan goes on, so there is no latch", "SMT is that of the widest core of the machine"},
		{"thread_gate=none", "Peter Zijlstra, Chen Yu", "RFC v1, v2", "nothing looks at threads", ""},
		{"thread_gate=single", "Chen Yu", "RFC v3 2/20, 18 Jun 2025", "only a single thread is left out, but still scanned", ""},
		{"no_memory_gate", "", "RFC v1 to v3", "nothing looks at memory", ""},
		{"rss_gate", "Chen Yu", "RFC v4 to v4", "RSS above scale x LLC", "compared with the domain's share of the LLC"},
		{"fail_closed", "Jirka Hladky", "question 2, 13 Nov 2026", "without a usable footprint, aggregate only if the RSS fits", "RSS above scale(256) x llc_bytes vetoes; usable is NUMA balancing on and footprint above 0"},
		{"hit_rate", "Peter Zijlstra", "10 Apr 2026; question 3, 13 Nov 2026", "a process whose traffic misses the LLC stays apart", "all numbers: one sample a scan, average over 4, threshold 50 %, tried again after 500 samples; attribution is exact and free"},
		{"visited_cpus", "Luo Gengkun", "v8 1/2, 23 Jul 2026", "scans only CPUs used within the timeout, and forgets the others at once", ""},
		{"submission=trylock", "Luo Gengkun", "30 Jul 2026", "test again under a lock that is only tried: one submission an epoch, no regression", "cheap test first, then the try"},
		{"submission=work-last", "Luo Gengkun", "28 Jul 2026", "the work of a task stays pending until its scan ends", "a scan lasts its charged time, and while its task waits. It matters only where it outlasts an epoch, as in the scenario slow-scan; 384 CPUs take some 0.1 ms"},
		{"submission=sclock", "Tim Chen", "29 Jul 2026, judged needless a day later", "the lock is held over the scan", "takers wait until the scan's charged time is over"},
		{"lock_stat", "", "CONFIG_LOCK_STAT", "no rule: takers of sc_stat.lock queue in the order of their ticks and are counted", "ticks come within 2 us; holding the lock takes 100 ns, and its lines move at the machine's transfers (lock.go)"},
		{"numa_conflict=numa-first", "recalled by Tim Chen", "14 Oct 2025", "only the preferred node is scanned; no occupancy there drops the preference", "also hides the LLC from tasks of other nodes, as 7.3"},
		{"numa_conflict=numa-ideal", "Tim Chen", "14 Oct 2025", "the least loaded LLC of a preferred node that lasts", "lasts is numa_stable_ms without another node seen by a scan; load is the decayed runtime"},
		{"numa_conflict=cache-first", "Jianyong Wu", "RFC 7/8, 24 Jun 2026", "the preferred LLC holds whatever the preferred node", "locality still decides a single move of the balancer first"},
		{"llc_prefix", "Jianyong Wu", "RFC v1 Jun, v2 Aug 2026", "a process prefers the shortest prefix of the LLCs, nearest first, that holds it; in it tasks move freely", "all but the order and that rule (prefix.go): utilisation of running tasks at scans, busy limit and both gates for the prefix, no switches, no score of nodes, preferred node as 7.3"},
		{"llc_imb", "Jianyong Wu", "28 May 2025", "the balancer tolerates a small imbalance between the LLCs of a node", "the level test of the review, read as: child shares the LLC, domain does not"},
		{"control=always, advise, never", "Tim Chen, Chen Yu", "RFC PR_SCHED_CACHE, 28 Aug 2026", "processes share cache groups (group), have a tolerance (cas_tolerance) or switch CAS off (cas_off, with advise)", "a shared group has the threads and RSS of all; groups are on until switched off; cache_groups splits a process into equal parts by thread, each with the RSS of the whole"},
		{"split_tolerance, size_tolerance", "Yangyu Chen, Chen Yu", "out-of-tree prctl series named by the RFC of 28 Aug 2026", "the memory gate has a tolerance of its own; for one process cas_size_tolerance, cas_overaggr_pct", "a process's own tolerance counts for both unless it has both; the inherit mask over exec is left out: no workload execs"},
		{"keep_footprint", "", "before sched_cache_exit_mm subtracted it; in which version is not in our sources", "threads that exit leave their faults in the footprint", ""},
		{"scan_mask=node, none", "Luo Gengkun", "v8 2/2, 23 Jul 2026, not for merging", "SC_NODE with SC_VISIT (visited_cpus), or neither; its old and new are visited_cpus off and on", "the trace event is the metric scan_cpus_mean"},
		{"dead_band, thread_gate=cap16", "Zhang Qiao", "scx_lavd --cache-aware, May 2026", "leave an LLC above 50 % of its use, join one below 40 %; up to 16 threads, single ones too", "of the published utilisation, with the task; 16 running threads; two LLCs too full follow 7.3"},
		{"sync_wake", "K Prateek Nayak", "Jun 2025, an idea", "wake_llc leaves a synchronous wakeup alone", "ignore means the wakeup of 7.3"},
		{"wake_llc, wake_guard, no_balance", "Peter Zijlstra, Chen Yu", "RFC v1, v2", "wakeups aggregate, the balancer does not", "see rfc-v1, rfc-v2"},
		{"misfit_guard", "Tim Chen", "25 Aug 2026, in 7.3", "no LLC move takes a task from a CPU that it fits to one that it does not, and misfit tasks go first (off: 7.2)", "on machines that say asym_capacity; capacities follow the clock of the LLC"},
		{"asym_off", "Chen Yu", "14 Sep 2026, superseded by asym_first", "no cache-aware scheduling on machines with asym packing", ""},
		{"cas_over_asym", "", "Sep 2026, tried on a HX 370 (row R63)", "LLC affinity wins over asym packing", "asym packing has no say between LLCs"},
		{"asym_first", "Tim Chen", "29 Sep 2026, in 7.3", "asym packing to an idle CPU before LLC affinity (off: 7.2)", "the clock of the LLC is the priority, on machines that say asym_packing"},
		{"active_intent", "Lu Wang", "Aug-Sep 2026, in 7.3", "the stopper of an LLC move takes only a task that prefers the destination (off: 7.2)", ""},
		{"runnable_pref", "Zhan Xusheng, Tim Chen", "27 Aug 2026, in 7.3", "nr_pref_llc_running leaves out delayed tasks (off: 7.2)", ""},
		{"domain_bytes", "Davi Chaves Azevedo, fixed by Tim Chen", "11 Sep 2026, in 7.3", "the LLC's size follows the CPUs online (off: size x online / all)", ""},
		{"group_line=rfc, fix", "Tingyin Duan, Chen Yu", "2 Sep 2025", "cache lines of a group: one line written always, or two written on change", ""},
	}
}

// NotSimulated lists what is under discussion and left out, with the reason.
func NotSimulated() []Row {
	return []Row{
		{"one runnable task", "Zhan Xusheng, Chen Yu", "v2, 10 Aug 2026", "active balance may pull the last task to its preferred LLC", "the rule is not in our sources; in 7.3.4 a lone task off its preferred LLC is not protected and goes there (nr_pref_llc_running > 0), as a test shows"},
		{"footprint rework", "Peter Zijlstra", "announced Nov 2026", "accounting of the footprint with the prctl series", "not posted; see keep_footprint for what 7.3 does at exit"},
		{"LLC of size 0", "Adam Li", "26 Sep 2025", "AmpereOne: skip the size gate where no L3 is known, or apply to L2 clusters", "machine files refuse an LLC of size 0; no_memory_gate is the suggestion, an LLC for each cluster the other"},
		{"mask of preferred LLCs", "Peter Zijlstra", "Apr 2026", "a set instead of one LLC where LLCs are small", "replaced by llc_prefix"},
		{"group outlives its mm", "Hyunwoo Kim, Peter Zijlstra", "Sep 2026, in 7.3", "no use after free at exec", "no workload execs; new tasks start without a preference"},
		{"fits_llc_nr, rebuilt domains, kernel threads", "Zhan Xusheng, Tim Chen, Chen Yu", "May to Oct 2026", "5 x threads < 4 x CPUs as its own helper; domains rebuilt safely; kernel threads skipped", "no rule differs: the model has one of each already"},
		{"split LLCs, arch_llc_mask, ticks of donors", "Shrikanth Hegde, Tim Chen", "2026, in part merged", "a boot option splits an LLC, Power says its own, proxy execution", "no rule: a machine says where its LLCs are; there is no proxy execution"},
		{"RDT ways and occupancy", "Peter Zijlstra", "10 Apr 2026", "LLC size shrinks with the ways taken away", "no rule; use a smaller size_mib"},
	}
}
