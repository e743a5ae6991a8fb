import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisEnd, niceStep, tickText, ticks } from './scale';

for (const [x, want] of [[0, 1], [0.3, 0.5], [1, 1], [11, 20], [23, 25], [75, 100]] as const)
  test(`niceStep(${x})`, () => assert.equal(niceStep(x), want));

for (const [a, b, n, want] of [
  [0, 44, 5, [0, 10, 20, 30, 40]],
  [0, 350, 2, [0, 200]],
  [-50, 50, 2, [-50, 0, 50]],
  [1.2, 1.31, 4, [1.2, 1.25, 1.3]],
] as const) test(`ticks ${a} to ${b}`, () => assert.deepEqual(ticks(a, b, n), want));

test('an axis always has air above its highest value', () => {
  for (let v = 0.01; v < 1e6; v *= 1.37) {
    const end = axisEnd(v);
    assert.ok(end >= v * 1.05 && end <= v * 1.5, `${v} gives ${end}`);
  }
  assert.equal(axisEnd(0), 1);
});

test('ticks have a real minus', () => assert.equal(tickText(-50), '\u221250'));
