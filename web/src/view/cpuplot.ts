// CPU x time as a canvas: a row for each CPU, grouped by LLC and node. The
// keyboard moves a cell cursor; what is under it is said and stands in a table.

import type { Layout, Run, Series } from '../contract';
import { at, bank, end } from '../curves';
import { attr, h, put, s } from '../dom';
import { clamp } from '../scale';
import { cpuRows, levels, otherLlc, rowAt, type CpuRow, type CpuRows } from '../model/cpurows';
import type { AppStore } from '../state';
import { noValue, PAD, PlotBase, type PlotInput } from './plotbase';
import { paletteOf } from './palette';
import type { Track } from './tracks';

export class CpuPlot extends PlotBase {
  private readonly rows: CpuRows;
  readonly canvas = h('canvas', { tabindex: 0, role: 'application', 'aria-roledescription': 'heat map' });
  private readonly row = s('rect', { class: 'rowcur' });

  constructor(track: Track, arm: number, label: string, machine: Layout, private readonly store: AppStore) {
    super(track, arm, label, `CPUs of arm ${label} over time`);
    this.rows = cpuRows(machine);
    attr(this.canvas, 'aria-label', `CPUs of arm ${label} over time: arrows up and down choose a CPU, left and right a time, brackets an LLC`);
    attr(this.svg, 'aria-hidden', 'true');
    this.svg.append(this.row);
    const stack = h('div', { class: 'stack' });
    this.svg.before(stack);
    stack.append(this.canvas, this.svg);
    this.canvas.addEventListener('keydown', (e) => this.key(e));
    this.svg.addEventListener('pointermove', (e) => this.point(e));
    this.svg.addEventListener('pointerdown', () => this.canvas.focus({ preventScroll: true }));
  }

  private point(e: PointerEvent): void {
    const box = this.svg.getBoundingClientRect();
    this.store.set({ row: rowAt(this.rows, ((e.clientY - box.top) / box.height) * this.rows.height) });
  }

  private key(e: KeyboardEvent): void {
    const row = this.now();
    const to = e.key === 'ArrowUp' ? row - 1 : e.key === 'ArrowDown' ? row + 1 : e.key === 'Home' ? 0 : e.key === 'End' ? this.rows.rows.length - 1 : e.key === '[' ? otherLlc(this.rows, row, -1) : e.key === ']' ? otherLlc(this.rows, row, 1) : null;
    if (to === null || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    e.stopPropagation();
    this.store.set({ row: clamp(to, 0, this.rows.rows.length - 1), held: true });
  }

  private now(): number {
    return clamp(this.store.now.row, 0, this.rows.rows.length - 1);
  }

  draw(input: PlotInput): void {
    const { height, rowHeight } = this.rows;
    this.input = { ...input, height };
    this.size(input.width, height);
    const scale = Math.min(2, globalThis.devicePixelRatio || 1);
    const w = Math.max(1, Math.round(input.width * scale));
    const rh = Math.max(1, Math.round(rowHeight * scale));
    this.canvas.width = w;
    this.canvas.height = Math.max(1, Math.round(height * scale));
    this.canvas.style.height = `${height}px`;
    const context = this.canvas.getContext('2d');
    if (!context) return;
    const run = input.run ?? input.ghost;
    if (run) this.paint(context, run, input, w, rh, scale);
    put(this.front);
    this.spans(this.input);
    const stop = run?.done ? end(run) : input.to;
    put(this.back, ...(stop < input.to && input.width - this.x(stop) > 60 ? [s('text', { x: Math.max(0, this.x(stop)) + 4, y: 14 }, `done ${stop.toFixed(1)} s`)] : []));
  }

  private paint(context: CanvasRenderingContext2D, run: Run, input: PlotInput, w: number, rh: number, scale: number): void {
    const palette = paletteOf();
    const used = Math.max(1, Math.round((w * (input.width - PAD)) / input.width));
    const image = context.createImageData(w, this.canvas.height);
    const pixels = new Uint32Array(image.data.buffer);
    const dt = run.sample_ns / 1e9;
    const of = seriesOf(run);
    for (const r of this.rows.rows) {
      const series = of.get(r.cpu);
      if (!series) continue;
      const line = levels(series.v, 100 * series.scale, input.from / dt, input.to / dt, used);
      const top = Math.round(r.y * scale);
      for (let k = 0; k < rh && top + k < this.canvas.height; k++) {
        const base = (top + k) * w;
        for (let x = 0; x < used; x++) if (line[x] !== 255) pixels[base + x] = palette[line[x] as number] as number;
      }
    }
    context.putImageData(image, 0, 0);
  }

  cursor(t: number): string {
    const input = this.input;
    if (!input) return '';
    this.moveTo(t);
    const r = this.rows.rows[this.now()] as CpuRow;
    for (const [name, v] of [['x', 0], ['y', r.y - 1], ['width', input.width], ['height', this.rows.rowHeight + 2]] as const) attr(this.row, name, v);
    const run = input.run ?? input.ghost;
    const none = noValue(run, t);
    const v = run && none === null ? at(run, seriesOf(run).get(r.cpu), t) : null;
    const place = `CPU ${r.cpu}, LLC ${r.llc}, node ${r.node}`;
    const value = v === null ? (none ?? 'no samples') : `${v.toFixed(0)} % busy`;
    this.say(h('span', null, place, ' ', h('b', null, value)));
    return `${place}: ${value}`;
  }
}

const known = new WeakMap<Run, Map<number, Series>>();

/** Curves of a run by CPU number. */
export function seriesOf(run: Run): Map<number, Series> {
  let found = known.get(run);
  if (!found) known.set(run, (found = new Map(bank(run, 'cpu_busy').map((x) => [x.index, x]))));
  return found;
}
