import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '../contract';
import { matching, neighbour } from './logview';

const log: Entry[] = [0, 0.41, 0.43, 1.81].map((t, i) => ({ at_ns: t * 1e9, rule: i % 2 ? 'fits_llc_capacity' : 'fork', process: 0, text: `entry ${i}` }));

test('log: every word of a search must be there, in any case', () => {
  assert.equal(matching(log, '').length, 4);
  assert.deepEqual(matching(log, 'FITS 3').map((e) => e.at_ns), [1.81e9]);
  assert.equal(matching(log, 'nothing').length, 0);
});

test('log: jumping never sticks to the entry it stands on', () => {
  assert.equal(neighbour(log, 0.41, 1)?.at_ns, 0.43e9);
  assert.equal(neighbour(log, 0.41, -1)?.at_ns, 0);
  assert.equal(neighbour(log, 0, -1), undefined);
  assert.equal(neighbour(log, 1.81, 1), undefined);
});
