import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opened, run } from '../../test/fixtures';
import type { Answer, Field, Opened } from '../contract';
import { changeOf, coarse, metricsOf, prepare, runSweep, valueOf, type SweepEngine } from './sweep';
import { offered, parseValues } from './values';

test('sweep values: lists, ranges, both, in order and once', () => {
  assert.deepEqual(parseValues('4, 1 2;2'), ['1', '2', '4']);
  assert.deepEqual(parseValues('1-144/3'), ['1', '73', '144']);
  assert.deepEqual(parseValues('0.5-1.5/3, 9'), ['0.5', '1', '1.5', '9']);
  assert.throws(() => parseValues('1, many'), /"many" is not a number/);
  assert.throws(() => parseValues('9-1'), /no range/);
  assert.throws(() => parseValues(' '), /Write the values/);
  assert.throws(() => parseValues('1-64/64, 100'), /too many/);
});

test('sweep values: what is offered lies within the range of the setting', () => {
  const field: Field = { path: 'p', name: 'p', type: 'int', min: 0, max: 100, doc: '', in_arms: true };
  assert.equal(offered(field, 50, 50), '0, 6, 13, 25, 50, 100');
  assert.equal(offered({ ...field, min: 1, max: 1000 }, 112, 112), '1, 14, 28, 56, 112, 224, 448');
});

const point = (threads: string, over: Partial<Opened> = {}) => opened(['off', 'on'], { text: threads, link: `#${threads}`, seeds: [1], ...over });

/** Arm B takes longer from 10 threads on; 13 threads are refused. */
const engine: SweepEngine = {
  set: async (_, path, value): Promise<Answer<Opened>> => (value === '13' ? { ok: false, errors: [{ path, message: 'is unlucky' }] } : { ok: true, value: path === 'run.seeds' ? point(last) : point((last = value)) }),
  measure: async (text, arm) => ({ ok: true, value: run(arm, 1, arm === 1 && Number(text) >= 10 ? 20 : 10) }),
};
let last = '';

test('sweep: values, changes and links of each point, refused values said', async () => {
  const sweep = prepare(point(''), { x: { path: 'threads', name: 'threads', values: ['4'] }, seeds: 1 });
  await runSweep(engine, sweep, () => undefined, () => false);
  assert.equal(sweep.done, 2);
  assert.equal(changeOf(sweep.points[0]!, 1, 'runtime_s'), 0);
  const other = prepare(point(''), { x: { path: 'threads', name: 'threads', values: ['13'] }, seeds: 1 });
  await runSweep(engine, other, () => undefined, () => false);
  assert.equal(other.points[0]!.error, 'is unlucky');
  assert.equal(other.done, other.total);
  const third = prepare(point(''), { x: { path: 'threads', name: 'threads', values: ['16'] }, seeds: 1 });
  await runSweep(engine, third, () => undefined, () => false);
  assert.equal(valueOf(third.points[0]!, 1, 'runtime_s'), 20);
  assert.equal(changeOf(third.points[0]!, 1, 'runtime_s'), 100);
  assert.equal(third.points[0]!.opened!.link, '#16');
  assert.deepEqual(metricsOf(third), ['runtime_s']);
});

test('sweep: too many runs are refused, a stopped one takes nothing more', async () => {
  const values = Array.from({ length: 64 }, (_, i) => String(i));
  assert.throws(() => prepare(point(''), { x: { path: 'a', name: 'a', values }, y: { path: 'b', name: 'b', values }, seeds: 1 }), /too many/);
  const sweep = prepare(point(''), { x: { path: 'a', name: 'a', values: ['1', '2'] }, seeds: 1 });
  await runSweep(engine, sweep, () => undefined, () => true);
  assert.equal(sweep.done, 0);
});

test('sweep: coarse first, every point once', () => {
  assert.deepEqual(coarse([0, 1, 2, 3, 4, 5]), [0, 4, 2, 1, 5, 3]);
});
