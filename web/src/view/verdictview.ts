// The verdict sentence, its reason, and the table of runtimes.

import { byId, h, letter, put, rich, s, tag } from '../dom';
import { fixed, signed } from '../format';
import { metricText, metricWords } from '../model/metrics';
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
  // a number stays beside its %
  const shown = pieces.map((p) => ({ ...p, text: p.text.replaceAll(' %', '\u00a0%') }));
  put(byId('vh'), ...shown.map((p) => (p.tone === 'plain' ? p.text : p.tone === 'name' ? h('b', null, p.text) : h('span', { class: p.tone }, p.text))));
  document.title = `${outcome.opened.name}: ${pieces.map((p) => p.text).join('')} (casplay)`;
  put(byId('vwhy'), ...rich(reason(outcome)));
  if (outcome.seeds < outcome.of && !state.stale) byId('vwhy').append(h('span', { class: 'sub' }, `after ${outcome.seeds} of ${outcome.of} seeds`));
  if (state.stale) byId('vwhy').append(h('span', { class: 'sub' }, 'result of the settings before; the new run is under way'));
}

function reason(outcome: Outcome): string {
  const about = subject(outcome.stats, outcome.result) ?? outcome.stats[0];
  const run = about && typical(about);
  if (!about || !run) return outcome.opened.purpose;
  const other = outcome.stats[about.reference];
  const reference = other && typical(other);
  const text = why({ opened: outcome.opened, run, decisions: outcome.result.arms[about.arm]?.decisions ?? run.decisions, reference: about.arm === about.reference ? undefined : reference });
  return `${text} ${others(outcome.stats, outcome.result, about.arm)}`.trim();
}

const W = 272;
const H = 28;

function table(store: AppStore): void {
  const { outcome, opened, arm } = store.now;
  const root = byId<HTMLTableElement>('runtime');
  const stats = outcome?.stats ?? (opened ? armStats(opened, []) : []);
  const some = stats.some((x) => x.values.length > 0);
  const max = axisEnd(Math.max(0, ...stats.flatMap((x) => [...x.values, publishedValue(x, stats) ?? 0])));
  const name = stats[0]?.metric ?? 'runtime_s';
  const { title, unit } = metricWords(name);
  put(root.tHead as HTMLElement, h('tr', null, h('th', { scope: 'col' }, 'Arm'), h('th', { scope: 'col', class: 'strip' }, `${title}${some ? `, 0 to ${max} ${unit}` : ''} `, h('small', null, '\u25c7 published \u2503 median \u2022 seed')), h('th', { scope: 'col', class: 'num' }, 'Median'), h('th', { scope: 'col', class: 'num' }, stats.every((x) => x.reference === 0) ? 'vs A' : 'change'), h('th', { scope: 'col', class: 'num pubcol' }, 'Published')));
  const labels = outcome?.opened.arms ?? opened?.arms ?? [];
  const focused = document.activeElement instanceof HTMLInputElement && document.activeElement.name === 'armrow';
  put(root.tBodies[0] as HTMLElement, ...labels.map((a, i) => {
    const radio = h('input', { type: 'radio', name: 'armrow', value: i, class: 'vh', checked: i === arm, change: () => store.set({ arm: i }) });
    const stat = stats[i];
    return h('tr', { class: i === arm ? 'sel' : null, 'data-arm': letter(i) }, h('th', { scope: 'row' }, h('label', null, radio, tag(i), ` ${a.label}`)), h('td', { class: 'strip' }, stat && stat.values.length ? strip(stat, stats, max, i === labels.length - 1) : null), ...numbers(stat, stats, outcome));
  }));
  if (focused) root.querySelector<HTMLInputElement>('input:checked')?.focus();
}

function numbers(stat: ArmStat | undefined, stats: readonly ArmStat[], outcome: Outcome | null): HTMLElement[] {
  const reference = stat && stats[stat.reference];
  const small = (t: string) => h('small', null, t);
  const published = stat?.published;
  const last = h('td', { class: 'num pubcol' }, ...(published ? [`${published.value !== undefined ? `${published.value} ${metricWords(stat.metric).unit}`.trim() : `${signed(published.delta_pct ?? 0, 1)} %`} `, small(published.role)] : [small('none')]));
  if (!stat || !reference || stat.values.length === 0) return [h('td', { class: 'num' }, small(stat?.unfinished ? 'time limit' : outcome ? 'none' : 'to come')), h('td', { class: 'num' }), last];
  const half = (stat.max - stat.min) / 2;
  const spread = stat.values.length > 1 ? small(` \u00b1 ${fixed(half, half < 0.05 ? 2 : half < 100 ? 1 : 0)}`) : small(' 1 seed');
  const d = delta(stat, reference, outcome?.result ?? null);
  const vs = stat.arm === reference.arm || !d ? [small('reference')] : d.clear ? [h('span', { class: `delta ${d.pct > 0 ? 'up' : 'dn'}` }, Number.isFinite(d.pct) ? `${signed(d.pct, Math.abs(d.pct) < 10 ? 1 : 0)} %` : 'from 0'), ...(reference.arm > 0 ? [small(` vs ${letter(reference.arm)}`)] : [])] : [h('span', { class: 'delta' }, '~'), small(' within spread')];
  return [h('td', { class: 'num' }, h('span', { class: 'med' }, metricText(stat.metric, stat.median)), spread), h('td', { class: 'num' }, ...vs), last];
}

/** Bar to the median, the part beyond or short of A, dots for seeds, a diamond for the published value. */
function strip(stat: ArmStat, stats: readonly ArmStat[], max: number, last: boolean): SVGSVGElement {
  const reference = stats[stat.reference] as ArmStat;
  const x = (v: number) => (v / max) * (W - 6);
  const m = x(stat.median);
  const r = x(reference.median);
  const svg = s('svg', { viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': `seeds ${stat.values.map((v) => metricText(stat.metric, v)).join(', ')}` });
  svg.append(s('rect', { class: 'bar0', x: 0, y: 9, width: Math.min(m, r), height: 10 }));
  const d = delta(stat, reference, null);
  if (stat.arm !== reference.arm && d && Math.abs(d.pct) >= 1) svg.append(s('rect', { class: m > r ? 'more' : 'less', x: Math.min(m, r), y: 9.5, width: Math.abs(m - r), height: 9 }));
  svg.append(s('line', { class: 'refl', x1: r, x2: r, y1: stat.arm === reference.arm ? 20 : 0, y2: last ? 8 : H }), s('line', { class: 'medl', x1: m, x2: m, y1: 9, y2: 19 }));
  stat.values.forEach((v, i) => svg.append(s('circle', { class: 'dot', cx: x(v), cy: i % 2 ? 25.5 : 22, r: 1.75 })));
  const published = publishedValue(stat, stats);
  if (published !== null) svg.append(s('path', { class: 'pub', d: `M${x(published)} 0.5 l3.5 3.75 l-3.5 3.75 l-3.5 -3.75 z` }));
  return svg;
}

/** Where the published value stands on the axis; a published change counts from the simulated reference. */
function publishedValue(stat: ArmStat, stats: readonly ArmStat[]): number | null {
  const { published } = stat;
  if (!published) return null;
  if (published.value !== undefined) return published.value;
  const base = stats[stat.reference]?.median;
  return base === undefined || Number.isNaN(base) || published.delta_pct === undefined ? null : base * (1 + published.delta_pct / 100);
}
