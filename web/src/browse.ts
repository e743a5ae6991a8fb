// The list of shipped scenarios with what was published and simulated, and
// the verdict of the oracle. The build writes it; this is the one place that
// knows where from.

import type { Expect } from './contract';

export type PublishedRow = Expect & { simulated: number; deviation: number; pass: boolean; reason?: string };

export interface IndexEntry {
  name: string;
  title: string;
  purpose: string;
  machine: string;
  cpus: number;
  rows: PublishedRow[];
  /** Names of the points of a table of scenarios. */
  points?: string[];
}

export interface OracleRow {
  experiment: string;
  pass: boolean;
  why?: string;
  /** Figures that lie outside what the kernel did. */
  checks: { name: string; kernel: number | null; model: number | null; low: number | null; high: number | null }[];
}

/** index.json of the results. */
export interface SiteIndex {
  scenarios: IndexEntry[];
  oracle: { passed: number; total: number; seeds: number; rows: OracleRow[] } | null;
}

/** Topics in the order of the list; the first that matches the name wins. */
const TOPICS: [title: string, names: RegExp][] = [
  ['Memory bandwidth', /^(mg|stream)/],
  ['Messages between threads', /^(hackbench|netperf|iperf|pipe)/],
  ['Services and latency', /^(schbench|valkey|sysbench|redis|mysql)/],
  ['Shared data', /^(xiangshan|verilator|shared)/],
  ['Cost of the scanner', /^scan/],
];

export function topicOf(name: string): string {
  return TOPICS.find(([, names]) => names.test(name))?.[0] ?? 'Other';
}

/** Groups by topic, in the order of the topics. */
export function byTopic<T extends { name: string }>(list: readonly T[]): [string, T[]][] {
  return [...TOPICS.map(([title]) => title), 'Other'].map((title): [string, T[]] => [title, list.filter((x) => topicOf(x.name) === title)]).filter(([, found]) => found.length > 0);
}

/** Joins the points of a table, name.point, to one entry that the first of them describes. */
export function withTables(list: readonly IndexEntry[]): IndexEntry[] {
  const out = new Map<string, IndexEntry>();
  for (const e of list) {
    const [table, point] = e.name.split('.') as [string, string?];
    const known = out.get(table);
    if (point === undefined) out.set(table, e);
    else if (known?.points) known.points.push(e.name);
    else out.set(table, { ...e, name: table, points: [e.name] });
  }
  return [...out.values()];
}

/** Entries of which name, title, purpose and machine hold every word. */
export function found(list: readonly IndexEntry[], words: string): IndexEntry[] {
  const all = words.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return list.filter((x) => all.every((w) => `${x.name} ${x.title} ${x.purpose} ${x.machine} ${x.points?.join(' ') ?? ''}`.toLowerCase().includes(w)));
}

/** Rows with a published number, and how many are within their tolerance. */
export function score(rows: readonly PublishedRow[]): { passed: number; total: number; training: number } {
  return { passed: rows.filter((r) => r.pass).length, total: rows.length, training: rows.filter((r) => r.role === 'training').length };
}

let kept: Promise<SiteIndex | null> | null = null;

/** The index in the folder of results, fetched once; null when the site was built without. */
export function siteIndex(pre: string): Promise<SiteIndex | null> {
  kept ??= fetch(new URL('index.json', pre)).then((r) => (r.ok ? (r.json() as Promise<SiteIndex>) : null), () => null);
  return kept;
}
