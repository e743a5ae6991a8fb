import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dashOf, faded } from './ink';

test('dashes of a style sheet as numbers', () => {
  assert.deepEqual(dashOf('none'), []);
  assert.deepEqual(dashOf('5px, 3px'), [5, 3]);
  assert.deepEqual(dashOf('1.5 2.5'), [1.5, 2.5]);
});

test('a colour fades only when it must', () => {
  assert.equal(faded('rgb(1, 2, 3)', 1), 'rgb(1, 2, 3)');
  assert.equal(faded('rgb(1, 2, 3)', 0.22), 'color-mix(in srgb, rgb(1, 2, 3) 22%, transparent)');
});
