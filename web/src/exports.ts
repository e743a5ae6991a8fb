// What the reader can take away as a file.

import type { Opened, Run } from './contract';
import type { Engine } from './engine/client';
import type { Outcome } from './state';
import { saveFile } from './view/reportview';

export type Download = 'csv' | 'json' | 'scenario';

/** Saves a file; returns what went wrong, or "". */
export async function download(engine: Engine, what: Download, opened: Opened | null, outcome: Outcome | null): Promise<string> {
  const of = what === 'scenario' ? opened : outcome?.opened;
  if (!of) return '';
  // curves of single CPUs are for the drawing; a file has them when the scenario asks
  const cpus = (of.scenario as { run?: { sample_cpus?: boolean } }).run?.sample_cpus === true;
  const runs: Run[] = (outcome?.runs ?? []).map((r) => ({ ...r, series: r.series.filter((x) => cpus || x.kind !== 'cpu_busy') }));
  const answer = what === 'csv' ? await engine.csv(of.text, runs) : what === 'json' ? await engine.json(of.text, runs) : await engine.indented(of.text);
  if (!answer.ok) return answer.errors.map((e) => e.message).join('; ');
  saveFile(`${of.name}.${what === 'csv' ? 'csv' : 'json'}`, what === 'csv' ? 'text/csv' : 'application/json', answer.value);
  return '';
}
