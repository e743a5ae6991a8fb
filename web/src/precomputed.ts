// Results that the build has computed for the shipped scenarios: what the
// first paint shows before the engine is there. The live run checks them.

import type { Opened, Result, Run } from './contract';
import { armStats } from './model/stats';
import type { Outcome } from './state';

/** One file of pre/, written by tools/precompute.ts. Curves are coarser than those of a run. */
export interface Precomputed {
  opened: Opened;
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
  const of = file.opened.seeds.length;
  return { opened: file.opened, runs, stats: armStats(file.opened, runs), result: file.result, seeds: of, of, precomputed: true };
}

/** Fetches the result of a preset from the folder of the engine; null when the site has none. */
export async function fetchPrecomputed(base: string, name: string): Promise<Precomputed | null> {
  try {
    const response = await fetch(new URL(`pre/${name}.json`, base));
    return response.ok ? ((await response.json()) as Precomputed) : null;
  } catch {
    return null;
  }
}
