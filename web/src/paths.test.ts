import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupOf, scalarAt, sliderEnd, valueAt, written } from './paths';

const scenario = { machine: { name: 'mine', packages: 2 }, kernel: { hz: 1000, cas: { enabled: true } }, workload: [{ kind: 'mg', threads: 112 }] };

for (const [path, want] of [
  ['kernel.cas.enabled', true],
  ['kernel.hz', 1000],
  ['workload.0.threads', 112],
  ['machine', 'mine'],
  ['kernel.none', ''],
  ['workload.1.threads', ''],
] as const) test(`paths: ${path}`, () => assert.equal(scalarAt(scenario, path), want));

test('paths: a hostile path finds nothing', () => assert.equal(valueAt(scenario, 'kernel.hz.toString.call'), undefined));

test('paths: written as a link does', () => assert.deepEqual([true, false, 5, 'D'].map(written), ['1', '0', '5', 'D']));

test('paths: the longest prefix decides the group', () => {
  assert.equal(groupOf('kernel.cas.enabled')?.title, 'Knobs');
  assert.equal(groupOf('kernel.hz')?.title, 'Kernel');
  assert.equal(groupOf('workload.0.threads'), undefined);
});

for (const [max, value, base, want] of [
  [100, 5, 5, 100],
  [2 ** 32 - 1, 10, 10, 100],
  [2 ** 32 - 1, 1000, 1000, 10000],
  [600_000, 500_000, 0, 600_000],
] as const) test(`paths: slider to ${want}`, () => assert.equal(sliderEnd(max, value, base), want));
