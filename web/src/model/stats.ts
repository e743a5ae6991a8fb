// Runtimes of an arm over its seeds, as far as they are known.

import type { Expect, Opened, Result, Run } from '../contract';
import { metric } from '../curves';
import { median } from '../format';

export interface ArmStat {
  arm: number;
  label: string;
  /** One for each finished seed, in seed order. */
  runs: Run[];
  values: number[];
  median: number;
  min: number;
  max: number;
  /** Seeds that hit the time limit before the work was done. */
  unfinished: number;
  published: Expect | undefined;
}

/** What the arms are compared by. */
export const MAIN_METRIC = 'runtime_s';

export function armStats(opened: Opened, runs: readonly Run[]): ArmStat[] {
  return opened.arms.map((a, arm) => {
    const mine = runs.filter((r) => r.arm === arm).sort((x, y) => x.seed - y.seed);
    const values = mine.map((r) => metric(r, MAIN_METRIC)).filter((v): v is number => v !== null);
    return {
      arm,
      label: a.label,
      runs: mine,
      values,
      median: median(values),
      min: Math.min(...values),
      max: Math.max(...values),
      unfinished: mine.filter((r) => !r.done).length,
      published: opened.expect.find((e) => e.arm === a.label && e.metric === MAIN_METRIC && e.value !== undefined),
    };
  });
}

/** The run whose runtime is the median one: its curves stand for the arm. */
export function typical(stat: ArmStat): Run | undefined {
  const sorted = stat.runs
    .filter((r) => metric(r, MAIN_METRIC) !== null)
    .sort((a, b) => (metric(a, MAIN_METRIC) as number) - (metric(b, MAIN_METRIC) as number));
  return sorted[(sorted.length - 1) >> 1] ?? stat.runs[0];
}

export interface Delta {
  /** Percent of the reference. */
  pct: number;
  /** Whether the seeds tell the arms apart. */
  clear: boolean;
}

/** Fewest seeds for which the rank test of the engine can say anything. */
const RANKED = 4;

/**
 * Difference of an arm to the first one; null while one has no value. With
 * fewer than four seeds an arm no test can be significant: then the arms are
 * told apart when their ranges do not touch and differ by 1 % or more.
 */
export function delta(stat: ArmStat, reference: ArmStat, result: Result | null): Delta | null {
  if (stat.values.length === 0 || reference.values.length === 0) return null;
  const pct = (stat.median / reference.median - 1) * 100;
  const tested = result?.deltas.find((d) => d.arm === stat.label && d.metric === MAIN_METRIC);
  if (tested && Math.min(stat.values.length, reference.values.length) >= RANKED) return { pct, clear: tested.significant };
  const apart = stat.min > reference.max || stat.max < reference.min;
  return { pct, clear: apart && Math.abs(pct) >= 1 };
}
