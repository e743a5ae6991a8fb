// What each rule of the kernel model compares and what it means when it fires.
// Names are the kernel's (core/kernel/why); words are for the gates table.

export interface RuleWords {
  /** What is compared, shown under the name. */
  what: string;
  /** How value and limit stand when the rule does not fire. */
  compare: '\u2264' | '<' | '>' | '';
  /** Verdict when it fired, and when it never did. */
  fired: string;
  quiet: string;
  /** True when firing keeps a process or a task where it is. */
  veto?: true;
  /** Rows of the short table; the others fold away. */
  main: boolean;
}

const WORDS: Record<string, RuleWords> = {
  invalid_llc_nr: { what: 'running threads, average', compare: '\u2264', fired: 'vetoes', quiet: 'permits', veto: true, main: true },
  exceed_llc_capacity: { what: 'footprint against LLC size', compare: '\u2264', fired: 'vetoes', quiet: 'permits', veto: true, main: true },
  epoch_affinity_timeout: { what: 'epochs since the last scan', compare: '\u2264', fired: 'drops', quiet: 'permits', main: false },
  numa_preferred_nid: { what: 'tasks that prefer another node', compare: '', fired: 'hides', quiet: 'permits', main: false },
  preferred_llc: { what: 'occupancy against twice the old', compare: '', fired: 'moves', quiet: 'stays', main: false },
  fits_llc_capacity: { what: 'busy share of the LLC', compare: '<', fired: 'forbids', quiet: 'permits', veto: true, main: true },
  llc_balance: { what: 'groups tagged for LLC affinity', compare: '', fired: 'pulls', quiet: 'quiet', main: false },
  migrate_llc_task_wrong_dst: { what: 'task prefers another LLC', compare: '', fired: 'keeps', quiet: 'quiet', main: false },
  alb_break_llc: { what: 'runnable tasks that are at home', compare: '\u2264', fired: 'keeps', quiet: 'quiet', main: true },
  nr_balance_failed: { what: 'failures before LLC is ignored', compare: '<', fired: 'overrides', quiet: 'holds', main: false },
  active_load_balance_llc: { what: 'running tasks pulled home', compare: '', fired: 'pulls', quiet: 'quiet', main: false },
  active_load_balance: { what: 'running tasks moved for balance', compare: '', fired: 'moves', quiet: 'quiet', main: false },
  migrate_degrades_locality: { what: 'NUMA locality answers first', compare: '', fired: 'decides', quiet: 'quiet', main: false },
  task_numa_migrate: { what: 'tasks moved to their node', compare: '', fired: 'moves', quiet: 'quiet', main: false },
  numa_scan_seq: { what: 'faults count after a full sweep', compare: '', fired: 'blocks', quiet: 'permits', main: false },
};

const UNKNOWN: RuleWords = { what: '', compare: '', fired: 'fired', quiet: 'quiet', main: false };

/** Words for a rule; an unknown rule is shown with neutral ones. */
export function wordsFor(rule: string): RuleWords {
  return WORDS[rule] ?? UNKNOWN;
}
