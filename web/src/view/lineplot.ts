// A plot of curves: their ground below, the curves on a canvas, words and the
// cursor above.

import { end } from '../curves';
import { attr, h, put, s } from '../dom';
import { clamp, ticks } from '../scale';
import { CurveCanvas, type Shape } from './curvecanvas';
import { PAD, PlotBase, type PlotInput } from './plotbase';
import type { Track } from './tracks';

export abstract class LinePlot extends PlotBase {
  private readonly ground = s('svg', { class: 'ground', 'aria-hidden': 'true' });
  private readonly canvas = new CurveCanvas();
  private readonly dots: SVGCircleElement[] = [];

  constructor(track: Track, arm: number, label: string, name: string) {
    super(track, arm, label, name);
    this.box.append(h('div', { class: 'layers' }, this.ground, this.canvas.box, this.svg));
  }

  override release(): void {
    this.canvas.release();
  }

  protected get signed(): boolean {
    return this.track.form === 'diff';
  }

  /** Pixel of a value. */
  protected y(v: number): number {
    const { height } = this.input as PlotInput;
    return this.signed ? height / 2 - (v / this.track.max) * (height / 2 - 2) : height - 0.5 - (v / this.track.max) * (height - 4);
  }

  /** Draws all but the words; stop is where the arm ends. */
  protected curves(input: PlotInput, shapes: Shape[], stop: number): void {
    this.input = input;
    const { width, height, from, to } = input;
    this.size(width, height);
    attr(this.ground, 'viewBox', `0 0 ${width} ${height}`);
    put(this.ground, ...ticks(from, to, 5).map((t) => s('line', { class: 'grid', x1: this.x(t), x2: this.x(t), y1: 2, y2: height })));
    if (stop < to) {
      const x = Math.max(0, this.x(stop));
      this.ground.append(s('rect', { class: 'after', x, y: 2, width: Math.max(0, width - x), height: height - 2 }));
    }
    this.ground.append(s('line', { class: 'base', x1: 0, x2: width, y1: this.y(0), y2: this.y(0) }));
    const limit = this.limit();
    if (limit && limit.value <= this.track.max) this.ground.append(s('line', { class: 'lim', x1: 0, x2: width, y1: this.y(limit.value), y2: this.y(limit.value) }));
    this.canvas.draw({ from, to, top: this.track.max, signed: this.signed, width, height, pad: PAD }, shapes);
    put(this.front);
  }

  protected limit(): { value: number; name: string } | null {
    return this.track.limit(Math.max(0, this.arm));
  }

  /** Puts the dot of a curve at the cursor; v is null where it has no value. */
  protected dot(k: number, x: number, v: number | null): void {
    const dot = (this.dots[k] ??= this.svg.appendChild(s('circle', { class: `d${k % 6}`, r: 2.75 })));
    attr(dot, 'visibility', v === null ? 'hidden' : 'visible');
    if (v === null) return;
    attr(dot, 'cx', x);
    attr(dot, 'cy', this.y(clamp(v, 0, this.track.max)));
  }

  /** Where an arm ends within the plot, else its right edge. */
  protected stopOf({ run, to }: PlotInput): number {
    return run?.done ? end(run) : to;
  }
}
