import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engineFile, MOST_BYTES, MOST_ENGINES, superfluous, type Kept } from './kept';

const engine = (id: string, used: number, bytes = 6e6): Kept => ({ id, used, bytes });

test('kept: the engines used last stay, in number and in bytes', () => {
  const many = Array.from({ length: MOST_ENGINES + 3 }, (_, i) => engine(`e${i}`, i));
  assert.deepEqual(superfluous(many, 'e0').sort(), ['e1', 'e2'], 'the current one is never dropped and does not count');
  assert.deepEqual(superfluous([engine('a', 3), engine('b', 2, MOST_BYTES), engine('c', 1)], 'a'), ['c'], 'as many bytes as are allowed');
  assert.deepEqual(superfluous([engine('a', 3), engine('b', 2), engine('c', 1, MOST_BYTES)], 'a'), ['c']);
  assert.deepEqual(superfluous([], 'a'), []);
});

test('kept: files of an engine are told from the rest of the site', () => {
  const scope = 'https://x/some/folder/';
  assert.deepEqual(engineFile(scope, `${scope}e/0123456789ab/pre/mg-d-112.json?x`), { id: '0123456789ab', file: 'pre/mg-d-112.json' });
  for (const other of ['', 'main.js', 'e/index.json', 'e/0123/worker.js', 's/e/0123456789ab/worker.js']) assert.equal(engineFile(scope, scope + other), null);
  assert.equal(engineFile(scope, 'https://y/e/0123456789ab/worker.js'), null);
});
