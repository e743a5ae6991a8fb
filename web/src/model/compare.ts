// The same scenario under two engines.

import type { Opened, Result } from '../contract';
import type { Choice } from '../engines';

export interface PairRow {
  arm: string;
  metric: string;
  /** Medians; null where an engine has no such metric. */
  old: number | null;
  now: number | null;
}

/** Metrics with published values; without any of them runtimes, rates and tails; without those all. */
export function rowsOf(opened: Opened, old: Result, now: Result): PairRow[] {
  const published = new Set(opened.expect.map((e) => e.metric));
  const rows = old.arms.flatMap((a) => {
    const other = now.arms.find((b) => b.label === a.label);
    const names = new Set([...Object.keys(a.metrics), ...Object.keys(other?.metrics ?? {})]);
    return [...names].map((metric) => ({ arm: a.label, metric, old: a.metrics[metric]?.median ?? null, now: other?.metrics[metric]?.median ?? null }));
  });
  const first = rows.filter((r) => published.has(r.metric));
  const second = rows.filter((r) => /^(runtime_s|projected_s|throughput_.*|.*_p99_.*)$/.test(r.metric));
  return first.length ? first : second.length ? second : rows;
}

/** What to do about a digest that a link promised; "" when there is nothing to say. */
export function advice(choice: Choice, promised: string | undefined, found: string): string {
  if (!promised || found.startsWith(promised)) return '';
  if (choice.missing) return `The link promises another result (${promised.slice(0, 8)}, here ${found.slice(0, 8)}). It was made by engine ${choice.named}, which this site does not have: open the link on the site it came from, or trust neither until both agree.`;
  if (choice.named) return `The link promises another result (${promised.slice(0, 8)}, here ${found.slice(0, 8)}) of this very engine. Equal engines give equal bits, so the link was edited or one of the two computers erred: run again, then report both links.`;
  return `The link promises another result (${promised.slice(0, 8)}, here ${found.slice(0, 8)}) and names no engine. It may be of an older one: ask the sender for a link made with "Copy link".`;
}
