// Which run stands for an arm right now, and over which time it is drawn.

import type { Run } from './contract';
import { end } from './curves';
import { typical } from './model/stats';
import { axisEnd, clamp } from './scale';
import type { State } from './state';

/** The run whose curves are drawn for an arm: the growing one, else the typical one. */
export function shownRun(state: State, arm: number): Run | undefined {
  const live = state.live[arm];
  if (live) return live;
  if (state.stale) return undefined;
  const stat = state.outcome?.stats[arm];
  return stat && typical(stat);
}

/** The run of the last good result that lies greyed under a growing one. */
export function ghostRun(state: State, arm: number): Run | undefined {
  if (!state.stale) return undefined;
  const stat = state.outcome?.stats[arm];
  return stat && typical(stat);
}

/** The run that panels explain: the drawn one, else the greyed one. */
export function explainedRun(state: State, arm: number): Run | undefined {
  return shownRun(state, arm) ?? ghostRun(state, arm);
}

/** Index of the process that panels explain in a run. */
export function explainedProcess(state: State, run: Run): number {
  return Math.max(0, Math.min(state.process, run.processes.length - 1));
}

/** End of the time axis: the slowest arm, or what is published for it. */
export function timeEnd(state: State): number {
  const arms = state.opened?.arms.length ?? 0;
  let top = 0;
  for (let a = 0; a < arms; a++) top = Math.max(top, end(shownRun(state, a)), end(ghostRun(state, a)));
  if (state.progress) for (const e of state.opened?.expect ?? []) if (e.metric === 'runtime_s' && e.value) top = Math.max(top, e.value);
  return top > 0 ? Math.max(top * 1.005, Math.min(axisEnd(top), top * 1.05)) : 10;
}

/** The visible span. */
export function span(state: State): [number, number] {
  return state.zoom ?? [0, timeEnd(state)];
}

/** Zooms by a factor around the cursor, within all time; null when all is visible. */
export function zoomed(state: State, factor: number): [number, number] | null {
  const full = timeEnd(state);
  const [a, b] = span(state);
  const width = clamp((b - a) * factor, full / 2000, full);
  if (width >= full) return null;
  const at = clamp((state.t - a) / (b - a), 0, 1);
  const from = clamp(state.t - at * width, 0, full - width);
  return [from, from + width];
}

/** Moves the visible span by a part of its width. */
export function panned(state: State, part: number): [number, number] | null {
  if (!state.zoom) return null;
  const [a, b] = state.zoom;
  const from = clamp(a + part * (b - a), 0, timeEnd(state) - (b - a));
  return [from, from + (b - a)];
}
