// A curve of any length in a few points for each pixel column: the mean as a
// line, smallest and largest as a band around it, so that no peak is lost and
// a curve that swings within a pixel can still be read.

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

/** SVG path data; band is "" where every sample has its own place. */
export interface Curve {
  line: string;
  band: string;
}

/** Closer than this many pixels, samples share a column. */
const DENSE = 0.5;

/** Samples [from, to) that a frame shows, with one neighbour on each side. */
export function visible(n: number, f: Frame): [number, number] {
  const from = Math.max(0, Math.floor(-f.x0 / f.dx));
  const to = Math.min(n, Math.ceil((f.width - f.x0) / f.dx) + 1);
  return [from, Math.max(from, to)];
}

/** The curve of n samples; both paths are "" when nothing is visible. */
export function curve(v: Source, n: number, f: Frame): Curve {
  const [from, to] = visible(n, f);
  if (from === to) return { line: '', band: '' };
  const point = (i: number, raw: number) => `${round(f.x0 + i * f.dx)} ${round(f.y0 - raw * f.dy)}`;
  const line: string[] = [];
  if (f.dx >= DENSE) {
    for (let i = from; i < to; i++) line.push(point(i, v(i)));
    return { line: 'M' + line.join('L'), band: '' };
  }
  const above: string[] = [];
  const below: string[] = [];
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
    const middle = (first + i - 1) / 2;
    line.push(point(middle, sum / (i - first)));
    above.push(point(middle, hi));
    below.push(point(middle, lo));
  }
  return { line: 'M' + line.join('L'), band: 'M' + above.concat(below.reverse()).join('L') + 'Z' };
}

/** The area between the line of a curve and zero, closed. */
export function area(v: Source, n: number, f: Frame): string {
  const [from, to] = visible(n, f);
  const { line } = curve(v, n, f);
  if (line === '') return '';
  const zero = round(f.y0);
  return `M${round(f.x0 + from * f.dx)} ${zero}L${line.slice(1)}L${round(f.x0 + (to - 1) * f.dx)} ${zero}Z`;
}

function round(x: number): number {
  return Math.round(x * 10) / 10;
}
