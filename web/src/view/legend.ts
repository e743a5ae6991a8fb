// Legends of the curves and of the drawing, and the two switches beside them.

import { bank } from '../curves';
import { byId, h, letter, put, s } from '../dom';
import { explainedRun } from '../shown';
import type { AppStore, FillMode, State, ViewMode } from '../state';
import { segments } from './segments';
import { MAX_LINES } from './tracks';

export function mountLegend(store: AppStore): void {
  store.watch(['mode', 'opened'], () => {
    const several = (store.now.opened?.arms.length ?? 2) > 1;
    segments('viewseg', 'view', [{ value: 'side', text: 'side by side' }, { value: 'over', text: 'overlaid' }, { value: 'diff', text: diffName(store.now) }, { value: 'cpus', text: 'CPU rows' }].filter((o) => several || o.value === 'side' || o.value === 'cpus'), store.now.mode, (v) => store.set({ mode: v as ViewMode }));
  });
  store.watch(['fill'], () => segments('fillseg', 'fill', [{ value: 'util', text: 'utilisation' }, { value: 'bandwidth', text: 'bandwidth' }], store.now.fill, (v) => store.set({ fill: v as FillMode })));
  let shape = '';
  store.watch(['opened', 'live', 'outcome', 'mode'], () => {
    const entries = curveEntries(store.now);
    const next = JSON.stringify([entries, store.now.mode, store.now.opened?.arms]);
    if (next === shape) return;
    shape = next;
    put(byId('legend'), ...(store.now.mode === 'diff' ? [swatch('aup', 'more than A'), swatch('adn', 'less than A')] : store.now.mode === 'over' ? (store.now.opened?.arms ?? []).map((a, i) => line(`line n${i % 6}`, `${letter(i)} ${a.label}`)) : store.now.mode === 'cpus' ? [rampEntry()] : [...entries.map((e) => line(`line n${e.n}`, e.text)), line('lim', 'limit')]));
  });
  put(byId('mlegend'), rampEntry());
}

function rampEntry(): HTMLElement {
  return h('li', null, '0 ', h('span', { class: 'ramp', 'aria-hidden': 'true' }, ...Array.from({ length: 9 }, (_, i) => h('i', { class: `g${i}` }))), ' 100 %');
}

function diffName({ opened }: State): string {
  return opened?.arms.length === 2 ? 'B \u2212 A' : 'minus A';
}

function line(cls: string, words: string): HTMLElement {
  return h('li', null, s('svg', { viewBox: '0 0 20 10', 'aria-hidden': 'true' }, s('line', { class: cls, x1: 0, x2: 20, y1: 5, y2: 5 })), words);
}

function swatch(cls: string, words: string): HTMLElement {
  return h('li', null, s('svg', { viewBox: '0 0 20 10', 'aria-hidden': 'true' }, s('rect', { class: cls, x: 0.5, y: 0.5, width: 19, height: 9 })), words);
}

/** One entry for each line style: an LLC and the node of the same number share one. */
function curveEntries(state: State): { n: number; text: string }[] {
  const run = explainedRun(state, 0) ?? explainedRun(state, 1);
  const machine = state.opened?.machine;
  if (!machine) return [];
  const llcs = machine.packages.flatMap((p) => p.llcs).length;
  const nodes = run ? bank(run, 'node_bw').length : machine.packages.flatMap((p) => p.nodes).length;
  const lines = Math.max(llcs > MAX_LINES ? 0 : llcs, Math.min(nodes, MAX_LINES));
  return Array.from({ length: lines }, (_, i) => ({ n: i % 6, text: [llcs <= MAX_LINES && i < llcs ? `LLC ${i}` : '', i < nodes ? `node ${i}` : ''].filter(Boolean).join(', ') }));
}
