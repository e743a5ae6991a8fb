// The scenario browser: what ships, by topic, published against simulated.

import { byTopic, found, score, siteIndex, withTables, type IndexEntry, type PublishedRow, type SiteIndex } from '../browse';
import { byId, h, put, rich } from '../dom';
import { fixed, signed } from '../format';
import type { Acts, AppStore } from '../state';
import { claim } from './publishedview';

export function mountBrowse(store: AppStore, acts: Acts, pre: string): void {
  const dialog = byId<HTMLDialogElement>('browse');
  const find = byId<HTMLInputElement>('browsefind');
  let index: SiteIndex = { scenarios: [], oracle: null };

  const fill = (): void => {
    const rows = found(index.scenarios, find.value);
    put(byId('browselist'), ...byTopic(rows).map(([topic, list]) => h('section', null, h('h3', null, topic), h('ul', { class: 'shelf' }, ...list.map((e) => item(e, e.name === store.now.opened?.name.split('.')[0]))))));
    if (rows.length === 0) put(byId('browselist'), h('p', { class: 'sub' }, 'No scenario has all these words.'));
  };

  const open = async (): Promise<void> => {
    dialog.showModal();
    find.value = '';
    const known = await siteIndex(pre);
    const presets = (await acts.facts())?.presets ?? [];
    const rest = presets.filter((p) => !known?.scenarios.some((s) => s.name === p.name)).map((p): IndexEntry => ({ ...p, machine: '', cpus: 0, rows: [] }));
    index = { scenarios: withTables([...(known?.scenarios ?? []), ...rest]).sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })), oracle: known?.oracle ?? null };
    fill();
    put(byId('browserows'), ...published(index.scenarios));
    put(byId('browseoracle'), ...oracle(index));
  };

  byId('scenarios').addEventListener('click', () => void open());
  find.addEventListener('input', fill);
  dialog.addEventListener('click', (e) => {
    if ((e.target as Element).closest('a')) dialog.close();
  });
}

function item(e: IndexEntry, current: boolean): HTMLElement {
  const numbers = e.rows.filter((r) => r.value !== undefined || r.delta_pct !== undefined);
  const s = score(numbers);
  const head = numbers.find((r) => r.delta_pct !== undefined) ?? numbers[0];
  return h('li', { 'aria-current': current ? 'true' : null },
    h('div', null, h('a', { href: `#1;${e.points?.[0] ?? e.name}` }, e.name), ' ', h('span', { class: 'sub' }, e.title)),
    h('p', null, ...rich(e.purpose)),
    h('p', { class: 'sub' }, head ? `${head.arm}, ${head.metric}: published ${claim(head)}, simulated ${simulated(head)} \u00b7 ${s.passed} of ${s.total} rows within tolerance${s.training ? `, ${s.training} fitted` : ''}` : e.cpus ? 'No published number.' : null),
    e.points ? h('details', { class: 'points' }, h('summary', null, `${e.points.length} points`), h('p', null, ...e.points.flatMap((p) => [h('a', { href: `#1;${p}` }, p.slice(e.name.length + 1)), ' ']))) : null);
}

function simulated(r: PublishedRow): string {
  return r.delta_pct !== undefined ? `${signed(r.simulated, 1)} %` : fixed(r.simulated, Number.isInteger(r.simulated) ? 0 : 2);
}

function published(list: readonly IndexEntry[]): HTMLElement[] {
  const rows = list.flatMap((e) => e.rows.map((r) => ({ e, r })));
  if (rows.length === 0) return [h('p', { class: 'sub' }, 'This site was built without results.')];
  const s = score(rows.map((x) => x.r));
  const head = ['Scenario', 'arm', 'metric', 'published', 'simulated', 'role', 'within'].map((t, i) => h('th', { scope: 'col', class: i === 3 || i === 4 ? 'num' : null }, t));
  return [
    h('p', { class: 'sub' }, `${s.passed} of ${s.total} rows within their tolerance; ${s.training} rows were used to fit the model, so that they come out is no evidence.`),
    h('table', { class: 'published' }, h('caption', { class: 'vh' }, 'Published rows against the model'), h('thead', null, h('tr', null, ...head)), h('tbody', null, ...rows.map(({ e, r }) => h('tr', { title: r.miss ?? r.source ?? null }, h('th', { scope: 'row' }, h('a', { href: `#1;${e.name}` }, e.name)), h('td', null, r.arm), h('td', null, h('code', null, r.metric)), h('td', { class: 'num' }, claim(r)), h('td', { class: 'num' }, simulated(r)), h('td', null, r.role), h('td', null, h('span', { class: r.pass ? 'verd' : 'verd late' }, r.pass ? 'yes' : 'no'), r.miss ? h('small', { class: 'miss' }, r.miss) : null))))),
  ];
}

function oracle({ oracle: o }: SiteIndex): HTMLElement[] {
  if (!o) return [h('p', { class: 'sub' }, 'This site was built without results.')];
  const bad = o.rows.filter((r) => !r.pass);
  const num = (v: number | null) => (v === null ? '\u2013' : String(v));
  return [
    h('p', { class: 'sub' }, `${o.passed} of ${o.total} experiments on a real Linux 7.3.4 pass whole, ${o.seeds} seeds each.${bad.length ? ' The others:' : ''}`),
    ...bad.map((r) => h('div', { class: 'oraclemiss' }, h('code', null, r.experiment), ' ', r.why ?? 'not explained yet', h('ul', null, ...r.checks.map((c) => h('li', null, h('code', null, c.name), `: kernel ${num(c.kernel)}, model ${num(c.model)}, passes from ${num(c.low)} to ${num(c.high)}`))))),
    h('p', { class: 'sub' }, 'Passed: ', o.rows.filter((r) => r.pass).map((r) => r.experiment).join(', '), '.'),
  ];
}
