// What the keys do to the state.

import { byId } from './dom';
import type { KeyActs } from './keys';
import { clamp } from './scale';
import { explainedRun, panned, timeEnd, zoomed } from './shown';
import type { Acts, AppStore, ViewMode } from './state';
import { toggleTheme } from './theme';
import { neighbour } from './view/logview';

/** Views in the order of their keys. */
const VIEWS: ViewMode[] = ['side', 'over', 'diff', 'cpus'];

export function keyActs(store: AppStore, acts: Acts): KeyActs {
  const state = () => store.now;
  const step = () => (explainedRun(state(), state().arm)?.sample_ns ?? 20e6) / 1e9;
  const go = (t: number) => {
    const to = clamp(t, 0, timeEnd(state()));
    store.set({ t: to, held: true });
    const { zoom } = state();
    if (zoom && (to < zoom[0] || to > zoom[1])) {
      const width = zoom[1] - zoom[0];
      const from = clamp(to - width / 2, 0, timeEnd(state()) - width);
      store.set({ zoom: [from, from + width] });
    }
  };
  return {
    move: (n) => go(state().t + n * step()),
    select: (n) => {
      const { t, selection } = state();
      // the end that does not move is the one away from the cursor
      const anchor = selection ? (Math.abs(selection[0] - t) < Math.abs(selection[1] - t) ? selection[1] : selection[0]) : t;
      go(t + n * step() * 5);
      store.set({ selection: [Math.min(anchor, state().t), Math.max(anchor, state().t)] });
    },
    jump: (direction) => {
      const run = explainedRun(state(), state().arm);
      const entry = run && neighbour(run.log, state().t, direction);
      if (entry) go(entry.at_ns / 1e9);
    },
    zoom: (factor) => store.set({ zoom: zoomed(state(), factor) }),
    pan: (part) => store.set({ zoom: panned(state(), part) }),
    fitSelection: () => {
      const s = state().selection;
      if (s && s[1] - s[0] > step()) store.set({ zoom: s, selection: null });
    },
    fitAll: () => store.set({ zoom: null }),
    view: (n) => {
      const mode = VIEWS[n - 1] ?? 'side';
      if (mode === 'side' || mode === 'cpus' || (state().opened?.arms.length ?? 0) > 1) store.set({ mode });
    },
    pin: () => store.set({ pins: state().pins.length > 1 ? [] : [...state().pins, state().t].sort((a, b) => a - b) }),
    play: () => store.set({ playing: !state().playing }),
    swap: () => acts.swapArms(),
    copyArm: () => acts.copyArm(),
    fork: () => byId('forkopen').click(),
    arm: (n) => {
      if (n < (state().opened?.arms.length ?? 0)) store.set({ arm: n });
    },
    toggleRun: () => (state().progress ? acts.cancel() : acts.runAgain()),
    escape: () => {
      if (state().progress) acts.cancel();
      else store.set({ selection: null, pins: [], playing: false });
      if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
    },
    copyLink: () => acts.copyLink(),
    copyReport: () => acts.copyReport(),
    search: () => byId<HTMLInputElement>('logfind').focus(),
    sheet: () => byId<HTMLDialogElement>('sheet').showModal(),
    theme: toggleTheme,
    browse: () => byId('scenarios').click(),
    rules: () => byId('rulesopen').click(),
    whatIf: () => byId('whatifopen').click(),
  };
}
