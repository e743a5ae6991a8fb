import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decision, opened, result, run } from '../../test/fixtures';
import type { Run } from '../contract';
import { gathered, meanTotal, settled } from './gather';
import { gates } from './gates';
import { armStats, delta, typical } from './stats';
import { change, mainMetric, metricText } from './metrics';
import { armName, subject, verdict } from './verdict';
import { others, why } from './why';

const say = (runs: Run[], labels: string[]) => verdict(armStats(opened(labels), runs), null).map((p) => p.text).join('');
const together: [number, number][] = [[56, 56], [80, 32], ...Array.from({ length: 20 }, (): [number, number] => [112, 0])];
const apart: [number, number][] = Array.from({ length: 22 }, () => [56, 56]);

test('verdict: longer, shorter, within the spread, unfinished, one arm', () => {
  const both = (a: number[], b: number[]) => say([...a.map((v, i) => run(0, i, v)), ...b.map((v, i) => run(1, i, v))], ['off', 'on']);
  assert.equal(both([25.4, 25.5, 25.6], [42.1, 42.2, 42.3]), 'CAS on (B) takes 65 % longer than off (A): 42.2 s against 25.5 s.');
  assert.equal(both([50.8, 50.9], [28.2, 28.3]), 'CAS on (B) takes 44 % less time than off (A): 28.3 s against 50.8 s.');
  assert.equal(both([10, 10.2], [10.1, 10.3]), 'CAS on (B) and off (A) do not differ beyond their spread: 10.2 s against 10.1 s.');
  assert.equal(say([run(0, 1, 10), run(1, 1, null, together)], ['off', 'on']), 'CAS on (B) did not finish within 2.20 s of simulated time.');
  assert.match(say([run(0, 1, 10)], ['spread']), /^Spread \(A\) takes 10\.0 s\. There is one arm/);
});

test('verdict: speaks of the arm that differs most', () => {
  const stats = armStats(opened(['off', 'on', 'fail-closed']), [run(0, 1, 25.5), run(1, 1, 42.2), run(2, 1, 25.6)]);
  assert.equal(subject(stats, null)?.label, 'on');
  assert.equal(armName('fail-closed'), 'Fail-closed');
  assert.equal(change('runtime_s', -3.21), 'takes 3.2 % less time');
});

test('verdict: pairs of arms, and metrics that are no runtime', () => {
  const labels = ['w8-off', 'w8-on', 'w16-off', 'w16-on'];
  const expect = [{ arm: 'w8-on', metric: 'wake_p99_us', delta_pct: -28, vs: 'w8-off', role: 'predicted' }, { arm: 'w16-on', metric: 'wake_p99_us', delta_pct: -32, vs: 'w16-off', role: 'training' }];
  const o = opened(labels, { expect });
  const runs = [10, 10, 20, 13].map((value, arm) => ({ ...run(arm, 1, null), metrics: [{ name: 'wake_p99_us', value }] }));
  const stats = armStats(o, runs);
  assert.deepEqual(stats.map((x) => x.reference), [0, 0, 2, 2]);
  assert.equal(verdict(stats, null).map((p) => p.text).join(''), 'W16-on (D) has 35 % less p99 wakeup latency than w16-off (C): 13 µs against 20 µs.');
  assert.equal(mainMetric(opened(['a']), runs), 'wake_p99_us');
  assert.equal(mainMetric(opened(['a']), [run(0, 1, 3)]), 'runtime_s');
  assert.equal(metricText('throughput_transactions', 123_456), '123 k transactions/s');
  assert.equal(metricText('scan_kernel_pct', 0.614), '0.61 %');
});

test('stats: the rank test of the engine decides from four seeds on', () => {
  const stats = armStats(opened(['off', 'on']), [0, 1].flatMap((arm) => [1, 2, 3, 4].map((seed) => run(arm, seed, 10 + arm * 0.05 + seed / 100))));
  const tested = (significant: boolean) => result(['off', 'on'], { deltas: [{ arm: 'on', metric: 'runtime_s', ref: 10, value: 10, pct: 0.5, p: 0.03, significant }] });
  assert.equal(delta(stats[1]!, stats[0]!, tested(true))?.clear, true);
  assert.equal(delta(stats[1]!, stats[0]!, tested(false))?.clear, false);
  assert.equal(delta(stats[1]!, stats[0]!, null)?.clear, false, 'without a test 0.5 % is no difference');
});

test('stats: the typical run has the median runtime; without runtimes it is the first', () => {
  const [a] = armStats(opened(['off']), [run(0, 1, 30), run(0, 2, 10), run(0, 3, 20)]);
  assert.equal(typical(a!)?.seed, 3);
  const [b] = armStats(opened(['off']), [run(0, 5, null)]);
  assert.equal(typical(b!)?.seed, 5);
  assert.ok(Number.isNaN(b!.median));
});

test('gather: from when on, and that a process of one thread is not gathered', () => {
  assert.deepEqual(gathered(run(1, 1, 2.2, together), 0), { llc: 0, from: 0.2, all: true });
  const most: [number, number][] = [[56, 56], ...Array.from({ length: 20 }, (): [number, number] => [109, 3])];
  assert.deepEqual(gathered(run(1, 1, 2.1, most), 0), { llc: 0, from: 0.1, all: false });
  assert.equal(gathered(run(1, 1, 2.2, apart), 0), null);
  assert.equal(gathered(run(1, 1, 2, Array.from({ length: 20 }, () => [1, 0] as [number, number])), 0), null);
  const back: [number, number][] = [...together, [56, 56], [56, 56], [56, 56]];
  assert.equal(gathered(run(1, 1, 2.5, back), 0), null, 'apart at the end');
});

test('gather: where most threads are in the second half', () => {
  const mostly: [number, number][] = [[56, 56], [56, 56], [5, 107], [7, 105]];
  assert.deepEqual(settled(run(1, 1, 0.4, mostly), 0), { llc: 1, threads: 106, all: 112, from: 0.2 });
  assert.equal(settled(run(1, 1, 2.2, apart), 0), null);
});

test('gather: mean of all curves together', () => {
  assert.equal(meanTotal(run(0, 1, 2.2, apart), 'llc_fill', 0), 521);
  assert.equal(meanTotal(run(0, 1, 2.2, together), 'llc_fill', 0.2), 306);
  assert.equal(meanTotal(run(0, 1, 2.2, apart), 'llc_fill', 99), null);
});

const asked = [
  decision('invalid_llc_nr', { value: 105, limit: 115, unit: 'threads' }),
  decision('exceed_llc_capacity', { value: 0, limit: 108 * 2 ** 20, unit: 'bytes' }),
];

test('gates: permits, RSS beside the size gate, too late, no limit', () => {
  const rows = gates(run(1, 1, 2.2, together), [...asked, decision('fits_llc_capacity', { fired: 900, first_ns: 1.8e9, value: 78, limit: 75, unit: '%' })], 0, 108 * 2 ** 20);
  assert.deepEqual(rows.map((r) => [r.rule, r.value, r.limit, r.verdict, r.tone]), [
    ['invalid_llc_nr', '105', '\u2264 115', 'permits', 'open'],
    ['exceed_llc_capacity', '0', '\u2264 108 MiB', 'permits', 'open'],
    ['RSS', '26.4 GiB', 'no limit', 'not read', 'none'],
    ['fits_llc_capacity', '78 %', '< 75 %', 'too late', 'late'],
  ]);
  const open = gates(run(1, 1, 2.2, together), [decision('exceed_llc_capacity', { value: 5, limit: -1, unit: 'bytes' })], 0, 1);
  assert.equal(open[0]!.limit, 'no limit');
  assert.equal(open[0]!.ratio, null);
});

test('gates: a rule that reads RSS takes the RSS row away', () => {
  const rows = gates(run(2, 1, 25, apart), [asked[0]!, decision('exceed_llc_capacity', { fired: 1000, value: 26.4 * 2 ** 30, limit: 108 * 2 ** 20, unit: 'bytes', text: 'RSS 26.4 GiB > 108 MiB' })], 0, 108 * 2 ** 20);
  assert.deepEqual(rows.map((r) => [r.rule, r.verdict, r.count]), [['invalid_llc_nr', 'permits', '0 of 1\u202f000'], ['exceed_llc_capacity', 'vetoes', 'all 1\u202f000']]);
});

test('why: nothing kept it apart, and what memory made of it', () => {
  const text = why({ opened: opened(['off', 'on']), run: run(1, 1, 2.2, together), decisions: asked, reference: run(0, 1, 2.2, apart) });
  assert.equal(text, 'No gate keeps the process apart: `nr_running_avg` 105 of 115, `footprint` 0 of 108 MiB, and RSS (26.4 GiB) is not read. All 112 threads sit on LLC 0 after 0.20 s, where 306 GB/s replace 521.');
});

test('why: a gate that refuses always, and one that refuses late', () => {
  const e = (over: object) => why({ opened: opened(['off', 'on']), run: run(1, 1, 2.2, apart), decisions: [asked[0]!, decision('exceed_llc_capacity', { value: 160 * 2 ** 20, limit: 108 * 2 ** 20, unit: 'bytes', ...over })], reference: undefined });
  assert.equal(e({ fired: 1000, first_ns: 0 }), '`exceed_llc_capacity` keeps the process apart, every time it is asked: `footprint` 160 MiB of 108 MiB.');
  assert.match(e({ fired: 80, first_ns: 18.1e9 }), /refuses 8 % of the time, first at 18\.1 s: `footprint` 160 MiB of 108 MiB\. Until then no gate/);
});

test('why: CAS off, and the arms left out', () => {
  assert.match(why({ opened: opened(['on', 'off']), run: run(1, 1, 2.2, together), decisions: [], reference: undefined }), /^CAS is off in this arm.* All 112 threads/);
  const r = result(['off', 'on', 'fail-closed']);
  r.arms[2]!.decisions = [{ ...decision('exceed_llc_capacity', { fired: 5 }), seeds: 1, fired_seeds: 1 }];
  assert.equal(others(armStats(opened(['off', 'on', 'fail-closed']), [run(0, 1, 25), run(1, 1, 42), run(2, 1, 25.6)]), r, 1), 'Fail-closed (C): `exceed_llc_capacity` refuses, and it takes 25.6 s.');
});
