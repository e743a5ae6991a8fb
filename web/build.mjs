// Bundles the page and its tests. Usage: node build.mjs page <engine id> | tests | tools | e2e
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, '..', 'dist');
const common = { absWorkingDir: here, bundle: true, minify: true, target: 'es2022', legalComments: 'none', logLevel: 'warning' };

/** Files below src whose names end in suffix. */
function below(suffix, dir = 'src') {
  return readdirSync(join(here, dir), { withFileTypes: true }).flatMap((e) => (e.isDirectory() ? below(suffix, join(dir, e.name)) : e.name.endsWith(suffix) ? [join(dir, e.name)] : []));
}

/** Copies the precomputed results of this engine to the site, with an index; returns the scenarios' names. */
function precomputed(engine) {
  const from = join(here, 'build', 'pre', engine);
  mkdirSync(from, { recursive: true });
  const to = join(dist, 'e', engine, 'pre'); // they belong to the engine: another one may differ
  cpSync(from, to, { recursive: true });
  const names = readdirSync(from).map((f) => f.replace('.json', '')).filter((n) => n !== 'oracle');
  const read = (name) => JSON.parse(readFileSync(join(from, `${name}.json`), 'utf8'));
  const scenarios = names.map(read).map(({ opened: o, result }) => ({ name: o.name, title: o.title, purpose: o.purpose, machine: o.machine.title || o.machine.name, cpus: o.machine.cpus, rows: result.verdicts }));
  const oracle = existsSync(join(from, 'oracle.json')) ? read('oracle') : null;
  writeFileSync(join(to, 'index.json'), JSON.stringify({ scenarios, oracle }));
  return names;
}

async function page(engine) {
  if (!/^[0-9a-f]{8,}$/.test(engine)) throw new Error(`"${engine}" is not an engine id`);
  mkdirSync(dist, { recursive: true });
  cpSync(join(here, 'static'), dist, { recursive: true });
  await build({ ...common, entryPoints: ['src/main.ts'], outfile: join(dist, 'main.js'), format: 'iife', define: { ENGINE_ID: JSON.stringify(engine), PRECOMPUTED: JSON.stringify(precomputed(engine)) } });
  await build({ ...common, entryPoints: ['src/engine/worker.ts'], outfile: join(dist, 'e', engine, 'worker.js'), format: 'iife' });
  await build({ ...common, entryPoints: ['css/style.css'], outfile: join(dist, 'style.css') });
  const parts = ['index.html', 'style.css', 'main.js', join('e', engine, 'worker.js')].map((f) => readFileSync(join(dist, f)));
  const id = createHash('sha256').update(Buffer.concat(parts)).digest('hex').slice(0, 12);
  await build({ ...common, entryPoints: ['src/sw.ts'], outfile: join(dist, 'sw.js'), format: 'iife', define: { ENGINE_ID: JSON.stringify(engine), BUILD_ID: JSON.stringify(id) } });
}

async function tests() {
  const out = join(here, 'build', 'test');
  rmSync(out, { recursive: true, force: true });
  await build({ ...common, minify: false, sourcemap: 'inline', entryPoints: below('.test.ts'), outdir: out, outbase: 'src', format: 'esm', platform: 'node', outExtension: { '.js': '.mjs' } });
}

async function tools() {
  await build({ ...common, minify: false, entryPoints: below('.ts', 'tools'), outdir: join(here, 'build', 'tools'), format: 'esm', platform: 'node', packages: 'external', outExtension: { '.js': '.mjs' } });
}

async function e2e() {
  const out = join(here, 'build', 'e2e');
  rmSync(out, { recursive: true, force: true });
  await build({ ...common, minify: false, sourcemap: 'inline', entryPoints: [...below('.e2e.ts', 'test'), 'test/bench.ts'], outdir: out, outbase: 'test', format: 'esm', platform: 'node', packages: 'external', outExtension: { '.js': '.mjs' } });
}

const [what, engine] = process.argv.slice(2);
await (what === 'tests' ? tests() : what === 'tools' ? tools() : what === 'e2e' ? e2e() : page(engine ?? ''));
