// The site as a Cloudflare Worker, in the runtime that Cloudflare publishes
// (workerd, by miniflare), with its own asset server and KV.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Miniflare } from 'miniflare';
import { readIndex } from '../../archive.mjs';
import { projectTop } from '../site';

const layout = join(projectTop, 'web', 'build', 'edge');
const engine = readIndex(join(projectTop, 'dist')).current;
const dist = (name: string) => readFileSync(join(projectTop, 'dist', name));
const MAX_SCRIPT = 3_000_000;
let worker: Miniflare;
let base = '';

before(async () => {
  worker = new Miniflare({
    cf: false,
    compatibilityDate: '2026-03-01',
    modulesRoot: layout,
    modules: [
      { type: 'ESModule', path: join(layout, 'worker.js') },
      { type: 'ESModule', path: join(layout, 'wasm_exec.js') },
      { type: 'CompiledWasm', path: join(layout, 'edge.wasm') },
    ],
    kvNamespaces: ['LINKS'],
    assets: {
      directory: join(layout, 'assets'),
      binding: 'ASSETS',
      routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
      assetConfig: { html_handling: 'none', not_found_handling: 'none' },
    },
  });
  base = (await worker.ready).origin;
});
after(() => worker.dispose());

const get = (path: string, init: RequestInit = {}) => fetch(base + path, { redirect: 'manual', ...init });
const post = (body: string, headers: Record<string, string> = {}) => get('/s', { method: 'POST', body, headers });

/** How many links are stored; miniflare has no types for its KV without those of Cloudflare. */
async function count(): Promise<number> {
  const kv = (await worker.getKVNamespace('LINKS')) as unknown as { list(): Promise<{ keys: unknown[] }> };
  return (await kv.list()).keys.length;
}

test('the page and its engine have their bytes, types and caching', async () => {
  const page = await get('/');
  assert.equal(page.status, 200);
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(page.headers.get('cache-control'), 'no-cache');
  assert.equal(page.headers.get('x-content-type-options'), 'nosniff');
  assert.ok(Buffer.from(await page.arrayBuffer()).equals(dist('index.html')));
  const packed = await get(`/e/${engine}/casplay.wasm.gz`);
  assert.equal(packed.headers.get('content-type'), 'application/gzip');
  assert.equal(packed.headers.get('content-encoding'), null);
  assert.equal(packed.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  const bytes = Buffer.from(await packed.arrayBuffer());
  assert.ok(bytes.equals(dist(`e/${engine}/casplay.wasm.gz`)));
  const plain = await get(`/e/${engine}/casplay.wasm`, { headers: { 'Accept-Encoding': 'gzip' } });
  assert.equal(plain.headers.get('content-type'), 'application/wasm');
  assert.equal(plain.headers.get('content-encoding'), 'gzip');
  assert.ok(Buffer.from(await plain.arrayBuffer()).equals(gunzipSync(bytes)));
  assert.equal((await get('/none')).status, 404);
  assert.equal((await get('/.git/config')).status, 404);
  assert.equal((await get('/', { method: 'POST' })).status, 405);
  const tag = page.headers.get('etag');
  assert.ok(tag);
  assert.equal((await get('/', { headers: { 'If-None-Match': tag } })).status, 304);
});

test('a short link goes round by KV', async () => {
  const stored = await post(`${base}/#mg-d-64;threads=96;on:tol=2`);
  assert.equal(stored.status, 201);
  const at = (await stored.text()).trim();
  assert.match(at, /^\/s\/[\w-]{16}$/);
  assert.equal((await post('1;mg-d-64;on:tol=2;threads=96')).status, 200, 'there already');
  const there = await get(at);
  assert.equal(there.status, 301);
  assert.match(there.headers.get('location') ?? '', /^\/#1;mg-d-64;threads=96;on:tol=2;c=\w+$/);
  assert.equal(await count(), 1);
  assert.equal((await get('/s/AAAAAAAAAAAAAAAA')).status, 404);
});

test('a bad link is refused with the reason, and nothing is stored', async () => {
  const before = await count();
  const bad = await post('1;mg-d-64;tolx=2');
  assert.equal(bad.status, 400);
  assert.match(await bad.text(), /tolx.*is not the path of a setting/);
  assert.equal((await post('a'.repeat(20_000))).status, 413);
  assert.equal((await post('mg-d-64', { 'Sec-Fetch-Site': 'cross-site' })).status, 403);
  assert.equal((await get('/text?l=1;none')).status, 400);
  assert.equal(await count(), before);
});

test('the text of a link, also many at once', async () => {
  const answers = await Promise.all(
    [64, 80, 96, 112].map(async (n) => {
      const answer = await get(`/text?l=1;mg-d-64;threads=${n}`);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
      const text = await answer.text();
      assert.match(text, /^machine: {2}/m);
      assert.match(text, /^arm: {6}off \(reference\)/m);
      return new RegExp(`threads=${n}\\b`).test(text);
    }),
  );
  assert.deepEqual(answers, [true, true, true, true]);
});

test('the script fits the free plan', () => {
  const size = ['edge.wasm', 'wasm_exec.js', 'worker.js'].reduce((sum, f) => sum + gzipSync(readFileSync(join(layout, f))).length, 0);
  console.log(`${size} of ${MAX_SCRIPT} bytes`);
  assert.ok(size < MAX_SCRIPT, `${size} bytes`);
});
