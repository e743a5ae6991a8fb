// Bundles the page and its tests. Usage: node build.mjs worker | page <engine id> | tests | tools | e2e
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, '..', 'dist');
const common = { absWorkingDir: here, bundle: true, minify: true, target: 'es2022', legalComments: 'none', logLevel: 'warning' };

/** Files below src whose names end in suffix. */
function below(suffix, dir = 'src') {
  return readdirSync(join(here, dir), { withFileTypes: true }).flatMap((e) => (e.isDirectory() ? below(suffix, join(dir, e.name)) : e.name.endsWith(suffix) ? [join(dir, e.name)] : []));
}

/** Copies what tools/precompute.ts wrote, under the hash of its content; returns the folder and the scenarios' names. */
function precomputed() {
  const from = join(here, 'build', 'results');
  const files = existsSync(from) ? readdirSync(from).sort() : [];
  if (files.length === 0) return { folder: '', names: [] };
  const folder = `pre/${hash(files.map((f) => readFileSync(join(from, f))))}/`;
  cpSync(from, join(dist, folder), { recursive: true });
  return { folder, names: files.map((f) => f.replace('.json', '')).filter((n) => n !== 'facts' && n !== 'index') };
}

const hash = (parts) => createHash('sha256').update(Buffer.concat(parts)).digest('hex').slice(0, 12);

/** Bundles the worker, which stands in the engine's folder. */
async function worker() {
  await build({ ...common, entryPoints: ['src/engine/worker.ts'], outfile: join(here, 'build', 'worker.js'), format: 'iife' });
}

async function page(engine) {
  if (!/^[0-9a-f]{8,}$/.test(engine)) throw new Error(`"${engine}" is not an engine id`);
  cpSync(join(here, 'static'), dist, { recursive: true });
  const { folder, names } = precomputed();
  const main = { ...common, entryPoints: ['src/main.ts'], format: 'iife', define: { ENGINE_ID: JSON.stringify(engine), PRE: JSON.stringify(folder), PRECOMPUTED: JSON.stringify(names) } };
  await build({ ...main, outfile: join(dist, 'main.js') });
  cpSync(join(here, 'node_modules', 'uplot', 'LICENSE'), join(dist, 'LICENSE-uPlot'));
  // the same without the chart library, which has a budget of its own
  await build({ ...main, outfile: join(here, 'build', 'main-own.js'), external: ['uplot'], format: 'esm' });
  await build({ ...common, entryPoints: ['css/style.css'], outfile: join(dist, 'style.css') });
  const id = hash([...['index.html', 'style.css', 'main.js'].map((f) => readFileSync(join(dist, f))), Buffer.from(engine)]);
  await build({ ...common, entryPoints: ['src/sw.ts'], outfile: join(dist, 'sw.js'), format: 'iife', define: { ENGINE_ID: JSON.stringify(engine), BUILD_ID: JSON.stringify(id), PRE: JSON.stringify(folder) } });
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
await (what === 'worker' ? worker() : what === 'tests' ? tests() : what === 'tools' ? tools() : what === 'e2e' ? e2e() : page(engine ?? ''));
