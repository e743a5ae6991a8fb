// One plot: a row of the tracks for one arm.

import type { Run, Series } from '../contract';
import { at, bank, end, placeOf, raw } from '../curves';
import { h, s } from '../dom';
import { fixed, signed } from '../format';
import { clamp } from '../scale';
import type { Shape } from './curvecanvas';
import { LinePlot } from './lineplot';
import { noValue, type PlotInput } from './plotbase';
import type { Track } from './tracks';

export class Plot extends LinePlot {
  constructor(track: Track, arm: number, label: string) {
    super(track, arm, label, `${track.name} of arm ${label}`);
  }

  draw(input: PlotInput): void {
    const { run, ghost } = input;
    const shapes = this.signed ? this.differences(input) : [...(ghost ? this.lines(ghost, true) : []), ...(run ? this.lines(run, false) : [])];
    const stop = this.stopOf(input);
    this.curves(input, shapes, stop);
    this.decorate(input, this.limit(), stop);
  }

  private lines(run: Run, ghost: boolean): Shape[] {
    return bank(run, this.track.kind).map((series, k) => ({ ink: `n${k % 6}`, ghost, v: (i) => series.v[i] as number, n: series.v.length, dt: run.sample_ns / 1e9, scale: series.scale }));
  }

  private differences({ run, reference }: PlotInput): Shape[] {
    if (!run || !reference || run === reference) return [];
    const mine = bank(run, this.track.kind);
    return bank(reference, this.track.kind).flatMap((ref, k) => {
      const other = mine[k];
      if (!other) return [];
      const n = Math.min(ref.v.length, other.v.length);
      // noise around zero is no difference
      return ([1, -1] as const).filter((sign) => exceeds(other, ref, sign, this.track.max * 0.02)).map((sign): Shape => ({ ink: sign > 0 ? 'up' : 'down', ghost: false, v: (i) => Math.max(0, sign * (raw(other, i) - raw(ref, i))) * sign, n, dt: run.sample_ns / 1e9, scale: 1 }));
    });
  }

  private decorate(input: PlotInput, limit: { value: number; name: string } | null, stop: number): void {
    const { width, height, run, to } = input;
    if (limit && input.limitText) {
      const y = this.y(limit.value);
      const above = limit.value > this.track.max ? ' \u2191' : '';
      this.front.append(s('text', { class: 'halo', x: width - 2, y: above ? 12 : y < 16 ? y + 12 : y - 4, 'text-anchor': 'end' }, (width > 185 ? limit.name : fixed(limit.value, 0)) + above));
    }
    if (input.note && width > 185) this.front.append(s('text', { class: 'halo note', x: this.x(input.note.t) + 3, y: clamp(this.y(input.note.value) + 3, 10, height - 4) }, input.note.text));
    const shape = input.marks.length > 30 ? (x: number) => `M${x - 0.5} 0h1v5h-1z` : (x: number) => `M${x - 3} 0h6l-3 5z`;
    for (const t of input.marks) if (t >= input.from && t <= to) this.front.append(s('path', { class: 'mark', d: shape(this.x(t)) }));
    this.spans(input);
    if (!run?.done || stop > to) return;
    this.front.append(s('line', { class: 'end', x1: this.x(stop), x2: this.x(stop), y1: 2, y2: height }));
    if (input.marks.length && width - this.x(stop) > 56) this.front.append(s('text', { class: 'halo', x: this.x(stop) + 4, y: height - 6 }, `done ${stop.toFixed(1)} s`));
  }

  cursor(t: number): string {
    const input = this.input;
    if (!input) return '';
    const { x, seen } = this.moveTo(t);
    const run = input.run ?? input.ghost;
    const all = run ? bank(run, this.track.kind) : [];
    const said = this.words(run, all, t);
    this.say(...said.nodes);
    if (!this.signed) all.forEach((series, k) => this.dot(k, x, seen && run ? at(run, series, t) : null));
    return said.text;
  }

  private words(run: Run | undefined, all: Series[], t: number): { nodes: HTMLElement[]; text: string } {
    const plain = (words: string) => ({ nodes: [h('span', null, words)], text: words });
    const none = noValue(all.length ? run : undefined, t);
    if (!run || none !== null) return plain(none ?? '');
    const diff = this.signed;
    const reference = this.input?.reference;
    if (diff && this.arm === 0) return plain('reference');
    if (diff && reference?.done && t > end(reference)) return plain('A done');
    const refs = diff && reference ? bank(reference, this.track.kind) : [];
    const short = (this.input?.width ?? 0) < 150 || all.length > 2;
    const nodes: HTMLElement[] = [];
    const words: string[] = [];
    all.forEach((series, k) => {
      const v = at(run, series, t);
      const r = diff && reference ? at(reference, refs[k], t) : 0;
      const number = v === null || r === null ? '\u2013' : diff ? signed(v - r, this.track.decimals) : fixed(v, this.track.decimals);
      nodes.push(h('span', { class: `k${k % 6}` }, `${short ? this.track.short : this.track.noun + ' '}${placeOf(series)} `, h('b', null, number)));
      words.push(`${this.track.noun} ${placeOf(series)} ${number}`);
    });
    return { nodes, text: words.join(', ') };
  }
}

/** Whether a curve is anywhere more than `least` above (sign 1) or below (-1) another. */
function exceeds(a: Series, b: Series, sign: number, least: number): boolean {
  for (let i = 0; i < Math.min(a.v.length, b.v.length); i++) if (sign * (raw(a, i) - raw(b, i)) > least) return true;
  return false;
}
