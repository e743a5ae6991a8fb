// The grid of curves: a row for each track, a column for each arm, one cursor.

import { end } from '../curves';
import { byId, h, letter, put, s, tag } from '../dom';
import { clock } from '../format';
import { gathered } from '../model/gather';
import { clamp, tickText, ticks } from '../scale';
import { ghostRun, shownRun, span, timeEnd } from '../shown';
import type { AppStore, State } from '../state';
import { columnWidth, isNarrow } from './columns';
import { HeatPlot, rowHeight, rowTop } from './heat';
import { Plot } from './plot';
import { PAD, type PlotBase, type PlotInput } from './plotbase';
import { dataTable } from './table';
import { how } from './words';
import { tracksFor, type Track } from './tracks';
import { followPointer } from './pointer';

export function mountCurves(store: AppStore): void {
  const root = byId('tracks');
  let plots: PlotBase[] = [];
  let shape = '';

  /** Builds the grid; its shape changes with the scenario, the view and the width only. */
  const build = (state: State, tracks: Track[], width: number, narrow: boolean): void => {
    plots = [];
    const arms = state.opened?.arms ?? [];
    document.documentElement.style.setProperty('--arms', String(Math.max(1, arms.length)));
    put(root, h('div', { class: 'track heads' }, h('div', { class: 'corner' }), ...arms.map((a, i) => h('div', { class: 'armhead' + (i === state.arm ? ' sel' : '') }, tag(i), h('b', null, a.label), h('span', { class: 'how' }, how(a))))));
    for (const track of tracks) {
      const row = h('section', { class: 'track', 'aria-label': track.name }, rowName(track, narrow));
      for (const [i, a] of arms.entries()) {
        const name = `${letter(i)} ${a.label}`;
        const plot = track.form === 'heat' ? new HeatPlot(track, i, name) : new Plot(track, i, name);
        followPointer(plot, store);
        plots.push(plot);
        row.append(plot.box);
      }
      row.append(h('div', { class: 'vh tablebox' }));
      root.append(row);
    }
    const axis = h('div', { class: 'track' }, h('div', { class: 'corner axis' }));
    for (let i = 0; i < (narrow ? 1 : arms.length); i++) axis.append(h('div', { class: 'plot axis' }, s('svg', { viewBox: `0 0 ${width} 16`, height: 16, 'aria-hidden': 'true' })));
    root.append(axis);
  };

  const draw = (): void => {
    const state = store.now;
    if (!state.opened) return;
    const narrow = isNarrow();
    const arms = state.opened.arms.length;
    const runs = state.opened.arms.map((_, i) => shownRun(state, i) ?? ghostRun(state, i)).filter((r) => r !== undefined);
    const tracks = tracksFor(state.opened, runs, state.mode);
    const width = columnWidth(root, arms);
    const next = JSON.stringify([state.opened.text, state.arm, state.mode, width, narrow, tracks]);
    if (next !== shape) {
      build(state, tracks, width, narrow);
      shape = next;
    }
    const [from, to] = span(state);
    const reference = shownRun(state, 0) ?? ghostRun(state, 0);
    const roomy = roomiest(state, arms, to);
    for (const plot of plots) {
      const run = shownRun(state, plot.arm);
      const first = plot.track === tracks[0] || plot.track.id === tracks[0]?.id;
      const input: PlotInput = {
        run, ghost: ghostRun(state, plot.arm), reference, from, to, width,
        height: narrow ? Math.round(plot.track.height * 0.8) : plot.track.height,
        selection: state.selection,
        marks: first && run ? run.log.slice(0, 500).map((e) => e.at_ns / 1e9) : [],
        note: first && run?.done && plot.track.form === 'line' ? noteFor(state, plot.arm) : null,
        limitText: plot.arm === roomy,
      };
      plot.draw(input);
    }
    for (const svg of root.querySelectorAll('.axis svg')) put(svg, ...axisLabels(from, to, width));
    if (!state.progress) fillTables(root, state, tracks);
    cursor();
  };

  const cursor = (): void => {
    const state = store.now;
    const range = byId<HTMLInputElement>('t');
    const [from, to] = span(state);
    range.min = String(from);
    range.max = String(to);
    range.value = String(clamp(state.t, from, to));
    range.setAttribute('aria-valuetext', clock(state.t));
    byId('tout').textContent = clock(state.t);
    const said = plots.map((p) => ({ p, words: p.cursor(state.t) }));
    speak(state, said.filter((x) => x.p.track.kind === 'llc_util' && x.p.track.form !== 'diff').map((x) => `Arm ${letter(x.p.arm)}: ${x.words}`));
  };

  store.watch(['opened', 'live', 'outcome', 'stale', 'progress', 'mode', 'zoom', 'selection', 'arm'], draw);
  store.watch(['t'], cursor);
  new ResizeObserver(() => requestAnimationFrame(draw)).observe(root);
}

function rowName(track: Track, narrow: boolean): HTMLElement {
  const top = 18;
  const labels = s('svg', { 'aria-hidden': 'true' });
  if (track.form === 'heat') {
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
  const scale = !narrow && track.form !== 'heat' ? '' : track.form === 'diff' ? `, \u2212${track.max} to +${track.max}` : `, 0 to ${track.max}`;
  return h('div', { class: 'tname' }, h('h3', null, track.name), h('span', { class: 'sub' }, track.unit + scale), labels);
}

function axisLabels(from: number, to: number, width: number): SVGTextElement[] {
  const marks = ticks(from, to, 5);
  return marks.map((t, i) => {
    const x = ((t - from) / (to - from)) * (width - PAD);
    const last = i === marks.length - 1;
    return s('text', { x: last ? Math.min(x + 8, width) : x, y: 12, 'text-anchor': x < 8 ? 'start' : last ? 'end' : 'middle' }, tickText(t) + (last ? ' s' : ''));
  });
}

/** The arm whose plots have room for the name of a limit: one that ends early, else the last. */
function roomiest(state: State, arms: number, to: number): number {
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
function noteFor(state: State, arm: number): PlotInput['note'] {
  const run = shownRun(state, arm);
  const home = run && gathered(run, 0);
  if (!run || !home || home.from <= 0 || home.from > end(run) * 0.6) return null;
  const threads = run.processes[0]?.threads ?? 0;
  return { t: home.from + timeEnd(state) * 0.01, value: 42, text: `\u2190 ${home.from.toFixed(1)} s: all ${threads} threads on LLC ${home.llc}` };
}

function fillTables(root: HTMLElement, state: State, tracks: Track[]): void {
  const boxes = root.querySelectorAll('.tablebox');
  const runs = (state.opened?.arms ?? []).map((a, i) => ({ name: `${letter(i)} ${a.label}`, run: shownRun(state, i) }));
  tracks.forEach((track, i) => {
    const box = boxes[i];
    if (box) put(box, dataTable(track, runs, timeEnd(state)));
  });
}

let pause: ReturnType<typeof setTimeout> | undefined;

/** Says the values at the cursor once it rests; silent while results stream in. */
function speak(state: State, parts: string[]): void {
  clearTimeout(pause);
  if (!state.held) return;
  pause = setTimeout(() => {
    byId('live').textContent = `${state.t.toFixed(2)} seconds. ${parts.join('. ')}`;
  }, 400);
}
