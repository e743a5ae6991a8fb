// What was published, beside what the simulation gives: hits and misses alike.

import type { Result } from '../contract';
import { byId, h, put } from '../dom';
import { fixed, signed } from '../format';
import type { AppStore } from '../state';

type Row = Result['verdicts'][number];

/** The published side of a row: a value, a change or a bound. */
export function claim(v: Row): string {
  if (v.value !== undefined) return String(v.value);
  if (v.delta_pct !== undefined) return `${signed(v.delta_pct, Number.isInteger(v.delta_pct) ? 0 : 1)} %`;
  const low = v.min !== undefined ? `\u2265 ${v.min}` : '';
  const high = v.max !== undefined ? `\u2264 ${v.max}` : '';
  return [low, high].filter(Boolean).join(', ');
}

/** The simulated side, in the same terms. */
export function found(v: Row): string {
  if (v.reason) return v.reason;
  if (v.delta_pct !== undefined) return `${signed(v.simulated, 1)} %`;
  return fixed(v.simulated, Number.isInteger(v.simulated) ? 0 : 2);
}

export function mountPublished(store: AppStore): void {
  store.watch(['outcome', 'stale'], () => {
    const { outcome, stale } = store.now;
    const rows = outcome && !stale && outcome.seeds === outcome.of ? outcome.result.verdicts : null;
    const at = byId('published');
    if (!rows) return void put(at, h('p', { class: 'sub' }, 'Compared when the runs are through.'));
    if (rows.length === 0) return void put(at, h('p', { class: 'sub' }, 'Nobody has published a measurement of this scenario as it is set.'));
    const head = ['Arm, metric', 'published', 'simulated', 'role', 'within tolerance'].map((t, i) => h('th', { scope: 'col', class: i === 1 || i === 2 ? 'num' : null }, t));
    put(at, h('table', { class: 'published', 'aria-labelledby': 'ph' }, h('thead', null, h('tr', null, ...head)), h('tbody', null, ...rows.map(line))));
  });
}

function line(v: Row): HTMLElement {
  const what = v.delta_pct !== undefined ? `${v.metric}, change` : v.metric;
  return h('tr', { title: v.source ?? null }, h('th', { scope: 'row' }, `${v.arm} `, h('code', null, what)), h('td', { class: 'num' }, claim(v)), h('td', { class: 'num' }, found(v)), h('td', null, v.role), h('td', null, h('span', { class: v.pass ? 'verd' : 'verd late' }, v.pass ? 'yes' : 'no')));
}
