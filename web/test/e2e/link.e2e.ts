// What a link does: it opens, runs, follows changes, and says when it is bad.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { finished, startSite, type Site } from '../site';

let site: Site;
before(async () => {
  site = await startSite();
});
after(() => site.close());

test('an empty address opens the headline scenario, runs it and compares it with the published rows', async () => {
  const { page, errors } = await site.open('');
  await page.waitForFunction(() => document.getElementById('sid')?.textContent === 'mg-d-112');
  // there are curves while the first seed still runs
  await page.locator('#cancel').waitFor({ state: 'visible' });
  await page.locator('#tracks .ink[data-inks~=n0] canvas').first().waitFor();
  assert.ok(await page.locator('#cancel').isVisible());
  await finished(page);
  assert.match((await page.locator('#vh').textContent()) ?? '', /^CAS on \(B\) .* off \(A\).*: [\d.]+ s against [\d.]+ s\.$/);
  const rows = await page.locator('#runtime tbody tr').allTextContents();
  assert.equal(rows.length, 2);
  assert.match(rows[0] ?? '', /25\.53 s (training|predicted)/);
  assert.match(rows[1] ?? '', /42\.23 s (training|predicted)/);
  assert.equal(await page.locator('#runtime .dot').count(), 10, 'five seeds in two arms');
  assert.equal(await page.locator('#runtime .pub').count(), 2);
  assert.ok((await page.locator('#gates tbody tr').count()) >= 4);
  assert.match((await page.locator('#report').textContent()) ?? '', /not a measurement/);
  assert.match(page.url(), /#1;mg-d-112;c=[a-z2-7]+$/);
  assert.deepEqual(errors, []);
});

test('every preset of the list opens by its link', async () => {
  const { page } = await site.open('#mg-c-4;seeds=1');
  await page.waitForFunction(() => (document.getElementById('f-preset') as HTMLSelectElement | null)?.options.length);
  const all = await page.locator('#f-preset option').allTextContents();
  // of a table of scenarios one point
  const table = (n: string) => n.split('.')[0];
  const names = all.filter((n, i) => all.findIndex((m) => table(m) === table(n)) === i);
  assert.ok(names.length >= 7);
  for (const name of names) {
    await page.goto(`${site.base}#${name};seeds=1`);
    await page.waitForFunction((n) => document.getElementById('sid')?.textContent === n, name, { timeout: 90_000 });
    assert.ok(await page.locator('#notice').isHidden(), name);
  }
});

test('a changed knob runs again, greys the old result, and moves the address', async () => {
  const { page, errors } = await site.open('#mg-c-4;seeds=1');
  await finished(page);
  const before = await page.locator('#sstate code').textContent();
  await page.locator('#f-kernel-cas-aggr_tolerance').fill('0');
  await page.waitForFunction(() => location.hash.includes('tol=0'));
  assert.equal(await page.evaluate(() => history.length), 2, 'the address is replaced, not added');
  await page.waitForFunction((d) => {
    const now = document.querySelector('#sstate code')?.textContent;
    return now && now !== d;
  }, before);
  assert.match(page.url(), /#1;mg-c-4;tol=0;seeds=1;c=[a-z2-7]+$/);
  assert.ok(await page.locator('.knob.changed', { hasText: 'aggr_tolerance' }).isVisible());
  await page.locator('.knob', { hasText: 'aggr_tolerance' }).getByRole('button', { name: /reset/ }).click();
  await page.waitForFunction(() => !location.hash.includes('tol='));
  assert.deepEqual(errors, []);
});

test('keys of a link that this engine does not know are shown and kept when a setting changes', async () => {
  const { page } = await site.open('#mg-c-4;q=7;seeds=1', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.locator('#said', { hasText: 'does not know q=7' }).waitFor();
  await finished(page);
  assert.match((await page.locator('#linklen').textContent()) ?? '', /keeps q=7/);
  await page.locator('#f-kernel-cas-aggr_tolerance').fill('0');
  await page.waitForFunction(() => /;tol=0;.*;q=7;c=[a-z2-7]+$/.test(location.hash));
  await finished(page);
  await page.waitForFunction(() => /reproduced|digest/.test(document.getElementById('sstate')?.textContent ?? ''));
  await page.locator('#copylink').click();
  await page.locator('#said', { hasText: 'Link copied' }).waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /#1;mg-c-4;.*;q=7;r=[0-9a-f]{16};c=/);
});

test('a refused value is explained beside its field and changes nothing', async () => {
  const { page } = await site.open('#mg-c-4;seeds=1');
  await finished(page);
  const field = page.locator('#f-kernel-cas-epoch_period');
  await field.fill('-3');
  const error = page.locator('.knob', { has: field }).locator('.fielderr');
  await error.waitFor({ state: 'visible' });
  assert.match((await error.textContent()) ?? '', /whole number from 0/);
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  assert.equal(await field.inputValue(), '-3', 'what was typed stays');
  assert.match(page.url(), /mg-c-4;seeds=1/);
  await field.fill('10');
  await error.waitFor({ state: 'hidden' });
});

const bad: [string, RegExp][] = [
  ['#1;mg-d-113', /mg-d-112/],
  ['#mg-d-113', /not a known preset.*mg-d-112/],
  ['#mg-d-112;tolx=5', /tolx.*not the path of a setting.*tol/],
  ['#mg-d-112;tol=many', /whole number/],
  ['#1;mg-d-112;tol=5;c=abc', /checksum|cut/],
  ['#2;mg-d-112', /version 2/],
  ['#<img src=x onerror=alert(1)>', /character that no link has/],
  ['#' + 'x'.repeat(9000), /too long/],
];
for (const [hash, message] of bad)
  test(`a bad link is explained and never leaves a blank page: ${hash.slice(0, 40)}`, async () => {
    const { page, errors } = await site.open(hash);
    const notice = page.locator('#notice');
    await notice.waitFor({ state: 'visible' });
    assert.match((await notice.textContent()) ?? '', message);
    assert.equal(await page.locator('#notice img').count(), 0);
    await notice.getByRole('link', { name: 'mg-c-4', exact: true }).click();
    await page.waitForFunction(() => document.getElementById('sid')?.textContent === 'mg-c-4');
    await notice.waitFor({ state: 'hidden' });
    assert.deepEqual(errors, []);
  });

test('a copied link names engine and digest, and whoever opens it reads that it was reproduced', async () => {
  const { page } = await site.open('#mg-c-4;seeds=1', { permissions: ['clipboard-read', 'clipboard-write'] });
  await finished(page);
  await page.locator('#copylink').click();
  await page.locator('#said', { hasText: 'Link copied' }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  for (const part of [/#1;mg-c-4;/, /;seeds=1;/, /;e=[0-9a-f]{12};/, /;r=[0-9a-f]{16};/, /;c=[a-z2-7]{6}$/]) assert.match(link, part);
  const again = await site.open(new URL(link).hash);
  await finished(again.page);
  assert.match((await again.page.locator('#sstate').textContent()) ?? '', /\u2713 reproduced [0-9a-f]{8}$/);
});

test('a bad link leaves the scenario on the page in peace', async () => {
  const { page } = await site.open('#mg-c-4;seeds=1');
  await finished(page);
  await page.evaluate(() => (location.hash = '#1;nothing'));
  await page.locator('#notice').waitFor({ state: 'visible' });
  assert.equal(await page.locator('#sid').textContent(), 'mg-c-4');
  assert.match((await page.locator('#notice').textContent()) ?? '', /still the one before/);
});

test('a run can be cancelled at once and started again', async () => {
  const { page, errors } = await site.open('#1;mg-d-112');
  await page.waitForFunction(() => document.querySelector('#tracks .ink[data-inks] canvas') !== null);
  const took = await page.evaluate(async () => {
    const t = performance.now();
    document.getElementById('cancel')!.click();
    while (!document.getElementById('cancel')!.hidden) await new Promise(requestAnimationFrame);
    return performance.now() - t;
  });
  assert.ok(took < 100, `cancel took ${took} ms`);
  await page.keyboard.press('Space');
  await page.locator('#cancel').waitFor({ state: 'visible' });
  await page.waitForFunction(() => document.querySelector('#tracks .ink[data-inks] canvas') !== null);
  assert.deepEqual(errors, []);
});

test('the engine that does not arrive is said so', async () => {
  const context = await site.browser.newContext();
  const page = await context.newPage();
  await page.route('**/casplay.wasm.gz', (r) => r.fulfill({ status: 404, body: 'no' }));
  await page.goto(site.base);
  await page.locator('#notice').waitFor({ state: 'visible' });
  assert.match((await page.locator('#notice').textContent()) ?? '', /The engine does not run here.*404/s);
});
