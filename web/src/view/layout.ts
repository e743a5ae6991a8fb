// Geometry of the machine drawing: where each box goes, in the nesting and
// the order of lstopo. Pure numbers; machineview.ts makes them visible.

import type { Layout, LayoutLLC } from '../contract';

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface CellBox extends Box {
  cpu: number;
}

export interface LLCBox extends Box {
  llc: LayoutLLC;
  /** Small boxes have no room for the word L3. */
  small: boolean;
  cells: CellBox[];
}

export interface NodeBox extends Box {
  index: number;
  gbps: number;
  /** A one-line strip beside the package name. */
  strip: boolean;
}

export interface PackageBox extends Box {
  index: number;
  nodes: NodeBox[];
  llcs: LLCBox[];
}

export interface Drawing {
  width: number;
  height: number;
  packages: PackageBox[];
}

const GAP = 6;
/** Beyond this many LLCs in a package each is drawn small. */
const BIG = 2;

/** Side by side while few and big, else one below the other. */
export function drawingFor(machine: Layout, width: number): Drawing {
  const most = Math.max(...machine.packages.map((p) => p.llcs.length));
  return most <= BIG && machine.packages.length <= 2 ? beside(machine, width) : below(machine, width);
}

function beside(machine: Layout, width: number): Drawing {
  const n = machine.packages.length;
  const pw = (width - GAP * (n - 1)) / n;
  const packages = machine.packages.map((p, k) => bigPackage(p, k * (pw + GAP), pw, width));
  const height = Math.max(...packages.map((p) => p.h));
  for (const p of packages) {
    for (const l of p.llcs) l.h += height - p.h;
    p.h = height;
  }
  return { width, height, packages };
}

/** Columns of a grid of n clusters in a box of this shape. */
export function columnsFor(n: number, w: number): number {
  const columns = Math.max(1, Math.round(Math.sqrt(n * (w > 70 ? 1 : 0.7))));
  return Math.min(n, columns);
}

function bigPackage(p: Layout['packages'][number], x: number, w: number, width: number): PackageBox {
  const inner = w - 10;
  let y = 18;
  const nodes: NodeBox[] = p.nodes.map((node) => {
    const box = { x: x + 5, y, w: inner, h: 34, index: node.index, gbps: node.gbps, strip: false };
    y += 39;
    return box;
  });
  const all = p.llcs;
  const lw = (inner - 5 * (all.length - 1)) / all.length;
  const llcs = all.map((llc, k) => llcBox(llc, x + 5 + k * (lw + 5), y, lw, width));
  const bottom = Math.max(y, ...llcs.map((l) => l.y + l.h));
  return { x, y: 0, w, h: bottom + 5, index: p.index, nodes, llcs };
}

/** An LLC with its cells: one for each CPU, clusters set apart. */
function llcBox(llc: LayoutLLC, x: number, y: number, w: number, width: number): LLCBox {
  const k = clusterShape(llc);
  const columns = columnsFor(llc.clusters.length, w);
  const gap = llc.clusters.length > 1 && k.columns * columns * 3 < w ? 2 : 0;
  const inner = w - 8;
  const cell = (inner - gap * (columns - 1)) / (columns * k.columns);
  const ch = Math.min(cell * 1.45, width > 300 ? 9 : 11);
  const cells: CellBox[] = [];
  llc.clusters.forEach((cores, c) => {
    const cx = x + 4 + (c % columns) * (k.columns * cell + gap);
    const cy = y + 18 + Math.floor(c / columns) * (k.rows * ch + gap);
    cores.forEach((threads, i) =>
      threads.forEach((cpu, t) => {
        const col = i % k.columns;
        const row = Math.floor(i / k.columns) * k.smt + t;
        cells.push({ cpu, x: cx + col * cell, y: cy + row * ch, w: Math.max(1, cell - 0.75), h: Math.max(1, ch - 0.75) });
      }),
    );
  });
  const rows = Math.ceil(llc.clusters.length / columns);
  return { llc, small: false, cells, x, y, w, h: 18 + rows * k.rows * ch + gap * (rows - 1) + 5 };
}

/** How the cores of one cluster stand: 4 cores are 2 x 2. */
function clusterShape(llc: LayoutLLC): { columns: number; rows: number; smt: number } {
  const cores = Math.max(1, ...llc.clusters.map((c) => c.length));
  const smt = Math.max(1, ...llc.clusters.flatMap((c) => c.map((t) => t.length)));
  const columns = Math.ceil(Math.sqrt(cores));
  return { columns, rows: Math.ceil(cores / columns) * smt, smt };
}

function below(machine: Layout, width: number): Drawing {
  const packages: PackageBox[] = [];
  let y = 0;
  for (const p of machine.packages) {
    const box = smallPackage(p, y, width);
    packages.push(box);
    y += box.h + 5;
  }
  return { width, height: y - 5, packages };
}

const ROW = 29;

function smallPackage(p: Layout['packages'][number], y: number, width: number): PackageBox {
  const all = p.llcs;
  const columns = Math.min(all.length, width > 260 ? 4 : 3);
  const bw = (width - 7) / columns;
  const strips = p.nodes.length;
  const perRow = strips > 1 ? 2 : 1;
  const head = strips > 1 ? 18 + 18 * Math.ceil(strips / perRow) : 22;
  const nodes: NodeBox[] = p.nodes.map((node, i) => {
    const w = strips > 1 ? (width - 14) / 2 : Math.min(130, width * 0.62);
    return { index: node.index, gbps: node.gbps, strip: true, w, h: 15, x: strips > 1 ? 5 + (i % 2) * (w + 4) : width - w - 4.5, y: strips > 1 ? y + 17.5 + 18 * Math.floor(i / 2) : y + 3.5 };
  });
  const llcs = all.map((llc, k) => smallLLC(llc, 4.5 + (k % columns) * bw, y + head - 0.5 + Math.floor(k / columns) * ROW, bw - 3));
  return { x: 0, y, w: width, h: head + Math.ceil(all.length / columns) * ROW + 2, index: p.index, nodes, llcs };
}

/** One column is a core, its threads are below each other. */
function smallLLC(llc: LayoutLLC, x: number, y: number, w: number): LLCBox {
  const cores = llc.clusters.flat();
  const smt = Math.max(1, ...cores.map((c) => c.length));
  const cw = (w - 6) / cores.length;
  const ch = 12 / Math.max(2, smt);
  const cells = cores.flatMap((threads, i) => threads.map((cpu, t) => ({ cpu, x: x + 3 + i * cw, y: y + 13 + t * ch, w: Math.max(0.5, cw - 0.75), h: ch - 0.75 })));
  return { llc, small: true, cells, x, y, w, h: ROW - 3 };
}
