// What goes along with a link: the view, unknown keys, the forms it is copied in.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { finished, startSite, type Site } from '../site';

let site: Site;
before(async () => {
  site = await startSite();
});
after(() => site.close());

const LINK = '#mg-c-4;seeds=1;until=time;max_s=0.5';

test('zoom and arrangement are in the address, and a reload gives the same screen', async () => {
  const { page, errors } = await site.open(LINK);
  await finished(page);
  await page.waitForFunction(() => /;c=[a-z2-7]{6}$/.test(location.hash));
  await page.locator('#zoomin').click();
  await page.keyboard.press('3');
  await page.waitForFunction(() => /;c=[a-z2-7]{6};v=mdiff,z\d+:\d+$/.test(location.hash));
  const address = page.url();
  await page.reload();
  await finished(page);
  await page.waitForTimeout(600); // the address is written anew from what is on screen
  assert.equal(page.url(), address);
  assert.match((await page.locator('#viewseg label:has(input:checked)').textContent()) ?? '', /B . A/);
  await page.locator('#zoomfit').click();
  await page.waitForFunction(() => location.hash.endsWith(';v=mdiff'));
  // a bad view stops nothing
  const other = await site.open(`${LINK};v=z9:1,mnone`);
  await finished(other.page);
  assert.ok(await other.page.locator('#notice').isHidden());
  assert.deepEqual([...errors, ...other.errors], []);
});

test('unknown keys are shown and stay in the address', async () => {
  const { page } = await site.open(`${LINK};x=7`);
  await page.locator('#said', { hasText: 'does not know x=7' }).waitFor();
  await finished(page);
  assert.match(page.url(), /;x=7;c=[a-z2-7]{6}$/);
});

test('the link is copied in angle brackets and as Markdown, with engine and digest', async () => {
  const { page } = await site.open(LINK, { permissions: ['clipboard-read', 'clipboard-write'] });
  await finished(page);
  const copied = async (id: string) => {
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await page.locator(id).click();
    for (let i = 0; i < 100; i++) {
      const text = await page.evaluate(() => navigator.clipboard.readText());
      if (text) return text;
      await page.waitForTimeout(50);
    }
    return '';
  };
  const plain = await copied('#copylink');
  assert.match(plain, /^http.*#1;mg-c-4;e=[0-9a-f]{12};.*;r=[0-9a-f]{16};c=[a-z2-7]{6}$/);
  assert.equal(await copied('#copymail'), `<${plain}>`);
  assert.equal(await copied('#copymd'), `[${(await page.locator('#stitle').textContent()) ?? ''} (casplay)](${plain})`);
  assert.match((await page.locator('#linklen').textContent()) ?? '', /^\d+ of (72|998) characters: /);
});
