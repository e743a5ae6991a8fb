// The CPUs of the LLC under the cursor as a table, for readers who do not see
// the heat map.

import type { Layout, Run } from '../contract';
import { at } from '../curves';
import { h } from '../dom';
import { cpuRows } from '../model/cpurows';
import { seriesOf } from './cpuplot';

export function cpuTable(machine: Layout, row: number, t: number, arms: { name: string; run: Run | undefined }[]): HTMLTableElement {
  const { rows } = cpuRows(machine);
  const llc = rows[Math.min(row, rows.length - 1)]?.llc ?? 0;
  const head = h('tr', null, h('th', { scope: 'col' }, 'CPU'), ...arms.map((a) => h('th', { scope: 'col' }, a.name)));
  const lines = rows
    .filter((r) => r.llc === llc)
    .map((r) => h('tr', null, h('th', { scope: 'row' }, r.cpu), ...arms.map(({ run }) => {
      const v = run ? at(run, seriesOf(run).get(r.cpu), t) : null;
      return h('td', null, v === null ? 'none' : v.toFixed(0));
    })));
  return h('table', null, h('caption', null, `CPUs of LLC ${llc} at ${t.toFixed(2)} s, % busy`), h('thead', null, head), h('tbody', null, ...lines));
}
