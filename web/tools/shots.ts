// The screenshots of the README: node shots.mjs. Same engine, same browser,
// same pictures: everything on them comes from seeded runs.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { finished, projectTop, startSite } from '../test/site';
import { decode, encode } from './png8';

/** Bytes of a picture in the repository at most. */
const MOST = 150_000;

interface Shot {
  name: string;
  link: string;
  scheme: 'light' | 'dark';
  width: number;
  height: number;
  prepare?: (page: Page) => Promise<void>;
}

async function sweep(page: Page): Promise<void> {
  await page.locator('#sweepopen').click();
  await page.locator('#sw-x-values').fill('1, 2, 4, 8, 16, 32, 64, 112, 144');
  await page.locator('.sweepform .primary').click();
  await page.waitForFunction(() => document.querySelector('#sweepout table') !== null, null, { timeout: 600_000 });
  await page.locator('.sweepsvg').focus();
  for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowRight');
  await page.locator('.sweepsvg').blur();
  await page.locator('#sweep').evaluate((e) => e.scrollIntoView());
}

const SHOTS: Shot[] = [
  { name: 'page', link: '#1;mg-d-112', scheme: 'light', width: 1440, height: 900 },
  { name: 'cpus', link: '#1;xiangshan-genoa', scheme: 'dark', width: 1440, height: 900, prepare: (page) => page.locator('#viewseg input[value=cpus]').check() },
  { name: 'sweep', link: '#1;mg-c-4;seeds=1', scheme: 'light', width: 1200, height: 480, prepare: sweep },
];

const out = join(projectTop, 'web', 'shots');
mkdirSync(out, { recursive: true });
const site = await startSite();
try {
  for (const shot of SHOTS) {
    const { page } = await site.open(shot.link, { colorScheme: shot.scheme, viewport: { width: shot.width, height: shot.height }, reducedMotion: 'reduce' });
    await finished(page, 600_000);
    await shot.prepare?.(page);
    await page.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));
    const png = encode(decode(await page.screenshot()));
    if (png.length > MOST) throw new Error(`${shot.name}.png has ${png.length} bytes, ${MOST} are allowed`);
    writeFileSync(join(out, `${shot.name}.png`), png);
    console.log(`${shot.name}.png  ${(png.length / 1000).toFixed(1)} KB`);
    await page.context().close();
  }
} finally {
  await site.close();
}
