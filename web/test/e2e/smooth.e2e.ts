// The page stays usable while simulations run: no task of its main thread
// takes 50 ms of processor time.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { finished, startSite, type Site } from '../site';
import { traced } from '../trace';

let site: Site;
before(async () => {
  site = await startSite();
});
after(() => site.close());

test('no task over 50 ms while the headline scenario opens, runs and is scrubbed', async () => {
  const { page } = await site.open('#mg-c-4;seeds=1');
  await finished(page);
  const { ms, tasks } = await traced(site, page, async () => {
    await page.evaluate(() => (location.hash = '#mg-d-112;seeds=2'));
    await page.waitForFunction(() => document.getElementById('sid')?.textContent === 'mg-d-112');
    await finished(page);
    for (let i = 0; i < 40; i++) await page.keyboard.press(i % 2 ? 'ArrowLeft' : 'PageDown');
    for (const key of ['w', '0', '2', '3', '4', 'w', '0', '1']) await page.keyboard.press(key);
  });
  assert.ok(tasks > 50, `only ${tasks} tasks were traced`);
  console.log(`longest task ${ms.toFixed(1)} ms of ${tasks}`);
  assert.ok(ms <= 50, `a task took ${ms.toFixed(1)} ms`);
});
