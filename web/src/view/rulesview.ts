// The rules dialog: versions and proposals with who made them, where and what
// differs; each can be chosen for all arms or one.

import type { Facts, Opened, RuleRow } from '../contract';
import { byId, h, put, rich, tag, text } from '../dom';
import { verdict } from '../model/verdict';
import { featureRows, FEATURES, origin, switches } from '../model/ruletable';
import type { Acts, AppStore, State } from '../state';
import { inputFor } from './inputs';
import { Knob } from './knob';
import { bindScope, scoped } from './scope';

export function mountRules(store: AppStore, acts: Acts): void {
  const dialog = byId<HTMLDialogElement>('rules');
  let knobs: Knob[] = [];
  let shape = '';

  const draw = (): void => {
    const { opened, facts } = store.now;
    if (!dialog.open || !opened || !facts) return;
    const next = JSON.stringify([opened.fields.map((f) => f.path), facts.version]);
    if (next !== shape) {
      shape = next;
      knobs = [];
      put(byId('rufeatures'), ...features(store.now, opened, facts, acts, knobs));
      put(byId('runot'), ...facts.not_simulated.map((r) => h('tr', null, h('th', { scope: 'row' }, r.name), h('td', null, r.differs, from(r)), h('td', null, r.ours))));
    }
    const focused = (document.activeElement as HTMLElement | null)?.dataset['version'];
    put(byId('ruversions'), ...facts.versions.map((r) => version(store.now, opened, r, acts)));
    if (focused) byId('ruversions').querySelector<HTMLElement>(`[data-version="${CSS.escape(focused)}"]`)?.focus();
    for (const k of knobs) k.show(inputFor(k.field, store.now, opened));
  };

  bindScope(store, 'ruscope');
  store.watch(['opened', 'refused', 'facts', 'scope'], draw);
  store.watch(['opened', 'outcome', 'stale', 'progress'], () => text(byId('rusaid'), said(store.now)));
  byId('rulesopen').addEventListener('click', () => {
    dialog.showModal();
    draw();
  });
}

/** What came of the last choice. */
function said({ outcome, stale, progress }: State): string {
  if (progress) return 'Running with these rules.';
  return outcome && !stale ? verdict(outcome.stats, outcome.result).map((p) => p.text).join('') : '';
}

function from(r: RuleRow): HTMLElement {
  return h('small', null, origin(r));
}

function ours(r: RuleRow): HTMLElement | null {
  return r.ours ? h('p', { class: 'ours' }, h('b', null, 'Chosen here: '), r.ours) : null;
}

function version(state: State, opened: Opened, r: RuleRow, acts: Acts): HTMLElement {
  const now = (i: number) => opened.arms[i]?.rules?.['kernel.rules'];
  const base = (opened.scenario as { kernel?: { rules?: string } }).kernel?.rules;
  const mine = (state.scope < 0 ? base : now(state.scope)) === r.name;
  const refused = state.refused.get(scoped(state, 'kernel.rules'));
  const bad = refused?.value === r.name;
  const list = switches(r);
  const use = h('button', { type: 'button', 'data-version': r.name, 'aria-pressed': String(mine), 'aria-label': `${mine ? 'in use' : 'use'}: ${r.name}`, 'aria-describedby': bad ? 'ruverr' : null, click: () => acts.setField('kernel.rules', r.name) }, mine ? 'in use' : 'use');
  return h('tr', { class: mine ? 'mine' : null },
    h('th', { scope: 'row' }, h('code', null, r.name), ' ', ...opened.arms.flatMap((_, i) => (now(i) === r.name ? [tag(i), ' '] : [])), h('div', null, use), bad ? h('p', { class: 'fielderr', id: 'ruverr', role: 'alert' }, refused.message) : null),
    h('td', null, r.differs, from(r), ours(r)),
    h('td', { class: 'switches' }, ...(list.length ? list.flatMap((x) => [h('code', null, x), ' ']) : ['nothing'])));
}

function features(state: State, opened: Opened, facts: Facts, acts: Acts, knobs: Knob[]): HTMLElement[] {
  return featureRows(opened.fields, facts.proposals).map(({ field, proposals }) => {
    const knob = new Knob(field, { ...inputFor(field, state, opened), prefix: 'ru-' }, { set: (path, value) => acts.setField(path, value), sweep: null });
    knobs.push(knob);
    const rows = proposals.map(({ values, row }) => h('div', null, values ? h('code', null, `${field.path.slice(FEATURES.length)}=${values}`) : null, values ? ' ' : null, row.differs, from(row), ours(row)));
    return h('tr', null, h('td', null, knob.box), h('td', null, ...(rows.length ? rows : rich(field.doc))));
  });
}
