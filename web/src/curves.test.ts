import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Run } from './contract';
import { at, bank, end, grow, LINKS, metric, placeOf } from './curves';

const run = (v: number[], from = 0): Run => ({
  arm: 0, label: 'off', seed: 1, done: false, sim_ns: (from + v.length) * 20e6, events: 0, sample_ns: 20e6,
  metrics: [{ name: 'runtime_s', value: 25.5 }], processes: [], decisions: [], digest: '',
  log: v.length ? [{ at_ns: from * 20e6, rule: 'fork', process: 0, text: 'x' }] : [],
  series: [
    { kind: 'llc_util', index: 1, unit: '%', scale: 100, v: Int32Array.from(v, (x) => x * 2) },
    { kind: 'llc_util', index: 0, unit: '%', scale: 100, cap: 7500, v: Int32Array.from(v) },
  ],
});

test('curves: order, value at a time, end', () => {
  const r = run([100, 200, 300]);
  const [a, b] = bank(r, 'llc_util');
  assert.equal(a!.index, 0);
  assert.equal(b!.index, 1);
  assert.equal(at(r, a, 0), 1);
  assert.equal(at(r, a, 0.02), 1, 'a sample covers the time before it');
  assert.equal(at(r, a, 0.021), 2);
  assert.equal(at(r, a, 0.06), 3);
  assert.equal(at(r, a, 0.07), null);
  assert.equal(at(r, undefined, 0), null);
  assert.equal(end(r), 0.06);
  assert.equal(metric(r, 'runtime_s'), 25.5);
  assert.equal(metric(r, 'nothing'), null);
});

test('curves: partial results grow into the whole', () => {
  const first = grow(undefined, { fraction: 0, sim_ns: 0, run: run([1, 2]) });
  const second = grow(first, { fraction: 0, sim_ns: 0, run: run([3], 2) });
  assert.deepEqual([...bank(second, 'llc_util')[0]!.v], [1, 2, 3]);
  assert.deepEqual([...bank(second, 'llc_util')[1]!.v], [2, 4, 6]);
  assert.equal(second.log.length, 2);
  assert.equal(second.sim_ns, 60e6);
});

test('curves: links between packages stand together, by where they begin and end', () => {
  const r = run([100]);
  r.series = [[1, 0], [0, 2], [0, 1]].map(([index, sub]) => ({ kind: LINKS, index: index as number, sub: sub as number, unit: 'GB/s', scale: 1000, v: Int32Array.from([5]) }));
  r.series.push({ kind: 'proc_footprint', index: 0, sub: 1, unit: 'pages', scale: 1, v: Int32Array.from([7]) });
  assert.deepEqual(bank(r, LINKS).map(placeOf), ['0\u21921', '0\u21922', '1\u21920']);
  assert.equal(bank(r, 'proc_footprint').length, 0, 'another process');
  assert.equal(placeOf(bank(r, 'proc_footprint', 1)[0]!), '0');
});

test('curves: a run grows without a change of what was shown before, even twice from the same one', () => {
  let r = run([1]);
  const shown = [];
  for (let i = 1; i < 40; i++) {
    shown.push(r);
    r = grow(r, { run: run([10 * i, 10 * i + 1], i) } as never);
  }
  const want = [1, ...Array.from({ length: 39 }, (_, i) => [10 * (i + 1), 10 * (i + 1) + 1]).flat()];
  assert.deepEqual([...bank(r, 'llc_util')[0]!.v], want);
  shown.forEach((old, i) => assert.deepEqual([...bank(old, 'llc_util')[0]!.v], want.slice(0, 1 + 2 * i)));
  const before = shown.at(-1)!;
  const other = grow(before, { run: run([7]) } as never);
  assert.deepEqual([...bank(other, 'llc_util')[0]!.v], [...want.slice(0, -2), 7]);
  assert.deepEqual([...bank(r, 'llc_util')[0]!.v], want, 'the other branch is as it was');
});
