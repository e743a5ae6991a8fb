// The curves of one plot on a canvas. uPlot holds the scales, the canvas and its
// resolution, and draws; the points of a pixel column are made in decimate.ts.

import uPlot from 'uplot';
import { area, curve, SvgPen, type Frame, type Pen, type Source } from '../decimate';
import { h, s } from '../dom';
import { inkOf, type InkName } from './ink';

/** One curve. */
export interface Shape {
  ink: InkName;
  /** An old curve beneath the new one. */
  ghost: boolean;
  v: Source;
  n: number;
  /** Seconds of a sample, and what its value is divided by. */
  dt: number;
  scale: number;
}

export interface View {
  from: number;
  to: number;
  /** Values from 0 (or -top when signed) to top. */
  top: number;
  signed: boolean;
  /** Pixels of the plot, and those right of the last time. */
  width: number;
  height: number;
  pad: number;
}

const GHOST = 0.4;

/** Curves that can be had as SVG, by their canvas. */
const drawn = new WeakMap<HTMLCanvasElement, CurveCanvas>();

/** The curves of a canvas as SVG, in its pixels; null for another canvas. */
export function vectorOf(canvas: HTMLCanvasElement): SVGPathElement[] | null {
  return drawn.get(canvas)?.vector() ?? null;
}

export class CurveCanvas {
  readonly box = h('div', { class: 'ink', 'aria-hidden': 'true' });
  private chart: uPlot | null = null;
  private styles = '';
  private shapes: Shape[] = [];
  private view: View = { from: 0, to: 1, top: 1, signed: false, width: 1, height: 1, pad: 0 };

  draw(view: View, shapes: Shape[]): void {
    const size = view.width !== this.view.width || view.height !== this.view.height;
    this.view = view;
    this.shapes = shapes;
    const styles = shapes.map((x) => x.ink + (x.ghost ? '~' : '')).join(' ');
    if (styles !== this.styles) {
      this.styles = styles;
      this.box.dataset['inks'] = styles;
      this.release();
    }
    if (shapes.length === 0) return;
    if (!this.chart) this.make();
    else {
      if (size) this.chart.setSize(view);
      this.chart.setData(this.data());
    }
  }

  /** Gives the canvas back; the next draw makes another. */
  release(): void {
    this.chart?.destroy();
    this.chart = null;
  }

  vector(): SVGPathElement[] {
    const { width, height, pad, signed } = this.view;
    const edge = signed ? 2 : 3.5;
    const inner = { left: 0, top: edge, width: width - pad, height: height - 4 };
    return this.shapes.flatMap((shape) => {
      const [line, band] = [new SvgPen(), new SvgPen()];
      this.trace(shape, inner, width, line, band);
      const ink = inkOf(shape.ink);
      const old = { opacity: shape.ghost ? GHOST : null };
      return [s('path', { d: band.d, fill: ink.fill, ...old }), s('path', { d: line.d, fill: 'none', stroke: ink.stroke, 'stroke-width': ink.width, 'stroke-dasharray': ink.dash.join(' ') || null, ...old })].filter((p) => p.getAttribute('d') !== '');
    });
  }

  private trace(shape: Shape, inner: { left: number; top: number; width: number; height: number }, width: number, line: Pen, band: Pen): void {
    const { from, to, top, signed } = this.view;
    const px = inner.width / (to - from);
    const py = inner.height / (signed ? 2 * top : top);
    // a sample is the mean over the time before it: draw it in the middle
    const frame: Frame = { dx: shape.dt * px, x0: inner.left + (shape.dt / 2 - from) * px, y0: inner.top + top * py, dy: py / shape.scale, width };
    if (signed) area(shape.v, shape.n, frame, both(line, band));
    else curve(shape.v, shape.n, frame, line, band);
  }

  private make(): void {
    const { width, height, pad, signed } = this.view;
    const edge = signed ? 2 : 3.5;
    const scale = (range: () => uPlot.Range.MinMax): uPlot.Scale => ({ time: false, auto: true, range });
    const chart = new uPlot(
      {
        mode: 2, width, height, pxAlign: 0, padding: [edge, pad, 4 - edge, 0],
        legend: { show: false }, cursor: { show: false }, axes: [{ show: false }, { show: false }],
        scales: { x: scale(() => [this.view.from, this.view.to]), y: scale(() => [this.view.signed ? -this.view.top : 0, this.view.top]) },
        series: [{}, ...this.shapes.map((x) => this.series(x))],
      },
      this.data(),
      this.box,
    );
    drawn.set(chart.ctx.canvas, this);
    this.chart = chart;
  }

  private series({ ink, ghost }: Shape): uPlot.Series {
    const { width, dash } = inkOf(ink);
    return {
      facets: [{ scale: 'x', auto: true }, { scale: 'y', auto: true }],
      stroke: () => inkOf(ink).stroke, fill: () => inkOf(ink).fill,
      width, ...(dash.length ? { dash } : {}), alpha: ghost ? GHOST : 1, pxAlign: 0, points: { show: false },
      paths: (u, i) => this.paths(u, i),
    };
  }

  private paths(u: uPlot, i: number): uPlot.Series.Paths {
    const [stroke, fill] = [new Path2D(), new Path2D()];
    const shape = this.shapes[i - 1];
    if (shape) this.trace(shape, u.bbox, u.ctx.canvas.width, stroke, fill);
    return { stroke, fill };
  }

  /** uPlot asks only whether there are points; the curves themselves may be long. */
  private data(): uPlot.AlignedData {
    const { from, to } = this.view;
    return [null, ...this.shapes.map(() => [[from, to], [0, 0]])] as unknown as uPlot.AlignedData;
  }
}

/** Draws with two pens at once. */
function both(a: Pen, b: Pen): Pen {
  const all = [a, b];
  return { moveTo: (x, y) => all.forEach((p) => p.moveTo(x, y)), lineTo: (x, y) => all.forEach((p) => p.lineTo(x, y)), closePath: () => all.forEach((p) => p.closePath()) };
}
