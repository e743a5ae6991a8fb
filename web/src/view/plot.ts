// One plot: a row of the tracks for one arm. Curves are SVG paths of a few
// points for each pixel column, so that colours follow the theme by themselves
// and a moving cursor redraws nothing else.

import type { Run, Series } from '../contract';
import { at, bank, end, raw } from '../curves';
import { area, curve, type Frame } from '../decimate';
import { attr, h, put, s } from '../dom';
import { fixed, signed } from '../format';
import { clamp, ticks } from '../scale';
import { noValue, PAD, PlotBase, type PlotInput } from './plotbase';
import type { Track } from './tracks';

export class Plot extends PlotBase {
  private readonly dots: SVGCircleElement[] = [];

  constructor(track: Track, arm: number, label: string) {
    super(track, arm, label, `${track.name} of arm ${label}`);
  }

  private frame(run: Run, scale: number): Frame {
    const i = this.input as PlotInput;
    const dt = run.sample_ns / 1e9;
    const px = (i.width - PAD) / (i.to - i.from);
    const { height } = i;
    const room = this.track.form === 'diff' ? height / 2 - 2 : height - 4;
    const y0 = this.track.form === 'diff' ? height / 2 : height - 0.5;
    // a sample is the mean over the time before it: draw it in the middle
    return { dx: dt * px, x0: (dt / 2 - i.from) * px, y0, dy: room / this.track.max / scale, width: i.width };
  }

  private y(v: number): number {
    const i = this.input as PlotInput;
    return this.track.form === 'diff' ? i.height / 2 - (v / this.track.max) * (i.height / 2 - 2) : i.height - 0.5 - (v / this.track.max) * (i.height - 4);
  }

  draw(input: PlotInput): void {
    this.input = input;
    const { width, height, from, to, run } = input;
    this.size(width, height);
    put(this.back, ...ticks(from, to, 5).map((t) => s('line', { class: 'grid', x1: this.x(t), x2: this.x(t), y1: 2, y2: height })));
    const stop = run?.done ? end(run) : to;
    if (stop < to) this.back.append(s('rect', { class: 'after', x: Math.max(0, this.x(stop)), y: 2, width: Math.max(0, width - Math.max(0, this.x(stop))), height: height - 2 }));
    const base = this.track.form === 'diff' ? height / 2 : height - 0.5;
    this.back.append(s('line', { class: 'base', x1: 0, x2: width, y1: base, y2: base }));
    const limit = this.track.limit(this.arm);
    if (limit && limit.value <= this.track.max) this.back.append(s('line', { class: 'lim', x1: 0, x2: width, y1: this.y(limit.value), y2: this.y(limit.value) }));
    put(this.front);
    if (this.track.form === 'diff') this.areas(input);
    else {
      if (input.ghost) this.lines(input.ghost, true);
      if (run) this.lines(run, false);
    }
    this.decorate(input, limit, stop);
  }

  private lines(run: Run, ghost: boolean): void {
    bank(run, this.track.kind).forEach((series, k) => {
      const { line, band } = curve((i) => series.v[i] as number, series.v.length, this.frame(run, series.scale));
      const old = ghost ? ' ghost' : '';
      if (band) this.front.append(s('path', { class: `band d${k % 6}${old}`, d: band }));
      if (line) this.front.append(s('path', { class: `line n${k % 6}${old}`, d: line }));
    });
  }

  private areas({ run, reference }: PlotInput): void {
    if (!run || !reference || run === reference) return;
    const mine = bank(run, this.track.kind);
    bank(reference, this.track.kind).forEach((ref, k) => {
      const other = mine[k];
      if (!other) return;
      const n = Math.min(ref.v.length, other.v.length);
      const frame = this.frame(run, 1);
      for (const sign of [1, -1]) {
        // noise around zero is no difference
        if (!exceeds(mine[k] as Series, ref, sign, this.track.max * 0.02)) continue;
        const v = (i: number) => Math.max(0, sign * (raw(other, i) - raw(ref, i))) * sign;
        const d = area(v, n, frame);
        if (d) this.front.append(s('path', { class: sign > 0 ? 'aup' : 'adn', d }));
      }
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
    this.place(run, all, t, x, seen);
    return said.text;
  }

  private words(run: Run | undefined, all: Series[], t: number): { nodes: HTMLElement[]; text: string } {
    const plain = (words: string) => ({ nodes: [h('span', null, words)], text: words });
    const none = noValue(all.length ? run : undefined, t);
    if (!run || none !== null) return plain(none ?? '');
    const diff = this.track.form === 'diff';
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
      nodes.push(h('span', { class: `k${k % 6}` }, `${short ? this.track.noun.charAt(0).toUpperCase() : this.track.noun + ' '}${series.index} `, h('b', null, number)));
      words.push(`${this.track.noun} ${series.index} ${number}`);
    });
    return { nodes, text: words.join(', ') };
  }

  private place(run: Run | undefined, all: Series[], t: number, x: number, seen: boolean): void {
    if (this.track.form === 'diff') return;
    all.forEach((series, k) => {
      const v = run ? at(run, series, t) : null;
      const dot = (this.dots[k] ??= this.svg.appendChild(s('circle', { class: `d${k % 6}`, r: 2.75 })));
      attr(dot, 'visibility', seen && v !== null ? 'visible' : 'hidden');
      if (v === null) return;
      attr(dot, 'cx', x);
      attr(dot, 'cy', this.y(clamp(v, 0, this.track.max)));
    });
  }

}

/** Whether a curve is anywhere more than `least` above (sign 1) or below (-1) another. */
function exceeds(a: Series, b: Series, sign: number, least: number): boolean {
  for (let i = 0; i < Math.min(a.v.length, b.v.length); i++) if (sign * (raw(a, i) - raw(b, i)) > least) return true;
  return false;
}
