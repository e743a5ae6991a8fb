// The three visits by keyboard alone: at 200 % zoom, in forced colours, and with
// reduced motion.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { violations } from '../axe';
import { finished, startSite, type Site } from '../site';

let site: Site;
before(async () => {
  site = await startSite();
});
after(() => site.close());

// zoomed to 200 % a window of 1280 x 800 has half of its CSS pixels, of two device pixels each
const WAYS: [name: string, options: BrowserContextOptions][] = [
  ['200 % zoom', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
  ['forced colours', { forcedColors: 'active' }],
  ['reduced motion', { reducedMotion: 'reduce' }],
];

/** Tabs on until an element is focused; it must then be in the window and outlined. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let i = 0; i < 400; i++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate((wanted) => {
      const e = document.activeElement as HTMLElement;
      if (!e.matches(wanted)) return null;
      const r = e.getBoundingClientRect();
      const style = getComputedStyle(e);
      return { seen: r.bottom > 0 && r.top < innerHeight && r.right > 0 && r.left < innerWidth, outlined: style.outlineStyle !== 'none' };
    }, selector);
    if (!at) continue;
    assert.deepEqual(at, { seen: true, outlined: true }, selector);
    return;
  }
  assert.fail(`Tab does not reach ${selector}`);
}

const fits = async (page: Page) => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing scrolls sideways');

for (const [name, options] of WAYS) {
  test(`${name}: the reader looks around`, async () => {
    const { page, errors } = await site.open('#mg-c-4;seeds=1', options);
    await finished(page);
    await fits(page);
    const t = await page.locator('#tout').textContent();
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction((was) => document.getElementById('tout')?.textContent !== was, t);
    await tabTo(page, '#gatestoggle');
    await page.keyboard.press('Enter');
    await page.locator('#gatesmore').waitFor({ state: 'visible' });
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(errors, []);
  });

  test(`${name}: the arguer changes a knob and copies a report`, async () => {
    const { page, errors } = await site.open('#mg-c-4;seeds=1', { ...options, permissions: ['clipboard-read', 'clipboard-write'] });
    await finished(page);
    await page.locator('#skipknobs').focus();
    await page.keyboard.press('Enter');
    await tabTo(page, '#f-kernel-cas-aggr_tolerance');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('0');
    await page.waitForFunction(() => location.hash.includes('tol=0') && document.querySelector('#sstate code') !== null);
    await finished(page);
    await fits(page);
    await tabTo(page, '#copyreport2');
    await page.keyboard.press('Enter');
    await page.locator('#said', { hasText: 'Report copied' }).waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /aggr_tolerance|tol=0/);
    assert.deepEqual(errors, []);
  });

  test(`${name}: the owner of a machine pastes it`, async () => {
    const { page, errors } = await site.open('#mg-c-4;seeds=1;until=time;max_s=0.2', options);
    await finished(page);
    await tabTo(page, '#ownopen');
    await page.keyboard.press('Enter');
    await page.locator('#owntext').waitFor({ state: 'visible' });
    await tabTo(page, '#owntext');
    await page.keyboard.type('pack:2 l3:2(size=32MB) core:4 pu:2');
    await tabTo(page, '#owngo');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => /32 CPUs/.test(document.getElementById('form')?.textContent ?? ''));
    await finished(page);
    await fits(page);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(errors, []);
  });
}
