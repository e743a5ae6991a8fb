// The first decision that differs between the explained arm and the one that
// it is best compared with.

import type { Entry } from '../contract';
import { byId, h, letter, put, tag } from '../dom';
import { clock } from '../format';
import { parting } from '../model/parting';
import { explainedRun } from '../shown';
import type { AppStore, State } from '../state';

export function mountParting(store: AppStore): void {
  store.watch(['opened', 'arm', 'outcome', 'live', 'stale'], () => draw(store));
}

/** An arm that asks CAS rules too: the reference when it does, else the first other one. */
function other({ opened, outcome, arm }: State): number {
  const arms = opened?.arms ?? [];
  const reference = outcome?.stats[arm]?.reference ?? 0;
  const fits = (i: number) => i !== arm && arms[i]?.cas === true;
  return fits(reference) ? reference : arms.findIndex((_, i) => fits(i));
}

function draw(store: AppStore): void {
  const state = store.now;
  const root = byId('parting');
  const to = other(state);
  const [a, b] = [explainedRun(state, to), explainedRun(state, state.arm)];
  const found = a && b && a.done && b.done && a.seed === b.seed && state.opened?.arms[state.arm]?.cas ? parting(a, b) : null;
  root.hidden = !found;
  if (!found) return void put(root);
  const said = (arm: number, e: Entry | null) => h('li', null, tag(arm), ' ', e ? h('code', null, e.rule) : null, ' ', e ? e.text : 'nothing more');
  const jump = h('button', { type: 'button', class: 'linkish', click: () => store.set({ t: found.t, held: true }) }, clock(found.t));
  put(root, h('h3', null, 'First decision that differs'), h('p', null, `${letter(to)} and ${letter(state.arm)} part at `, jump, ':'), h('ul', null, said(to, found.a), said(state.arm, found.b)));
}
