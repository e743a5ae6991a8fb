import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRtapp } from './ownview';

test('a paste is an rt-app file or about a machine', () => {
  assert.equal(isRtapp('{ /* x */ "tasks" : {}'), true);
  assert.equal(isRtapp('{"cpus":[]}'), false);
  assert.equal(isRtapp('<topology><info name="x" value=\'"tasks":\'/>'), false);
});
