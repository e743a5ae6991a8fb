// Arms over each other: one plot for each curve of a track, one line for each
// arm. A line style means an arm here, never an LLC.

import type { Run, Series } from '../contract';
import { at, bank, raw } from '../curves';
import { curve } from '../decimate';
import { attr, h, letter, put, s } from '../dom';
import { fixed } from '../format';
import { clamp, ticks } from '../scale';
import { noValue, PlotBase, type PlotInput } from './plotbase';
import type { Track } from './tracks';

/** Which curve of a track a column shows: one by its place, or what many come to. */
export type Pick = { k: number; name: string } | { k: -1; name: 'busiest' | 'mean' };

/** Columns of a track: each curve while there are few. */
export function columnsOf(runs: readonly Run[], kind: string, noun: string, most: number): Pick[] {
  const n = Math.max(0, ...runs.map((r) => bank(r, kind).length));
  if (n > most) return [{ k: -1, name: 'busiest' }, { k: -1, name: 'mean' }];
  return Array.from({ length: n }, (_, k) => ({ k, name: `${noun} ${k}` }));
}

const merged = new WeakMap<Run, Map<string, Series>>();

/** The curve of a column in one run; those of many LLCs are made once. */
export function picked(run: Run | undefined, kind: string, pick: Pick): Series | undefined {
  const all = bank(run, kind);
  if (!run || pick.k >= 0) return all[pick.k];
  const known = merged.get(run) ?? new Map<string, Series>();
  merged.set(run, known);
  const id = `${kind}/${pick.name}`;
  const first = all[0];
  let made = known.get(id);
  if (!made && first) {
    const v = Int32Array.from(first.v, (_, i) => {
      const values = all.map((x) => x.v[i] ?? 0);
      return pick.name === 'busiest' ? Math.max(...values) : Math.round(values.reduce((a, b) => a + b, 0) / values.length);
    });
    made = { ...first, v };
    known.set(id, made);
  }
  return made;
}

export class OverPlot extends PlotBase {
  private readonly dots: SVGCircleElement[] = [];

  constructor(
    track: Track,
    private readonly pick: Pick,
  ) {
    super(track, -1, pick.name, `${track.name}, ${pick.name}, all arms`);
  }

  private y(v: number): number {
    const { height } = this.input as PlotInput;
    return height - 0.5 - (v / this.track.max) * (height - 4);
  }

  draw(input: PlotInput): void {
    this.input = input;
    const { width, height, from, to } = input;
    this.size(width, height);
    put(this.back, ...ticks(from, to, 5).map((t) => s('line', { class: 'grid', x1: this.x(t), x2: this.x(t), y1: 2, y2: height })), s('line', { class: 'base', x1: 0, x2: width, y1: height - 0.5, y2: height - 0.5 }));
    const limit = this.track.limit(0);
    if (limit && limit.value <= this.track.max) this.back.append(s('line', { class: 'lim', x1: 0, x2: width, y1: this.y(limit.value), y2: this.y(limit.value) }));
    put(this.front);
    input.runs.forEach((run, arm) => {
      const series = picked(run, this.track.kind, this.pick);
      if (!run || !series) return;
      const px = this.x(1) - this.x(0);
      const dt = run.sample_ns / 1e9;
      const frame = { dx: dt * px, x0: (dt / 2 - from) * px, y0: height - 0.5, dy: (height - 4) / this.track.max / series.scale, width };
      const { line, band } = curve((i) => series.v[i] as number, series.v.length, frame);
      if (band) this.front.append(s('path', { class: `band d${arm % 6}`, d: band }));
      if (line) this.front.append(s('path', { class: `line n${arm % 6}`, d: line }));
      const last = series.v.length - 1;
      const x = this.x(last * dt);
      if (last >= 0 && x > 8 && x < width - 12) this.front.append(s('text', { class: 'halo', x: x + 4, y: clamp(this.y(raw(series, Math.max(0, last - 2))) + 4, 10, height - 3) }, letter(arm)));
    });
    this.spans(input);
  }

  cursor(t: number): string {
    const input = this.input;
    if (!input) return '';
    const { x, seen } = this.moveTo(t);
    const words: string[] = [];
    const nodes = input.runs.map((run, arm) => {
      const series = picked(run, this.track.kind, this.pick);
      const none = noValue(run, t);
      const v = run && none === null ? at(run, series, t) : null;
      const dot = (this.dots[arm] ??= this.svg.appendChild(s('circle', { class: `d${arm % 6}`, r: 2.75 })));
      attr(dot, 'visibility', seen && v !== null ? 'visible' : 'hidden');
      if (v !== null) {
        attr(dot, 'cx', x);
        attr(dot, 'cy', this.y(clamp(v, 0, this.track.max)));
      }
      const number = v === null ? (none?.startsWith('done') ? 'done' : '\u2013') : fixed(v, this.track.decimals);
      words.push(`${letter(arm)} ${number}`);
      return h('span', { class: `k${arm % 6}` }, `${letter(arm)} `, h('b', null, number));
    });
    this.tell(h('span', { class: 'col' }, this.pick.name), ...nodes);
    return `${this.pick.name}: ${words.join(', ')}`;
  }
}
