// The archive of engines. Usage:
//   node archive.mjs index <site> <engine id> <version>   makes an engine the current one in <site>/e/index.json
//   node archive.mjs publish <dist> <site>                copies a built page over a site; folders below e/ are never changed or removed
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ID = /^[0-9a-f]{12}$/;
/** What the page asks of an engine's folder. */
const FILES = ['casplay.wasm.gz', 'wasm_exec.js', 'worker.js'];

/** The list of engines of a site, newest first; empty without one. */
export function readIndex(site) {
  const file = join(site, 'e', 'index.json');
  if (!existsSync(file)) return { v: 1, current: '', engines: [] };
  const index = JSON.parse(readFileSync(file, 'utf8'));
  if (index.v !== 1 || !Array.isArray(index.engines)) throw new Error(`${file} is not a list of engines of version 1`);
  return index;
}

/** Puts an engine in front of a list; the others keep their order. */
export function withEngine(index, engine) {
  return { v: 1, current: engine.id, engines: [engine, ...index.engines.filter((e) => e.id !== engine.id)] };
}

/** Writes a file so that a visitor sees the old or the new one, never half of it. */
function replace(file, text) {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

export function writeIndex(site, index) {
  for (const e of index.engines) {
    if (!ID.test(e.id)) throw new Error(`"${e.id}" is not an engine id`);
    for (const f of FILES) if (!existsSync(join(site, 'e', e.id, f))) throw new Error(`engine ${e.id} is listed, but e/${e.id}/${f} is missing: put the folder back from the published site`);
  }
  replace(join(site, 'e', 'index.json'), `${JSON.stringify(index, null, 1)}\n`);
}

/** Copies dist over site: engines first, the page last, so that no visitor gets a page without its engine. */
export function publish(dist, site) {
  const built = readIndex(dist);
  const engine = built.engines.find((e) => e.id === built.current);
  if (!engine) throw new Error(`${dist} holds no built page; run ./build.sh build`);
  const before = readIndex(site);
  mkdirSync(join(site, 'e'), { recursive: true });
  for (const { id } of built.engines) {
    const to = join(site, 'e', id);
    if (existsSync(to)) continue; // published once, never changed
    cpSync(join(dist, 'e', id), `${to}.new`, { recursive: true });
    renameSync(`${to}.new`, to);
  }
  const kept = { ...before, engines: [...before.engines, ...built.engines.filter((e) => !before.engines.some((b) => b.id === e.id))] };
  writeIndex(site, withEngine(kept, engine));
  for (const name of readdirSync(dist)) {
    if (name === 'e' || name === 'index.html') continue;
    rmSync(join(site, name), { recursive: true, force: true });
    cpSync(join(dist, name), join(site, name), { recursive: true });
  }
  replace(join(site, 'index.html'), readFileSync(join(dist, 'index.html')));
  return readIndex(site);
}

const [what, from, to] = process.argv[1]?.endsWith('archive.mjs') ? process.argv.slice(2) : [];
if (what === 'index') {
  const [id, version] = [to, process.argv[5] ?? ''];
  writeIndex(from, withEngine(readIndex(from), { id, version }));
} else if (what === 'publish') {
  const index = publish(from, to);
  console.log(`${to}: engine ${index.current} is current, ${index.engines.length} kept`);
}
