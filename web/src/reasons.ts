// What the engine says about a process at a moment, and about where two arms
// part. The Go side is core/explain.

/** A gate as it would decide now; -1 stands for no such value. */
export interface GateNow {
  rule: string;
  closed: boolean;
  value: number;
  limit: number;
  unit: string;
  /** The tolerance that the gate reads: a path under kernel, or a setting of the process. */
  knob: string;
  /** Its smallest value that lets the process pass as it is, and one that also does when all its threads run. */
  tolerance: number;
  tolerance_all: number;
  most: number;
  most_rss: number;
}

export interface Reasons {
  process: string;
  at_ns: number;
  /** Three facts: the knob is on; some root domain has several LLCs; both, so that rules are asked. */
  wanted: boolean;
  possible: boolean;
  active: boolean;
  gathered: boolean;
  preferred: number;
  /** Of the NUMA scanner, so far. */
  numa_sweeps: number;
  pages_migrated: number;
  gates: GateNow[];
  /** The sentences; the first one says the three facts. */
  text: string[];
}

/** A decision of one run with its inputs; no text when the run has decided everything already. */
export interface Side {
  at_ns: number;
  text: string;
  /** What the gate compared here whose verdict the other run has in this place. */
  rule?: string;
}

export interface Difference {
  a: Side;
  b: Side;
}

/** The first decision of any kind that differs, and the first that puts a thread on another CPU. */
export interface Differences {
  decision?: Difference;
  placement?: Difference;
}

/** The last answer at or before t seconds, else the first; the answers lie in the order of time. */
export function reasonsAt(list: readonly Reasons[], t: number): Reasons | undefined {
  let [lo, hi] = [0, list.length];
  const ns = t * 1e9 + 1;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if ((list[mid] as Reasons).at_ns <= ns) lo = mid + 1;
    else hi = mid;
  }
  return list[Math.max(0, lo - 1)];
}

/** A moment in ns with the digits that decisions need. */
export function moment(ns: number): string {
  return ns < 1e9 ? `${(ns / 1e6).toFixed(3)} ms` : `${(ns / 1e9).toFixed(3)} s`;
}

/** Two texts in pieces; `other` marks words that the other text has not in that place. Texts of different shape have one piece each. */
export function pieces(a: string, b: string): { text: string; other: boolean }[][] {
  const [x, y] = [a.split(' '), b.split(' ')];
  const alike = x.filter((word, i) => word === y[i]).length;
  if (x.length !== y.length || alike * 2 < x.length) return [a, b].map((text) => [{ text, other: false }]);
  return [x, y].map((words, side) => words.map((text, i) => ({ text: i ? ` ${text}` : text, other: text !== ([y, x][side] as string[])[i] })));
}
