// The first decision that differs between two arms with the same seed: there
// they part, and all that follows may come of it.

import type { Entry, Run } from '../contract';

export interface Parting {
  /** Seconds. */
  t: number;
  /** What each of the two logs says there; null where a log has nothing more. */
  a: Entry | null;
  b: Entry | null;
}

const same = (x: Entry, y: Entry) => x.at_ns === y.at_ns && x.rule === y.rule && x.process === y.process && x.text === y.text;

/** Where the logs of two runs part; null when they do not, or when a log is empty. */
export function parting(a: Run, b: Run): Parting | null {
  if (a.log.length === 0 || b.log.length === 0) return null;
  let i = 0;
  while (i < a.log.length && i < b.log.length && same(a.log[i] as Entry, b.log[i] as Entry)) i++;
  const [x, y] = [a.log[i] ?? null, b.log[i] ?? null];
  if (!x && !y) return null;
  return { t: Math.min(x?.at_ns ?? Infinity, y?.at_ns ?? Infinity) / 1e9, a: x, b: y };
}
