// The sentence at the top: which arm, by how much, both medians.

import type { Result } from '../contract';
import { letter } from '../dom';
import { seconds } from '../format';
import { change, metricsApart, metricText, metricWords } from './metrics';
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
  const rest = stats.filter((x) => x.reference !== x.arm);
  const size = (x: ArmStat) => {
    const d = delta(x, stats[x.reference] as ArmStat, result);
    return d?.clear ? Math.abs(d.pct) : 0;
  };
  return rest.reduce<ArmStat | undefined>((best, x) => (best === undefined || size(x) > size(best) ? x : best), undefined);
}

export function verdict(stats: readonly ArmStat[], result: Result | null): Piece[] {
  const first = stats[0];
  if (!first) return [{ text: 'This scenario has no arm.', tone: 'plain' }];
  const late = stats.find((x) => x.unfinished > 0 && x.values.length === 0);
  if (late) {
    const run = late.runs.find((r) => !r.done);
    return [
      { text: `${armName(late.label)} (${letter(late.arm)})`, tone: 'name' },
      { text: ` did not finish within ${seconds((run?.sim_ns ?? 0) / 1e9)} of simulated time.`, tone: 'plain' },
    ];
  }
  const who = subject(stats, result);
  if (!who) {
    const said = metricWords(first.metric).time ? 'takes' : `has a ${metricWords(first.metric).title.toLowerCase()} of`;
    return first.values.length
      ? [{ text: `${armName(first.label)} (A)`, tone: 'name' }, { text: ` ${said} ${metricText(first.metric, first.median)}. There is one arm, so nothing to compare.`, tone: 'plain' }]
      : [{ text: 'One arm: nothing to compare.', tone: 'plain' }];
  }
  const ref = stats[who.reference] as ArmStat;
  const than = `${ref.label} (${letter(ref.arm)})`;
  const d = delta(who, ref, result);
  const name: Piece = { text: `${armName(who.label)} (${letter(who.arm)})`, tone: 'name' };
  if (!d) return [name, { text: ` against ${than}: running.`, tone: 'plain' }];
  const both = metricsApart(who.metric, who.median, ref.median).join(' against ') + '.';
  if (!d.clear) return [name, { text: ` and ${than} do not differ beyond their spread: ${both}`, tone: 'plain' }];
  return [name, { text: ' ', tone: 'plain' }, { text: change(who.metric, d.pct), tone: toneOf(who.metric, d.pct) }, { text: ` than ${than}: ${both}`, tone: 'plain' }];
}

/** Colour of a change; metrics of which neither more nor less is better have none. */
function toneOf(metric: string, pct: number): Piece['tone'] {
  const { less } = metricWords(metric);
  return less === null ? 'name' : pct > 0 === less ? 'worse' : 'better';
}
