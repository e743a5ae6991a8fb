// The panel that explains an arm: warnings, gates, facts, process, log.

import type { Process, Run } from '../contract';
import { at, bank, end } from '../curves';
import { byId, h, letter, put, rich, s, text } from '../dom';
import { bytes, clock, count, fixed, seconds } from '../format';
import { gates, type Gate } from '../model/gates';
import { explainedRun } from '../shown';
import type { AppStore, State } from '../state';
import { preferredAt } from './machineview';
import { segments } from './segments';

export function mountWhy(store: AppStore): void {
  store.watch(['opened', 'arm'], () => {
    const arms = store.now.opened?.arms ?? [];
    segments('armseg', 'arm', arms.map((a, i) => ({ value: String(i), text: arms.length > 3 ? letter(i) : `${letter(i)} ${a.label}`, title: a.label })), String(store.now.arm), (v) => store.set({ arm: Number(v) }));
  });
  store.watch(['opened', 'arm', 'outcome', 'live', 'stale', 'moreGates'], () => {
    table(store.now);
    facts(store.now);
    warnings(store.now);
  });
  store.watch(['opened', 'arm', 'outcome', 'live', 'stale', 't'], () => process(store.now));
  byId('gatestoggle').addEventListener('click', () => store.set({ moreGates: !store.now.moreGates }));
}

function llcBytes(state: State): number {
  return state.opened?.machine.packages[0]?.llcs[0]?.bytes ?? 1;
}

function bullet(ratio: number): SVGSVGElement {
  const tick = 100 / 1.3;
  return s('svg', { class: 'bullet', viewBox: '0 0 100 4', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, s('rect', { class: 'bg', width: 100, height: 4 }), s('rect', { class: ratio > 1 ? 'over' : 'fg', width: Math.min(100, Math.max(0, ratio) * tick), height: 4 }), s('line', { class: 'tick', x1: tick, x2: tick, y1: 0, y2: 4 }));
}

function row(g: Gate): HTMLTableRowElement {
  const value = h('td', { class: 'val' }, h('span', { class: 'v' }, g.value), ' ', h('span', { class: 'limit' }, g.limit));
  if (g.ratio !== null) value.append(bullet(g.ratio));
  return h('tr', { title: g.text || null }, h('th', { scope: 'row' }, g.code ? h('code', null, g.rule) : g.rule, h('small', null, g.what)), value, h('td', null, h('span', { class: `verd ${g.tone}` }, g.verdict), h('small', null, g.count)));
}

function table(state: State): void {
  const run = explainedRun(state, state.arm);
  const arm = state.opened?.arms[state.arm];
  const merged = !state.live[state.arm] && !state.stale ? state.outcome?.result.arms[state.arm]?.decisions : undefined;
  const rows = run ? gates(run, merged ?? run.decisions, 0, llcBytes(state)) : [];
  const main = rows.filter((g) => g.main);
  const rest = rows.filter((g) => !g.main);
  const none = !run ? 'No decision yet.' : arm && !arm.cas ? 'CAS is off in this arm (`enabled=0`): none of its rules was asked.' : 'No rule has been asked yet.';
  put(byId('gatesmain'), ...(main.length ? main.map(row) : [h('tr', null, h('td', { colspan: 3 }, ...rich(none)))]));
  put(byId('gatesmore'), ...rest.map(row));
  byId('gatesmore').hidden = !state.moreGates;
  const toggle = byId('gatestoggle');
  toggle.hidden = rest.length === 0;
  toggle.setAttribute('aria-expanded', String(state.moreGates));
  text(toggle, state.moreGates ? 'fewer rules' : `${rest.length} more rule${rest.length > 1 ? 's' : ''}`);
}

function facts(state: State): void {
  const fact = state.outcome?.result.arms[state.arm]?.cas;
  const yes = (v: boolean) => h('b', null, v ? 'yes' : 'no');
  put(byId('facts'), ...(fact ? ['CAS wanted ', yes(fact.wanted), ' \u00b7 possible (2+ LLCs) ', yes(fact.possible), ' \u00b7 active ', yes(fact.active)] : []));
}

function warnings(state: State): void {
  const { outcome } = state;
  const all = outcome && !state.stale ? [...outcome.result.warnings, ...(outcome.result.arms[state.arm]?.warnings ?? [])] : [];
  put(byId('warnings'), ...all.map((w) => h('li', null, w)));
}

function process(state: State): void {
  const run = explainedRun(state, state.arm);
  const p = run?.processes[0];
  text(byId('pname'), p?.name ?? '');
  const t = run ? Math.min(state.t, end(run)) : 0;
  text(byId('pt'), run ? `arm ${letter(state.arm)}, seed ${run.seed}, at ${clock(t)}` : 'no data yet');
  put(byId('proc'), ...(run && p ? rows(run, p, t, llcBytes(state)) : []));
}

function rows(run: Run, p: Process, t: number, llc: number): HTMLElement[] {
  const out: HTMLElement[] = [];
  const add = (name: string, ...value: (string | Node)[]) => out.push(h('dt', null, name), h('dd', null, ...value));
  const limitOf = (rule: string) => run.decisions.find((d) => d.rule === rule && d.process === 0)?.limit;
  const of = (limit: number | undefined, show: (v: number) => string) => (limit === undefined ? '' : limit < 0 ? ', no limit' : ` of ${show(limit)}`);
  const preferred = preferredAt(run, t);
  const since = p.preferred.filter(([ns, x]) => ns / 1e9 <= t && x === preferred).at(-1);
  add('preferred LLC', preferred < 0 ? 'none' : `LLC ${preferred} since ${seconds((since?.[0] ?? 0) / 1e9)}`);
  const per = bank(run, 'proc_llc_threads').map((x) => at(run, x, t)).filter((v): v is number => v !== null);
  if (per.length > 1 && per.length <= 8) add('threads per LLC', per.map((v) => fixed(v, 0)).join(' | '));
  const asked = run.decisions.some((d) => d.rule === 'invalid_llc_nr' && d.evaluated > 0);
  const avg = at(run, bank(run, 'proc_nr_running_avg')[0], t);
  if (asked) add('nr_running_avg', `${fixed(avg ?? p.nr_running_avg, 0)}${of(limitOf('invalid_llc_nr'), String)}`);
  const foot = at(run, bank(run, 'proc_footprint')[0], t);
  if (asked) add('footprint', `${foot ? bytes(foot * 4096) : '0'}${of(limitOf('exceed_llc_capacity'), bytes)}`);
  if (p.rss_bytes > 0) add('RSS', `${bytes(p.rss_bytes)}, ${times(p.rss_bytes / llc)} \u00d7 LLC`);
  add('NUMA sweeps', count(p.numa_sweeps));
  const pages = bank(run, 'proc_node_pages').map((x) => at(run, x, t) ?? 0);
  const sum = pages.reduce((a, b) => a + b, 0);
  if (pages.length > 1 && sum > 0) add(`pages, node ${pages.map((_, i) => i).join(' | ')}`, split(pages, sum), percents(pages, sum).map((v) => `${v} %`).join(' | '));
  if (p.pages_migrated > 0) add('pages migrated', count(p.pages_migrated));
  return out;
}

/** How many times, with digits for less than ten. */
function times(v: number): string {
  return v < 10 ? v.toFixed(v < 1 ? 2 : 1) : count(Math.round(v));
}

/** Whole percents that add up to 100: the largest part takes what rounding leaves. */
export function percents(parts: readonly number[], sum: number): number[] {
  const out = parts.map((v) => Math.round((v / sum) * 100));
  const most = out.indexOf(Math.max(...out));
  out[most] = (out[most] as number) + 100 - out.reduce((a, b) => a + b, 0);
  return out;
}

function split(parts: number[], sum: number): SVGSVGElement {
  let x = 0;
  return s('svg', { class: 'split', viewBox: '0 0 100 8', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, ...parts.map((v, i) => {
    const w = (v / sum) * 100;
    const rect = s('rect', { class: `d${i % 6}`, x: x + 0.25, width: Math.max(0, w - 0.5), height: 8 });
    x += w;
    return rect;
  }));
}
