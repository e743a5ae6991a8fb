// What the arms are compared by, and how to say it.

import type { Expect, Opened, Run } from '../contract';
import { metric } from '../curves';
import { count, fixed, seconds, secondsApart } from '../format';
import { valueAt } from '../paths';

/** What to compare by when nobody has published anything; the first that a run has. */
const USUAL = ['runtime_s', 'projected_s', 'request_p99_ms', 'wake_p99_us'];

/** What was published for the scenario, or for the preset that it was made from. */
export function publishedRows(opened: Opened): Expect[] {
  const of = (valueAt(opened.base, 'expect') ?? []) as Expect[];
  return opened.expect.length ? opened.expect : of;
}

/**
 * The metric that decides: the first one with a published value that the runs
 * have, else the first of the usual ones, else a throughput.
 */
export function mainMetric(opened: Opened, runs: readonly Run[]): string {
  const rows = publishedRows(opened);
  const has = (name: string) => runs.some((r) => metric(r, name) !== null);
  const published = rows.find((e) => has(e.metric) && (e.value !== undefined || e.delta_pct !== undefined)) ?? rows.find((e) => has(e.metric));
  if (published && !(published.value === undefined && published.delta_pct === undefined && has(USUAL[0] as string))) return published.metric;
  return USUAL.find(has) ?? runs[0]?.metrics.find((m) => m.name.startsWith('throughput_'))?.name ?? published?.metric ?? (USUAL[0] as string);
}

export interface MetricWords {
  /** Head of the column. */
  title: string;
  unit: string;
  /** Whether a smaller value is the better one; null when neither is. */
  less: boolean | null;
  /** True for times that an arm takes. */
  time: boolean;
}

const WORDS: Record<string, MetricWords> = {
  runtime_s: { title: 'Runtime', unit: 's', less: true, time: true },
  projected_s: { title: 'Projected time', unit: 's', less: true, time: true },
  request_p99_ms: { title: 'p99 request latency', unit: 'ms', less: true, time: false },
  wake_p50_us: { title: 'p50 wakeup latency', unit: 'µs', less: true, time: false },
  wake_p99_us: { title: 'p99 wakeup latency', unit: 'µs', less: true, time: false },
  throughput_gbps: { title: 'Throughput', unit: 'GB/s', less: false, time: false },
};

/** Words for a metric; the unit is in its name. */
export function metricWords(name: string): MetricWords {
  const known = WORDS[name];
  if (known) return known;
  if (name.startsWith('throughput_')) return { title: 'Throughput', unit: `${name.slice(11)}/s`, less: false, time: false };
  const m = /^(.*)_(s|ms|us|pct|gbps)$/.exec(name);
  const units: Record<string, string> = { us: 'µs', pct: '%', gbps: 'GB/s' };
  return { title: (m?.[1] ?? name).replaceAll('_', ' '), unit: m ? (units[m[2] as string] ?? (m[2] as string)) : '', less: null, time: false };
}

/** A value of a metric with its unit. */
export function metricText(name: string, v: number): string {
  const w = metricWords(name);
  if (w.unit === 's') return seconds(v);
  const number = Math.abs(v) >= 10_000 ? count(v) : fixed(v, Number.isInteger(v) ? 0 : v >= 100 ? 0 : v >= 10 ? 1 : 2);
  return w.unit ? `${number} ${w.unit}` : number;
}

/** Two values with as many digits as tell them apart. */
export function metricsApart(name: string, a: number, b: number): [string, string] {
  return metricWords(name).unit === 's' ? secondsApart(a, b) : [metricText(name, a), metricText(name, b)];
}

/** "takes 65 % longer", "has 27 % more p99 request latency". */
export function change(name: string, pct: number): string {
  const w = metricWords(name);
  const size = `${fixed(Math.abs(pct), Math.abs(pct) < 10 ? 1 : 0)} %`;
  if (w.time) return `takes ${size} ${pct > 0 ? 'longer' : 'less time'}`;
  if (!Number.isFinite(pct)) return 'differs';
  return `has ${size} ${pct > 0 ? 'more' : 'less'} ${w.title.toLowerCase()}`;
}
