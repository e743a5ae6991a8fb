// Pictures of a sweep: a curve of every arm with the change against A below,
// or a map of one arm over two settings. Pure drawing.

import { letter, s } from '../dom';
import { fixed, signed } from '../format';
import { axisEnd, niceStep, tickText, ticks } from '../scale';
import { changeOf, valueOf, type Sweep, type SweepPoint } from '../sweep/sweep';

export interface SweepShow {
  sweep: Sweep;
  metric: string;
  /** 'value' of the arm, or 'change' against A. */
  what: 'value' | 'change';
  arm: number;
  width: number;
  /** Cell under the cursor. */
  at: [x: number, y: number];
}

export interface SweepPicture {
  nodes: SVGElement[];
  height: number;
  /** Cell at a pixel. */
  cellAt(px: number, py: number): [number, number];
}

const LEFT = 64;
const TOP = 190;
const GAP = 26;
const LOW = 84;

const xOf = (i: number, n: number, width: number) => LEFT + ((i + 0.5) * (width - LEFT - 12)) / n;
const clampInt = (v: number, n: number) => Math.min(n - 1, Math.max(0, Math.floor(v)));

/** Two plots one above the other. */
export function curvePicture({ sweep, metric, width, at }: SweepShow): SweepPicture {
  const { points, base, plan } = sweep;
  const n = points.length;
  const arms = base.arms.map((_, i) => i);
  const all = points.flatMap((p) => arms.map((a) => valueOf(p, a, metric)).filter((v): v is number => v !== null));
  const max = axisEnd(Math.max(0, ...all));
  const y = (v: number) => TOP - (v / max) * (TOP - 14);
  const nodes: SVGElement[] = [];
  const text = (x: number, py: number, anchor: string, words: string, cls = '') => nodes.push(s('text', { x, y: py, 'text-anchor': anchor, class: cls || null }, words));
  for (const v of ticks(0, max, 4)) {
    nodes.push(s('line', { class: v === 0 ? 'base' : 'grid', x1: LEFT, x2: width - 8, y1: y(v), y2: y(v) }));
    text(LEFT - 6, y(v) + 3.5, 'end', tickText(v));
  }
  const step = (width - LEFT - 12) / n;
  const every = Math.max(1, Math.ceil(44 / step));
  points.forEach((p, i) => i % every === 0 && text(xOf(i, n, width), TOP + 14, 'middle', p.x));
  let above = Infinity;
  for (const a of arms) {
    const known = points.map((p, i) => ({ i, v: valueOf(p, a, metric) })).filter((p): p is { i: number; v: number } => p.v !== null);
    nodes.push(s('path', { class: `line n${a % 6}`, d: known.map((p, k) => `${k ? 'L' : 'M'}${xOf(p.i, n, width).toFixed(1)} ${y(p.v).toFixed(1)}`).join('') }));
    for (const p of known) nodes.push(s('circle', { class: `d${a % 6}`, cx: xOf(p.i, n, width), cy: y(p.v), r: p.i === at[0] ? 4 : 2.75 }));
    const last = known.at(-1);
    if (last) text(xOf(last.i, n, width) + 7 + (Math.abs(above - y(last.v)) < 10 ? 10 * a : 0), y(last.v) + 4, 'start', letter(a), 'halo');
    if (last) above = y(last.v);
  }
  const low = TOP + GAP;
  const changes = points.flatMap((p) => arms.slice(1).map((a) => Math.abs(changeOf(p, a, metric) ?? 0)));
  const most = niceStep(Math.max(1, ...changes));
  const mid = low + LOW / 2;
  nodes.push(s('line', { class: 'base', x1: LEFT, x2: width - 8, y1: mid, y2: mid }));
  if (arms.length > 1) for (const v of [-most, 0, most]) text(LEFT - 6, mid - (v / most) * (LOW / 2 - 4) + 3.5, 'end', v > 0 ? `+${tickText(v)} %` : v ? `${tickText(v)} %` : '0');
  points.forEach((p, i) => {
    const w = Math.min(18, (step * 0.7) / Math.max(1, arms.length - 1));
    arms.slice(1).forEach((a, k) => {
      const c = changeOf(p, a, metric);
      if (c === null) return;
      const size = (Math.abs(c) / most) * (LOW / 2 - 4);
      nodes.push(s('rect', { class: c > 0 ? 'aup' : 'adn', x: xOf(i, n, width) + (k - (arms.length - 1) / 2) * w, y: c > 0 ? mid - size : mid, width: Math.max(1, w - 1), height: Math.max(0.5, size) }));
    });
    if (p.error) text(xOf(i, n, width), mid - 6, 'middle', '\u00d7');
  });
  const cx = xOf(at[0], n, width);
  nodes.push(s('line', { class: 'cur', x1: cx, x2: cx, y1: 8, y2: low + LOW }));
  text(width - 8, low + LOW + 12, 'end', plan.x.name);
  return { nodes, height: low + LOW + 16, cellAt: (px) => [clampInt(((px - LEFT) / (width - LEFT - 12)) * n, n), 0] };
}

/** Steps of the colour of a change: below 2 % is none. */
export function changeStep(pct: number, most: number): number {
  return Math.abs(pct) < 2 ? 0 : Math.sign(pct) * Math.max(1, Math.min(4, Math.ceil((Math.abs(pct) / most) * 4)));
}

/** A grid of cells, the first setting to the right, the second upwards. */
export function mapPicture({ sweep, metric, what, arm, width, at }: SweepShow): SweepPicture {
  const xs = sweep.plan.x.values;
  const ys = sweep.plan.y?.values ?? [''];
  const read = (p: SweepPoint) => (what === 'change' ? changeOf(p, arm, metric) : valueOf(p, arm, metric));
  const values = sweep.points.map(read);
  const most = Math.max(1e-9, ...values.map((v) => Math.abs(v ?? 0)));
  const cw = (width - LEFT - 8) / xs.length;
  const ch = Math.max(18, Math.min(40, 320 / ys.length));
  const y = (j: number) => 6 + (ys.length - 1 - j) * ch;
  const nodes: SVGElement[] = [];
  sweep.points.forEach((p, k) => {
    const [i, j] = [k % xs.length, Math.floor(k / xs.length)];
    const v = values[k] ?? null;
    const step = v === null ? 0 : what === 'change' ? changeStep(v, most) : Math.round((Math.max(0, v) / most) * 8);
    const cls = v === null ? 'cell none' : what === 'change' ? `cell ${step > 0 ? 'u' : step < 0 ? 'w' : 'z'}${Math.abs(step) || ''}` : `cell h${step}`;
    nodes.push(s('rect', { class: cls, x: LEFT + i * cw, y: y(j), width: cw - 1, height: ch - 1 }));
    const words = p.error ? '\u00d7' : v === null ? '' : what === 'change' ? signed(v, Math.abs(v) < 10 ? 1 : 0) : fixed(v, v >= 100 ? 0 : v >= 10 ? 1 : 2);
    const dark = what === 'change' ? Math.abs(step) > 2 : step > 4;
    if (cw > 6 * words.length + 4 && words) nodes.push(s('text', { class: dark ? 'oncell' : 'incell', x: LEFT + (i + 0.5) * cw, y: y(j) + ch / 2 + 4, 'text-anchor': 'middle' }, words));
  });
  const bottom = 6 + ys.length * ch;
  const every = Math.max(1, Math.ceil(36 / cw));
  xs.forEach((v, i) => i % every === 0 && nodes.push(s('text', { x: LEFT + (i + 0.5) * cw, y: bottom + 12, 'text-anchor': 'middle' }, v)));
  ys.forEach((v, j) => nodes.push(s('text', { x: LEFT - 6, y: y(j) + ch / 2 + 4, 'text-anchor': 'end' }, v)));
  nodes.push(s('text', { x: width - 8, y: bottom + 26, 'text-anchor': 'end' }, `${sweep.plan.x.name} to the right, ${sweep.plan.y?.name ?? ''} upwards`));
  nodes.push(s('rect', { class: 'cellcur', x: LEFT + at[0] * cw, y: y(at[1]), width: cw - 1, height: ch - 1 }));
  return { nodes, height: bottom + 30, cellAt: (px, py) => [clampInt((px - LEFT) / cw, xs.length), ys.length - 1 - clampInt((py - 6) / ch, ys.length)] };
}
