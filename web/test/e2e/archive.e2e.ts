// A site that has published two engines: each link runs the one it names.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { publish, readIndex, withEngine, writeIndex } from '../../archive.mjs';
import { digestOf, finished, projectTop, startSite, type Site } from '../site';

const dist = join(projectTop, 'dist');
const current = readIndex(dist).current;
const top = mkdtempSync(join(tmpdir(), 'casplay-archive-'));
let older = '';
let site: Site;

/** Builds an engine whose source differs in a few words, and puts it where the current one is in a built page. */
function otherPage(changes: [file: string, from: string, to: string][]): { page: string; id: string } {
  const replace: Record<string, string> = {};
  for (const [i, [file, from, to]] of changes.entries()) {
    const text = readFileSync(join(projectTop, file), 'utf8');
    assert.ok(text.includes(from), `${file} has no "${from}"`);
    writeFileSync((replace[join(projectTop, file)] = join(top, `${i}.go`)), text.replace(from, to));
  }
  writeFileSync(join(top, 'overlay.json'), JSON.stringify({ Replace: replace }));
  const wasm = join(top, 'engine.wasm');
  execFileSync('go', ['build', '-trimpath', '-overlay', join(top, 'overlay.json'), '-ldflags=-s -w', '-o', wasm, './wasm/engine'], { cwd: projectTop, env: { ...process.env, GOOS: 'js', GOARCH: 'wasm' }, stdio: 'inherit' });
  const bytes = readFileSync(wasm);
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  const page = join(top, 'page');
  mkdirSync(join(page, 'e'), { recursive: true });
  cpSync(join(dist, 'e', current), join(page, 'e', id), { recursive: true });
  writeFileSync(join(page, 'e', id, 'casplay.wasm.gz'), gzipSync(bytes, { level: 1 }));
  cpSync(join(dist, 'index.html'), join(page, 'index.html'));
  writeIndex(page, withEngine(readIndex(page), { id, version: '0.1.99' }));
  return { page, id };
}

before(async () => {
  const other = otherPage([
    ['core/play/play.go', 'Engine = "', 'Engine = "0.1.99" // "'],
    ['core/kernel/fair/rand.go', '>> 27)', '>> 28)'],
  ]);
  older = other.id;
  const published = join(top, 'site');
  publish(other.page, published);
  publish(dist, published);
  site = await startSite(published);
});
after(async () => {
  await site.close();
  rmSync(top, { recursive: true });
});

const LINK = '1;mg-c-4;seeds=1;until=time;max_s=0.5';

test('a link runs the engine it names and shows both results side by side', async () => {
  // as the older page would have copied it
  const { page, errors } = await site.open(`#${LINK.replace('mg-c-4', `mg-c-4;e=${older}`)}`.replace('#1;', '#'));
  await finished(page);
  const bar = page.locator('#enginebar');
  assert.match((await bar.textContent()) ?? '', new RegExp(`Engine 0\\.1\\.99 ${older.slice(0, 8)} runs this link`));
  assert.match((await page.locator('#sstate').textContent()) ?? '', new RegExp(`engine 0\\.1\\.99 ${older.slice(0, 8)}`));
  const old = await digestOf(page);
  assert.match(page.url(), new RegExp(`;e=${older};`), 'the address goes on naming it');
  await page.locator('#runcurrent').click();
  await page.locator('#engines').waitFor({ timeout: 120_000 });
  const cells = await page.locator('#engines tbody tr').last().locator('td').allTextContents();
  assert.equal(cells[2], old);
  assert.match(cells[3] ?? '', /^[0-9a-f]{16}$/);
  assert.notEqual(cells[3], old, 'the engines decide differently');
  assert.equal(cells[4], 'differs');
  assert.ok((await page.locator('#engines tbody tr').count()) >= 3);
  // the current engine alone gives what the table said
  await page.locator('#opencurrent').click();
  await page.waitForFunction((id) => !location.hash.includes(id) && document.querySelector('#sstate code') !== null, older, { timeout: 120_000 });
  await page.waitForFunction((id) => document.getElementById('sstate')?.textContent?.includes(id), current.slice(0, 8));
  assert.equal(await digestOf(page), cells[3]);
  assert.ok(await bar.isHidden());
  assert.deepEqual(errors, []);
});

test('an engine that the site never had is said so, and what to do about the promise of its link', async () => {
  const { page } = await site.open(`#${LINK.slice(2)};e=0123456789ab;r=ffffffffffffffff`);
  await finished(page);
  const words = (await page.locator('#enginebar').textContent()) ?? '';
  assert.match(words, /asks for engine 0123456789ab, which this site does not have.*The link promises another result \(ffffffff, here [0-9a-f]{8}\).*open the link on the site it came from/);
  assert.match((await page.locator('#sstate').textContent()) ?? '', /differs: ffffffff expected/);
});

test('an engine that was used stays for visits without a network, after the site has a new page too', async () => {
  const own = await startSite(join(top, 'site'));
  try {
    const old = `#${LINK.slice(2).replace('mg-c-4', `mg-c-4;e=${older}`)}`;
    const { page } = await own.open(old);
    const context = page.context();
    const visit = async (hash: string) => {
      const next = await context.newPage();
      await next.goto(own.base + hash);
      await finished(next);
      const digest = await digestOf(next);
      await next.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      await next.close();
      return digest;
    };
    await finished(page);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.close();
    const digest = await visit(old);
    // a new build of the page: the worker file and what it keeps change
    for (const file of ['sw.js', 'main.js']) {
      const text = readFileSync(join(own.folder, file), 'utf8');
      writeFileSync(join(own.folder, file), file === 'sw.js' ? text.replace(/"[0-9a-f]{12}"/g, (id) => (id.includes(current) ? id : '"0123456789ab"')) : `${text}\n//`);
    }
    const page2 = await context.newPage();
    await page2.goto(own.base + `#${LINK.slice(2)}`);
    await finished(page2);
    await page2.waitForFunction(async () => {
      const names = await caches.keys();
      return names.some((n) => n.endsWith(' 0123456789ab')) && names.filter((n) => !n.includes(' engine ')).length === 1;
    }, null, { timeout: 60_000 });
    assert.deepEqual((await page2.evaluate(() => caches.keys())).filter((n) => n.includes(' engine ')).map((n) => n.slice(-12)).sort(), [current, older].sort());
    await page2.close();
    await context.setOffline(true);
    assert.equal(await visit(old), digest);
  } finally {
    await own.close();
  }
});
