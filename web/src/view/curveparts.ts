// Parts around the plots: names and ticks at the left, the time axis, the note.

import { end } from '../curves';
import { h, s } from '../dom';
import { gathered } from '../model/gather';
import { clamp, tickText, ticks } from '../scale';
import { shownRun, timeEnd } from '../shown';
import type { State } from '../state';
import { rowHeight, rowTop } from './heat';
import { PAD, type PlotInput } from './plotbase';
import type { Track } from './tracks';

/** Name, unit and ticks of a track. */
export function rowName(track: Track, narrow: boolean): HTMLElement {
  const top = 18;
  const labels = s('svg', { 'aria-hidden': 'true' });
  if (track.form === 'cpus') {
    track.groups.forEach((y, i) => {
      const before = track.groups[i - 1];
      if (before === undefined || y - before > 11) labels.append(s('text', { x: 30, y: top + y + 8, 'text-anchor': 'end' }, `L#${i}`));
    });
  } else if (track.form === 'heat') {
    const nodes = track.groups;
    const rh = rowHeight(nodes.length);
    const step = rh >= 10 ? 2 : nodes.length > 48 ? 8 : 4;
    nodes.forEach((_, l) => l % step === 0 && labels.append(s('text', { x: 30, y: top + rowTop(l, nodes, rh) + rh - 1, 'text-anchor': 'end' }, `${track.noun === 'LLC' ? 'L' : 'N'}#${l}`)));
  } else {
    const h0 = track.height;
    for (const v of track.ticks) {
      const y = track.form === 'diff' ? h0 / 2 - (v / track.max) * (h0 / 2 - 2) : h0 - (v / track.max) * (h0 - 4);
      labels.append(s('text', { x: 30, y: top + clamp(y, 6, h0 - 2) + 3.5, 'text-anchor': 'end' }, (track.form === 'diff' && v > 0 ? '+' : '') + tickText(v)));
    }
  }
  const scale = track.form === 'cpus' || (!narrow && track.form !== 'heat') ? '' : track.form === 'diff' ? `, \u2212${track.max} to +${track.max}` : `, 0 to ${track.max}`;
  return h('div', { class: 'tname' }, h('h3', null, track.name), h('span', { class: 'sub' }, track.unit + scale), labels);
}

export function axisLabels(from: number, to: number, width: number): SVGTextElement[] {
  const marks = ticks(from, to, 5);
  return marks.map((t, i) => {
    const x = ((t - from) / (to - from)) * (width - PAD);
    const last = i === marks.length - 1;
    return s('text', { x: last ? Math.min(x + 8, width) : x, y: 12, 'text-anchor': x < 8 ? 'start' : last ? 'end' : 'middle' }, tickText(t) + (last ? ' s' : ''));
  });
}

/** The arm whose plots have room for the name of a limit: one that ends early, else the last. */
export function roomiest(state: State, arms: number, to: number): number {
  let best = arms - 1;
  let earliest = to * 0.75;
  for (let i = 0; i < arms; i++) {
    const run = shownRun(state, i);
    if (run?.done && end(run) < earliest) {
      earliest = end(run);
      best = i;
    }
  }
  return best;
}

/** The one thing to say in the first plot: when and where the threads came together. */
export function noteFor(state: State, arm: number): PlotInput['note'] {
  const run = shownRun(state, arm);
  const home = run && gathered(run, 0);
  if (!run || !home || home.from <= 0 || home.from > end(run) * 0.6) return null;
  const threads = run.processes[0]?.threads ?? 0;
  return { t: home.from + timeEnd(state) * 0.01, value: 42, text: `\u2190 ${home.from.toFixed(1)} s: ${home.all ? '' : 'nearly '}all ${threads} threads on LLC ${home.llc}` };
}
