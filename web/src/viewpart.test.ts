import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initial } from './state';
import { readView, withView, writeView } from './viewpart';

test('view: a screen as it opens adds nothing to the link', () => {
  assert.equal(writeView({ ...initial(), arm: 1 }, 2), '');
  assert.equal(withView('#1;x;c=abcdef', ''), '#1;x;c=abcdef');
  assert.equal(withView('', 'z1:2'), '');
});

test('view: what is written is read back', () => {
  const view = { zoom: [0.5, 12.345] as [number, number], selection: [1, 2] as [number, number], mode: 'diff' as const, fill: 'bandwidth' as const, arm: 0, process: 12, moreGates: true };
  const text = writeView({ ...initial(), ...view }, 2);
  assert.match(text, /^[\w:,.]*\w$/, 'the alphabet of links, a letter or digit last');
  assert.deepEqual(readView(text, 2), view);
});

test('view: nonsense is as if it were not there', () => {
  for (const bad of [undefined, '', 'zzz', 'z2:1', 'z1', 'mnone', 'a7', 'a-1', 'f', 'p-1', 'p12345', 'z9999999:99999999', 's1:NaN']) assert.deepEqual(readView(bad, 2), {});
  assert.deepEqual(readView('mdiff,x9,a1', 2), { mode: 'diff', arm: 1 });
  assert.deepEqual(readView('mover', 1), {}, 'one arm has nothing to compare');
});
