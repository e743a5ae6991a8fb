// LLC utilisation as rows of a heat map, for machines with more LLCs than
// lines can show. Neighbours of one step of the ramp are one rectangle.

import type { Run } from '../contract';
import { at, bank, end, raw } from '../curves';
import { h, put, s } from '../dom';
import { noValue, PAD, PlotBase, type PlotInput } from './plotbase';
import type { Track } from './tracks';

const GAP = 6;

/** Height of one row; many rows are thinner. */
export function rowHeight(rows: number): number {
  return rows <= 24 ? 10 : rows <= 48 ? 6 : 4;
}

/** Top of row l; nodes tells where a gap belongs. */
export function rowTop(l: number, nodes: readonly number[], rh: number): number {
  let gaps = 0;
  for (let i = 1; i <= l; i++) if (nodes[i] !== nodes[i - 1]) gaps++;
  return l * rh + gaps * GAP;
}

export class HeatPlot extends PlotBase {
  constructor(track: Track, arm: number, label: string) {
    super(track, arm, label, `${track.name} heat map of arm ${label}: one row for each ${track.noun}, time to the right`);
  }

  draw(input: PlotInput): void {
    this.input = input;
    const rh = rowHeight(this.track.groups.length);
    const height = rowTop(this.track.groups.length - 1, this.track.groups, rh) + rh + 2;
    this.size(input.width, height);
    put(this.back);
    put(this.front);
    const run = input.run ?? input.ghost;
    if (run) this.rows(run, input, rh);
    this.spans({ ...input, height });
    const stop = run?.done ? Math.min(end(run), input.to) : input.to;
    if (stop < input.to) {
      this.back.append(s('rect', { class: 'after', x: this.x(stop), y: 0, width: Math.max(0, input.width - this.x(stop)), height }));
      if (input.width - this.x(stop) > 56) this.back.append(s('text', { x: this.x(stop) + 4, y: height - 6 }, `done ${stop.toFixed(1)} s`));
    }
  }

  private rows(run: Run, input: PlotInput, rh: number): void {
    const columns = Math.max(1, Math.floor(input.width / 3));
    const cw = (input.width - PAD) / columns;
    const dt = run.sample_ns / 1e9;
    bank(run, this.track.kind).forEach((series, l) => {
      const y = rowTop(l, this.track.groups, rh);
      let open: { level: number; from: number } | null = null;
      const close = (b: number) => {
        if (open) this.back.append(s('rect', { class: `h${open.level}${input.run ? '' : ' ghost'}`, x: open.from * cw, y, width: (b - open.from) * cw, height: rh - 1 }));
        open = null;
      };
      for (let b = 0; b < columns; b++) {
        const i0 = Math.floor((input.from + (b / columns) * (input.to - input.from)) / dt);
        const i1 = Math.max(i0 + 1, Math.floor((input.from + ((b + 1) / columns) * (input.to - input.from)) / dt));
        if (i0 >= series.v.length) {
          close(b);
          break;
        }
        let sum = 0;
        let n = 0;
        for (let i = i0; i < i1 && i < series.v.length; i++, n++) sum += raw(series, i);
        const level = Math.min(8, Math.round((sum / n / this.track.max) * 8));
        if (open && (open as { level: number }).level !== level) close(b);
        open ??= { level, from: b };
        if (b === columns - 1) close(columns);
      }
    });
  }

  cursor(t: number): string {
    const input = this.input;
    if (!input) return '';
    this.moveTo(t);
    const words = this.words(input.run ?? input.ghost, t);
    this.say(...words.map((w) => h('span', null, w)));
    return words.join(', ');
  }

  private words(run: Run | undefined, t: number): string[] {
    const none = noValue(run, t);
    if (!run || none !== null) return [none ?? ''];
    const now = bank(run, this.track.kind).map((x) => ({ index: x.index, v: at(run, x, t) ?? 0 }));
    const busiest = now.reduce((a, b) => (b.v > a.v ? b : a), { index: 0, v: -1 });
    return [`busiest ${this.track.noun} ${busiest.index} ${busiest.v.toFixed(this.track.decimals)} ${this.track.unit.charAt(0) === '%' ? '%' : this.track.unit}`, `${now.filter((x) => x.v > this.track.max * 0.03).length} of ${now.length} in use`];
  }
}
