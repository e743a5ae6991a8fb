// Same link, same engine, same bits: native, Node and Chromium.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Facts, Opened } from '../../src/contract';
import { digestIn, startEngine, value } from '../engine';
import { digestOf, finished, projectTop, startSite, type Site } from '../site';

let site: Site;
before(async () => {
  site = await startSite();
});
after(() => site.close());

function native(link: string): string {
  const out = execFileSync(join(projectTop, 'web', 'build', 'casplay'), ['run', link, '--json'], { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
  return (JSON.parse(out) as { digest: string }).digest;
}

/** The headline runs to its end, the others as far as their threads are placed and their events have come. */
function part(name: string, events: { at_ms: number }[]): string {
  const seconds = Math.max(name.startsWith('mg-') ? 1 : 0.05, ...events.map((e) => e.at_ms / 1000 + 0.05));
  return name === 'mg-d-112' ? '' : `;until=time;sample_ms=10;max_s=${seconds}`;
}

test('the digest of every shipped scenario is the same in Go, Node and Chromium', async (t) => {
  const api = await startEngine();
  // Of a table the first point: only the first has the texts of the table.
  const presets = value<Facts>(api['facts']!()).presets.filter((p) => p.purpose !== '').map((p) => p.name);
  assert.ok(presets.length >= 7);
  for (const name of presets)
    await t.test(name, async () => {
      const { scenario } = value<Opened>(api['open']!(`#1;${name}`));
      const link = `#${name};seeds=1${part(name, (scenario as { events?: { at_ms: number }[] }).events ?? [])}`;
      const want = native(link);
      assert.match(want, /^[0-9a-f]{16}$/);
      assert.equal(digestIn(api, link), want, 'Node');
      const { page } = await site.open(link);
      await finished(page);
      assert.equal(await digestOf(page), want, 'Chromium');
      await page.context().close();
    });
});

test('another seed is another run', async () => {
  assert.notEqual(native('#mg-c-4;seeds=1'), native('#mg-c-4;seeds=1;s=2'));
});
