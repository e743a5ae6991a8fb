// The visit of the arguer, with the keyboard alone: sweeps, arms, markers,
// CPU rows, files to take away.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { finished, startSite, type Site } from '../site';

let site: Site;
before(async () => {
  site = await startSite();
});
after(() => site.close());

const swept = (page: Page) => page.waitForFunction(() => /^\d+ of \d+ runs$/.test(document.querySelector('.sweepform [role=status]')?.textContent ?? '') && document.querySelector('#sweepout table') !== null, null, { timeout: 180_000 });

test('a sweep over threads: values of both arms, their change, and the scenario of a point', async () => {
  const { page, errors } = await site.open('#mg-c-4;seeds=1');
  await finished(page);
  await page.locator('.sweepit[aria-label="sweep threads"]').focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.id === 'sw-x-values');
  assert.match(await page.locator('#sw-x-values').inputValue(), /4/, 'values are offered');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('many');
  await page.keyboard.press('Enter');
  assert.match((await page.locator('#sw-err').textContent()) ?? '', /"many" is not a number/);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('2, 8');
  await page.keyboard.press('Enter');
  await swept(page);
  assert.equal(await page.locator('.sweepsvg circle').count(), 4);
  await page.locator('.sweepsvg').focus();
  await page.keyboard.press('ArrowRight');
  const said = (await page.locator('.sweepread').textContent()) ?? '';
  assert.match(said, /^threads 8: A off [\d.]+ s · B on [\d.]+ s \([+−][\d.]+ %\) open this point$/);
  await page.waitForFunction(() => document.querySelector('#sweepout [aria-live]')?.textContent?.includes('threads 8'));
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.includes('threads=8'));
  // the point gives what the sweep said
  await page.waitForFunction((words) => words.includes(`B on ${document.querySelectorAll('#runtime tbody tr')[1]?.querySelector('.med')?.textContent ?? 'nothing'}`), said, { timeout: 120_000 });
  assert.deepEqual(errors, []);
});

test('a map over two settings, and a sweep that is cancelled', async () => {
  const { page, errors } = await site.open('#mg-c-4;seeds=1');
  await finished(page);
  await page.locator('#sweepopen').click();
  await page.locator('#sw-x-values').fill('1, 2');
  await page.locator('#sw-y').selectOption({ label: 'aggr_tolerance' });
  await page.locator('#sw-y-values').fill('0 100');
  await page.locator('.sweepform .primary').click();
  await swept(page);
  assert.equal(await page.locator('.sweepsvg .cell').count(), 4);
  await page.locator('.sweepsvg').focus();
  await page.keyboard.press('ArrowUp');
  assert.match((await page.locator('.sweepread').textContent()) ?? '', /^threads 1, aggr_tolerance 100:/);
  await page.locator('#sw-x-values').fill('1-64/32');
  await page.locator('.sweepform .primary').click();
  await page.locator('.sweepform button:not(.primary)').click();
  await page.waitForFunction(() => /^stopped after \d+ of 128 runs$/.test(document.querySelector('.sweepform [role=status]')?.textContent ?? ''));
  assert.deepEqual(errors, []);
});

test('arms: swap, a new arm from one, a setting of that arm alone', async () => {
  const { page, errors } = await site.open('#mg-c-4;seeds=1;arms=off,on');
  await finished(page);
  await page.keyboard.press('x');
  await page.waitForFunction(() => location.hash.includes('arms=on,off'));
  await finished(page);
  await page.keyboard.press('b');
  await page.waitForFunction(() => location.hash.includes('arms=on,off,off-2'));
  assert.equal(await page.locator('#f-scope').inputValue(), '2', 'the form changes the new arm');
  await page.locator('#f-kernel-cas-aggr_tolerance').fill('7');
  await page.waitForFunction(() => location.hash.includes('off-2:tol=7'));
  await page.locator('#f-scope').selectOption('-1');
  // the others keep theirs
  await page.waitForFunction(() => (document.getElementById('f-kernel-cas-aggr_tolerance') as HTMLInputElement).value === '1');
  assert.deepEqual(errors, []);
});

test('CPU rows: a cell cursor that speaks, a table behind it; arms overlaid; two markers', async () => {
  const { page, errors } = await site.open('#mg-c-4;seeds=1');
  await finished(page);
  await page.keyboard.press('4');
  const canvas = page.locator('#tracks canvas[role]').first();
  await canvas.waitFor();
  const inks = await canvas.evaluate((c: HTMLCanvasElement) => new Set(new Uint32Array(c.getContext('2d')!.getImageData(0, 0, c.width, c.height).data.buffer)).size);
  assert.ok(inks >= 3, `${inks} colours`);
  await canvas.focus();
  await page.keyboard.press(']');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => /Arm A: CPU \d+, LLC 1, node 1: \d+ % busy/.test(document.getElementById('live')?.textContent ?? ''));
  assert.equal(await page.locator('#tracks table tbody tr').count(), 144);
  await page.keyboard.press('2');
  await page.waitForFunction(() => document.querySelector('#tracks canvas[role]') === null);
  // arm B in every plot; they come over several frames
  await page.waitForFunction(() => document.querySelectorAll('#tracks .ink[data-inks~=n1] canvas').length >= 6);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('m');
  for (let i = 0; i < 3; i++) await page.keyboard.press('PageDown');
  await page.keyboard.press('m');
  await page.locator('#marks table').waitFor();
  assert.match((await page.locator('#marks th').first().textContent()) ?? '', /^1 at .* Δ 3\.00 s$/);
  assert.deepEqual(errors, []);
});

test('files: SVG and PNG of the plots with title, link and engine', async () => {
  const { page, errors } = await site.open('#mg-c-4;seeds=1', { acceptDownloads: true });
  await finished(page);
  const take = async (id: string) => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.locator(id).click()]);
    return readFileSync(await file.path());
  };
  const svg = (await take('#getsvg')).toString();
  for (const part of ['mg-c-4: NAS MG', 'takes', '#1;mg-c-4;e=', 'casplay engine', 'LLC utilisation']) assert.ok(svg.includes(part), part);
  assert.equal((await take('#getpng')).subarray(1, 4).toString(), 'PNG');
  assert.deepEqual(errors, []);
});

test('a fork is like its arm until the cursor, and its link carries it', async () => {
  const { page, errors } = await site.open('#mg-c-4;seeds=1;max_s=3;until=time');
  await finished(page);
  await page.locator('#t').evaluate((e: HTMLInputElement) => {
    e.value = '1';
    e.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await page.locator('#t').blur();
  await page.keyboard.press('k');
  await page.locator('#forkknob').selectOption({ label: 'enabled' });
  await page.locator('#forkvalue').fill('0');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /^#1z/.test(location.hash));
  await finished(page);
  const arms = await page.locator('#runtime tbody tr').allTextContents();
  assert.equal(arms.length, 3);
  assert.match(arms[2] ?? '', /on-fork-2/);
  // cells of the first second are the same in the arm and its fork; the tables come a frame after the curves
  await page.waitForFunction(() => {
    const rows = [...document.querySelectorAll('#tracks section.track:nth-of-type(1) tbody tr')].filter((r) => Number(r.querySelector('th')!.textContent) < 1);
    return rows.map((r) => [...r.querySelectorAll('td')].map((c) => c.textContent)).every((c) => c.length === 6 && c[2] === c[4] && c[3] === c[5]) && rows.length > 0;
  });
  assert.deepEqual(errors, []);
});
