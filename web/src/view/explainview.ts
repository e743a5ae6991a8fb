// The sentences of the engine about the chosen process at the cursor, the three
// facts about CAS, and what would open a closed gate.

import { byId, h, letter, put } from '../dom';
import { clock } from '../format';
import { reasonsAt, type Reasons } from '../reasons';
import type { Acts, AppStore, State } from '../state';
import { named } from './words';

export function mountExplain(store: AppStore, acts: Acts): void {
  let shown: Reasons | undefined;
  store.watch(['opened', 'arm', 'process', 'outcome', 'stale', 't', 'reasons', 'asking', 'progress'], () => {
    const state = store.now;
    const now = state.reasons?.value ? reasonsAt(state.reasons.value, state.t) : undefined;
    facts(state, now);
    if (now === shown) return;
    shown = now;
    // the first sentence says the three facts
    put(byId('reasons'), ...(now?.text.slice(1) ?? []).map((line) => h('li', null, ...named(line))));
    put(byId('tries'), ...(now ? tries(now, state, store, acts) : []));
  });
}

/** Why there are no sentences. */
function waiting(state: State): string {
  if (state.reasons?.message) return `no reasons: ${state.reasons.message}`;
  if (state.asking === 'reasons') return `arm ${letter(state.arm)} runs once more for the reasons`;
  return state.opened ? 'reasons come when the runs are through' : '';
}

/** The three facts: at the cursor when the reasons are there, else of the whole run. */
function facts(state: State, now: Reasons | undefined): void {
  const fact = now ?? state.outcome?.result.arms[state.arm]?.cas;
  const yes = (v: boolean) => h('b', null, v ? 'yes' : 'no');
  const known = fact ? ['CAS wanted ', yes(fact.wanted), ', possible (2+ LLCs) ', yes(fact.possible), ', active ', yes(fact.active), ' '] : [];
  put(byId('facts'), ...known, h('span', { class: 'sub' }, now ? `at ${clock(now.at_ns / 1e9)}` : waiting(state)));
}

/** A button for each tolerance of the kernel that would open a closed gate. */
function tries(now: Reasons, state: State, store: AppStore, acts: Acts): HTMLElement[] {
  const gates = now.gates.filter((g) => g.closed && g.knob.startsWith('kernel.'));
  const values = new Set(gates.flatMap((g) => [g.tolerance, g.tolerance_all].filter((v) => v >= 0).map((v) => `${g.knob}=${v}`)));
  return [...values].map((setting) => h('button', { type: 'button', class: 'linkish', click: () => {
    store.set({ scope: state.arm });
    acts.setField(...(setting.split('=') as [string, string]));
  } }, `run arm ${letter(state.arm)} with ${setting.slice(setting.lastIndexOf('.') + 1)}`));
}
