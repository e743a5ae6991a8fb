// The arguments on the page: reasons that follow the cursor, where arms part,
// rules and features for each arm, a rule as an expression.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { EXAMPLES } from '../../src/model/whatif';
import { violations } from '../axe';
import { digestOf, finished, projectTop, startSite, type Site } from '../site';

let site: Site;
before(async () => {
  site = await startSite();
});
after(() => site.close());

const casplay = (...args: string[]) => execFileSync(join(projectTop, 'web', 'build', 'casplay'), args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
const sentences = (page: Page) => page.locator('#reasons li').allTextContents();
const explained = async (page: Page) => {
  await finished(page);
  await page.waitForFunction(() => document.querySelectorAll('#reasons li').length > 0, null, { timeout: 120_000 });
};
const parted = (page: Page) => page.waitForFunction(() => document.querySelectorAll('#partwhat li').length > 0, null, { timeout: 120_000 });
const cursor = (page: Page, t: number) =>
  page.locator('#t').evaluate((e: HTMLInputElement, at) => {
    e.value = String(at);
    e.dispatchEvent(new Event('input', { bubbles: true }));
  }, t);

test('the sentences are those of the command line at the cursor, and the three facts stand before them', async () => {
  const { page, errors } = await site.open('#mg-c-4;seeds=1');
  await explained(page);
  const seen = new Set<string>();
  for (const t of [0.5, 1, 2]) {
    await cursor(page, t);
    await page.waitForFunction((at) => document.getElementById('facts')?.textContent?.endsWith(`at ${at} s`), t.toFixed(2));
    const said = await sentences(page);
    const cli = JSON.parse(casplay('explain', '#mg-c-4;seeds=1', '--arm', 'on', '--at', `${t}s`, '--json')) as { explain: { text: string[] } };
    assert.deepEqual(said, cli.explain.text.slice(1), `at ${t} s`);
    seen.add(said.join());
  }
  assert.ok(seen.size > 1, 'they change with the cursor');
  assert.match((await page.locator('#facts').textContent()) ?? '', /^CAS wanted yes, possible \(2\+ LLCs\) yes, active yes /);
  // a closed gate can be opened with the tolerance that the sentence names
  await page.locator('#tracks').waitFor();
  await cursor(page, 9.5);
  const button = page.locator('#tries button').first();
  const value = /aggr_tolerance=(\d+)$/.exec((await button.textContent()) ?? '')?.[1];
  assert.ok(value && (await sentences(page)).some((s) => s.includes(`kernel.cas.aggr_tolerance=${value}`)));
  await button.click();
  await page.waitForFunction((v) => location.hash.includes(`on:tol=${v}`), value);
  await explained(page);
  await page.locator('#armseg input').first().check({ force: true });
  await page.waitForFunction(() => document.getElementById('facts')?.textContent?.startsWith('CAS wanted no, possible (2+ LLCs) yes, active no') && document.querySelectorAll('#reasons li').length > 0, null, { timeout: 60_000 });
  assert.deepEqual(errors, []);
});

test('where any two of several arms part, with the inputs of both, and a jump to that time', async () => {
  const { page, errors } = await site.open('#gates-mg-c;seeds=1');
  await explained(page);
  await page.locator('#armseg input').nth(4).check({ force: true });
  await page.locator('#against').selectOption({ label: 'B merged' });
  await parted(page);
  await page.waitForFunction(() => document.getElementById('parthead')?.textContent === 'E and B part at 0.662 ms');
  const text = (await page.locator('#partwhat').textContent()) ?? '';
  assert.match(text, /mg: 3408 MiB > 108 MiB: too large for the LLC/);
  assert.match(text, /exceed_llc_capacity here: 0 MiB <= 108 MiB: passes/, 'what the gate saw in the other arm');
  assert.match((await page.locator('#partset').textContent()) ?? '', /fail_closed B 0, E 1/);
  await page.locator('#partwhat button').first().click();
  await page.waitForFunction(() => document.getElementById('tout')?.textContent === '0.00 s');
  await page.locator('#against').selectOption({ label: 'D v1' });
  await page.waitForFunction(() => document.getElementById('parthead')?.textContent?.startsWith('E and D part'));
  assert.deepEqual(errors, []);
});

test('a process is chosen from many, and the link keeps it', async () => {
  const { page, errors } = await site.open('#prctl-groups;seeds=1;max_s=0.1');
  await explained(page);
  await page.locator('#procpick').selectOption('5');
  await page.waitForFunction(() => document.querySelector('#reasons li')?.textContent?.startsWith('hackbench/5 '), null, { timeout: 60_000 });
  await page.waitForFunction(() => /;v=.*p5/.test(location.hash));
  assert.match((await page.locator('#proc').textContent()) ?? '', /threads per LLC.*NUMA sweeps/);
  assert.deepEqual(errors, []);
});

test('a what-if rule: a bad one shows where, the fail-closed one gives what the built-in gate gives', async () => {
  const { page, errors } = await site.open('#mg-c-4;seeds=1');
  await finished(page);
  const before = await digestOf(page);
  await page.keyboard.press('e');
  await page.waitForFunction(() => document.activeElement?.id === 'witext');
  await page.keyboard.type('rss_bytes > llc_size');
  await page.waitForFunction(() => /^at character 13: unknown name "llc_size"/.test(document.getElementById('wierr')?.textContent ?? ''));
  assert.equal(await page.locator('#wicaret').textContent(), 'rss_bytes > llc_size\n            ^');
  assert.equal(await page.locator('#witext').getAttribute('aria-invalid'), 'true');
  await page.keyboard.press('Enter');
  assert.ok(await page.locator('#whatif').isVisible(), 'what is wrong is not applied');
  await page.locator('#wigoto').focus();
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => (document.getElementById('witext') as HTMLTextAreaElement).selectionStart), 12);
  // by keys alone: the example, the arm, and Enter in the field
  await page.locator('#wiscope').selectOption('1');
  await page.locator('#wiexamples button').first().focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !(document.getElementById('wiapply') as HTMLButtonElement).disabled);
  assert.equal(await page.locator('#witext').inputValue(), EXAMPLES[0]?.text);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.includes('on:kernel.what_if.exceed_llc_capacity=footprint_bytes'));
  await page.waitForFunction((old) => /digest: [0-9a-f]{16}/.test(document.getElementById('report')?.textContent ?? '') && !document.getElementById('report')?.textContent?.includes(old), before, { timeout: 120_000 });
  const median = () => page.locator('#runtime tbody tr').nth(1).locator('.med').textContent();
  const [rule, runtime] = [await digestOf(page), await median()];
  assert.match((await page.locator('.exprs').textContent()) ?? '', /exceed_llc_capacity of arm B edit/);
  const built = await site.open('#mg-c-4;seeds=1;on:kernel.features.fail_closed=1');
  await finished(built.page);
  assert.equal(await digestOf(built.page), rule, 'same digest as the built-in gate');
  assert.equal(await built.page.locator('#runtime tbody tr').nth(1).locator('.med').textContent(), runtime);
  // the built-in rule comes back
  await page.locator('.exprs button').click();
  await page.locator('#wiclear').click();
  await page.locator('#wiapply:not([disabled])').click();
  await page.waitForFunction(() => !location.hash.includes('what_if'));
  assert.deepEqual([...errors, ...built.errors], []);
});

test('a version and features for one arm; what cannot be is refused beside the field', async () => {
  const { page, errors } = await site.open('#mg-c-4;seeds=1');
  await finished(page);
  await page.keyboard.press('v');
  await page.locator('#ruscope').selectOption('1');
  const feature = (name: string) => page.locator(`#ru-kernel-features-${name}`);
  await page.locator('[data-version="v1"]').click();
  await page.waitForFunction(() => location.hash.includes('on:rules=v1'));
  await page.waitForFunction(() => (document.getElementById('ru-kernel-features-rss_gate') as HTMLInputElement).checked, null);
  assert.equal(await page.locator('[data-version="v1"]').getAttribute('aria-pressed'), 'true');
  await feature('fail_closed').click();
  const error = page.locator('#ru-kernel-features-fail_closed-err');
  await error.waitFor({ state: 'visible' });
  assert.match((await error.textContent()) ?? '', /^cannot be on together with rss_gate: a process has one memory gate/);
  assert.ok(!(await feature('fail_closed').isChecked()));
  await feature('control').selectOption('always');
  await page.waitForFunction(() => document.getElementById('ru-kernel-features-control-err')?.textContent?.includes('needs cache groups, which the rules v1 do not have'));
  await feature('rss_gate').click();
  await page.waitForFunction(() => location.hash.includes('on:rss_gate=0'));
  await feature('fail_closed').click();
  await page.waitForFunction(() => location.hash.includes('on:failclosed=1'));
  assert.ok(await error.isHidden());
  // a version that the chosen features forbid is refused in its row
  await page.locator('[data-version="next"]').click();
  await page.waitForFunction(() => location.hash.includes('on:rules=next'));
  const numa = feature('numa_conflict');
  await numa.selectOption('numa-first');
  await page.waitForFunction(() => document.getElementById('ru-kernel-features-numa_conflict-err')?.textContent?.includes('visited_cpus'));
  await page.keyboard.press('Escape');
  await finished(page);
  assert.match((await page.locator('.arml').textContent()) ?? '', /rules=next/);
  assert.deepEqual(errors, []);
});

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [1440, 360])
    test(`axe: ${colorScheme}, ${width} px, reasons, rules and what-if open`, async () => {
      const { page } = await site.open('#gates-mg-c;seeds=1', { colorScheme, viewport: { width, height: 900 } });
      await explained(page);
      await parted(page);
      assert.deepEqual(await violations(page), [], 'reasons');
      await page.locator('#rulesopen').click();
      await page.locator('#ruversions tr').first().waitFor();
      await page.locator('#ruscope').selectOption('3');
      await page.locator('#ru-kernel-features-fail_closed').click();
      await page.locator('#ru-kernel-features-fail_closed-err').waitFor({ state: 'visible' });
      await page.locator('#rules details summary').click();
      assert.deepEqual(await violations(page), [], 'rules');
      const wide = () => page.evaluate(() => [...document.querySelectorAll('dialog[open], html')].filter((e) => e.scrollWidth > e.clientWidth).length);
      assert.equal(await wide(), 0, 'nothing scrolls sideways');
      await page.keyboard.press('Escape');
      await page.locator('#whatifopen').click();
      await page.locator('#witext').fill('rss_bytes >');
      await page.locator('#wicaret').waitFor({ state: 'visible' });
      assert.deepEqual(await violations(page), [], 'what-if');
      assert.equal(await wide(), 0, 'nothing scrolls sideways');
    });
