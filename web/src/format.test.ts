import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount, bytes, count, fixed, median, seconds, secondsApart, signed } from './format';

const cases: [string, string, string][] = [
  ['fixed', fixed(-0.04, 1), '0.0'],
  ['fixed negative', fixed(-3.26, 1), '\u22123.3'],
  ['signed', signed(39, 0), '+39'],
  ['signed zero', signed(0.2, 0), '0'],
  ['signed negative', signed(-39.4, 0), '\u221239'],
  ['seconds', seconds(42.23), '42.2 s'],
  ['seconds long', seconds(123.4), '123 s'],
  ['seconds below one', seconds(0.4134), '0.41 s'],
  ['seconds short', seconds(0.0123), '0.0123 s'],
  ['close times', secondsApart(1.14, 1.06).join(' '), '1.14 s 1.06 s'],
  ['far times', secondsApart(42.2, 25.5).join(' '), '42.2 s 25.5 s'],
  ['nothing', amount(0, 'bytes'), '0'],
  ['bytes', bytes(108 * 1024 * 1024), '108 MiB'],
  ['bytes fraction', bytes(26.4 * 2 ** 30), '26.4 GiB'],
  ['bytes small', bytes(512), '512 B'],
  ['count', count(4.73e6), '4.73 M'],
  ['count thousands', count(389_000), '389 k'],
  ['count ten thousands', count(12_472), '12.5 k'],
  ['count small', count(4127), '4\u202f127'],
  ['count mean', count(4127.66666), '4\u202f127.667'],
  ['count smaller', count(127), '127'],
  ['pages', amount(256, 'pages'), '1 MiB'],
  ['percent', amount(78, '%'), '78 %'],
  ['bare', amount(105, 'threads'), '105'],
];
for (const [name, got, want] of cases) test(`format: ${name}`, () => assert.equal(got, want));

test('median', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.ok(Number.isNaN(median([])));
});
