import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Opened, Result } from '../contract';
import { advice, rowsOf } from './compare';

const stat = (median: number) => ({ median, min: median, max: median, n: 1 });
const result = (metrics: Record<string, number>) => ({ arms: [{ label: 'on', metrics: Object.fromEntries(Object.entries(metrics).map(([k, v]) => [k, stat(v)])) }] }) as unknown as Result;
const opened = (...metrics: string[]) => ({ expect: metrics.map((metric) => ({ metric })) }) as unknown as Opened;

test('compare: published metrics, else those that people compare; a metric of one engine alone stays', () => {
  const [old, now] = [result({ runtime_s: 1, migrations: 5, wake_p99_us: 9 }), result({ runtime_s: 2, migrations: 6 })];
  assert.deepEqual(rowsOf(opened('migrations'), old, now), [{ arm: 'on', metric: 'migrations', old: 5, now: 6 }]);
  assert.deepEqual(rowsOf(opened(), old, now), [{ arm: 'on', metric: 'runtime_s', old: 1, now: 2 }, { arm: 'on', metric: 'wake_p99_us', old: 9, now: null }]);
  // a run to a time limit has no runtime: all that it has
  assert.deepEqual(rowsOf(opened('runtime_s'), result({ migrations: 5 }), result({ migrations: 6 })), [{ arm: 'on', metric: 'migrations', old: 5, now: 6 }]);
});

test('compare: a digest that differs says what to do, one that agrees says nothing', () => {
  const choice = { id: 'bbbbbbbbbbbb', version: '', named: '', missing: false };
  assert.equal(advice(choice, undefined, '0123'), '');
  assert.equal(advice(choice, '01', '0123'), '');
  assert.match(advice(choice, 'ff', '0123'), /names no engine.*ask the sender/);
  assert.match(advice({ ...choice, named: 'bbbbbbbbbbbb' }, 'ff', '0123'), /this very engine.*run again/);
  assert.match(advice({ ...choice, named: 'cccccccccccc', missing: true }, 'ff', '0123'), /cccccccccccc, which this site does not have/);
});
