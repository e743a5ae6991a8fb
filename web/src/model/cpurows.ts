// Rows of the CPU heat map: CPUs in the order of the drawing, by package, LLC,
// cluster and core, with gaps where an LLC and where a node ends.

import type { Layout } from '../contract';

export interface CpuRow {
  cpu: number;
  core: number;
  llc: number;
  node: number;
  /** Pixels from the top. */
  y: number;
}

export interface CpuRows {
  rows: CpuRow[];
  /** Height of one row in pixels, and of all with their gaps. */
  rowHeight: number;
  height: number;
  /** First row of each LLC. */
  llcs: { llc: number; first: number; y: number }[];
}

/** Many CPUs have thin rows: 288 are 2 px each, 1024 are 1 px. */
function heightOf(n: number): number {
  return n <= 32 ? 10 : n <= 64 ? 6 : n <= 128 ? 4 : n <= 192 ? 3 : n <= 512 ? 2 : 1;
}

const cache = new WeakMap<Layout, CpuRows>();

export function cpuRows(machine: Layout): CpuRows {
  let made = cache.get(machine);
  if (!made) cache.set(machine, (made = build(machine)));
  return made;
}

function build(machine: Layout): CpuRows {
  const rowHeight = heightOf(machine.cpus);
  const rows: CpuRow[] = [];
  const llcs: CpuRows['llcs'] = [];
  let y = 0;
  let core = 0;
  let node = -1;
  for (const p of machine.packages)
    for (const llc of p.llcs) {
      if (rows.length) y += llc.node === node ? 2 : 6;
      node = llc.node;
      llcs.push({ llc: llc.index, first: rows.length, y });
      for (const threads of llc.clusters.flat()) {
        for (const cpu of threads) {
          rows.push({ cpu, core, llc: llc.index, node: llc.node, y });
          y += rowHeight;
        }
        core++;
      }
    }
  return { rows, rowHeight, height: y, llcs };
}

/** The row at a pixel; the nearest one in a gap. */
export function rowAt(r: CpuRows, y: number): number {
  let best = 0;
  for (let i = 0; i < r.rows.length && (r.rows[i] as CpuRow).y <= y; i++) best = i;
  return best;
}

/** First row of the LLC after or before that of a row. */
export function otherLlc(r: CpuRows, row: number, step: -1 | 1): number {
  const at = r.llcs.findLastIndex((l) => l.first <= row);
  return r.llcs[Math.min(r.llcs.length - 1, Math.max(0, at + step))]?.first ?? row;
}

/** Means of a curve over n columns of a time span, as levels 0 to 8 of full; 255 where there is no sample. */
export function levels(v: Int32Array, full: number, from: number, to: number, n: number): Uint8Array {
  const out = new Uint8Array(n).fill(255);
  for (let b = 0; b < n; b++) {
    const i0 = Math.max(0, Math.floor(from + ((to - from) * b) / n));
    const i1 = Math.min(v.length, Math.max(i0 + 1, Math.floor(from + ((to - from) * (b + 1)) / n)));
    if (i0 >= v.length) break;
    let sum = 0;
    for (let i = i0; i < i1; i++) sum += v[i] as number;
    out[b] = Math.min(8, Math.max(0, Math.round((sum / (i1 - i0) / full) * 8)));
  }
  return out;
}
