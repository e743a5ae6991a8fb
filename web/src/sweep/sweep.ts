// A sweep: the same scenario with one or two settings varied, every arm at
// every point, streamed as runs finish.

import type { Answer, FieldError, Opened, Run } from '../contract';
import { metric } from '../curves';
import { median } from '../format';

export interface SweepAxis {
  path: string;
  name: string;
  values: string[];
}

export interface SweepPlan {
  x: SweepAxis;
  /** Absent for a curve. */
  y?: SweepAxis;
  seeds: number;
}

/** One combination of values. */
export interface SweepPoint {
  x: string;
  y: string;
  /** The scenario of the point; null until the engine has taken the values, or when it refused. */
  opened: Opened | null;
  error: string;
  /** Metrics of each run, by arm. */
  runs: Map<string, number>[][];
}

export interface Sweep {
  base: Opened;
  plan: SweepPlan;
  points: SweepPoint[];
  /** Runs finished, of how many; running tells whether more will come. */
  done: number;
  total: number;
  running: boolean;
  message: string;
}

/** What a sweep needs of the engine. */
export interface SweepEngine {
  set(scenario: string, path: string, value: string, extra?: readonly string[]): Promise<Answer<Opened>>;
  measure(scenario: string, arm: number, seed: number): Promise<Answer<Run>>;
}

/** More runs than this are refused before any starts. */
export const MOST_RUNS = 2000;

/** Median of a metric of an arm at a point; null while it has none. */
export function valueOf(point: SweepPoint, arm: number, name: string): number | null {
  const v = median((point.runs[arm] ?? []).map((m) => m.get(name)).filter((x): x is number => x !== undefined));
  return Number.isNaN(v) ? null : v;
}

/** Change of an arm against the first one in percent; null while one is missing. */
export function changeOf(point: SweepPoint, arm: number, name: string): number | null {
  const v = valueOf(point, arm, name);
  const r = valueOf(point, 0, name);
  return v === null || r === null || r === 0 ? null : (v / r - 1) * 100;
}

/** Metrics that some run has. */
export function metricsOf(sweep: Sweep): string[] {
  const names = new Set<string>();
  for (const p of sweep.points) for (const arm of p.runs) for (const run of arm) for (const name of run.keys()) names.add(name);
  return [...names];
}

const problem = (errors: FieldError[]) => errors.map((e) => e.message).join('; ');

/** A sweep that has not begun. */
export function prepare(base: Opened, plan: SweepPlan): Sweep {
  const points = (plan.y?.values ?? ['']).flatMap((y) => plan.x.values.map((x): SweepPoint => ({ x, y, opened: null, error: '', runs: base.arms.map(() => []) })));
  const total = points.length * base.arms.length * plan.seeds;
  if (total > MOST_RUNS) throw new Error(`${total} runs are too many: at most ${MOST_RUNS}. Take fewer values or seeds.`);
  return { base, plan, points, done: 0, total, running: true, message: '' };
}

/**
 * Runs a prepared sweep; tell is called after every change. stopped is asked
 * between runs. Points come coarse first, so that the shape is seen early.
 */
export async function runSweep(engine: SweepEngine, sweep: Sweep, tell: () => void, stopped: () => boolean): Promise<void> {
  const { plan, base } = sweep;
  const open = async (point: SweepPoint): Promise<Opened | null> => {
    let answer = await engine.set(base.text, plan.x.path, point.x, base.extra);
    if (answer.ok && plan.y) answer = await engine.set(answer.value.text, plan.y.path, point.y, base.extra);
    // the seeds of a point are those of its link
    if (answer.ok) answer = await engine.set(answer.value.text, 'run.seeds', String(plan.seeds), base.extra);
    if (!answer.ok) point.error = problem(answer.errors);
    return answer.ok ? answer.value : null;
  };
  const one = async (point: SweepPoint): Promise<void> => {
    if (stopped()) return;
    const opened = await open(point);
    point.opened = opened;
    if (!opened) {
      sweep.done += base.arms.length * plan.seeds;
      tell();
      return;
    }
    const jobs = opened.seeds.flatMap((seed) => opened.arms.map((_, arm) => ({ seed, arm })));
    await Promise.all(jobs.map(async ({ seed, arm }) => {
      const answer = await engine.measure(opened.text, arm, seed);
      if (stopped()) return;
      if (answer.ok) point.runs[arm]?.push(new Map(answer.value.metrics.map((m) => [m.name, metric(answer.value, m.name) as number])));
      else point.error = problem(answer.errors);
      sweep.done++;
      tell();
    }));
  };
  await Promise.all(coarse(sweep.points).map(one));
}

/** Every fourth point first, then the rest. */
export function coarse<T>(points: readonly T[]): T[] {
  return [0, 2, 1, 3].flatMap((k) => points.filter((_, i) => i % 4 === k));
}
