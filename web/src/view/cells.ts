// CPUs of the machine drawing as paths, one for all that show the same amount.

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
