// What the reader can take away as a file.

import type { Opened, Run } from './contract';
import type { Engine } from './engine/client';
import type { Outcome } from './state';
import { byId } from './dom';
import { pictureOf, pngOf, svgText } from './view/picture';
import { saveFile } from './view/reportview';

export type Download = 'csv' | 'json' | 'scenario' | 'svg' | 'png';

/** Saves a file; returns what went wrong, or "". */
export async function download(engine: Engine, what: Download, opened: Opened | null, outcome: Outcome | null, address: string): Promise<string> {
  const of = what === 'scenario' ? opened : outcome?.opened;
  if (!of) return '';
  if (what === 'svg' || what === 'png') return picture(what, of, outcome, address);
  // curves of single CPUs are for the drawing; a file has them when the scenario asks
  const cpus = (of.scenario as { run?: { sample_cpus?: boolean } }).run?.sample_cpus === true;
  const runs: Run[] = (outcome?.runs ?? []).map((r) => ({ ...r, series: r.series.filter((x) => cpus || x.kind !== 'cpu_busy') }));
  const answer = what === 'csv' ? await engine.csv(of.text, runs) : what === 'json' ? await engine.json(of.text, runs) : await engine.indented(of.text);
  if (!answer.ok) return answer.errors.map((e) => e.message).join('; ');
  saveFile(`${of.name}.${what === 'csv' ? 'csv' : 'json'}`, what === 'csv' ? 'text/csv' : 'application/json', answer.value);
  return '';
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
