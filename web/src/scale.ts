// Axis ends and ticks.

/** Steps that people count in. */
const STEPS = [1, 2, 2.5, 5, 10];

/** The smallest comfortable step that is at least x. */
export function niceStep(x: number): number {
  if (!(x > 0)) return 1;
  const p = 10 ** Math.floor(Math.log10(x));
  for (const m of STEPS) if (m * p >= x * (1 - 1e-9)) return m * p;
  return 10 * p;
}

/** Ticks from 0 or from `from` up to `to`, about `count` of them. */
export function ticks(from: number, to: number, count: number): number[] {
  const step = niceStep((to - from) / count);
  const out: number[] = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to * (1 + 1e-9) + 1e-12; k++) out.push(round(k * step));
  return out;
}

/** Where an axis that starts at 0 ends, so that a value `top` has some air. */
export function axisEnd(top: number): number {
  if (!(top > 0)) return 1;
  const step = niceStep((top * 1.08) / 8);
  return round(Math.ceil((top * 1.08) / step - 1e-9) * step);
}

/** Text of a tick, with the decimals its step needs. */
export function tickText(v: number): string {
  return String(round(v)).replace('-', '\u2212');
}

function round(x: number): number {
  return Number(x.toPrecision(12));
}

export function clamp(x: number, lo: number, hi: number): number {
  return Math.min(hi, Math.max(lo, x));
}
