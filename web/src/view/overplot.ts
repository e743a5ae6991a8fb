// Arms over each other: one plot for each curve of a track, one line for each
// arm. A line style means an arm here, never an LLC.

import type { Run, Series } from '../contract';
import { at, bank, placeOf, raw } from '../curves';
import { h, letter, s } from '../dom';
import { fixed } from '../format';
import { clamp } from '../scale';
import type { Shape } from './curvecanvas';
import { LinePlot } from './lineplot';
import { noValue, type PlotInput } from './plotbase';
import type { Track } from './tracks';

/** Which curve of a track a column shows: one by its place, or what many come to. */
export type Pick = { k: number; name: string } | { k: -1; name: 'busiest' | 'mean' };

/** Columns of a track: each curve while there are few. */
export function columnsOf(runs: readonly Run[], kind: string, noun: string, most: number): Pick[] {
  const n = Math.max(0, ...runs.map((r) => bank(r, kind).length));
  if (n > most) return [{ k: -1, name: 'busiest' }, { k: -1, name: 'mean' }];
  const names = runs.map((r) => bank(r, kind)).find((all) => all.length === n) ?? [];
  return names.map((x, k) => ({ k, name: `${noun} ${placeOf(x)}` }));
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

export class OverPlot extends LinePlot {
  constructor(
    track: Track,
    private readonly pick: Pick,
  ) {
    super(track, -1, pick.name, `${track.name}, ${pick.name}, all arms`);
  }

  draw(input: PlotInput): void {
    const { runs, width, height } = input;
    const all = runs.map((run) => ({ run, series: picked(run, this.track.kind, this.pick) }));
    const shapes = all.flatMap(({ run, series }, arm): Shape[] => (run && series ? [{ ink: `n${arm % 6}`, ghost: false, v: (i) => series.v[i] as number, n: series.v.length, dt: run.sample_ns / 1e9, scale: series.scale }] : []));
    this.curves(input, shapes, input.to);
    all.forEach(({ run, series }, arm) => {
      const last = (series?.v.length ?? 0) - 1;
      if (!run || !series || last < 0) return;
      const x = this.x((last * run.sample_ns) / 1e9);
      if (x > 8 && x < width - 12) this.front.append(s('text', { class: 'halo', x: x + 4, y: clamp(this.y(raw(series, Math.max(0, last - 2))) + 4, 10, height - 3) }, letter(arm)));
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
      this.dot(arm, x, seen ? v : null);
      const number = v === null ? (none?.startsWith('done') ? 'done' : '\u2013') : fixed(v, this.track.decimals);
      words.push(`${letter(arm)} ${number}`);
      return h('span', { class: `k${arm % 6}` }, `${letter(arm)} `, h('b', null, number));
    });
    this.tell(h('span', { class: 'col' }, this.pick.name), ...nodes);
    return `${this.pick.name}: ${words.join(', ')}`;
  }
}
