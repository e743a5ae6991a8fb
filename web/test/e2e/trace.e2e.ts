// Files for other programs: the page saves what the command line writes.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { finished, projectTop, startSite, type Site } from '../site';

const LINK = '#mg-c-4;seeds=1;until=time;max_s=0.5';
const casplay = (...args: string[]) => execFileSync(join(projectTop, 'web', 'build', 'casplay'), ['run', LINK, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
let site: Site;
before(async () => {
  site = await startSite();
});
after(() => site.close());

async function saved(page: Page, id: string): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.locator(id).click()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

test('trace and summary are byte for byte those of the command line', async () => {
  const { page, errors } = await site.open(LINK);
  await finished(page);
  const dir = mkdtempSync(join(tmpdir(), 'casplay-trace-'));
  const file = join(dir, 'trace.json');
  casplay('--trace', file); // of the last arm, as the page explains it
  const trace = await saved(page, '#gettrace');
  assert.equal(trace.name, 'mg-c-4-on-trace.json');
  assert.ok(trace.text === readFileSync(file, 'utf8'), 'the traces differ');
  const events = (JSON.parse(trace.text) as { traceEvents: { ph: string; name: string }[] }).traceEvents;
  for (const ph of ['M', 'X', 'C', 'i']) assert.ok(events.some((e) => e.ph === ph), ph);
  assert.ok(events.some((e) => e.name.startsWith('utilisation (%')), 'a counter with its unit');
  const summary = await saved(page, '#getsummary');
  assert.equal(summary.name, 'mg-c-4-summary.csv');
  assert.equal(summary.text, casplay('--csv', '--quiet'));
  rmSync(dir, { recursive: true });
  assert.deepEqual(errors, []);
});
