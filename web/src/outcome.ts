// Outcomes of runs as the engine writes them; the Go side is core/result.

import type { Expect } from './contract';

export interface Metric {
  name: string;
  value: number;
}

/** One curve: value = v[i] / scale, a mean over the sample before it. */
export interface Series {
  kind: string;
  index: number;
  sub?: number;
  unit: string;
  scale: number;
  cap?: number;
  v: Int32Array;
}

export interface Process {
  name: string;
  threads: number;
  /** [time ns, LLC or -1] at each change. */
  preferred: [number, number][];
  rss_bytes: number;
  footprint_pages_max: number;
  numa_sweeps: number;
  pages_migrated: number;
  hint_faults: number;
  scan_runs: number;
  scans: number;
  nr_running_avg: number;
  nr_running_avg_max: number;
}

export interface Decision {
  rule: string;
  process: number;
  evaluated: number;
  fired: number;
  first_ns: number;
  last_ns: number;
  at_ns: number;
  value: number;
  limit: number;
  unit: string;
  text: string;
}

export interface Entry {
  at_ns: number;
  rule: string;
  process: number;
  text: string;
}

export interface Run {
  arm: number;
  label: string;
  seed: number;
  done: boolean;
  sim_ns: number;
  events: number;
  metrics: Metric[];
  series: Series[];
  sample_ns: number;
  processes: Process[];
  decisions: Decision[];
  log: Entry[];
  warnings?: string[];
  digest: string;
}

/** What a running simulation reports about every 100 ms: new samples only. */
export interface Partial {
  fraction: number;
  sim_ns: number;
  run: Run;
}

/** Median and spread of one metric over the seeds of an arm. */
export interface Stat {
  median: number;
  min: number;
  max: number;
  n: number;
}

/** A decision over all seeds of an arm: counts are sums. */
export interface ArmDecision extends Decision {
  seeds: number;
  fired_seeds: number;
}

/** What all runs came to; core/result.Result without the curves. */
export interface Result {
  engine: string;
  digest: string;
  arms: {
    label: string;
    changes: string[];
    cas: { wanted: boolean; possible: boolean; active: boolean; preferring: number };
    metrics: Record<string, Stat>;
    shown_seed: number;
    decisions: ArmDecision[];
    warnings: string[];
  }[];
  deltas: { arm: string; metric: string; ref: number; value: number; pct: number | null; p: number; significant: boolean }[];
  verdicts: (Expect & { simulated: number; deviation: number; pass: boolean; reason?: string })[];
  warnings: string[];
}
