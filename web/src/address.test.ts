import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, fromHash } from './address';

for (const [hash, want] of [
  ['', '#1;mg-d-112'],
  ['#', '#1;mg-d-112'],
  ['#1;mg-d-64', '#1;mg-d-64'],
  ['#1;mg-d-64;tol%3D2', '#1;mg-d-64;tol=2'],
  ['#1;mg%', '#1;mg%'],
  ['#{"v":1}', '#{"v":1}'],
] as const) test(`address: ${hash || 'empty'}`, () => assert.equal(fromHash(hash), want));

test('address: another fragment on the same page', () => {
  assert.equal(addressOf('https://host.example/sub/?x=1#old', '#1;mg-d-64'), 'https://host.example/sub/?x=1#1;mg-d-64');
});
