import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opened } from '../test/fixtures';
import type { Field } from './contract';
import { forked, jsonValue } from './fork';

const field: Field = { path: 'kernel.cas.aggr_tolerance', name: 'aggr_tolerance', type: 'int', min: 0, max: 100, doc: '', in_arms: true };
const base = opened(['off', 'on'], { scenario: { arms: [{ label: 'off', set: { 'kernel.cas.enabled': false } }, { label: 'on', set: {} }], events: [] } });

test('fork: an arm that is alike until a time', () => {
  const { text, label } = forked(base, 0, 1.2345, field, '7');
  const s = JSON.parse(text) as { arms: unknown[]; events: unknown[] };
  assert.equal(label, 'off-fork-2');
  assert.deepEqual(s.arms[2], { label, set: { 'kernel.cas.enabled': false } });
  assert.deepEqual(s.events, [{ at_ms: 1235, arm: label, set: { 'kernel.cas.aggr_tolerance': 7 } }]);
  assert.deepEqual((base.scenario as { events: unknown[] }).events, [], 'the scenario on the page stays');
});

test('fork: values by type, too many arms', () => {
  assert.equal(jsonValue({ ...field, type: 'bool' }, '1'), true);
  assert.equal(jsonValue(field, 'many'), 'many', 'the engine says what is wrong');
  assert.throws(() => forked(opened(['a', 'b', 'c', 'd', 'e', 'f']), 0, 1, field, '1'), /six arms/);
});
