// The process panel: where the chosen process stands at the cursor.

import type { Process, Run } from '../contract';
import { end } from '../curves';
import { byId, h, letter, put, s, text } from '../dom';
import { bytes, clock, count, fixed, seconds } from '../format';
import { pagesAt, percents, preferredOf, threadsAt, valueOf } from '../model/process';
import { reasonsAt, type Reasons } from '../reasons';
import { explainedProcess, explainedRun } from '../shown';
import type { AppStore, State } from '../state';
import { llcBytes } from './whyview';

/** So many LLCs or nodes have a number each; of more only the fullest is named. */
const MOST = 8;

export function mountProcess(store: AppStore): void {
  const pick = byId<HTMLSelectElement>('procpick');
  let names = '';
  pick.addEventListener('change', () => store.set({ process: Number(pick.value) }));
  store.watch(['opened', 'arm', 'process', 'outcome', 'live', 'stale', 't', 'reasons'], () => {
    const state = store.now;
    const run = explainedRun(state, state.arm);
    const index = run ? explainedProcess(state, run) : 0;
    const all = run?.processes ?? [];
    const next = all.map((p) => `${p.name}/${p.threads}`).join();
    if (next !== names) {
      names = next;
      put(pick, ...all.map((p, i) => h('option', { value: i }, `${p.name}, ${p.threads} ${p.threads === 1 ? 'thread' : 'threads'}`)));
    }
    pick.hidden = all.length < 2;
    if (pick.value !== String(index)) pick.value = String(index);
    draw(state, run, index);
  });
}

function draw(state: State, run: Run | undefined, index: number): void {
  const p = run?.processes[index];
  const t = run ? Math.min(state.t, end(run)) : 0;
  const several = (run?.processes.length ?? 0) > 1;
  text(byId('pname'), several ? '' : (p?.name ?? ''));
  text(byId('pt'), run ? `arm ${letter(state.arm)}, seed ${run.seed}, at ${clock(t)}` : 'no data yet');
  const now = state.reasons?.value ? reasonsAt(state.reasons.value, t) : undefined;
  put(byId('proc'), ...(run && p ? rows(run, p, index, t, llcBytes(state), now) : []));
}

function rows(run: Run, p: Process, index: number, t: number, llc: number, now: Reasons | undefined): HTMLElement[] {
  const out: HTMLElement[] = [];
  const add = (name: string, ...value: (string | Node)[]) => out.push(h('dt', null, name), h('dd', null, ...value));
  const gate = (rule: string) => run.decisions.find((d) => d.rule === rule && d.process === index);
  const of = (limit: number | undefined, show: (v: number) => string) => (limit === undefined ? '' : limit < 0 ? ', no limit' : ` of ${show(limit)}`);
  const { llc: home, sinceNs } = preferredOf(p, t);
  add('preferred LLC', home < 0 ? 'none' : `LLC ${home} since ${seconds(sinceNs / 1e9)}`);
  const per = threadsAt(run, index, t);
  const most = per.indexOf(Math.max(...per));
  const used = per.filter((v) => v >= 0.5).length;
  if (per.length > MOST) add('threads per LLC', `${fixed(per[most] as number, 0)} on LLC ${most}, ${used} of ${per.length} LLCs used`);
  else if (per.length > 1) add('threads per LLC', per.map((v) => fixed(v, 0)).join(' | '));
  const asked = (gate('invalid_llc_nr')?.evaluated ?? 0) > 0;
  if (asked) add('nr_running_avg', `${fixed(valueOf(run, 'proc_nr_running_avg', index, t) ?? p.nr_running_avg, 0)}${of(gate('invalid_llc_nr')?.limit, String)}`);
  const foot = valueOf(run, 'proc_footprint', index, t);
  if (asked) add('footprint', `${foot ? bytes(foot * 4096) : '0'}${of(gate('exceed_llc_capacity')?.limit, bytes)}`);
  if (p.rss_bytes > 0) add('RSS', `${bytes(p.rss_bytes)}, ${times(p.rss_bytes / llc)} \u00d7 LLC`);
  const soFar = (v: number | undefined, all: number) => (v === undefined || v === all ? count(all) : `${count(v)} of ${count(all)} in all`);
  add('NUMA sweeps', soFar(now?.numa_sweeps, p.numa_sweeps));
  const pages = pagesAt(run, index, t);
  const sum = pages.reduce((a, b) => a + b, 0);
  if (pages.length > 1 && pages.length <= MOST && sum > 0) add(`pages, node ${pages.map((_, i) => i).join(' | ')}`, split(pages, sum), percents(pages, sum).map((v) => `${v} %`).join(' | '));
  if (p.pages_migrated > 0) add('pages migrated', soFar(now?.pages_migrated, p.pages_migrated));
  return out;
}

/** How many times, with digits for less than ten. */
function times(v: number): string {
  return v < 10 ? v.toFixed(v < 1 ? 2 : 1) : count(Math.round(v));
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
