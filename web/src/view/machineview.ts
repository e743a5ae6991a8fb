// The machine in the lstopo convention, one drawing for each arm, filled by
// what was going on at the cursor.

import type { Arm, Layout, Run } from '../contract';
import { at, bank, end } from '../curves';
import { attr, byId, h, letter, put, s, tag, text } from '../dom';
import { bytes, clock, fixed } from '../format';
import { preferredOf } from '../model/process';
import { clamp } from '../scale';
import { explainedProcess, explainedRun } from '../shown';
import type { AppStore, FillMode, State } from '../state';
import { Columns } from './columns';
import { longest, outline, paths, STEPS } from './cells';
import { drawingFor, type LLCBox, type NodeBox, type PackageBox } from './layout';

/** Updates a drawing for a run (or none) at a time, with the preferred LLC of a process. */
type Paint = (run: Run | undefined, t: number, fill: FillMode, process: number) => void;

export function mountMachine(store: AppStore): void {
  const root = byId('machine');
  const grid = new Columns(root, () => draw());
  let paints: Paint[] = [];
  let shape = '';

  const draw = (): void => {
    const { opened, t, fill } = store.now;
    if (!opened) return;
    const arms = drawn(store.now);
    const width = grid.width(arms.length);
    const next = `${opened.text}/${width}/${arms.join()}`;
    if (next !== shape) {
      shape = next;
      paints = [];
      put(root, h('div', { class: 'side' }, about(opened.machine)));
      root.style.setProperty('--arms', String(arms.length));
      root.classList.toggle('some', arms.length < opened.arms.length);
      arms.forEach((i) => {
        const a = opened.arms[i] as Arm;
        const made = picture(opened.machine, width, `${letter(i)} ${a.label}`);
        paints.push(made.paint);
        root.append(h('figure', null, h('figcaption', null, tag(i), ' ', h('b', null, a.label)), made.svg));
      });
    }
    byId('mt').textContent = `at ${clock(t)}`;
    paints.forEach((paint, k) => {
      const run = explainedRun(store.now, arms[k] as number);
      paint(run, t, fill, run ? explainedProcess(store.now, run) : 0);
    });
  };

  store.watch(['opened', 'live', 'outcome', 'stale', 't', 'fill', 'arm', 'process'], draw);
}

/** Arms that are drawn: all while there is room, else the explained one and the one it is compared with. */
function drawn({ opened, arm, outcome }: State): number[] {
  const all = opened?.arms.map((_, i) => i) ?? [];
  if (all.length <= 3) return all;
  const reference = outcome?.stats[arm]?.reference ?? 0;
  return [...new Set([reference, arm])];
}

function about(m: Layout): string {
  const cores = m.packages[0]?.llcs[0]?.clusters[0]?.length ?? 1;
  const cell = m.smt > 1 ? '1 cell = 1 PU.' : '1 cell = 1 core and its PU.';
  const llc = m.packages[0]?.llcs[0];
  const group = cores > 1 ? ` ${cores} cells close together share an L2.` : '';
  return `lstopo order. ${cell}${group} \u25c6 preferred LLC.${llc ? ` L3 ${bytes(llc.bytes)}.` : ''}`;
}

function picture(machine: Layout, width: number, name: string): { svg: SVGSVGElement; paint: Paint } {
  const d = drawingFor(machine, width);
  const svg = s('svg', { viewBox: `0 0 ${d.width} ${d.height}`, height: d.height, role: 'img' });
  const parts = d.packages.flatMap((p) => packageParts(svg, p));
  return {
    svg,
    paint: (run, t, fill, process) => {
      const now = run && t <= end(run) + 1e-9 ? run : undefined;
      const p = now?.processes[process];
      const home = p ? preferredOf(p, t).llc : -1;
      const words = parts.map((part) => part(now, t, fill, home)).filter((w) => w !== '');
      attr(svg, 'aria-label', run ? (now ? `Arm ${name} at ${clock(t)}: ${words.join(', ')}` : `Arm ${name}: done`) : `Arm ${name}: no data yet`);
    },
  };
}

/** Repaints one box; returns what it says for the label, or "". */
type Part = (run: Run | undefined, t: number, fill: FillMode, home: number) => string;

function packageParts(svg: SVGSVGElement, p: PackageBox): Part[] {
  svg.append(s('rect', { class: 'pack', x: p.x + 0.5, y: p.y + 0.5, width: p.w - 1, height: p.h - 1 }), s('text', { class: 'lab', x: p.x + 6, y: p.y + 13.5 }, (p.w > 60 ? 'Package ' : '') + `L#${p.index}`));
  return [...p.nodes.map((n) => nodePart(svg, n)), ...p.llcs.map((l) => llcPart(svg, l))];
}

function nodePart(svg: SVGSVGElement, n: NodeBox): Part {
  const bar = s('rect', { class: 'memfill', x: n.x + 1, y: n.y + n.h - (n.strip ? 4 : 7), height: n.strip ? 3 : 6, width: 0 });
  const value = s('text', n.strip ? { class: 'lab2', x: n.x + n.w - 4, y: n.y + 11, 'text-anchor': 'end' } : { class: 'lab2', x: n.x + 4, y: n.y + 24 });
  svg.append(s('rect', { class: 'numa', x: n.x, y: n.y, width: n.w, height: n.h }), bar, s('text', { class: 'lab', x: n.x + 4, y: n.y + (n.strip ? 11 : 12) }, `${n.w > 92 && !n.strip ? 'NUMANode ' : n.w > 86 || !n.strip ? 'NUMA ' : ''}P#${n.index}`), value);
  return (run, t) => {
    const series = bank(run, 'node_bw').find((x) => x.index === n.index);
    const v = run ? at(run, series, t) : null;
    attr(bar, 'width', v === null ? 0 : Math.max(0, (n.w - 2) * clamp(v / n.gbps, 0, 1)));
    text(value, v === null ? '\u2013' : `${fixed(v, 0)}${n.w > 92 && !n.strip ? ` of ${fixed(n.gbps, 0)}` : ''} GB/s`);
    return v === null ? '' : `node ${n.index} ${fixed(v, 0)} GB/s`;
  };
}

function llcPart(svg: SVGSVGElement, l: LLCBox): Part {
  const index = l.llc.index;
  const frame = s('rect', { class: 'l3', x: l.x, y: l.y, width: l.w, height: l.h });
  const pad = l.small ? 3 : 4;
  const name = s('text', { class: 'lab', x: l.x + pad, y: l.y + (l.small ? 10.5 : 12) });
  const value = s('text', { class: 'strong', x: l.x + l.w - pad, y: l.y + (l.small ? 10.5 : 12), 'text-anchor': 'end' });
  svg.append(frame, name, value);
  // a path for each step of the ramp: an element for each of a thousand CPUs would cost a frame
  const steps = Array.from({ length: STEPS + 1 }, (_, step) => svg.appendChild(s('path', { class: `h${step}`, d: '' })));
  const outlines = l.cells.map(outline);
  return (run, t, fill, home) => {
    const kind = fill === 'util' ? 'llc_util' : 'llc_fill';
    const v = run ? at(run, bank(run, kind).find((x) => x.index === index), t) : null;
    const preferred = home === index;
    attr(frame, 'class', preferred ? 'l3 pref' : 'l3');
    const threads = run ? threadsOn(run, index, t) : null;
    const many = threads ? `, ${fixed(threads, 0)} thread${threads > 1.5 ? 's' : ''}` : '';
    const unit = fill === 'util' ? (l.small ? '' : ' %') : l.small ? '' : ' GB/s';
    const amount = v === null ? '\u2013' : `${preferred && !l.small ? '\u25c6 ' : ''}${fixed(v, 0)}${unit}`;
    text(value, amount);
    text(name, l.small ? `${preferred ? '\u25c6' : ''}L#${index}` : longest([`L3 L#${index}${many}`, `L#${index}${many}`, `L3 L#${index}`, `L#${index}`], l.w - 2 * pad, amount));
    const cells = paths(outlines, levels(run, t, fill, l, v));
    steps.forEach((path, step) => attr(path, 'd', cells[step] as string));
    return v === null ? '' : `LLC ${index} ${fixed(v, 0)} ${fill === 'util' ? '% busy' : 'GB/s'}${many}${preferred ? ', preferred' : ''}`;
  };
}

/** Threads of all processes on an LLC, asleep or not; null when the run has no such curves. */
function threadsOn(run: Run, llc: number, t: number): number | null {
  let sum: number | null = null;
  run.processes.forEach((_, p) => {
    const v = at(run, bank(run, 'proc_llc_threads', p).find((x) => x.index === llc), t);
    if (v !== null) sum = (sum ?? 0) + v;
  });
  return sum;
}

/** Step of the ramp of each cell: its CPU's when the run has CPU curves, else that of the mean of the LLC. */
function levels(run: Run | undefined, t: number, fill: FillMode, l: LLCBox, v: number | null): number[] {
  const busy = run && fill === 'util' ? cpuSeries(run) : null;
  const share = v === null ? 0 : fill === 'util' ? v / 100 : v / (l.llc.fill_gbps || 1);
  return l.cells.map((cell) => {
    const series = busy?.get(cell.cpu);
    const own = run && series ? (at(run, series, t) ?? 0) / 100 : share;
    return Math.round(clamp(own, 0, 1) * STEPS);
  });
}

const cache = new WeakMap<Run, Map<number, Run['series'][number]> | null>();

/** CPU curves of a run by CPU number; null when it has none. */
function cpuSeries(run: Run): Map<number, Run['series'][number]> | null {
  let found = cache.get(run);
  if (found === undefined) {
    const list = bank(run, 'cpu_busy');
    found = list.length ? new Map(list.map((x) => [x.index, x])) : null;
    cache.set(run, found);
  }
  return found;
}
