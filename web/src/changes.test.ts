import assert from 'node:assert/strict';
import test from 'node:test';
import type { Change } from './armacts';
import { Changes } from './changes';
import type { Opened } from './contract';
import { initial, type State } from './state';
import { Store } from './store';

/** A scenario is a list of words here; "bad" is refused. */
function setUp(): { store: Store<State>; said: string[]; make(list: Change[], then?: () => void): Promise<void> } {
  const store = new Store<State>({ ...initial(), opened: { text: 'a', extra: ['k=1'] } as unknown as Opened, engine: { phase: 'ready', message: '' } }, () => undefined);
  const said: string[] = [];
  const engine = {
    set: async (text: string, path: string, value: string, extra: readonly string[] = []) => {
      assert.deepEqual(extra, ['k=1']);
      if (value === 'gone') throw new Error('the worker ended');
      if (value === 'bad') return { ok: false as const, errors: [{ path: 'other', message: 'is missing' }], rest: null } as never;
      return { ok: true as const, value: { text: value === 'same' ? text : `${text} ${path}=${value}`, extra } as unknown as Opened };
    },
  };
  const changes = new Changes(engine, store, (words) => said.push(words), (next) => store.set({ opened: next, refused: new Map() }));
  return {
    store,
    said,
    make: async (list, then) => {
      changes.make(list, then);
      await new Promise((r) => setTimeout(r));
    },
  };
}

test('changes build on each other', async () => {
  const { store, make } = setUp();
  let done = 0;
  void make([['x', '1'], ['y', '2']], () => done++);
  await make([['z', '3']]);
  assert.equal(store.now.opened?.text, 'a x=1 y=2 z=3');
  assert.equal(done, 1);
});

test('the first that is refused ends them and is noted at its field', async () => {
  const { store, make } = setUp();
  await make([['x', '1'], ['y', 'bad'], ['z', '3']], () => assert.fail('nothing was changed'));
  assert.equal(store.now.opened?.text, 'a');
  assert.equal(store.now.refused.get('y')?.message, 'other is missing');
  assert.equal(store.now.refused.get('y')?.value, 'bad');
  await make([['y', 'same']]);
  assert.equal(store.now.refused.size, 0, 'the old value again clears it');
});

test('a change that the engine could not answer is told, and the next is made', async () => {
  const { store, said, make } = setUp();
  await make([['x', 'gone']]);
  assert.deepEqual(said, ['The change was not made: the worker ended']);
  await make([['x', '1']]);
  assert.equal(store.now.opened?.text, 'a x=1');
});

test('before the engine is there it is told that the change waits', async () => {
  const { store, said, make } = setUp();
  store.set({ engine: { phase: 'loading', message: '' } });
  await make([['x', '1']]);
  assert.deepEqual(said, ['The change is made as soon as the engine is here.']);
});
