import assert from 'node:assert/strict';
import { test } from 'node:test';
import { find, KEYS, type KeyActs } from './keys';

const press = (key: string, over: Partial<KeyboardEvent> = {}) => find({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...over });

const calls = (): { acts: KeyActs; seen: string[] } => {
  const seen: string[] = [];
  const acts = new Proxy({} as KeyActs, { get: (_, name) => (...args: unknown[]) => seen.push(`${String(name)}(${args.join(',')})`) });
  return { acts, seen };
};

for (const [key, shift, want] of [
  ['ArrowLeft', false, 'move(-1)'],
  ['ArrowRight', true, 'select(1)'],
  ['.', false, 'jump(1)'],
  ['w', false, 'zoom(0.5)'],
  ['B', true, 'arm(1)'],
  ['a', false, 'pan(-0.25)'],
  ['A', true, 'arm(0)'],
  ['?', true, 'sheet()'],
  ['/', false, 'search()'],
  ['/', true, 'search()'],
  ['2', false, 'view(2)'],
  ['Escape', false, 'escape()'],
] as const)
  test(`keys: ${shift ? 'Shift+' : ''}${key}`, () => {
    const { acts, seen } = calls();
    press(key, { shiftKey: shift })?.run(acts, key.length === 1 ? key.toLowerCase() : key);
    assert.deepEqual(seen, [want]);
  });

test('keys: nothing is taken from the browser', () => {
  for (const mod of ['ctrlKey', 'metaKey', 'altKey'] as const) assert.equal(press('c', { [mod]: true }), undefined);
  assert.equal(press('q'), undefined);
  assert.equal(press('F5'), undefined);
});

test('keys: no press has two meanings, each entry can be reached', () => {
  const seen = new Map<string, string>();
  for (const k of KEYS)
    for (const key of k.keys) {
      const id = `${k.shift ?? false}/${key}`;
      assert.ok(!seen.has(id), `${id}: ${seen.get(id)} and ${k.what}`);
      seen.set(id, k.what);
      assert.equal(press(key, { shiftKey: k.shift ?? false })?.what, k.what);
    }
});
