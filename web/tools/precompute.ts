// Computes the shipped scenarios with the native command line and writes what
// the first paint needs to web/build/pre, under the id of the engine, which
// stands for the code. Usage: node precompute.mjs [scenario]..., all without a name.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIndex } from '../archive.mjs';
import type { Facts, Opened, Process, Result, Run, Series } from '../src/contract';
import type { OracleRow } from '../src/browse';
import type { Precomputed } from '../src/precomputed';
import { startEngine, value } from '../test/engine';
import { projectTop } from '../test/site';

/** Samples of a curve: more than a plot of the first paint has pixels to show. */
const SAMPLES = 160;
const KINDS = new Set(['llc_util', 'llc_fill', 'node_bw', 'proc_llc_threads', 'proc_node_pages', 'proc_nr_running_avg', 'proc_footprint']);

/** The result as the command line prints it: curves and seeds are in the arms. */
type Native = Omit<Result, 'arms'> & { arms: (Result['arms'][number] & { seeds: Omit<Run, 'series'>[]; series: (Omit<Series, 'v'> & { v: number[] })[]; sample_ns: number; processes: Process[] })[] };

/** Means over groups of samples. */
function thin(v: number[], by: number): number[] {
  return Array.from({ length: Math.ceil(v.length / by) }, (_, i) => {
    const part = v.slice(i * by, (i + 1) * by);
    return Math.round(part.reduce((a, b) => a + b, 0) / part.length);
  });
}

function fileOf(opened: Opened, native: Native): Precomputed {
  const shown = new Set(['runtime_s', 'projected_s', 'request_p99_ms', 'wake_p99_us', ...opened.expect.map((e) => e.metric)]);
  const wanted = (name: string) => shown.has(name) || name.startsWith('throughput_');
  const runs = native.arms.flatMap((a, arm) => a.seeds.map((seed) => {
    const curves = seed.seed === a.shown_seed ? a.series.filter((s) => KINDS.has(s.kind) && (s.sub ?? 0) === 0) : [];
    const by = Math.max(1, Math.ceil((curves[0]?.v.length ?? 0) / SAMPLES));
    return {
      arm, label: a.label, seed: seed.seed, done: seed.done, sim_ns: seed.sim_ns, events: seed.events, digest: seed.digest, decisions: [], log: [],
      metrics: seed.metrics.filter((m) => wanted(m.name)).map(({ name, value: v }) => ({ name, value: v })),
      series: curves.map((s) => ({ ...s, v: thin(s.v, by) })),
      sample_ns: a.sample_ns * by,
      processes: curves.length ? a.processes.slice(0, 1).map((p) => ({ ...p, preferred: (p.preferred ?? []).slice(0, 200) })) : [],
    };
  }));
  const arms = native.arms.map(({ label, changes, cas, shown_seed, decisions, warnings }) => ({ label, changes: changes ?? [], cas, metrics: {}, shown_seed, decisions: decisions ?? [], warnings: warnings ?? [] }));
  const { engine, digest, verdicts, warnings } = native;
  const deltas = (native.deltas ?? []).filter((d) => wanted(d.metric));
  const expect = { arms: opened.arms, expect: opened.expect };
  return { opened: { ...opened, text: '', scenario: {}, base: expect, fields: [], digest }, runs, result: { engine, digest, arms, deltas, verdicts: verdicts ?? [], warnings: warnings ?? [] } };
}

const id = readIndex(join(projectTop, 'dist')).current;
const root = join(projectTop, 'web', 'build', 'pre');
const cache = join(root, id);
mkdirSync(cache, { recursive: true });
for (const old of readdirSync(root)) if (old !== id) rmSync(join(root, old), { recursive: true });
const api = await startEngine();
// Points of tables are many and short: their first paint is the engine's.
const names = value<Facts>(api['facts']!()).presets.map((p) => p.name).filter((n) => !n.includes('.'));
const asked = process.argv.slice(2);
const lacking = names.filter((n) => (asked.length === 0 || asked.includes(n)) && !existsSync(join(cache, `${n}.json`)));
for (const [i, name] of lacking.entries()) {
  console.error(`precomputing ${i + 1} of ${lacking.length}: ${name}`);
  const out = execFileSync(join(projectTop, 'web', 'build', 'casplay'), ['run', name, '--json', '--quiet'], { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] });
  const opened = value<Opened>(api['open']!(`#1;${name}`));
  writeFileSync(join(cache, `${name}.json`), JSON.stringify(fileOf(opened, JSON.parse(out) as Native)));
}
const oracle = join(cache, 'oracle.json');
if (!existsSync(oracle)) {
  const seeds = 20;
  const out = execFileSync(join(projectTop, 'web', 'build', 'casplay'), ['oracle', join(projectTop, 'core', 'testdata', 'oracle'), '--seeds', String(seeds), '--json'], { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] });
  const { passed, total, rows } = JSON.parse(out) as { passed: number; total: number; rows: (Omit<OracleRow, 'checks'> & { checks: (OracleRow['checks'][number] & { pass: boolean })[] })[] };
  const brief = rows.map(({ experiment, pass, why, checks }) => ({ experiment, pass, ...(why ? { why } : {}), checks: (checks ?? []).filter((c) => !c.pass).map(({ name, kernel, model, low, high }) => ({ name, kernel, model, low: low ?? null, high: high ?? null })) }));
  writeFileSync(oracle, JSON.stringify({ passed, total, seeds, rows: brief }));
}
process.exit(0);
