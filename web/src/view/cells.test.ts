import assert from 'node:assert/strict';
import test from 'node:test';
import { longest, outline, paths, STEPS } from './cells';

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

test('a name gives way to the amount beside it', () => {
  const names = ['L3 L#1, 112 threads', 'L#1, 112 threads', 'L#1'];
  assert.equal(longest(names, 200, '68 %'), names[0]);
  assert.equal(longest(names, 142, '\u25c6 68 %'), names[1]);
  assert.equal(longest(names, 80, '\u25c6 68 %'), names[2]);
  assert.equal(longest(names, 10, '\u25c6 68 %'), names[2], 'never nothing');
});
