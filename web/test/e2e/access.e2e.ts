// axe finds nothing, in both themes, wide and narrow, with a result and with a
// bad link; what axe cannot see is checked by hand.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from '../axe';
import { finished, startSite, type Site } from '../site';

let site: Site;
before(async () => {
  site = await startSite();
});
after(() => site.close());

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [1440, 720, 360]) {
    test(`axe: ${colorScheme}, ${width} px, result`, async () => {
      const { page } = await site.open('#mg-c-4;seeds=1', { colorScheme, viewport: { width, height: 900 } });
      await finished(page);
      await page.locator('#f-kernel-cas-epoch_period').fill('no');
      await page.locator('.fielderr:not([hidden])').first().waitFor();
      for (const d of await page.locator('main details').all()) if (await d.isVisible()) await d.locator('summary').click();
      assert.deepEqual(await violations(page), []);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, 'the page does not scroll sideways');
    });
    test(`axe: ${colorScheme}, ${width} px, bad link`, async () => {
      const { page } = await site.open('#1;nothing', { colorScheme, viewport: { width, height: 900 } });
      await page.locator('#notice').waitFor({ state: 'visible' });
      assert.deepEqual(await violations(page), []);
    });
  }

for (const colorScheme of ['light', 'dark'] as const)
  test(`axe: ${colorScheme}, every view, a sweep and the scenario browser`, async () => {
    const { page } = await site.open('#mg-c-4;seeds=1', { colorScheme, viewport: { width: 1024, height: 900 } });
    await finished(page);
    for (const mode of ['over', 'diff', 'cpus']) {
      await page.locator(`#viewseg input[value=${mode}]`).check();
      await page.keyboard.press('m');
      assert.deepEqual(await violations(page), [], mode);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 1024, `${mode} does not scroll sideways`);
    }
    await page.locator('#sweepopen').click();
    await page.locator('#sw-x-values').fill('1');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => /^\d+ of \d+ runs$/.test(document.querySelector('.sweepform [role=status]')?.textContent ?? '') && document.querySelector('#sweepout table'), null, { timeout: 120_000 });
    await page.locator('.sweepmore summary').click();
    assert.deepEqual(await violations(page), [], 'sweep');
    await page.locator('#scenarios').click();
    await page.locator('#browselist a').first().waitFor();
    for (const d of await page.locator('#browse details').all()) await d.locator('summary').click();
    assert.deepEqual(await violations(page), [], 'scenario browser');
  });

test('every plot has a name and a table, and the cursor speaks', async () => {
  const { page } = await site.open('#mg-c-4;seeds=1');
  await finished(page);
  await page.waitForFunction(() => document.querySelectorAll('#tracks table').length > 0);
  const plots = await page.evaluate(() => ({
    nameless: [...document.querySelectorAll('svg')].filter((s) => s.getAttribute('aria-hidden') !== 'true' && !s.getAttribute('aria-label')).length,
    rows: document.querySelectorAll('#tracks section.track').length,
    tables: document.querySelectorAll('#tracks table caption').length,
    cells: document.querySelectorAll('#tracks table tbody td').length,
    machine: [...document.querySelectorAll('#machine svg')].map((s) => s.getAttribute('aria-label')),
  }));
  assert.equal(plots.nameless, 0);
  assert.equal(plots.tables, plots.rows);
  assert.ok(plots.cells > 40);
  for (const label of plots.machine) assert.match(label ?? '', /^Arm [AB] .* at .*LLC 0 \d+ % busy/);
  assert.ok(await page.locator('#t').getAttribute('aria-valuetext'));
});

test('forced colours keep text and lines, reduced motion moves nothing', async () => {
  const { page } = await site.open('#mg-c-4;seeds=1', { forcedColors: 'active', reducedMotion: 'reduce' });
  await finished(page);
  const seen = await page.evaluate(() => ({
    line: getComputedStyle(document.querySelector('.line.n0') as Element).stroke,
    text: getComputedStyle(document.querySelector('#tracks svg text') as Element).fill,
    back: getComputedStyle(document.querySelector('.plot svg') as Element).backgroundColor,
    moving: getComputedStyle(document.querySelector('button') as Element).transitionDuration,
  }));
  assert.notEqual(seen.line, seen.back);
  assert.notEqual(seen.text, seen.back);
  assert.equal(seen.moving, '0s');
});
