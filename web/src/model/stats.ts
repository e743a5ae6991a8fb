// The metric that counts, of an arm over its seeds, as far as it is known.

import type { Expect, Opened, Result, Run } from '../contract';
import { metric } from '../curves';
import { median } from '../format';
import { mainMetric, publishedRows } from './metrics';

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
  /** Name of the metric, and the arm that this one is compared with. */
  metric: string;
  reference: number;
}

/** The arm that another is compared with: the one its published row names, else the first. */
function referenceOf(opened: Opened, arm: number): number {
  const rows = publishedRows(opened);
  const vs = rows.find((e) => e.arm === opened.arms[arm]?.label && e.vs !== undefined)?.vs;
  const at = opened.arms.findIndex((a) => a.label === vs);
  if (at >= 0) return at;
  // an arm that others are compared with stands for itself
  const pivot = rows.some((e) => e.vs === opened.arms[arm]?.label);
  return pivot ? arm : 0;
}

export function armStats(opened: Opened, runs: readonly Run[]): ArmStat[] {
  const name = mainMetric(opened, runs);
  return opened.arms.map((a, arm) => {
    const rows = opened.expect.filter((e) => e.arm === a.label && e.metric === name);
    const mine = runs.filter((r) => r.arm === arm).sort((x, y) => x.seed - y.seed);
    const values = mine.map((r) => metric(r, name)).filter((v): v is number => v !== null);
    return {
      arm,
      label: a.label,
      runs: mine,
      values,
      median: median(values),
      min: Math.min(...values),
      max: Math.max(...values),
      unfinished: mine.filter((r) => !r.done).length,
      published: rows.find((e) => e.value !== undefined) ?? rows.find((e) => e.delta_pct !== undefined),
      metric: name,
      reference: referenceOf(opened, arm),
    };
  });
}

/** The run whose value is the median one: its curves stand for the arm. */
export function typical(stat: ArmStat): Run | undefined {
  const sorted = stat.runs
    .filter((r) => metric(r, stat.metric) !== null)
    .sort((a, b) => (metric(a, stat.metric) as number) - (metric(b, stat.metric) as number));
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
 * Difference of an arm to the one it is compared with; null while one has no value. With
 * fewer than four seeds an arm no test can be significant: then the arms are
 * told apart when their ranges do not touch and differ by 1 % or more.
 */
export function delta(stat: ArmStat, reference: ArmStat, result: Result | null): Delta | null {
  if (stat.values.length === 0 || reference.values.length === 0) return null;
  const pct = stat.median === reference.median ? 0 : (stat.median / reference.median - 1) * 100;
  // the engine tests against the first arm only
  const tested = reference.arm === 0 ? result?.deltas.find((d) => d.arm === stat.label && d.metric === stat.metric) : undefined;
  if (tested && Math.min(stat.values.length, reference.values.length) >= RANKED) return { pct, clear: tested.significant };
  const apart = stat.min > reference.max || stat.max < reference.min;
  return { pct, clear: apart && Math.abs(pct) >= 1 };
}
