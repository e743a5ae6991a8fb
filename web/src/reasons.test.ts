import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moment, pieces, reasonsAt, type Reasons } from './reasons';

const list = [0.1, 0.2, 1, 4].map((s) => ({ at_ns: s * 1e9 }) as Reasons);

test('the answer at the cursor is the last one before it', () => {
  for (const [t, want] of [[0, 0.1], [0.1, 0.1], [0.19, 0.1], [0.2, 0.2], [3.99, 1], [4, 4], [99, 4]] as const) assert.equal(reasonsAt(list, t)?.at_ns, want * 1e9, `at ${t}`);
  assert.equal(reasonsAt([], 1), undefined);
});

test('moments have microseconds below a second', () => {
  assert.equal(moment(662406), '0.662 ms');
  assert.equal(moment(2.5e9), '2.500 s');
});

test('words that differ are marked when the texts have one shape', () => {
  const [a, b] = pieces('mg: footprint 0 of 108', 'mg: footprint 7 of 108');
  assert.deepEqual(a?.filter((p) => p.other).map((p) => p.text), [' 0']);
  assert.deepEqual(b?.filter((p) => p.other).map((p) => p.text), [' 7']);
  assert.deepEqual(pieces('a b', 'c d e').map((p) => p.length), [1, 1]);
});
