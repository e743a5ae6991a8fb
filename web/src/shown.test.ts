import assert from 'node:assert/strict';
import { test } from 'node:test';
import { panned, span, timeEnd, zoomed } from './shown';
import { initial, type State } from './state';

const state = (over: Partial<State>): State => ({
  ...initial(),
  opened: { arms: [{ label: 'off', set: {}, cas: false }], expect: [] } as never,
  live: [{ sim_ns: 40e9 } as never],
  ...over,
});

test('time axis has a little air and follows the slowest arm', () => {
  const end = timeEnd(state({}));
  assert.ok(end > 40 && end <= 42, `${end}`);
  assert.equal(timeEnd(state({ live: [] })), 10);
});

test('zoom keeps the cursor in place and stays inside', () => {
  const s = state({ t: 10 });
  const [a, b] = zoomed(s, 0.5)!;
  const full = timeEnd(s);
  assert.ok(Math.abs((10 - a) / (b - a) - 10 / full) < 1e-9);
  assert.equal(zoomed({ ...s, zoom: [5, 15] }, 100), null, 'zooming out shows all');
  const edge = zoomed({ ...s, t: 0 }, 0.5)!;
  assert.equal(edge[0], 0);
});

test('pan stops at both ends', () => {
  const s = state({ zoom: [5, 15] });
  assert.deepEqual(panned(s, -10), [0, 10]);
  const [, b] = panned(s, 10)!;
  assert.ok(Math.abs(b - timeEnd(s)) < 1e-9);
  assert.equal(panned(state({}), 1), null);
  assert.deepEqual(span(s), [5, 15]);
});
