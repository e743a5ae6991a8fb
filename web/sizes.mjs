// Sizes of what a visitor loads, against the budgets. Exits 1 above one.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readIndex } from './archive.mjs';
import { brotliCompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';

const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');
const engine = join('e', readIndex(dist).current);
const gz = (b) => gzipSync(b, { level: 9 }).length;
const br = (b) => brotliCompressSync(b, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: b.length } }).length;
const kb = (n) => `${(n / 1000).toFixed(1)} KB`.padStart(11);

let over = false;
function row(name, files, budget) {
  const read = files.map((f) => readFileSync(join(dist, f)));
  const bytes = read.map((b, i) => (files[i].endsWith('.gz') ? gunzipSync(b) : b));
  const sum = (of) => bytes.reduce((n, b) => n + of(b), 0);
  // What is shipped compressed counts as shipped, the rest as a host would send it.
  const zipped = read.reduce((n, b, i) => n + (files[i].endsWith('.gz') ? b.length : gz(b)), 0);
  if (zipped > budget) over = true;
  console.log(`${name.padEnd(8)} raw${kb(sum((b) => b.length))}   gzip${kb(zipped)} of${kb(budget)}   brotli${kb(sum(br))}${zipped > budget ? '   OVER BUDGET' : ''}`);
}

row('engine', [join(engine, 'casplay.wasm.gz')], 1_200_000);
const rest = ['index.html', 'style.css', 'sw.js', join(engine, 'worker.js'), join(engine, 'wasm_exec.js')];
row('page', ['main.js', ...rest], 130_000);
row('own', [join('..', 'web', 'build', 'main-own.js'), ...rest], 80_000); // the page without uPlot
if (over) process.exit(1);
