import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../test/fixtures';
import type { Entry } from '../contract';
import { parting } from './parting';

const entry = (at: number, text: string): Entry => ({ at_ns: at * 1e9, rule: 'exceed_llc_capacity', process: 0, text });
const arm = (log: Entry[]) => run(0, 1, 1, [], { log });

test('parting: the first entry that differs, and when', () => {
  const p = parting(arm([entry(0, 'a'), entry(1, 'fits')]), arm([entry(0, 'a'), entry(0.41, 'too large')]));
  assert.equal(p?.t, 0.41);
  assert.deepEqual([p?.a?.text, p?.b?.text], ['fits', 'too large']);
});

test('parting: a log that ends earlier, equal logs, an arm that logs nothing', () => {
  assert.equal(parting(arm([entry(0, 'a')]), arm([entry(0, 'a'), entry(2, 'b')]))?.a, null);
  assert.equal(parting(arm([entry(0, 'a')]), arm([entry(0, 'a')])), null);
  assert.equal(parting(arm([]), arm([entry(0, 'a')])), null);
});
