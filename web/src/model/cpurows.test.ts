import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opened } from '../../test/fixtures';
import { cpuRows, levels, otherLlc, rowAt } from './cpurows';

test('cpu rows: order of the drawing, a gap where a node ends', () => {
  const r = cpuRows(opened(['off']).machine);
  assert.deepEqual(r.rows.map((x) => [x.cpu, x.llc, x.y]), [[0, 0, 0], [1, 0, 10], [2, 0, 20], [3, 0, 30], [4, 1, 46], [5, 1, 56], [6, 1, 66], [7, 1, 76]]);
  assert.equal(r.height, 86);
  assert.equal(rowAt(r, 43), 3);
  assert.equal(rowAt(r, 46), 4);
  assert.equal(otherLlc(r, 1, 1), 4);
  assert.equal(otherLlc(r, 6, 1), 4, 'the last one stays');
  assert.equal(otherLlc(r, 6, -1), 0);
});

test('cpu rows: columns are means, and empty after the end', () => {
  assert.deepEqual([...levels(Int32Array.from([0, 100, 100, 100]), 100, 0, 4, 2)], [4, 8]);
  assert.deepEqual([...levels(Int32Array.from([100]), 100, 0, 4, 4)], [8, 255, 255, 255]);
  assert.deepEqual([...levels(Int32Array.from([0, 100]), 100, 1, 2, 3)], [8, 8, 8], 'zoomed into one sample');
});

test('cpu rows: 1024 CPUs x 3000 samples in 500 columns take less than a few frames', () => {
  const v = Int32Array.from({ length: 3000 }, (_, i) => i % 101);
  const t = performance.now();
  for (let i = 0; i < 1024; i++) levels(v, 100, 0, 3000, 500);
  assert.ok(performance.now() - t < 500);
});
