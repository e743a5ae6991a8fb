// Starts a sweep and keeps the page informed while points come in.

import type { Opened } from '../contract';
import { Cancelled } from '../engine/pool';
import type { AppStore } from '../state';
import { prepare, runSweep, type SweepEngine, type SweepPlan } from './sweep';

/** The panel is drawn again at most this often. */
const EVERY_MS = 100;

/** Returns what stops it; throws when the plan asks for too much. */
export function startSweep(engine: SweepEngine, store: AppStore, opened: Opened, plan: SweepPlan): () => void {
  const sweep = prepare(opened, plan);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = () => {
    clearTimeout(timer);
    timer = undefined;
    if (store.now.sweep !== sweep && sweep.done > 0) return; // another one has begun
    store.set({ sweep });
    store.touch('sweep');
  };
  const end = (message: string) => {
    if (!sweep.running) return;
    sweep.running = false;
    sweep.message = message;
    show();
  };
  const stop = () => end(`stopped after ${sweep.done} of ${sweep.total} runs`);
  show();
  runSweep(engine, sweep, () => (timer ??= setTimeout(show, EVERY_MS)), () => !sweep.running).then(
    () => end(`${sweep.done} of ${sweep.total} runs`),
    (error: unknown) => (error instanceof Cancelled ? stop() : end(String(error))),
  );
  return stop;
}
