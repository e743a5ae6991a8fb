// Where a process stands at a moment, from the curves of its run.

import type { Process, Run } from '../contract';
import { at, bank } from '../curves';

/** The LLC that a process prefers at t seconds, -1 for none, and since when in ns. */
export function preferredOf(p: Process, t: number): { llc: number; sinceNs: number } {
  const last = p.preferred.filter(([ns]) => ns / 1e9 <= t).at(-1);
  return { llc: last?.[1] ?? -1, sinceNs: last?.[0] ?? 0 };
}

/** Threads of process p by LLC at t seconds; empty without curves. */
export function threadsAt(run: Run, p: number, t: number): number[] {
  return bank(run, 'proc_llc_threads', p).map((x) => at(run, x, t)).filter((v): v is number => v !== null);
}

/** Pages of process p by node at t seconds. */
export function pagesAt(run: Run, p: number, t: number): number[] {
  return bank(run, 'proc_node_pages', p).map((x) => at(run, x, t) ?? 0);
}

/** A curve of process p at t seconds; null where there is none. */
export function valueOf(run: Run, kind: string, p: number, t: number): number | null {
  return at(run, bank(run, kind, p)[0], t);
}

/** Whole percents that add up to 100: the largest part takes what rounding leaves. */
export function percents(parts: readonly number[], sum: number): number[] {
  const out = parts.map((v) => Math.round((v / sum) * 100));
  const most = out.indexOf(Math.max(...out));
  out[most] = (out[most] as number) + 100 - out.reduce((a, b) => a + b, 0);
  return out;
}
