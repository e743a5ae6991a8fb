import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byTopic, found, score, withTables, type IndexEntry } from './browse';

const entry = (name: string, purpose = ''): IndexEntry => ({ name, title: name, purpose, machine: 'm', cpus: 8, rows: [] });

test('browse: topics in their order, unknown names last, none lost', () => {
  const list = ['zebra', 'scan-9654', 'mg-d-64', 'stream-spr', 'schbench-spr'].map((n) => entry(n));
  assert.deepEqual(byTopic(list).map(([t, l]) => [t, l.map((x) => x.name)]), [['Memory bandwidth', ['mg-d-64', 'stream-spr']], ['Services and latency', ['schbench-spr']], ['Cost of the scanner', ['scan-9654']], ['Other', ['zebra']]]);
});

test('browse: every word must be found somewhere', () => {
  const list = [entry('mg-d-64', 'bandwidth of one socket'), entry('mg-c-4')];
  assert.deepEqual(found(list, 'MG socket').map((x) => x.name), ['mg-d-64']);
  assert.equal(found(list, ' ').length, 2);
});

test('browse: training rows are counted apart', () => {
  const row = { arm: 'on', metric: 'runtime_s', simulated: 1, deviation: 0, role: 'training', pass: true };
  assert.deepEqual(score([row, { ...row, role: 'predicted', pass: false }]), { passed: 1, total: 2, training: 1 });
});

test('browse: the points of a table are one entry', () => {
  const list = withTables([entry('mg-c-4'), entry('hackbench-9654.g1-f2', 'groups'), entry('hackbench-9654.g1-f4')]);
  assert.deepEqual(list.map((x) => [x.name, x.purpose, x.points]), [['mg-c-4', '', undefined], ['hackbench-9654', 'groups', ['hackbench-9654.g1-f2', 'hackbench-9654.g1-f4']]]);
  assert.equal(found(list, 'g1-f4').length, 1);
});
