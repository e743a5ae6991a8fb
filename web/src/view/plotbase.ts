// What every plot of the grid has: a readout above, a cursor, a time axis.

import type { Run } from '../contract';
import { end } from '../curves';
import { attr, h, put, s, tag } from '../dom';
import type { Track } from './tracks';

/** Room right of the last time, in pixels. */
export const PAD = 6;

export interface PlotInput {
  run: Run | undefined;
  /** The old run that lies greyed underneath. */
  ghost: Run | undefined;
  /** The first arm's run, for differences. */
  reference: Run | undefined;
  from: number;
  to: number;
  width: number;
  height: number;
  selection: [number, number] | null;
  /** The runs of all arms, for plots that lay them over each other. */
  runs: (Run | undefined)[];
  /** Times of the two markers. */
  pins: readonly number[];
  /** Times of log entries, for the marks of the first row. */
  marks: number[];
  note: { t: number; value: number; text: string } | null;
  limitText: boolean;
}

export abstract class PlotBase {
  readonly box: HTMLElement;
  readonly svg = s('svg', { role: 'img' });
  protected readonly back = s('g', null);
  protected readonly front = s('g', null);
  protected input: PlotInput | null = null;
  private readonly read = h('div', { class: 'read' });
  private readonly cur = s('line', { class: 'cur' });

  constructor(
    readonly track: Track,
    readonly arm: number,
    private readonly label: string,
    name: string,
  ) {
    attr(this.svg, 'aria-label', name);
    this.svg.append(this.back, this.front, this.cur);
    this.box = h('div', { class: 'plot' }, this.read, this.svg);
  }

  abstract draw(input: PlotInput): void;

  /** The plot goes; what the browser does not collect by itself is given back. */
  release(): void {}

  /** Moves the cursor and writes the readout; returns it as text. */
  abstract cursor(t: number): string;

  /** Pixel of a time. */
  protected x(t: number): number {
    const i = this.input as PlotInput;
    return ((t - i.from) / (i.to - i.from)) * (i.width - PAD);
  }

  /** Time of a pixel of the plot as it is shown. */
  timeAt(pixel: number, shown: number): number {
    const i = this.input;
    if (!i) return 0;
    return i.from + (((pixel / shown) * i.width) / (i.width - PAD)) * (i.to - i.from);
  }

  protected size(width: number, height: number): void {
    attr(this.svg, 'viewBox', `0 0 ${width} ${height}`);
    attr(this.svg, 'height', height);
    attr(this.cur, 'y1', 0);
    attr(this.cur, 'y2', height);
  }

  /** Puts the cursor line at a time; tells where that is and whether it is visible. */
  protected moveTo(t: number): { x: number; seen: boolean } {
    const x = this.x(t);
    const seen = x >= 0 && x <= (this.input as PlotInput).width;
    attr(this.cur, 'visibility', seen ? 'visible' : 'hidden');
    attr(this.cur, 'x1', x);
    attr(this.cur, 'x2', x);
    return { x, seen };
  }

  protected say(...nodes: Node[]): void {
    this.tell(h('span', { class: 'arm' }, tag(this.arm), ' ' + this.label.slice(2)), ...nodes);
  }

  /** Writes the readout. */
  protected tell(...nodes: Node[]): void {
    put(this.read, ...nodes);
  }

  /** The selected span and the markers, in front of the curves. */
  protected spans({ selection, pins, height }: PlotInput): void {
    if (selection) this.front.append(s('rect', { class: 'picked', x: this.x(selection[0]), y: 0, width: Math.max(0, this.x(selection[1]) - this.x(selection[0])), height }));
    pins.forEach((t, i) => {
      const x = this.x(t);
      this.front.append(s('line', { class: 'pin', x1: x, x2: x, y1: 0, y2: height }), s('text', { class: 'halo pinned', x: x + 3, y: height - 4 }, String(i + 1)));
    });
  }
}

/** What to say of an arm without a value at a time; null when it has one. */
export function noValue(run: Run | undefined, t: number): string | null {
  if (!run) return 'no data yet';
  return run.done && t > end(run) ? `done at ${end(run).toFixed(1)} s` : null;
}
