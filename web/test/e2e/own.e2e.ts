// The owner of a machine: one paste that works and one that does not.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { finished, startSite, type Site } from '../site';

let site: Site;
before(async () => {
  site = await startSite();
});
after(() => site.close());

test('a pasted machine runs the scenario; a bad paste says what is wrong beside the field', async () => {
  const { page, errors } = await site.open('#mg-c-4;seeds=1');
  await finished(page);
  await page.locator('#ownopen').click();
  await page.locator('#owntext').fill('<topology>\n<object type="<img src=x onerror=alert(1)>"');
  await page.waitForFunction(() => document.getElementById('owntext')?.getAttribute('aria-invalid') === 'true');
  assert.match((await page.locator('#ownresult').textContent()) ?? '', /XML line 2/);
  assert.equal(await page.locator('#ownresult img').count(), 0);
  assert.ok(await page.locator('#owngo').isDisabled());
  const cpu = (n: number) => ({ cpu: n, node: n >> 2, socket: n >> 2, core: n, 'l1d:l1i:l2:l3': `${n}:${n}:${n}:${n >> 2}`, online: true });
  const cpus = Array.from({ length: 8 }, (_, n) => cpu(n));
  await page.locator('#owntext').fill(`${JSON.stringify({ cpus })}\n${JSON.stringify({ caches: [{ name: 'L3', 'one-size': '32M' }] })}`);
  await page.waitForFunction(() => !(document.getElementById('owngo') as HTMLButtonElement).disabled);
  assert.match((await page.locator('#ownresult').textContent()) ?? '', /2 packages, 2 NUMA nodes, 2 LLCs, 8 cores, 8 CPUs, 32 MiB.*guess/s);
  await page.locator('#owngo').click();
  await page.waitForFunction(() => document.getElementById('sid')?.textContent === 'own' && location.hash.startsWith('#1z'));
  await finished(page);
  assert.ok(page.url().length < 4000, 'the link is packed');
  assert.ok(await page.locator('#notice').isHidden());
  const again = await site.open(new URL(page.url()).hash);
  await again.page.waitForFunction(() => document.getElementById('sid')?.textContent === 'own');
  assert.deepEqual([...errors, ...again.errors], []);
});
