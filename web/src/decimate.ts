// A curve of any length in a few points for each pixel column: the mean as a
// line, smallest and largest as a band around it, so that no peak is lost and
// a curve that swings within a pixel can still be read. The points go to a
// pen: that of a canvas (Path2D) or one that writes SVG.

/** Where a value of a sample goes on the screen. */
export interface Frame {
  /** Pixels for each sample, and the pixel of sample 0. */
  dx: number;
  x0: number;
  /** Screen y of a raw value: y0 - v * dy. */
  y0: number;
  dy: number;
  /** Width in pixels; samples outside are left out but for one on each side. */
  width: number;
}

/** Gives the raw value of sample i. */
export type Source = (i: number) => number;

export interface Pen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  closePath(): void;
}

/** Writes SVG path data, in tenths of a pixel. */
export class SvgPen implements Pen {
  d = '';

  moveTo(x: number, y: number): void {
    this.d += `M${round(x)} ${round(y)}`;
  }

  lineTo(x: number, y: number): void {
    this.d += `L${round(x)} ${round(y)}`;
  }

  closePath(): void {
    this.d += 'Z';
  }
}

/** Closer than this many pixels, samples share a column. */
const DENSE = 0.5;

/** Samples [from, to) that a frame shows, with one neighbour on each side. */
export function visible(n: number, f: Frame): [number, number] {
  const from = Math.max(0, Math.floor(-f.x0 / f.dx));
  const to = Math.min(n, Math.ceil((f.width - f.x0) / f.dx) + 1);
  return [from, Math.max(from, to)];
}

/** Draws the curve of n samples; nothing goes to band where every sample has its own place. */
export function curve(v: Source, n: number, f: Frame, line: Pen, band: Pen): void {
  const [from, to] = visible(n, f);
  if (f.dx >= DENSE) {
    for (let i = from; i < to; i++) put(line, i === from, f.x0 + i * f.dx, f.y0 - v(i) * f.dy);
    return;
  }
  const below: number[] = [];
  for (let i = from; i < to; ) {
    const column = Math.floor(f.x0 + i * f.dx);
    const first = i;
    let lo = Infinity;
    let hi = -Infinity;
    let sum = 0;
    for (; i < to && Math.floor(f.x0 + i * f.dx) === column; i++) {
      const x = v(i);
      if (x < lo) lo = x;
      if (x > hi) hi = x;
      sum += x;
    }
    const middle = f.x0 + ((first + i - 1) / 2) * f.dx;
    put(line, first === from, middle, f.y0 - (sum / (i - first)) * f.dy);
    put(band, first === from, middle, f.y0 - hi * f.dy);
    below.push(middle, f.y0 - lo * f.dy);
  }
  for (let i = below.length - 2; i >= 0; i -= 2) band.lineTo(below[i] as number, below[i + 1] as number);
  if (below.length) band.closePath();
}

/** Draws the area between the line of a curve and zero, closed. */
export function area(v: Source, n: number, f: Frame, pen: Pen): void {
  const [from, to] = visible(n, f);
  if (from === to) return;
  pen.moveTo(f.x0 + from * f.dx, f.y0);
  const rest: Pen = { moveTo: (x, y) => pen.lineTo(x, y), lineTo: (x, y) => pen.lineTo(x, y), closePath: () => undefined };
  curve(v, n, f, rest, NOWHERE);
  pen.lineTo(f.x0 + (to - 1) * f.dx, f.y0);
  pen.closePath();
}

const NOWHERE: Pen = { moveTo: () => undefined, lineTo: () => undefined, closePath: () => undefined };

function put(pen: Pen, first: boolean, x: number, y: number): void {
  if (first) pen.moveTo(x, y);
  else pen.lineTo(x, y);
}

function round(x: number): number {
  return Math.round(x * 10) / 10;
}
