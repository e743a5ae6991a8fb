// What the reader can take away as a file.

import type { Opened, Run } from './contract';
import type { Engine } from './engine/client';
import type { Outcome } from './state';
import { byId } from './dom';
import { pictureOf, pngOf, svgText } from './view/picture';
import { saveFile } from './view/reportview';

export type Download = 'csv' | 'json' | 'scenario' | 'svg' | 'png' | 'summary' | 'trace';

/** Saves a file; a trace is of the arm that is explained and its first seed; returns what went wrong, or "". */
export async function download(engine: Engine, what: Download, opened: Opened | null, outcome: Outcome | null, address: string, arm: number): Promise<string> {
  const of = what === 'scenario' ? opened : outcome?.opened;
  if (!of) return '';
  if (what === 'svg' || what === 'png') return picture(what, of, outcome, address);
  if (what === 'trace' || what === 'summary') return outcome ? table(engine, what, of, outcome, arm) : '';
  // curves of single CPUs are for the drawing; a file has them when the scenario asks
  const cpus = (of.scenario as { run?: { sample_cpus?: boolean } }).run?.sample_cpus === true;
  const runs: Run[] = (outcome?.runs ?? []).map((r) => ({ ...r, series: r.series.filter((x) => cpus || x.kind !== 'cpu_busy') }));
  const answer = what === 'csv' ? await engine.csv(of.text, runs) : what === 'json' ? await engine.json(of.text, runs) : await engine.indented(of.text);
  if (!answer.ok) return answer.errors.map((e) => e.message).join('; ');
  saveFile(`${of.name}.${what === 'csv' ? 'csv' : 'json'}`, what === 'csv' ? 'text/csv' : 'application/json', answer.value);
  return '';
}

async function table(engine: Engine, what: 'summary' | 'trace', of: Opened, outcome: Outcome, arm: number): Promise<string> {
  const { label } = of.arms[arm] ?? { label: '' };
  try {
    const answer = what === 'trace' ? await engine.trace(of.text, arm, of.seeds[0] ?? 1) : await engine.summary(of.text, outcome.runs);
    if (!answer.ok) return answer.errors.map((e) => e.message).join('; ');
    if (what === 'trace') saveFile(`${of.name}-${label}-trace.json`, 'application/json', answer.value);
    else saveFile(`${of.name}-summary.csv`, 'text/csv', answer.value);
    return '';
  } catch (error) {
    return error instanceof Error ? `${what}: ${error.message}` : String(error);
  }
}

async function picture(what: 'svg' | 'png', of: Opened, outcome: Outcome | null, address: string): Promise<string> {
  const { engine, digest } = outcome?.result ?? { engine: '', digest: '' };
  const svg = pictureOf(byId('tracks'), { title: `${of.name}: ${of.title}`, verdict: byId('vh').textContent ?? '', foot: [address, `casplay engine ${engine}, digest ${digest}. A model, not a measurement.`] });
  if (what === 'svg') {
    saveFile(`${of.name}.svg`, 'image/svg+xml', svgText(svg));
    return '';
  }
  try {
    const png = await pngOf(svg);
    if (png) saveFile(`${of.name}.png`, 'image/png', png);
    return png ? '' : 'The browser could not make the picture. Take the SVG.';
  } catch {
    return 'The browser could not make the picture. Take the SVG.';
  }
}
