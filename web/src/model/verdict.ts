// The sentence at the top: which arm, by how much, both medians.

import type { Result } from '../contract';
import { letter } from '../dom';
import { fixed, seconds, secondsApart } from '../format';
import { delta, type ArmStat } from './stats';

export interface Piece {
  text: string;
  tone: 'plain' | 'name' | 'worse' | 'better';
}

/** The name of an arm in a sentence; on and off need their noun. */
export function armName(label: string): string {
  const name = label === 'on' || label === 'off' ? `CAS ${label}` : label;
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The arm to talk about: the clear difference that is largest, else the second arm. */
export function subject(stats: readonly ArmStat[], result: Result | null): ArmStat | undefined {
  const ref = stats[0];
  if (!ref) return undefined;
  const rest = stats.slice(1);
  const size = (x: ArmStat) => {
    const d = delta(x, ref, result);
    return d?.clear ? Math.abs(d.pct) : 0;
  };
  return rest.reduce<ArmStat | undefined>((best, x) => (best === undefined || size(x) > size(best) ? x : best), undefined);
}

/** "takes 65 % longer" or "takes 44 % less time". */
export function change(pct: number): string {
  const digits = Math.abs(pct) < 10 ? 1 : 0;
  return `takes ${fixed(Math.abs(pct), digits)} % ${pct > 0 ? 'longer' : 'less time'}`;
}

export function verdict(stats: readonly ArmStat[], result: Result | null): Piece[] {
  const ref = stats[0];
  if (!ref) return [{ text: 'This scenario has no arm.', tone: 'plain' }];
  const late = stats.find((x) => x.unfinished > 0);
  if (late) {
    const run = late.runs.find((r) => !r.done);
    return [
      { text: `${armName(late.label)} (${letter(late.arm)})`, tone: 'name' },
      { text: ` did not finish within ${seconds((run?.sim_ns ?? 0) / 1e9)} of simulated time.`, tone: 'plain' },
    ];
  }
  const who = subject(stats, result);
  if (!who) {
    return ref.values.length
      ? [{ text: `${armName(ref.label)} (A)`, tone: 'name' }, { text: ` takes ${seconds(ref.median)}. There is one arm, so nothing to compare.`, tone: 'plain' }]
      : [{ text: 'One arm: nothing to compare.', tone: 'plain' }];
  }
  const d = delta(who, ref, result);
  const name: Piece = { text: `${armName(who.label)} (${letter(who.arm)})`, tone: 'name' };
  if (!d) return [name, { text: ` against ${ref.label} (A): running.`, tone: 'plain' }];
  const both = secondsApart(who.median, ref.median).join(' against ') + '.';
  if (!d.clear) return [name, { text: ` and ${ref.label} (A) do not differ beyond their spread: ${both}`, tone: 'plain' }];
  return [name, { text: ' ', tone: 'plain' }, { text: change(d.pct), tone: d.pct > 0 ? 'worse' : 'better' }, { text: ` than ${ref.label} (A): ${both}`, tone: 'plain' }];
}
