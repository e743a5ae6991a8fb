// Results that the build has computed for the shipped scenarios: what the
// first paint shows before the engine is there. The live run checks them.

import type { Facts, Opened, Result, Run } from './contract';
import { armStats } from './model/stats';
import type { Outcome } from './state';

/** The result of one scenario, written by tools/precompute.ts. Curves are coarser than those of a run. */
export interface Precomputed {
  /** Without what the text says too: a preset is its own base. */
  opened: Omit<Opened, 'scenario' | 'base'>;
  runs: (Omit<Run, 'series'> & { series: (Omit<Run['series'][number], 'v'> & { v: number[] })[] })[];
  result: Result;
}

/** The preset that an address opens unchanged; null when it opens something else. */
export function presetOf(hash: string): string | null {
  const m = /^#(?:1;)?([a-z0-9-]+)(?:;c=[a-z2-7]+)?$/.exec(hash);
  return m ? (m[1] as string) : null;
}

/** Makes an outcome out of a file. */
export function outcomeOf(file: Precomputed): Outcome {
  const runs = file.runs.map((r): Run => ({ ...r, series: r.series.map((x) => ({ ...x, v: Int32Array.from(x.v) })) }));
  const scenario = JSON.parse(file.opened.text) as object;
  const opened: Opened = { ...file.opened, scenario, base: scenario };
  const of = opened.seeds.length;
  return { opened, runs, stats: armStats(opened, runs), result: file.result, seeds: of, of, precomputed: true };
}

async function read<T>(pre: string, name: string): Promise<T | null> {
  try {
    const response = await fetch(new URL(`${name}.json`, pre));
    return response.ok ? ((await response.json()) as T) : null;
  } catch {
    return null;
  }
}

/** Fetches the result of a preset from the folder of results; null when the site has none. */
export const fetchPrecomputed = (pre: string, name: string): Promise<Precomputed | null> => read(pre, name);

/** Fetches what the engine offers, which it would say itself once it is there. */
export const fetchFacts = (pre: string): Promise<Facts | null> => read(pre, 'facts');
