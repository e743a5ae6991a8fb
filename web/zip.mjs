// Compresses the engine as small as gzip's format allows: node zip.mjs <file> <file.gz>.
// It takes a third of a minute, so that only a whole build does it, once for
// the same bytes.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipAsync } from '@gfx/zopfli';

const [from, to] = process.argv.slice(2);
const raw = readFileSync(from);
const cache = join(dirname(fileURLToPath(import.meta.url)), 'build', 'zip');
const kept = join(cache, `${createHash('sha256').update(raw).digest('hex')}.gz`);
if (!existsSync(kept)) {
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  writeFileSync(kept, await gzipAsync(raw, { numiterations: 5 }));
}
copyFileSync(kept, to);
