// The grid of curves: a row for each track, a column for each arm, one cursor.

import type { Opened, Run } from '../contract';
import { Batches } from '../batches';
import { byId, h, letter, put, s, tag } from '../dom';
import { clock } from '../format';
import { clamp } from '../scale';
import { ghostRun, shownRun, span, timeEnd } from '../shown';
import type { AppStore, State } from '../state';
import { Columns, isNarrow } from './columns';
import { CpuPlot } from './cpuplot';
import { cpuTable } from './cputable';
import { axisLabels, noteFor, roomiest, rowName } from './curveparts';
import { HeatPlot } from './heat';
import { columnsOf, OverPlot } from './overplot';
import { Plot } from './plot';
import type { PlotBase, PlotInput } from './plotbase';
import { dataTable } from './table';
import { how } from './words';
import { MAX_LINES, tracksFor, type Track } from './tracks';
import { followPointer } from './pointer';

/** Plots and milliseconds of a frame; what the browser paints of each, about 2 ms, comes on top. */
const FRAME_PLOTS = 2;
const FRAME_MS = 5;

export function mountCurves(store: AppStore): void {
  const root = byId('tracks');
  const grid = new Columns(root, () => draw());
  let plots: PlotBase[] = [];
  let shape = '';
  let shown: Track[] = [];
  let more = (): void => {};
  // among the watchers, so that all together keep to the time of a frame
  const batches = new Batches((run) => {
    more = run;
    store.touch('plotting');
  }, FRAME_PLOTS, FRAME_MS);
  store.watch(['plotting'], () => more());

  /** Builds the grid; its shape changes with the scenario, the view and the width only. */
  const build = (state: State, tracks: Track[], width: number, narrow: boolean, runs: Run[]): void => {
    for (const plot of plots) plot.release();
    plots = [];
    const arms = state.opened?.arms ?? [];
    const over = state.mode === 'over';
    const columns = columnCount(state, tracks, runs);
    document.documentElement.style.setProperty('--arms', String(Math.max(1, arms.length)));
    root.style.setProperty('--arms', String(Math.max(1, columns)));
    put(root);
    if (!over) root.append(h('div', { class: 'track heads' }, h('div', { class: 'corner' }), ...arms.map((a, i) => h('div', { class: 'armhead' + (i === state.arm ? ' sel' : '') }, tag(i), h('b', null, a.label), h('span', { class: 'how' }, how(a))))));
    for (const track of tracks) {
      const row = h('section', { class: 'track', 'aria-label': track.name }, rowName(track, narrow));
      if (over) {
        const picks = columnsOf(runs, track.kind, track.noun, MAX_LINES);
        for (const pick of picks) {
          const plot = new OverPlot(track, pick);
          followPointer(plot, store);
          plots.push(plot);
          row.append(plot.box);
        }
        // a track with fewer curves than another keeps its place in the grid
        for (let i = picks.length; i < columns; i++) row.append(h('div', { class: 'plot none' }));
      } else for (const [i, a] of arms.entries()) {
        const name = `${letter(i)} ${a.label}`;
        const plot = track.form === 'cpus' ? new CpuPlot(track, i, name, (state.opened as Opened).machine, store) : track.form === 'heat' ? new HeatPlot(track, i, name) : new Plot(track, i, name);
        followPointer(plot, store);
        plots.push(plot);
        row.append(plot.box);
      }
      row.append(h('div', { class: 'vh tablebox' }));
      root.append(row);
    }
    const axis = h('div', { class: 'track' }, h('div', { class: 'corner axis' }));
    for (let i = 0; i < (narrow ? 1 : columns); i++) axis.append(h('div', { class: 'plot axis' }, s('svg', { viewBox: `0 0 ${width} 16`, height: 16, 'aria-hidden': 'true' })));
    root.append(axis);
  };

  const draw = (): void => {
    const state = store.now;
    const { opened } = state;
    if (!opened) return;
    const narrow = isNarrow();
    const arms = opened.arms.length;
    const runs = opened.arms.map((_, i) => shownRun(state, i) ?? ghostRun(state, i)).filter((r) => r !== undefined);
    const tracks = tracksFor(opened, runs, state.mode);
    const width = grid.width(columnCount(state, tracks, runs));
    const next = JSON.stringify([opened.text, state.arm, state.mode, width, narrow, tracks, state.mode === 'over' ? runs.map((r) => r.series.length) : 0]);
    if (next !== shape) {
      build(state, tracks, width, narrow, runs);
      shape = next;
    }
    shown = tracks;
    const [from, to] = span(state);
    const reference = shownRun(state, 0) ?? ghostRun(state, 0);
    const roomy = roomiest(state, arms, to);
    const jobs = plots.map((plot) => () => {
      const run = shownRun(state, plot.arm);
      const first = plot.track === tracks[0] || plot.track.id === tracks[0]?.id;
      const input: PlotInput = {
        run, ghost: ghostRun(state, plot.arm), reference, from, to, width,
        height: narrow ? Math.round(plot.track.height * 0.8) : plot.track.height,
        selection: state.selection, pins: state.pins,
        runs: opened.arms.map((_, i) => shownRun(state, i) ?? ghostRun(state, i)),
        marks: first && run ? run.log.slice(0, 500).map((e) => e.at_ns / 1e9) : [],
        note: first && run?.done && plot.track.form === 'line' ? noteFor(state, plot.arm) : null,
        limitText: plot.arm === roomy,
      };
      plot.draw(input);
      plot.cursor(store.now.t);
    });
    batches.set(jobs);
    for (const svg of root.querySelectorAll('.axis svg')) put(svg, ...axisLabels(from, to, width));
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
    const words = said.filter((x) => (x.p.track.kind === 'llc_util' || x.p.track.form === 'cpus') && x.p.track.form !== 'diff').map((x) => (x.p.arm < 0 ? x.words : `Arm ${letter(x.p.arm)}: ${x.words}`));
    speak(state, words, () => state.mode === 'cpus' && fillTables(root, state, shown));
  };

  store.watch(['opened', 'live', 'outcome', 'stale', 'progress', 'mode', 'zoom', 'selection', 'pins', 'arm'], draw);
  // the tables behind the plots can wait for a frame of their own
  store.watch(['opened', 'outcome', 'stale', 'progress', 'mode', 'arm'], () => !store.now.progress && fillTables(root, store.now, shown));
  store.watch(['t', 'row'], cursor);
}

/** Columns of plots: one for each arm, or one for each curve when the arms lie over each other. */
function columnCount(state: State, tracks: readonly Track[], runs: readonly Run[]): number {
  if (state.mode !== 'over') return state.opened?.arms.length ?? 1;
  return Math.max(1, ...tracks.map((x) => columnsOf(runs, x.kind, x.noun, MAX_LINES).length));
}

function fillTables(root: HTMLElement, state: State, tracks: Track[]): void {
  const boxes = root.querySelectorAll('.tablebox');
  const runs = (state.opened?.arms ?? []).map((a, i) => ({ name: `${letter(i)} ${a.label}`, run: shownRun(state, i) }));
  tracks.forEach((track, i) => {
    const box = boxes[i];
    if (!box || !state.opened) return;
    put(box, track.form === 'cpus' ? cpuTable(state.opened.machine, state.row, state.t, runs) : dataTable(track, runs, timeEnd(state)));
  });
}

let pause: ReturnType<typeof setTimeout> | undefined;

/** Says the values at the cursor once it rests; silent while results stream in. */
function speak(state: State, parts: string[], rest: () => unknown): void {
  clearTimeout(pause);
  if (!state.held) return;
  pause = setTimeout(() => {
    rest();
    byId('live').textContent = `${state.t.toFixed(2)} seconds. ${parts.join('. ')}`;
  }, 400);
}
