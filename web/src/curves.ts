// Reads curves out of runs, and grows a run from its partial results.

import type { Partial as Part, Run, Series } from './contract';

const banks = new WeakMap<Run, Map<string, Series[]>>();

/** Traffic from one package (index) to another (sub): no kind of a process. */
export const LINKS = 'link_bw';

/** The series of a kind in index order; for kinds of a process, those of process `sub`. */
export function bank(run: Run | undefined, kind: string, sub = 0): Series[] {
  if (!run) return [];
  let known = banks.get(run);
  if (!known) {
    known = new Map();
    for (const x of run.series) {
      const id = `${x.kind}/${x.kind === LINKS ? 0 : (x.sub ?? 0)}`;
      const list = known.get(id);
      if (list) list.push(x);
      else known.set(id, [x]);
    }
    for (const list of known.values()) list.sort((a, b) => a.index - b.index || (a.sub ?? 0) - (b.sub ?? 0));
    banks.set(run, known);
  }
  return known.get(`${kind}/${sub}`) ?? [];
}

/** What tells a series of a kind from the others: "1", or "0\u21921" for a link. */
export function placeOf(x: Series): string {
  return x.kind === LINKS ? `${x.index}\u2192${x.sub ?? 0}` : String(x.index);
}

/** Value of a curve at time t in seconds; null after its end. */
export function at(run: Run, series: Series | undefined, t: number): number | null {
  if (!series || series.v.length === 0 || t < 0) return null;
  const dt = run.sample_ns / 1e9;
  // sample i covers (i dt, (i+1) dt]
  const i = Math.max(0, Math.ceil(t / dt - 1e-9) - 1);
  if (i >= series.v.length) return i - series.v.length < 1 && t <= run.sim_ns / 1e9 ? raw(series, series.v.length - 1) : null;
  return raw(series, i);
}

/** Sample i in the unit of the series. */
export function raw(series: Series, i: number): number {
  return (series.v[i] as number) / series.scale;
}

/** A metric of a run; null where it is absent. */
export function metric(run: Run | undefined, name: string): number | null {
  return run?.metrics.find((m) => m.name === name)?.value ?? null;
}

/** End of a run in seconds. */
export function end(run: Run | undefined): number {
  return run ? run.sim_ns / 1e9 : 0;
}

/** Samples in the buffers that joined made. */
const filled = new WeakMap<ArrayBufferLike, number>();

/** One array after another, in the buffer of the first where that has room: a curve grows many times. */
function joined(a: Int32Array, b: Int32Array): Int32Array {
  const n = a.length + b.length;
  let { buffer } = a;
  if (filled.get(buffer) !== a.length || buffer.byteLength < 4 * n) {
    buffer = new ArrayBuffer(8 * n);
    new Int32Array(buffer).set(a);
  }
  const v = new Int32Array(buffer, 0, n);
  v.set(b, a.length);
  filled.set(buffer, n);
  return v;
}

const key = (x: Series) => `${x.kind}/${x.index}/${x.sub ?? 0}`;

/**
 * Joins a partial result to what came before: curves and log hold only what
 * is new, all else is the state now.
 */
export function grow(before: Run | undefined, part: Part): Run {
  if (!before) return part.run;
  const old = new Map(before.series.map((x) => [key(x), x]));
  const series = part.run.series.map((x) => {
    const was = old.get(key(x));
    if (!was) return x;
    return { ...x, v: joined(was.v, x.v) };
  });
  return { ...part.run, series, log: before.log.concat(part.run.log) };
}
