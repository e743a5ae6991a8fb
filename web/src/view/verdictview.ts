// The verdict sentence, its reason, and the table of runtimes.

import { byId, h, letter, put, rich, s, tag } from '../dom';
import { fixed, seconds, signed } from '../format';
import { armStats, delta, typical, type ArmStat } from '../model/stats';
import { subject, verdict } from '../model/verdict';
import { others, why } from '../model/why';
import { axisEnd } from '../scale';
import type { AppStore, Outcome, State } from '../state';

export function mountVerdict(store: AppStore): void {
  store.watch(['outcome', 'stale', 'opened', 'progress'], () => {
    sentence(store.now);
    byId('runtime').closest('.verdict')?.classList.toggle('stale', store.now.stale);
    byId('machine').classList.toggle('stale', store.now.stale);
  });
  store.watch(['outcome', 'arm', 'opened'], () => table(store));
}

function sentence(state: State): void {
  const { outcome, opened } = state;
  if (!outcome) {
    if (!opened) return;
    put(byId('vh'), opened.title);
    put(byId('vwhy'), ...rich(opened.purpose));
    document.title = `${opened.name} (casplay)`;
    return;
  }
  const pieces = verdict(outcome.stats, outcome.result);
  put(byId('vh'), ...pieces.map((p) => (p.tone === 'plain' ? p.text : p.tone === 'name' ? h('b', null, p.text) : h('span', { class: p.tone }, p.text))));
  document.title = `${outcome.opened.name}: ${pieces.map((p) => p.text).join('')} (casplay)`;
  put(byId('vwhy'), ...rich(reason(outcome)));
  if (outcome.seeds < outcome.of && !state.stale) byId('vwhy').append(h('span', { class: 'sub' }, `after ${outcome.seeds} of ${outcome.of} seeds`));
  if (state.stale) byId('vwhy').append(h('span', { class: 'sub' }, 'result of the settings before; the new run is under way'));
}

function reason(outcome: Outcome): string {
  const about = subject(outcome.stats, outcome.result) ?? outcome.stats[0];
  const run = about && typical(about);
  if (!about || !run) return outcome.opened.purpose;
  const reference = outcome.stats[0] && typical(outcome.stats[0]);
  const text = why({ opened: outcome.opened, run, decisions: outcome.result.arms[about.arm]?.decisions ?? run.decisions, reference: about.arm === 0 ? undefined : reference });
  return `${text} ${others(outcome.stats, outcome.result, about.arm)}`.trim();
}

const W = 272;
const H = 28;

function table(store: AppStore): void {
  const { outcome, opened, arm } = store.now;
  const root = byId<HTMLTableElement>('runtime');
  const stats = outcome?.stats ?? (opened ? armStats(opened, []) : []);
  const some = stats.some((x) => x.values.length > 0);
  const max = axisEnd(Math.max(0, ...stats.flatMap((x) => [...x.values, x.published?.value ?? 0])));
  put(root.tHead as HTMLElement, h('tr', null, h('th', { scope: 'col' }, 'Arm'), h('th', { scope: 'col', class: 'strip' }, `Runtime${some ? `, 0 to ${max} s` : ''} `, h('small', null, '\u25c7 published, \u2503 median, \u2022 seed')), h('th', { scope: 'col', class: 'num' }, 'Median'), h('th', { scope: 'col', class: 'num' }, 'vs A'), h('th', { scope: 'col', class: 'num pubcol' }, 'Published')));
  const labels = outcome?.opened.arms ?? opened?.arms ?? [];
  const focused = document.activeElement instanceof HTMLInputElement && document.activeElement.name === 'armrow';
  put(root.tBodies[0] as HTMLElement, ...labels.map((a, i) => {
    const radio = h('input', { type: 'radio', name: 'armrow', value: i, class: 'vh', checked: i === arm, change: () => store.set({ arm: i }) });
    const stat = stats[i];
    return h('tr', { class: i === arm ? 'sel' : null, 'data-arm': letter(i) }, h('th', { scope: 'row' }, h('label', null, radio, tag(i), ` ${a.label}`)), h('td', { class: 'strip' }, stat && stat.values.length ? strip(stat, stats[0] as ArmStat, max, i === labels.length - 1) : null), ...numbers(stat, stats[0], outcome));
  }));
  if (focused) root.querySelector<HTMLInputElement>('input:checked')?.focus();
}

function numbers(stat: ArmStat | undefined, reference: ArmStat | undefined, outcome: Outcome | null): HTMLElement[] {
  const small = (t: string) => h('small', null, t);
  const published = stat?.published;
  const last = h('td', { class: 'num pubcol' }, ...(published ? [`${published.value} s `, small(published.role)] : [small('none')]));
  if (!stat || !reference || stat.values.length === 0) return [h('td', { class: 'num' }, small(stat?.unfinished ? 'time limit' : 'to come')), h('td', { class: 'num' }), last];
  const half = (stat.max - stat.min) / 2;
  const spread = stat.values.length > 1 ? small(` \u00b1 ${half < 0.05 ? half.toFixed(2) : half.toFixed(1)}`) : small(' 1 seed');
  const d = delta(stat, reference, outcome?.result ?? null);
  const vs = stat.arm === reference.arm || !d ? [small('reference')] : d.clear ? [h('span', { class: `delta ${d.pct > 0 ? 'up' : 'dn'}` }, `${signed(d.pct, Math.abs(d.pct) < 10 ? 1 : 0)} %`)] : [h('span', { class: 'delta' }, '~'), small(' within spread')];
  return [h('td', { class: 'num' }, h('span', { class: 'med' }, seconds(stat.median)), spread), h('td', { class: 'num' }, ...vs), last];
}

/** Bar to the median, the part beyond or short of A, dots for seeds, a diamond for the published value. */
function strip(stat: ArmStat, reference: ArmStat, max: number, last: boolean): SVGSVGElement {
  const x = (v: number) => (v / max) * (W - 6);
  const m = x(stat.median);
  const r = x(reference.median);
  const svg = s('svg', { viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': `seeds ${stat.values.map((v) => fixed(v, 2)).join(', ')} s` });
  svg.append(s('rect', { class: 'bar0', x: 0, y: 9, width: Math.min(m, r), height: 10 }));
  const d = delta(stat, reference, null);
  if (stat.arm !== reference.arm && d && Math.abs(d.pct) >= 1) svg.append(s('rect', { class: m > r ? 'more' : 'less', x: Math.min(m, r), y: 9.5, width: Math.abs(m - r), height: 9 }));
  svg.append(s('line', { class: 'refl', x1: r, x2: r, y1: stat.arm === reference.arm ? 20 : 0, y2: last ? 8 : H }), s('line', { class: 'medl', x1: m, x2: m, y1: 9, y2: 19 }));
  stat.values.forEach((v, i) => svg.append(s('circle', { class: 'dot', cx: x(v), cy: i % 2 ? 25.5 : 22, r: 1.75 })));
  if (stat.published?.value !== undefined) svg.append(s('path', { class: 'pub', d: `M${x(stat.published.value)} 0.5 l3.5 3.75 l-3.5 3.75 l-3.5 -3.75 z` }));
  return svg;
}
