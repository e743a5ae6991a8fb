// The page stays usable while simulations run: no task of its main thread
// takes 50 ms of processor time.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { finished, startSite, type Site } from '../site';

let site: Site;
before(async () => {
  site = await startSite();
});
after(() => site.close());

interface Event {
  name: string;
  ph: string;
  tid: number;
  pid: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** Longest task of a page's main thread in ms of processor time, and how many tasks were seen. */
export function longest(events: Event[]): { ms: number; tasks: number } {
  const mains = new Set(events.filter((e) => e.name === 'thread_name' && e.args?.name === 'CrRendererMain').map((e) => `${e.pid}/${e.tid}`));
  const tasks = events.filter((e) => e.ph === 'X' && /RunTask$/.test(e.name) && mains.has(`${e.pid}/${e.tid}`) && e.tdur !== undefined);
  return { ms: Math.max(0, ...tasks.map((e) => (e.tdur as number) / 1000)), tasks: tasks.length };
}

test('no task over 50 ms while the headline scenario opens, runs and is scrubbed', async () => {
  const { page } = await site.open('#mg-c-4;seeds=1');
  await finished(page);
  await site.browser.startTracing(page, { categories: ['toplevel', '__metadata', 'disabled-by-default-devtools.timeline', 'devtools.timeline'] });
  await page.evaluate(() => (location.hash = '#mg-d-112;seeds=2'));
  await page.waitForFunction(() => document.getElementById('sid')?.textContent === 'mg-d-112');
  await finished(page);
  for (let i = 0; i < 40; i++) await page.keyboard.press(i % 2 ? 'ArrowLeft' : 'PageDown');
  await page.keyboard.press('w');
  await page.keyboard.press('0');
  const trace = JSON.parse((await site.browser.stopTracing()).toString()) as { traceEvents: Event[] };
  const { ms, tasks } = longest(trace.traceEvents);
  assert.ok(tasks > 50, `only ${tasks} tasks were traced`);
  console.log(`longest task ${ms.toFixed(1)} ms of ${tasks}`);
  assert.ok(ms <= 50, `a task took ${ms.toFixed(1)} ms`);
});
