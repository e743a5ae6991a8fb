import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { publish, readIndex, withEngine, writeIndex } from '../archive.mjs';

/** A built page with one engine whose file says its version. */
function built(top: string, id: string, version: string): string {
  const dist = join(top, `dist-${id}-${version}`);
  mkdirSync(join(dist, 'e', id), { recursive: true });
  for (const f of ['casplay.wasm.gz', 'wasm_exec.js', 'worker.js']) writeFileSync(join(dist, 'e', id, f), version);
  writeFileSync(join(dist, 'index.html'), `page of ${version}`);
  mkdirSync(join(dist, 'pre'));
  writeFileSync(join(dist, 'pre', `${version}.json`), '{}');
  writeIndex(dist, withEngine(readIndex(dist), { id, version }));
  return dist;
}

test('archive: a new build keeps the engines before it, byte for byte', () => {
  const top = mkdtempSync(join(tmpdir(), 'casplay-archive-'));
  const site = join(top, 'site');
  const [a, b] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'];
  publish(built(top, a, '1'), site);
  publish(built(top, b, '2'), site);
  assert.deepEqual(readIndex(site), { v: 1, current: b, engines: [{ id: b, version: '2' }, { id: a, version: '1' }] });
  assert.equal(readFileSync(join(site, 'e', a, 'worker.js'), 'utf8'), '1');
  assert.equal(readFileSync(join(site, 'index.html'), 'utf8'), 'page of 2');
  assert.ok(!existsSync(join(site, 'pre', '1.json')), 'what belongs to the page goes with it');
  // an engine of a known id is not written again, whatever the build says
  publish(built(top, a, '3'), site);
  assert.equal(readFileSync(join(site, 'e', a, 'worker.js'), 'utf8'), '1');
  assert.equal(readIndex(site).current, a);
  // a folder that went missing is noticed before the page is replaced
  rmSync(join(site, 'e', b), { recursive: true });
  assert.throws(() => publish(built(top, 'cccccccccccc', '4'), site), /engine bbbbbbbbbbbb is listed.*put the folder back/);
  assert.equal(readFileSync(join(site, 'index.html'), 'utf8'), 'page of 3');
  rmSync(top, { recursive: true });
});

test('archive: neither a strange id nor an unbuilt folder is published', () => {
  const top = mkdtempSync(join(tmpdir(), 'casplay-archive-'));
  assert.throws(() => writeIndex(top, withEngine(readIndex(top), { id: '../x', version: '' })), /not an engine id/);
  assert.throws(() => publish(top, join(top, 'site')), /holds no built page/);
  rmSync(top, { recursive: true });
});
