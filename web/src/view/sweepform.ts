// What to sweep over: one or two settings, their values, how many seeds.

import type { Field, Opened } from '../contract';
import { byId, h, put, text } from '../dom';
import { scalarAt } from '../paths';
import type { Acts, AppStore } from '../state';
import { offered, parseValues } from '../sweep/values';
import type { SweepAxis } from '../sweep/sweep';

export function mountSweepForm(store: AppStore, acts: Acts): void {
  const axes = [axis('x', 'Over'), axis('y', 'and')];
  const seeds = h('select', { id: 'sw-seeds' }, ...[1, 3, 5].map((n) => h('option', { value: n }, n)));
  const error = h('p', { class: 'fielderr', id: 'sw-err', role: 'alert', hidden: true });
  const run = h('button', { type: 'submit', class: 'primary' }, 'Run sweep');
  const stop = h('button', { type: 'button', click: () => acts.cancel() }, 'Cancel');
  const progress = h('progress', { max: 1, 'aria-label': 'Finished part of the sweep' });
  const state = h('span', { class: 'sub', role: 'status' });
  const form = h('form', { class: 'sweepform', submit: (e: Event) => begin(e) }, ...axes.map((a) => a.box), h('label', { class: 'sw-seeds' }, 'Seeds ', seeds), run, stop, progress, state, error);
  put(byId('sweepset'), form);
  let shape = '';

  const begin = (e: Event): void => {
    e.preventDefault();
    const { opened, sweepOver } = store.now;
    if (!opened || !sweepOver) return;
    try {
      const [x, y] = axes.map((a) => a.read(opened));
      if (!x) throw new Error('Choose what to sweep over.');
      if (y && y.path === x.path) throw new Error(`${y.name} is chosen twice.`);
      error.hidden = true;
      acts.runSweep({ x, ...(y ? { y } : {}), seeds: Number(seeds.value) });
    } catch (problem) {
      text(error, problem instanceof Error ? problem.message : String(problem));
      error.hidden = false;
    }
  };

  const draw = (): void => {
    const { sweepOver, opened, sweep } = store.now;
    const root = byId('sweep');
    const was = root.hidden;
    root.hidden = sweepOver === null || !opened;
    if (!sweepOver || !opened) return;
    const next = JSON.stringify([opened.name, opened.fields.map((f) => f.path), sweepOver]);
    if (next !== shape) {
      shape = next;
      axes.forEach((a, i) => a.fill(opened, sweepOver[i] as string));
      error.hidden = true;
    }
    if (was) {
      root.scrollIntoView({ block: 'nearest' });
      axes[0]?.focus();
    }
    const running = sweep?.running === true;
    run.disabled = running;
    stop.hidden = !running;
    progress.hidden = !running;
    progress.value = sweep ? sweep.done / sweep.total : 0;
    text(state, sweep ? (running ? `${sweep.done} of ${sweep.total} runs` : sweep.message) : '');
  };
  store.watch(['sweepOver', 'opened', 'sweep'], draw);
  byId('sweepclose').addEventListener('click', () => {
    acts.cancel();
    store.set({ sweepOver: null });
  });
  byId('sweepopen').addEventListener('click', () => store.set({ sweepOver: [firstPath(store.now.opened), ''] }));
}

/** The setting that a sweep begins with: threads where there are some, else the tolerance. */
function firstPath(opened: Opened | null): string {
  const fields = opened ? sweepable(opened) : [];
  return (fields.find((f) => f.name === 'threads') ?? fields.find((f) => f.name === 'aggr_tolerance') ?? fields[0])?.path ?? '';
}

function sweepable(opened: Opened): Field[] {
  return opened.fields.filter((f) => (f.type === 'int' || f.type === 'float') && !f.path.startsWith('run.'));
}

interface AxisEntry {
  box: HTMLElement;
  fill(opened: Opened, path: string): void;
  read(opened: Opened): SweepAxis | null;
  focus(): void;
}

function axis(id: string, name: string): AxisEntry {
  const pick = h('select', { id: `sw-${id}`, 'aria-label': `${name}, setting` });
  const values = h('input', { type: 'text', id: `sw-${id}-values`, 'aria-label': 'values', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'sw-hint sw-err' });
  let now: Opened | null = null;
  const offer = (): void => {
    const field = now?.fields.find((f) => f.path === pick.value);
    values.hidden = !field;
    values.value = field && now ? offered(field, Number(scalarAt(now.scenario, field.path)), Number(scalarAt(now.base, field.path))) : '';
  };
  pick.addEventListener('change', offer);
  return {
    box: h('div', { class: 'sweepaxis' }, h('label', { for: `sw-${id}` }, name), pick, values),
    fill: (opened, path) => {
      now = opened;
      const shortest = (f: Field) => (opened.fields.filter((g) => g.name === f.name).length > 1 ? f.path : f.name);
      put(pick, ...(id === 'y' ? [h('option', { value: '' }, 'nothing else')] : []), ...sweepable(opened).map((f) => h('option', { value: f.path, selected: f.path === path }, shortest(f))));
      offer();
    },
    read: (opened) => {
      const field = opened.fields.find((f) => f.path === pick.value);
      return field ? { path: field.path, name: field.name, values: parseValues(values.value) } : null;
    },
    focus: () => values.focus(),
  };
}
