// The panel that explains an arm: its choice, warnings, and the gates.

import { byId, h, letter, put, rich, s, text } from '../dom';
import { gates, type Gate } from '../model/gates';
import { explainedProcess, explainedRun } from '../shown';
import type { AppStore, State } from '../state';
import { segments } from './segments';

export function mountWhy(store: AppStore): void {
  store.watch(['opened', 'arm'], () => {
    const arms = store.now.opened?.arms ?? [];
    segments('armseg', 'arm', arms.map((a, i) => ({ value: String(i), text: arms.length > 3 ? letter(i) : `${letter(i)} ${a.label}`, title: a.label })), String(store.now.arm), (v) => store.set({ arm: Number(v) }));
  });
  store.watch(['opened', 'arm', 'process', 'outcome', 'live', 'stale', 'moreGates'], () => {
    table(store.now);
    warnings(store.now);
  });
  byId('gatestoggle').addEventListener('click', () => store.set({ moreGates: !store.now.moreGates }));
}

export function llcBytes(state: State): number {
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
  const rows = run ? gates(run, merged ?? run.decisions, explainedProcess(state, run), llcBytes(state)) : [];
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

function warnings(state: State): void {
  const { outcome } = state;
  const others = outcome?.opened.arms.filter((_, i) => i !== state.arm).map((a) => `arm ${a.label} `) ?? [];
  const common = outcome?.result.warnings.filter((w) => !others.some((o) => w.startsWith(o))) ?? [];
  const all = outcome && !state.stale ? [...common, ...(outcome.result.arms[state.arm]?.warnings ?? [])] : [];
  put(byId('warnings'), ...all.map((w) => h('li', null, w)));
}
