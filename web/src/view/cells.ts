// What the boxes of the machine drawing hold: CPUs as paths, one for all that show
// the same amount, and as much of a name as fits.

import type { Box } from './layout';

/** The ramp of amounts has a step more than this. */
export const STEPS = 8;

/** A box as a part of a path, in hundredths of a pixel. */
export function outline(b: Box): string {
  const [x, y, w, h] = [b.x, b.y, b.w, b.h].map((v) => Number(v.toFixed(2)));
  return `M${x} ${y}h${w}v${h}h${-(w as number)}z`;
}

/** The path of each step, given the outline and the step of each cell. */
export function paths(outlines: string[], steps: number[]): string[] {
  const out: string[] = Array.from({ length: STEPS + 1 }, () => '');
  outlines.forEach((o, i) => {
    const step = steps[i] as number;
    out[step] = (out[step] as string) + o;
  });
  return out;
}

/** Mean width of a character of the drawing's names and of its bold amounts. */
const CHAR = 5.6;
const BOLD = 7.2;

/** The first of some names that stands beside an amount in a width; the last if none does. */
export function longest(names: string[], width: number, amount: string): string {
  const room = width - amount.length * BOLD - CHAR;
  return names.find((n) => n.length * CHAR <= room) ?? names.at(-1) ?? '';
}
