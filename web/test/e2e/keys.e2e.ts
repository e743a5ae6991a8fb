// The page without a mouse: every control can be reached and seen, every key
// of the table does something and breaks nothing.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { KEYS } from '../../src/keys';
import { finished, startSite, type Site } from '../site';

let site: Site;
let page: Page;
let errors: string[];
before(async () => {
  site = await startSite();
  ({ page, errors } = await site.open('#mg-c-4;seeds=1'));
  await finished(page);
});
after(() => site.close());

const cursor = () => page.locator('#tout').textContent();
const press = async (...keys: string[]) => {
  for (const k of keys) await page.keyboard.press(k);
  await page.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));
};

test('the tab key reaches every control once, in order, and shows where it is', async () => {
  const wanted = await page.evaluate(() => {
    const all = document.querySelectorAll<HTMLElement>('a[href], button, input, select, summary, [tabindex="0"]');
    // of a group of radio buttons one is a stop
    return [...all].filter((e) => e.checkVisibility()).filter((e) => !(e instanceof HTMLButtonElement && e.disabled)).filter((e) => !(e instanceof HTMLInputElement && e.type === 'radio' && !e.checked)).length;
  });
  const seen = new Set<string>();
  let invisible = '';
  for (let i = 0; i < wanted + 20; i++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const e = document.activeElement as HTMLElement;
      if (e === document.body) return null;
      const all = [...document.querySelectorAll('*')];
      const marked = e.matches('input[type=radio]') ? (e.nextElementSibling ?? (e.closest('label') as Element)) : e;
      const host = e.matches('.runtime input') ? (e.closest('label') as Element) : marked;
      const style = getComputedStyle(host);
      return { id: String(all.indexOf(e)), name: e.outerHTML.slice(0, 80), outlined: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 };
    });
    if (!at) continue;
    if (!at.outlined) invisible = at.name;
    seen.add(at.id);
  }
  assert.equal(invisible, '', 'focus is not visible there');
  assert.ok(seen.size >= wanted, `${seen.size} of ${wanted} controls reached`);
});

test('the skip links lead to the curves and to the knobs', async () => {
  await page.locator('#skipknobs').focus();
  await press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'knobs');
  assert.match(page.url(), /mg-c-4/, 'the scenario stays in the address');
  assert.ok(await page.locator('#notice').isHidden());
});

test('arrows move the cursor, the readouts and the drawing', async () => {
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  const t0 = await cursor();
  await press('ArrowLeft', 'ArrowLeft', 'ArrowLeft');
  const t1 = await cursor();
  assert.notEqual(t0, t1);
  assert.match((await page.locator('#mt').textContent()) ?? '', new RegExp((t1 ?? '').replace('.', '\\.')));
  await page.waitForFunction(() => (document.getElementById('live')?.textContent ?? '').includes('Arm A'));
  await press(',');
  assert.notEqual(await cursor(), t1, 'the decision before');
});

test('zoom, selection and views', async () => {
  await press('w', 'w');
  const span = () => page.evaluate(() => Number((document.getElementById('t') as HTMLInputElement).max) - Number((document.getElementById('t') as HTMLInputElement).min));
  const zoomed = await span();
  await press('0');
  assert.ok((await span()) > zoomed * 3);
  await press('Shift+ArrowLeft', 'Shift+ArrowLeft');
  assert.ok((await page.locator('rect.picked').count()) > 0);
  await press('f');
  assert.ok((await span()) < zoomed);
  await press('0', '3');
  assert.ok((await page.locator('#viewseg input:checked').getAttribute('value')) === 'diff');
  await press('1', 'Shift+A');
  assert.ok(await page.locator('#runtime tr.sel[data-arm=A]').isVisible());
});

test('every key of the table is on the sheet, and none breaks the page', async () => {
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await press('Shift+?');
  assert.ok(await page.locator('#sheet').isVisible());
  const rows = await page.locator('#sheetrows tr').allTextContents();
  assert.deepEqual(rows, KEYS.map((k) => k.shown + k.what));
  await press('Escape');
  assert.ok(await page.locator('#sheet').isHidden());
  for (const k of KEYS)
    for (const key of k.keys) {
      if (key === '?') continue;
      await press((k.shift ? 'Shift+' : '') + (key === ' ' ? 'Space' : k.shift && key.length === 1 ? key.toUpperCase() : key));
      if ('okve'.includes(key)) await press('Escape');
      if (key === '/') {
        await page.keyboard.type('cw?');
        assert.equal(await page.locator('#logfind').inputValue(), 'cw?', 'keys are not taken from a field');
        await page.locator('#logfind').fill('');
        await press('Escape');
      }
    }
  assert.deepEqual(errors, []);
});
