// Starts the page: views, keys, engine, and the scenario of the address.

import { fromHash } from './address';
import { Actions } from './acts';
import { byId, h, put } from './dom';
import { end } from './curves';
import { Engine, missing } from './engine/client';
import { Archived, choose, fetchIndex, folderOf } from './engines';
import { badEngine } from './errors';
import { bindKeys, KEYS } from './keys';
import { keyActs } from './keyacts';
import { mountPlay } from './play';
import { fetchFacts, fetchPrecomputed, presetOf } from './precomputed';
import { explainedRun } from './shown';
import { initial, type State } from './state';
import { Store } from './store';
import { startTheme } from './theme';
import { mountBrowse } from './view/browseview';
import { mountCurves } from './view/curvesview';
import { Explainer } from './explainer';
import { mountEngines } from './view/engineview';
import { mountExplain } from './view/explainview';
import { mountFork } from './view/forkview';
import { mountForm } from './view/formview';
import { mountHeader } from './view/headerview';
import { mountLegend } from './view/legend';
import { resetInks } from './view/ink';
import { mountLog } from './view/logview';
import { mountMarks } from './view/marks';
import { resetPalette } from './view/palette';
import { mountMachine } from './view/machineview';
import { mountParting } from './view/partview';
import { mountOwn } from './view/ownview';
import { mountProcess } from './view/processview';
import { mountPublished } from './view/publishedview';
import { mountReport } from './view/reportview';
import { mountRules } from './view/rulesview';
import { mountSweepForm } from './view/sweepform';
import { mountSweepResult } from './view/sweepview';
import { mountVerdict } from './view/verdictview';
import { mountWhatIf } from './view/whatifview';
import { mountWhy } from './view/whyview';

declare const ENGINE_ID: string;
/** Folder of the results that the site has, and the scenarios they are of. */
declare const PRE: string;
declare const PRECOMPUTED: string[];

const store = new Store<State>(initial(), (run) => requestAnimationFrame(run));

function say(words: string): void {
  const at = byId('said');
  at.textContent = words;
  at.hidden = false;
  clearTimeout(saidTimer);
  saidTimer = setTimeout(() => {
    at.hidden = true;
  }, 4000);
}
let saidTimer: ReturnType<typeof setTimeout> | undefined;

/** Until the reader takes the cursor it stays near the end of what all arms have. */
function follow(): void {
  const { held, opened } = store.now;
  if (held || !opened) return;
  const ends = opened.arms.map((_, i) => end(explainedRun(store.now, i)));
  const t = Math.min(...ends) * 0.9;
  if (Number.isFinite(t)) store.set({ t });
}

function stopWith(message: string): void {
  store.set({ engine: { phase: 'failed', message: 'no engine' }, notice: badEngine(message) });
}

/** Settles when the parts of the first screen are drawn, or at once when nothing is to come. */
async function drawn(parts: (Promise<unknown> | null)[]): Promise<void> {
  if (!(await Promise.all(parts)).some(Boolean)) return;
  await store.rest();
  await new Promise((r) => requestAnimationFrame(() => setTimeout(r)));
}

async function start(): Promise<void> {
  startTheme(() => {
    resetPalette();
    resetInks();
    store.touch('mode');
  });
  put(byId('sheetrows'), ...KEYS.map((k) => h('tr', null, h('td', null, h('kbd', null, k.shown)), h('td', null, k.what))));
  const lack = missing();
  if (lack) {
    mountHeader(store);
    return stopWith(lack);
  }
  const base = folderOf(document.baseURI, ENGINE_ID);
  const pre = new URL(PRE, document.baseURI).href;
  const preset = presetOf(fromHash(location.hash));
  const early = preset && PRECOMPUTED.includes(preset) ? fetchPrecomputed(pre, preset) : null;
  const wanted = (hash: string) => choose(fromHash(hash), ENGINE_ID, () => fetchIndex(document.baseURI));
  const choice = await wanted(location.hash);
  // a link to another engine is another page: it starts afresh
  window.addEventListener('hashchange', () => void wanted(location.hash).then((next) => next.id !== choice.id && location.reload()));
  const facts = PRECOMPUTED.length > 0 && choice.id === ENGINE_ID ? fetchFacts(pre) : null;
  // what a worker can fetch without the network it fetches after the first screen, which wants the processor
  const first = navigator.serviceWorker?.controller && early ? drawn([early, facts]) : Promise.resolve();
  const engine = choice.id === ENGINE_ID ? new Engine(base, first) : new Archived(document.baseURI, choice.id);
  const acts = new Actions(engine, choice.id, store, say);
  mountEngines(store, choice, ENGINE_ID);
  mountHeader(store);
  mountVerdict(store);
  mountCurves(store);
  mountLegend(store);
  mountMachine(store);
  mountWhy(store);
  mountParting(store);
  mountProcess(store);
  mountExplain(store, acts);
  mountLog(store);
  mountForm(store, acts);
  mountReport(store, acts);
  mountPublished(store);
  store.watch(['live', 'outcome', 'opened'], follow);
  mountBrowse(store, acts, pre);
  mountFork(store, acts);
  mountRules(store, acts);
  mountWhatIf(store, acts, engine);
  mountOwn(store, engine, acts);
  mountSweepForm(store, acts);
  mountSweepResult(store);
  mountMarks(store);
  mountPlay(store);
  new Explainer(engine, store);
  const keys = keyActs(store, acts);
  bindKeys(keys);
  byId('keys').addEventListener('click', () => byId<HTMLDialogElement>('sheet').showModal());
  const buttons: [string, () => void][] = [
    ['zoomin', () => keys.zoom(0.5)], ['zoomout', () => keys.zoom(2)], ['zoomfit', () => (store.now.selection ? keys.fitSelection() : keys.fitAll())],
    ['prev', () => keys.jump(-1)], ['next', () => keys.jump(1)], ['play', () => keys.play()], ['pin', () => keys.pin()],
    ['swap', () => keys.swap()], ['copyarm', () => keys.copyArm()],
  ];
  for (const [id, run] of buttons) byId(id).addEventListener('click', run);
  store.watch(['playing'], () => {
    byId('play').textContent = store.now.playing ? 'pause' : 'play';
  });
  store.watch(['opened'], () => {
    byId('swap').hidden = (store.now.opened?.arms.length ?? 0) < 2;
  });
  byId<HTMLInputElement>('t').addEventListener('input', (e) => store.set({ t: Number((e.target as HTMLInputElement).value), held: true }));
  for (const a of document.querySelectorAll<HTMLAnchorElement>('a.skip'))
    a.addEventListener('click', (e) => {
      // the fragment belongs to the scenario
      e.preventDefault();
      byId(a.hash.slice(1)).focus();
    });
  store.touch('mode');
  store.touch('fill');
  void early?.then((file) => file && acts.showEarly(file));
  void facts?.then((known) => known && store.set({ facts: known }));
  // asked before anything the reader may ask of the first screen
  const opening = acts.openText(fromHash(location.hash));
  opening.catch(() => undefined);
  try {
    await engine.compiled;
    store.set({ engine: { phase: 'ready', message: choice.id.slice(0, 8) } });
    engine.warm();
    await opening;
    await acts.facts();
    // after the first run has begun: the worker fetches what the page has just fetched
    await navigator.serviceWorker?.register('sw.js').catch(() => undefined);
  } catch (error) {
    stopWith(error instanceof Error ? error.message : String(error));
  }
}

// not from here: a tool that notes the stack of each request would read the whole file again
document.addEventListener('DOMContentLoaded', () => void start());
