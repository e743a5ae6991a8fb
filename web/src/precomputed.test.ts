import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opened, result, run } from '../test/fixtures';
import { outcomeOf, presetOf } from './precomputed';

test('precomputed: only an unchanged preset has one', () => {
  for (const hash of ['#mg-d-112', '#1;mg-d-112', '#1;mg-d-112;c=abc2']) assert.equal(presetOf(hash), 'mg-d-112');
  for (const hash of ['', '#1;mg-d-112;tol=2', '#1;mg-d-112;e=0123;r=99;c=abc', '#1zabc_', '#../x']) assert.equal(presetOf(hash), null);
});

test('precomputed: an outcome that says so', () => {
  const runs = [run(0, 1, 25, [[56, 56]]), run(1, 1, 42, [[112, 0]])].map((r) => ({ ...r, series: r.series.map((x) => ({ ...x, v: [...x.v] })) }));
  const { scenario: _, base: __, ...brief } = opened(['off', 'on'], { text: '{"run":{"seeds":1}}' });
  const outcome = outcomeOf({ opened: brief, runs, result: result(['off', 'on']) });
  assert.deepEqual(outcome.opened.scenario, { run: { seeds: 1 } });
  assert.equal(outcome.opened.base, outcome.opened.scenario, 'a preset has changed nothing');
  assert.equal(outcome.precomputed, true);
  assert.equal(outcome.stats[1]!.median, 42);
  assert.ok(outcome.runs[0]!.series[0]!.v instanceof Int32Array);
});
