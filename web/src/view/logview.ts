// The decision log of the explained arm: changes of verdict, each a button
// that moves the cursor there.

import type { Entry, Run } from '../contract';
import { byId, h, letter, put, text } from '../dom';
import { clock, count } from '../format';
import { explainedRun } from '../shown';
import type { AppStore, State } from '../state';

/** Rows that are put on the page; the rest is in the exports. */
const MAX_ROWS = 400;

/** Entries that match a search, oldest first. */
export function matching(log: readonly Entry[], find: string): Entry[] {
  const words = find.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...log];
  return log.filter((e) => words.every((w) => `${e.rule} ${e.text}`.toLowerCase().includes(w)));
}

/** The entry before or after t, for the keys that jump. */
export function neighbour(log: readonly Entry[], t: number, direction: -1 | 1): Entry | undefined {
  const ns = t * 1e9;
  const e = 1e5;
  return direction > 0 ? log.find((x) => x.at_ns > ns + e) : log.findLast((x) => x.at_ns < ns - e);
}

export function mountLog(store: AppStore): void {
  let shown: Run | undefined;
  let rows = 0;
  let find = '';

  const fill = (): void => {
    const state = store.now;
    const run = explainedRun(state, state.arm);
    const all = run ? matching(run.log, state.find) : [];
    const list = byId('log');
    const grown = run !== undefined && shown !== undefined && run.seed === shown.seed && run.arm === shown.arm && find === state.find && all.length >= rows && run.log[0]?.at_ns === shown.log[0]?.at_ns && !run.done;
    if (!grown) {
      put(list);
      rows = 0;
    }
    for (const e of all.slice(rows, MAX_ROWS)) list.append(item(e, store));
    rows = Math.min(all.length, MAX_ROWS);
    shown = run;
    find = state.find;
    text(byId('logn'), state.outcome?.precomputed && run && run.log.length === 0 ? 'come with the live run' : run ? summary(run, all.length, state) : 'no decision yet');
    current();
  };

  const current = (): void => {
    const list = byId('log');
    let last: HTMLElement | null = null;
    for (const li of list.children as Iterable<HTMLElement> & HTMLCollection) {
      li.removeAttribute('aria-current');
      if (Number(li.dataset['t']) <= store.now.t + 1e-4) last = li;
    }
    if (!last) return;
    last.setAttribute('aria-current', 'true');
    if (list.contains(document.activeElement) && document.activeElement !== list) return;
    // behind the frame: here it would lay out what other views have just written
    const row = last;
    clearTimeout(scrolling);
    scrolling = setTimeout(() => reveal(list, row));
  };

  store.watch(['opened', 'arm', 'outcome', 'live', 'stale', 'find'], fill);
  store.watch(['t'], current);
  byId<HTMLInputElement>('logfind').addEventListener('input', (e) => store.set({ find: (e.target as HTMLInputElement).value }));
}

let scrolling: ReturnType<typeof setTimeout> | undefined;

/** Scrolls to a row: as far down as shows it, with a whole row at the top. */
function reveal(list: HTMLElement, row: HTMLElement): void {
  const top = row.offsetTop;
  const bottom = top + row.offsetHeight;
  if (top >= list.scrollTop && bottom <= list.scrollTop + list.clientHeight) return;
  const want = bottom - list.clientHeight;
  const first = ([...list.children] as HTMLElement[]).find((li) => li.offsetTop >= want);
  list.scrollTop = first?.offsetTop ?? 0;
}

function summary(run: Run, found: number, state: State): string {
  const where = `in arm ${letter(state.arm)}, seed ${run.seed}`;
  if (state.find.trim()) return `${count(found)} of ${count(run.log.length)} ${where}`;
  return found > MAX_ROWS ? `first ${MAX_ROWS} of ${count(found)} ${where}` : `${count(found)} ${where}`;
}

function item(e: Entry, store: AppStore): HTMLLIElement {
  const t = e.at_ns / 1e9;
  const jump = h('button', { type: 'button', class: 'linkish', title: 'move the cursor here', click: () => store.set({ t, held: true }) }, clock(t));
  return h('li', { 'data-t': t }, jump, h('div', null, h('code', { class: 'r' }, e.rule), h('span', null, e.text)));
}
