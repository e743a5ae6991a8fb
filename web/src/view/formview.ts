// The scenario form, made from the engine's own table of settings.

import type { Field, Opened } from '../contract';
import { byId, h, put, tag } from '../dom';
import { isRule } from '../model/ruletable';
import { GROUPS, groupOf } from '../paths';
import type { Acts, AppStore, State } from '../state';
import { inputFor } from './inputs';
import { Knob } from './knob';
import { rulesBlock } from './rulesblock';
import { scopeOptions } from './scope';
import { how } from './words';

/** Settings of a workload that people compare by; the others fold away. */
const WORKLOAD_MAIN = new Set(['class', 'threads', 'work_us', 'mib', 'iterations', 'busy_pct', 'pairs']);

export function mountForm(store: AppStore, acts: Acts): void {
  let knobs = new Map<string, Knob>();
  let shape = '';
  const wishes: Wishes = { setScope: (scope) => store.set({ scope }), sweep: (path) => store.set({ sweepOver: [path, ''] }) };
  const draw = (): void => {
    const { opened, facts } = store.now;
    if (!opened || !facts) return;
    const next = JSON.stringify([opened.name, opened.fields.map((f) => f.path), opened.arms, store.now.scope]);
    if (next !== shape) {
      shape = next;
      knobs = new Map();
      const open = [...byId('form').querySelectorAll('details')].filter((d) => d.open).map((d) => d.dataset['group']);
      put(byId('form'), ...build(store.now, opened, knobs, acts, wishes));
      for (const d of byId('form').querySelectorAll('details')) d.open = open.includes(d.dataset['group']);
    }
    for (const field of opened.fields) knobs.get(field.path)?.show(inputFor(field, store.now, opened));
    const known = new Set([...knobs.keys()].flatMap((k) => [k, ...opened.arms.map((a) => `${a.label}:${k}`)]));
    const lost = [...store.now.refused.values()].filter((e) => !known.has(e.path));
    put(byId('formerr'), ...lost.map((e) => h('li', null, `${e.path}: ${e.message}`)));
    byId('formerr').hidden = lost.length === 0;
  };
  store.watch(['opened', 'refused', 'facts', 'scope'], draw);
  byId('reset').addEventListener('click', () => acts.reset());
}

interface Wishes {
  setScope(arm: number): void;
  sweep(path: string): void;
}

function build(state: State, opened: Opened, knobs: Map<string, Knob>, acts: Acts, { setScope, sweep }: Wishes): HTMLElement[] {
  const set = { set: (path: string, value: string) => acts.setField(path, value), sweep };
  const make = (field: Field): HTMLElement => {
    const knob = new Knob(field, inputFor(field, state, opened), set);
    knobs.set(field.path, knob);
    return knob.box;
  };
  const rules = opened.fields.find((f) => f.path === 'kernel.rules');
  const known = opened.fields.filter((f) => f.path !== 'machine' && !isRule(f.path));
  const out: HTMLElement[] = [
    h('div', null, pick('Preset', 'f-preset', presetNames(state, opened), opened.name, (v) => acts.openPreset(v)), h('p', { class: 'sub' }, opened.notice || opened.purpose)),
    machineBlock(state, opened, acts),
    ...workloads(opened, known, make),
    ...(rules ? [rulesBlock(opened, make(rules), (arm) => setScope(arm))] : []),
    h('div', null, h('h3', null, 'Arms'), h('ul', { class: 'arml' }, ...opened.arms.map((a, i) => h('li', null, tag(i), h('span', null, a.label), h('code', null, how(a))))), scopePick(state, setScope)),
  ];
  for (const group of GROUPS) {
    const fields = known.filter((f) => groupOf(f.path) === group);
    if (fields.length === 0) continue;
    const head = [group.title, ' ', group.hint ? h('small', null, group.hint) : null];
    out.push(group.folded ? h('div', null, h('details', { 'data-group': group.title }, h('summary', null, ...head), ...fields.map(make))) : h('div', null, h('h3', null, ...head), ...fields.map(make)));
  }
  out.push(h('ul', { id: 'formerr', class: 'fielderr', hidden: true }));
  return out;
}

/** Whose settings the form changes. */
function scopePick(state: State, pick: (arm: number) => void): HTMLElement {
  const select = h('select', { id: 'f-scope', change: (e: Event) => pick(Number((e.target as HTMLSelectElement).value)) }, ...scopeOptions(state));
  return h('div', { class: 'pick scope' }, h('label', { for: 'f-scope' }, 'Change'), select);
}

/** The shipped scenarios, and the name of one that is none of them. */
function presetNames(state: State, opened: Opened): string[] {
  const names = state.facts?.presets.map((p) => p.name) ?? [];
  return names.includes(opened.name) ? names : [opened.name, ...names];
}

function pick(name: string, id: string, names: string[], chosen: string, choose: (v: string) => void): HTMLElement {
  const select = h('select', { id, change: (e: Event) => choose((e.target as HTMLSelectElement).value) }, ...names.map((n) => h('option', { selected: n === chosen }, n)));
  return h('div', { class: 'pick' }, h('h3', null, h('label', { for: id }, name)), select);
}

function machineBlock(state: State, opened: Opened, acts: Acts): HTMLElement {
  const m = opened.machine;
  const names = state.facts?.machines ?? [];
  const options = names.includes(m.name) ? names : [m.name, ...names];
  const llcs = m.packages.reduce((n, p) => n + p.llcs.length, 0);
  const nodes = m.packages.reduce((n, p) => n + p.nodes.length, 0);
  const plural = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;
  return h('div', null, pick('Machine', 'f-machine', options, m.name, (v) => acts.setField('machine', v)), h('code', { class: 'synth' }, m.synthetic), h('span', { class: 'sub' }, `${m.cpus} CPUs, ${plural(llcs, 'LLC')}, ${plural(nodes, 'node')}, SMT ${m.smt > 1 ? m.smt : 'off'}`), h('p', { class: 'fielderr', id: 'f-machine-err', hidden: !state.refused.has('machine') }, state.refused.get('machine')?.message));
}

function workloads(opened: Opened, fields: Field[], make: (f: Field) => HTMLElement): HTMLElement[] {
  const kinds = (opened.scenario as { workload?: { kind: string }[] }).workload ?? [];
  return kinds.map((entry, i) => {
    const mine = fields.filter((f) => f.path.startsWith(`workload.${i}.`));
    const main = mine.filter((f) => WORKLOAD_MAIN.has(f.name));
    const rest = mine.filter((f) => !WORKLOAD_MAIN.has(f.name));
    return h('div', null, h('h3', null, 'Workload ', h('small', null, entry.kind)), ...main.map(make), h('details', { 'data-group': `workload ${i}` }, h('summary', null, `${rest.length} more settings`), ...rest.map(make)));
  });
}
