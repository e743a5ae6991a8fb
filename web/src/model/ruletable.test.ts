import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Field, RuleRow } from '../contract';
import { featureRows, isRule, origin, switches } from './ruletable';

const field = (path: string) => ({ path, name: path.slice(path.lastIndexOf('.') + 1) }) as Field;
const row = (name: string, over: Partial<RuleRow> = {}): RuleRow => ({ name, who: 'A', where: 'list', differs: 'd', ...over });

test('each feature has the rows about it, whatever their names list', () => {
  const rows = featureRows(
    ['kernel.hz', 'kernel.features.thread_gate', 'kernel.features.wake_guard', 'kernel.features.numa_stable_ms'].map(field),
    [row('thread_gate=v1'), row('thread_gate=rfc, none'), row('wake_llc, wake_guard, no_balance')],
  );
  assert.deepEqual(rows.map((r) => [r.field.name, r.proposals.map((p) => p.values)]), [['thread_gate', ['v1', 'rfc, none']], ['wake_guard', ['']], ['numa_stable_ms', []]]);
});

test('origin and switches of a row', () => {
  assert.equal(origin(row('x', { who: '' })), 'list');
  assert.equal(origin(row('x')), 'A, list');
  assert.deepEqual(switches(row('v1', { switches: 'a=1 b=x' })), ['a=1', 'b=x']);
  assert.deepEqual(switches(row('v7.3')), []);
});

test('what the form leaves to the dialogs', () => assert.deepEqual(['kernel.rules', 'kernel.features.x', 'kernel.what_if.x', 'kernel.hz', 'kernel.cas.enabled'].filter(isRule).length, 3));
