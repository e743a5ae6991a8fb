import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opened } from '../test/fixtures';
import { copyChanges, freshLabel, swapChanges } from './armacts';

test('arms: swap brings an arm to the front', () => {
  assert.deepEqual(swapChanges(opened(['off', 'on']), 0), [['arms', 'on,off']]);
  assert.deepEqual(swapChanges(opened(['off', 'on', 'late']), 2), [['arms', 'late,off,on']]);
  assert.deepEqual(swapChanges(opened(['off']), 0), []);
});

test('arms: a copy has the settings and a label of its own', () => {
  const o = opened(['off', 'on', 'off-2']);
  o.arms[0]!.set = { 'kernel.cas.enabled': false };
  assert.deepEqual(copyChanges(o, 0), [['arms', 'off,on,off-2,off-3'], ['off-3:kernel.cas.enabled', '0']]);
  assert.equal(copyChanges(opened(['a', 'b', 'c', 'd', 'e', 'f']), 0), null);
  assert.equal(freshLabel(o.arms, 'on'), 'on-2');
});
