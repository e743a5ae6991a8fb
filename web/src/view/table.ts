// The numbers of a plot as a table, for readers who do not see it.

import type { Run } from '../contract';
import { at, bank, end, placeOf } from '../curves';
import { h } from '../dom';
import { fixed, signed } from '../format';
import { niceStep } from '../scale';
import type { Track } from './tracks';

/** About this many rows of time. */
const ROWS = 10;

export function dataTable(track: Track, arms: { name: string; run: Run | undefined }[], to: number): HTMLTableElement {
  const step = niceStep(to / ROWS);
  const columns = arms.flatMap(({ name, run }, arm) => bank(run, track.kind).map((series) => ({ name: `${name}, ${track.noun} ${placeOf(series)}`, run: run as Run, series, arm })));
  const reference = arms[0]?.run;
  const refs = bank(reference, track.kind);
  const head = h('tr', null, h('th', { scope: 'col' }, 't, s'), ...columns.map((c) => h('th', { scope: 'col' }, c.name)));
  const rows: HTMLTableRowElement[] = [];
  for (let k = 0; k * step <= to; k++) {
    const t = k * step;
    rows.push(
      h('tr', null, h('th', { scope: 'row' }, String(Number(t.toPrecision(6)))), ...columns.map((c) => {
        if (c.run.done && t > end(c.run)) return h('td', null, 'done');
        const v = at(c.run, c.series, t);
        if (v === null) return h('td', null, '');
        if (track.form !== 'diff') return h('td', null, fixed(v, track.decimals));
        const r = reference && at(reference, refs.find((x) => placeOf(x) === placeOf(c.series)), t);
        return h('td', null, r === null || r === undefined ? '' : signed(v - r, track.decimals));
      })),
    );
  }
  return h('table', null, h('caption', null, `${track.name}, ${track.unit}`), h('thead', null, head), h('tbody', null, ...rows));
}
