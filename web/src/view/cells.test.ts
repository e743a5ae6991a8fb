import assert from 'node:assert/strict';
import test from 'node:test';
import { outline, paths, STEPS } from './cells';

test('a box is a closed path', () => {
  assert.equal(outline({ x: 1.234, y: 2, w: 3.5, h: 4 }), 'M1.23 2h3.5v4h-3.5z');
});

test('each cell is in the path of its step and in no other', () => {
  const cells = Array.from({ length: 30 }, (_, i) => `M${i} 0z`);
  const steps = cells.map((_, i) => (i * 7) % (STEPS + 1));
  const out = paths(cells, steps);
  assert.equal(out.length, STEPS + 1);
  cells.forEach((c, i) => out.forEach((d, step) => assert.equal(d.includes(c), step === steps[i])));
  assert.deepEqual(paths([], []), Array.from({ length: STEPS + 1 }, () => ''));
});
