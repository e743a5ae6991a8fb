// Computes the shipped scenarios with the native command line and writes what
// the first screen needs to web/build/results, with the list of scenarios.
// What was computed before by the same code is taken from web/build/pre.
// Usage: node precompute.mjs [--kept] [scenario]...; --kept computes nothing.

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Facts, Opened, Process, Result, Run, Series } from '../src/contract';
import type { OracleRow, SiteIndex } from '../src/browse';
import { LINKS } from '../src/curves';
import type { Precomputed } from '../src/precomputed';
import { startEngine, value } from '../test/engine';
import { projectTop } from '../test/site';
import { filesOf, hashOf, Kept, modelHash } from './kept';

/** Samples of a curve: more than a plot of the first paint has pixels to show. */
const SAMPLES = 160;
const KINDS = new Set(['llc_util', 'llc_fill', 'node_bw', LINKS, 'proc_llc_threads', 'proc_node_pages', 'proc_nr_running_avg', 'proc_footprint']);

/** Changes with what is made of a result below, so that older ones are not taken. */
const FORMAT = '2';
const ORACLE_SEEDS = 20;

type Results = Pick<Precomputed, 'runs' | 'result'>;
interface Oracle {
  passed: number;
  total: number;
  rows: (Omit<OracleRow, 'checks'> & { checks: (OracleRow['checks'][number] & { pass: boolean })[] })[];
}

/** The result as the command line prints it: curves and seeds are in the arms. */
type Native = Omit<Result, 'arms'> & { arms: (Result['arms'][number] & { seeds: Omit<Run, 'series'>[]; series: (Omit<Series, 'v'> & { v: number[] })[]; sample_ns: number; processes: Process[] })[] };

/** Means over groups of samples. */
function thin(v: number[], by: number): number[] {
  return Array.from({ length: Math.ceil(v.length / by) }, (_, i) => {
    const part = v.slice(i * by, (i + 1) * by);
    return Math.round(part.reduce((a, b) => a + b, 0) / part.length);
  });
}

function resultsOf(opened: Opened, native: Native): Results {
  const shown = new Set(['runtime_s', 'projected_s', 'request_p99_ms', 'wake_p99_us', ...opened.expect.map((e) => e.metric)]);
  const wanted = (name: string) => shown.has(name) || name.startsWith('throughput_');
  const runs = native.arms.flatMap((a, arm) => a.seeds.map((seed) => {
    const curves = seed.seed === a.shown_seed ? a.series.filter((s) => KINDS.has(s.kind) && (s.kind === LINKS || (s.sub ?? 0) === 0)) : [];
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
  return { runs, result: { engine, digest, arms, deltas, verdicts: verdicts ?? [], warnings: warnings ?? [] } };
}

const build = join(projectTop, 'web', 'build');
const native = (...args: string[]): unknown => JSON.parse(execFileSync(join(build, 'casplay'), args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] }));

const api = await startEngine(join(build, 'casplay.wasm'), join(build, 'wasm_exec.js'));
const out = join(build, 'results');
rmSync(out, { recursive: true, force: true });
mkdirSync(out);
const write = (name: string, what: unknown) => writeFileSync(join(out, `${name}.json`), JSON.stringify(what));

const asked = process.argv.slice(2).filter((a) => a !== '--kept');
const may = (name: string) => !process.argv.includes('--kept') && (asked.length === 0 || asked.includes(name));
const model = modelHash('./core/play');
const results = new Kept<Results>(join(build, 'pre'));
const index: SiteIndex = { scenarios: [], oracle: null };
const facts = value<Facts>(api['facts']!());
// Points of tables are many and short: their first paint is the engine's.
for (const name of facts.presets.map((p) => p.name).filter((n) => !n.includes('.'))) {
  const opened = value<Opened>(api['open']!(`#1;${name}`));
  const key = hashOf(FORMAT, model, opened.text);
  let known = results.get(name, key);
  if (!known && may(name)) {
    console.error(`precomputing ${name}`);
    known = resultsOf(opened, native('run', name, '--json', '--quiet') as Native);
    results.put(name, key, known);
  }
  if (!known) continue;
  // the page reads both from the text: nothing of a preset is changed
  const { scenario: _, base: __, ...brief } = opened;
  write(name, { opened: { ...brief, digest: known.result.digest }, ...known } satisfies Precomputed);
  index.scenarios.push({ name, title: opened.title, purpose: opened.purpose, machine: opened.machine.title || opened.machine.name, cpus: opened.machine.cpus, rows: known.result.verdicts });
}

const oracles = new Kept<SiteIndex['oracle']>(join(build, 'pre'));
const key = hashOf(FORMAT, modelHash('./core/oracle', ...filesOf('core/testdata/oracle')), String(ORACLE_SEEDS));
index.oracle = oracles.get('oracle', key);
if (!index.oracle && may('oracle')) {
  console.error('comparing with the oracle');
  const { passed, total, rows } = native('oracle', join(projectTop, 'core', 'testdata', 'oracle'), '--seeds', String(ORACLE_SEEDS), '--json') as Oracle;
  const brief = rows.map(({ experiment, pass, why, checks }) => ({ experiment, pass, ...(why ? { why } : {}), checks: (checks ?? []).filter((c) => !c.pass).map(({ name, kernel, model: m, low, high }) => ({ name, kernel, model: m, low: low ?? null, high: high ?? null })) }));
  oracles.put('oracle', key, (index.oracle = { passed, total, seeds: ORACLE_SEEDS, rows: brief }));
}
if (index.scenarios.length) {
  write('facts', facts);
  write('index', index);
}
process.exit(0);
