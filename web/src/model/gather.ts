// When did a process gather on one LLC, and what did memory give it then.

import type { Run, Series } from '../contract';
import { bank, raw } from '../curves';

export interface Gathered {
  /** LLC that holds the threads at the end. */
  llc: number;
  /** Seconds from which on it stays gathered. */
  from: number;
  /** True when not one thread is elsewhere from then on. */
  all: boolean;
}

/** Share of the threads that must be on one LLC. */
const SHARE = 0.95;

/**
 * Where the threads of process p sit together from some time on until the end
 * of the run; null when they do not. The last tenth of a second is left out:
 * threads exit one after another.
 */
export function gathered(run: Run, p: number): Gathered | null {
  const llcs = bank(run, 'proc_llc_threads', p);
  const n = Math.min(...llcs.map((x) => x.v.length));
  if (llcs.length < 2 || !Number.isFinite(n)) return null;
  const dt = run.sample_ns / 1e9;
  const tail = run.done ? Math.min(n - 1, Math.ceil(0.1 / dt)) : 0;
  let from = -1;
  let home = -1;
  let all = true;
  for (let i = n - 1 - tail; i >= 0; i--) {
    const total = sum(llcs, i);
    if (total === 0) continue;
    const best = llcs.reduce((a, b) => (raw(b, i) > raw(a, i) ? b : a));
    if (raw(best, i) < SHARE * total || (home >= 0 && best.index !== home)) break;
    home = best.index;
    from = i;
    if (raw(best, i) < total - 0.5) all = false;
  }
  if (home < 0) return null;
  // a process of one thread is always on one LLC; nobody calls that gathered
  return sum(llcs, from) > 1 ? { llc: home, from: from * dt, all } : null;
}

/** Where most threads were in the second half of a run. */
export interface Settled {
  llc: number;
  /** Threads there and in all, means over that half. */
  threads: number;
  all: number;
  /** Seconds at which the half begins. */
  from: number;
}

/** The LLC that holds at least four fifths of the threads in the second half; null when there is none. */
export function settled(run: Run, p: number): Settled | null {
  const llcs = bank(run, 'proc_llc_threads', p);
  const n = Math.min(...llcs.map((x) => x.v.length));
  if (llcs.length < 2 || !Number.isFinite(n) || n < 2) return null;
  const half = n >> 1;
  const mean = llcs.map((x) => {
    let total = 0;
    for (let i = half; i < n; i++) total += raw(x, i);
    return total / (n - half);
  });
  const all = mean.reduce((a, b) => a + b, 0);
  const best = mean.indexOf(Math.max(...mean));
  if (all <= 1 || (mean[best] as number) < 0.8 * all) return null;
  return { llc: (llcs[best] as Series).index, threads: mean[best] as number, all, from: (half * run.sample_ns) / 1e9 };
}

function sum(series: Series[], i: number): number {
  return series.reduce((a, x) => a + raw(x, i), 0);
}

/** Mean over time of all curves of a kind together, from t seconds on; null without curves. */
export function meanTotal(run: Run, kind: string, t: number): number | null {
  const all = bank(run, kind);
  const n = Math.min(...all.map((x) => x.v.length));
  const first = Math.floor(t / (run.sample_ns / 1e9));
  if (all.length === 0 || first >= n) return null;
  let total = 0;
  for (let i = first; i < n; i++) total += sum(all, i);
  return total / (n - first);
}
