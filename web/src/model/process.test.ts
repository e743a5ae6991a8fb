import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decision, run } from '../../test/fixtures';
import type { Process } from '../contract';
import { gates, readsRss } from './gates';
import { percents, preferredOf, threadsAt } from './process';

test('the preferred LLC of a process and since when', () => {
  const p = { preferred: [[4e8, 0], [2e9, -1], [3e9, 1]] } as unknown as Process;
  assert.deepEqual([0, 0.4, 1, 2.5, 3].map((t) => preferredOf(p, t).llc), [-1, 0, 0, -1, 1]);
  assert.equal(preferredOf(p, 9).sinceNs, 3e9);
});

test('threads by LLC at a moment; none after the end', () => {
  const r = run(0, 1, 1, [[2, 2], [4, 0]]);
  assert.deepEqual(threadsAt(r, 0, 0.15), [4, 0]);
  assert.deepEqual(threadsAt(r, 0, 9), []);
  assert.deepEqual(threadsAt(r, 1, 0.15), [], 'another process');
});

test('percents add up to 100', () => assert.deepEqual(percents([1, 1, 1], 3), [34, 33, 33]));

test('a gate that compared the RSS says so, and RSS is not listed as unread', () => {
  const r = run(0, 1, 1, [[4, 0]]);
  const rss = r.processes[0]?.rss_bytes ?? 0;
  const d = (value: number) => [decision('exceed_llc_capacity', { value, limit: 108 * 2 ** 20, unit: 'bytes', fired: 1 })];
  assert.ok(readsRss(d(rss)[0]!, rss));
  assert.deepEqual(gates(r, d(rss), 0, 1).map((g) => [g.rule, g.what]), [['exceed_llc_capacity', 'RSS against LLC size']]);
  assert.deepEqual(gates(r, d(0), 0, 1).map((g) => g.rule), ['exceed_llc_capacity', 'RSS']);
});
