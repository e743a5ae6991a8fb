// The bar about engines: an older one that a link asked for, both results side
// by side, and what to do when a promised result does not come.

import { h, byId, put } from '../dom';
import type { Run } from '../contract';
import { folderOf, type Choice } from '../engines';
import { Engine } from '../engine/client';
import { advice, rowsOf, type PairRow } from '../model/compare';
import type { AppStore, Outcome } from '../state';

type Current = { state: 'none' } | { state: 'running'; done: number; of: number } | { state: 'failed'; why: string } | { state: 'done'; outcome: Outcome; rows: PairRow[]; digest: string; link: string };

const figure = (v: number | null) => (v === null ? '-' : String(Number(v.toPrecision(5))));
const change = ({ old, now }: PairRow) => (old && now !== null ? `${now >= old ? '+' : ''}${((now / old - 1) * 100).toFixed(1)} %` : '-');

export function mountEngines(store: AppStore, choice: Choice, current: string): void {
  const at = byId('enginebar');
  let found: Current = { state: 'none' };
  const archived = choice.id !== current;

  const draw = (): void => {
    const { opened, outcome, stale } = store.now;
    const whole = outcome && !outcome.precomputed && !stale && outcome.seeds === outcome.of ? outcome : null;
    const told = whole ? advice(choice, whole.opened.digest, whole.result.digest) : '';
    at.hidden = !opened || (!archived && !choice.missing && told === '');
    if (at.hidden) return void put(at);
    const lines: (Node | string)[] = [];
    if (archived) lines.push(h('p', null, h('b', null, `Engine ${choice.version} ${choice.id.slice(0, 8)} runs this link, as it asks. `), `The current engine of this page is ${current.slice(0, 8)}.`));
    else if (choice.missing) lines.push(h('p', null, h('b', null, `This link asks for engine ${choice.named}, which this site does not have. `), `The current engine ${current.slice(0, 8)} runs it; its result may differ.`));
    if (told) lines.push(h('p', null, told));
    if (archived && opened) {
      const run = h('button', { type: 'button', id: 'runcurrent', disabled: !whole || found.state === 'running' }, 'Run the current engine too');
      run.addEventListener('click', () => whole && void compare(whole));
      const open = h('a', { id: 'opencurrent', href: withoutEngine(opened.link) }, 'Open with the current engine');
      lines.push(h('p', null, run, ' ', opened.link ? open : null));
      if (found.state === 'running') lines.push(h('p', { role: 'status' }, `current engine: ${found.done} of ${found.of} runs`));
      if (found.state === 'failed') lines.push(h('p', null, `The current engine cannot run it: ${found.why}`));
      if (found.state === 'done' && found.outcome === whole) lines.push(table(found, choice, current, whole.result.digest));
    }
    put(at, h('div', null, ...lines));
  };

  const compare = async (of: Outcome): Promise<void> => {
    const engine = new Engine(folderOf(document.baseURI, current));
    const tell = (next: Current) => {
      found = next;
      draw();
    };
    try {
      const answer = await engine.open(of.opened.text);
      if (!answer.ok) return tell({ state: 'failed', why: answer.errors.map((e) => `${e.path} ${e.message}`).join('; ') });
      const { value: opened } = answer;
      const jobs = opened.seeds.flatMap((seed) => opened.arms.map((_, arm) => ({ arm, seed })));
      let done = 0;
      tell({ state: 'running', done, of: jobs.length });
      const runs: Run[] = await Promise.all(jobs.map(async ({ arm, seed }) => {
        const run = await engine.measure(opened.text, arm, seed);
        if (!run.ok) throw new Error(run.errors.map((e) => e.message).join('; '));
        tell({ state: 'running', done: ++done, of: jobs.length });
        return run.value;
      }));
      const sum = await engine.summarise(opened.text, runs);
      if (!sum.ok) throw new Error(sum.errors.map((e) => e.message).join('; '));
      tell({ state: 'done', outcome: of, rows: rowsOf(of.opened, of.result, sum.value), digest: sum.value.digest, link: opened.link });
    } catch (error) {
      tell({ state: 'failed', why: error instanceof Error ? error.message : String(error) });
    } finally {
      engine.close();
    }
  };
  store.watch(['opened', 'outcome', 'stale'], draw);
}

/** A link by hand to the same scenario that names no engine; the checksum was of the whole. */
function withoutEngine(link: string): string {
  return link.replace(/;e=[^;]*/, '').replace(/;[cr]=[^;]*/g, '');
}

function table(found: Extract<Current, { state: 'done' }>, choice: Choice, current: string, digest: string): HTMLElement {
  const head = (words: string) => h('th', { scope: 'col' }, words);
  return h('table', { id: 'engines', class: 'engines' },
    h('caption', null, digest === found.digest ? 'Both engines give the same result, bit for bit.' : 'The engines give different results (medians).'),
    h('thead', null, h('tr', null, head('arm'), head('metric'), head(`${choice.version} ${choice.id.slice(0, 8)}`), head(`current ${current.slice(0, 8)}`), head('change'))),
    h('tbody', null, ...found.rows.map((r) => h('tr', null, h('td', null, r.arm), h('td', null, r.metric), h('td', null, figure(r.old)), h('td', null, figure(r.now)), h('td', null, change(r)))),
      h('tr', null, h('td', null, ''), h('td', null, 'digest'), h('td', null, h('code', null, digest)), h('td', null, h('code', null, found.digest)), h('td', null, digest === found.digest ? 'equal' : 'differs'))));
}
