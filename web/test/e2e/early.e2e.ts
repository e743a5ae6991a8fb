// The visit of the reader: a result before the engine is there, the check
// afterwards, the scenario browser, and a visit without a network.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { finished, startSite, type Site } from '../site';

let site: Site;
before(async () => {
  site = await startSite();
});
after(() => site.close());

/** Opens a link while the engine is kept back, until release is called. */
async function withoutEngine(hash: string) {
  const context = await site.browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  let release = () => {};
  const held = new Promise<void>((r) => (release = r));
  await page.route('**/casplay.wasm.gz', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(site.base + hash);
  return { page, release: () => release() };
}

test('the precomputed result is there before the engine, and the live run reproduces it', async () => {
  const { page, release } = await withoutEngine('#1;mg-c-4');
  await page.waitForFunction(() => /against/.test(document.getElementById('vh')?.textContent ?? ''));
  assert.match((await page.locator('#sstate').textContent()) ?? '', /^precomputed/);
  assert.ok((await page.locator('#tracks .ink[data-inks~=n0] canvas').count()) > 0, 'curves');
  assert.ok((await page.locator('#machine path').evaluateAll((all) => all.map((p) => p.getAttribute('d')).join('').split('M').length)) > 288, 'the machine');
  const early = await page.locator('#vh').textContent();
  release();
  await finished(page);
  assert.match((await page.locator('#sstate').textContent()) ?? '', /\u2713 reproduced [0-9a-f]{8}$/);
  assert.equal(await page.locator('#vh').textContent(), early);
});

test('knobs and cursor work before the engine is there, and a change is made as soon as it is', async () => {
  const { page, release } = await withoutEngine('#1;mg-c-4');
  await page.locator('#f-preset').waitFor();
  assert.ok((await page.locator('#f-preset option').count()) > 7);
  const before = await page.locator('#tout').textContent();
  await page.keyboard.press('PageUp');
  await page.keyboard.press('w');
  await page.waitForFunction((t) => document.getElementById('tout')?.textContent !== t, before);
  const zoomed = () => page.evaluate(() => (document.getElementById('t') as HTMLInputElement).max);
  const top = await zoomed();
  await page.locator('details', { has: page.locator('#f-run-seeds') }).locator('summary').click();
  await page.locator('#f-run-seeds').fill('1');
  await page.locator('#said', { hasText: 'as soon as the engine is here' }).waitFor();
  assert.match((await page.locator('#sstate').textContent()) ?? '', /^precomputed/);
  release();
  await page.waitForFunction(() => /;seeds=1;/.test(location.hash));
  await finished(page);
  assert.match((await page.locator('#sstate').textContent()) ?? '', /digest [0-9a-f]{8}$/, 'another scenario than the precomputed one');
  assert.equal(await page.locator('#runtime .dot').count(), 2, 'one seed in two arms');
  assert.equal(await zoomed(), top, 'what the reader looks at stays');
});

test('the scenario browser finds a scenario and opens it', async () => {
  const { page, errors } = await site.open('#mg-c-4;seeds=1');
  await finished(page);
  await page.keyboard.press('o');
  await page.locator('#browselist a', { hasText: 'xiangshan-genoa' }).waitFor();
  assert.ok((await page.locator('#browselist h3').count()) >= 4, 'topics');
  await page.keyboard.type('xiangshan-genoa');
  assert.equal(await page.locator('#browselist li').count(), 1);
  assert.match((await page.locator('#browselist li').textContent()) ?? '', /published .* simulated .* rows within tolerance/);
  await page.locator('#browserows').evaluate((e) => ((e.parentElement as HTMLDetailsElement).open = true));
  assert.ok((await page.locator('#browserows tbody tr').count()) > 3);
  await page.locator('#browselist a').focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.getElementById('sid')?.textContent === 'xiangshan-genoa');
  assert.ok(await page.locator('#browse').isHidden());
  assert.deepEqual(errors, []);
});

test('after the first visit the page works without a network', async () => {
  const { page } = await site.open('#mg-c-4;seeds=1');
  await finished(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.context().setOffline(true);
  await page.goto('about:blank');
  await page.goto(`${site.base}#mg-c-4;seeds=1`);
  await finished(page);
  assert.match((await page.locator('#vh').textContent()) ?? '', /against/);
});
