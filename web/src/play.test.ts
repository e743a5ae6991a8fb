import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advance } from './play';

test('play: twelve seconds for what is visible, then it stops', () => {
  assert.equal(advance(0, [0, 24], 1000), 2);
  assert.equal(advance(1, [4, 10], 1000), 4.5, 'starts where the visible time does');
  assert.equal(advance(23.9, [0, 24], 1000), null);
});
