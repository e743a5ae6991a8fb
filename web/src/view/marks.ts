// The two markers: values at each and their differences, as a table.

import type { Run, Series } from '../contract';
import { at, bank, placeOf } from '../curves';
import { byId, h, letter, put } from '../dom';
import { clock, fixed, signed } from '../format';
import { explainedRun } from '../shown';
import type { AppStore, State } from '../state';
import { MAX_LINES, tracksFor } from './tracks';

export function mountMarks(store: AppStore): void {
  store.watch(['pins', 'opened', 'outcome', 'live', 'stale'], () => draw(store.now));
}

function draw(state: State): void {
  const { opened, pins } = state;
  const root = byId('marks');
  root.hidden = pins.length === 0 || !opened;
  if (root.hidden || !opened) return void put(root);
  const [a, b] = pins as [number, number?];
  if (b === undefined) return void put(root, h('p', { class: 'sub' }, `Marker 1 at ${clock(a)}. Move the cursor and press m for the second.`));
  const arms = opened.arms.map((x, i) => ({ name: `${letter(i)} ${x.label}`, run: explainedRun(state, i) }));
  const runs = arms.map((x) => x.run).filter((r): r is Run => r !== undefined);
  const nameOf = (kind: string, k: number) => placeOf(runs.map((r) => bank(r, kind)[k]).find((x) => x !== undefined) as Series);
  const lines = tracksFor(opened, runs, 'over').flatMap((track) => {
    const n = Math.min(MAX_LINES, Math.max(0, ...runs.map((r) => bank(r, track.kind).length)));
    return Array.from({ length: n }, (_, k) => h('tr', null, h('th', { scope: 'row' }, `${track.name}, ${track.noun} ${nameOf(track.kind, k)} `, h('small', null, track.unit)), ...arms.flatMap(({ run }) => {
      const series = bank(run, track.kind)[k];
      const [x, y] = [a, b].map((t) => (run ? at(run, series, t) : null));
      const cell = (v: number | null | undefined) => (v === null || v === undefined ? '\u2013' : fixed(v, track.decimals));
      return [h('td', null, cell(x)), h('td', null, cell(y)), h('td', { class: 'd' }, typeof x === 'number' && typeof y === 'number' ? signed(y - x, track.decimals) : '\u2013')];
    })));
  });
  const head = [
    h('tr', null, h('th', { rowspan: 2, scope: 'col' }, `1 at ${clock(a)}, 2 at ${clock(b)}, \u0394 ${clock(b - a)}`), ...arms.map((x) => h('th', { colspan: 3, scope: 'colgroup' }, x.name))),
    h('tr', null, ...arms.flatMap(() => ['1', '2', '2 \u2212 1'].map((x) => h('th', { scope: 'col' }, x)))),
  ];
  put(root, h('table', { class: 'marktable' }, h('caption', { class: 'vh' }, 'Values at the markers'), h('thead', null, ...head), h('tbody', null, ...lines)));
}
