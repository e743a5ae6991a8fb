import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Store } from './store';

test('store: watchers run once for several changes, and only for their keys', () => {
  let later: (() => void) | null = null;
  let scheduled = 0;
  const store = new Store({ a: 1, b: 1, c: 1 }, (run) => {
    later = run;
    scheduled++;
  });
  const seen: string[] = [];
  store.watch(['a', 'b'], () => seen.push('ab'));
  store.watch(['c'], () => seen.push('c'));
  store.set({ a: 2 });
  store.set({ b: 2, a: 3 });
  assert.equal(scheduled, 1);
  assert.deepEqual(seen, []);
  (later as unknown as () => void)();
  assert.deepEqual(seen, ['ab']);
  store.set({ a: 3 });
  assert.equal(scheduled, 1, 'an equal value is no change');
  store.set({ c: 5 });
  assert.equal(scheduled, 2);
});

test('store: a watcher that throws does not stop the others', () => {
  const queue: (() => void)[] = [];
  const store = new Store({ a: 0 }, (run) => queue.push(run));
  let ran = false;
  store.watch(['a'], () => {
    throw new Error('view');
  });
  store.watch(['a'], () => {
    ran = true;
  });
  store.set({ a: 1 });
  queue.shift()?.();
  assert.ok(ran);
  assert.throws(() => queue.shift()?.(), /view/);
});

test('store: what a frame has no time for runs in the next one', () => {
  const queue: (() => void)[] = [];
  let time = 0;
  const store = new Store({ a: 0 }, (run) => queue.push(run), () => time);
  const seen: number[] = [];
  for (let i = 0; i < 3; i++)
    store.watch(['a'], () => {
      seen.push(i);
      time += 6;
    });
  store.set({ a: 1 });
  queue.shift()?.();
  assert.deepEqual(seen, [0, 1]);
  store.set({ a: 2 });
  assert.equal(queue.length, 1);
  queue.shift()?.();
  assert.deepEqual(seen, [0, 1, 2, 0], 'the one that waited comes first');
  queue.shift()?.();
  assert.deepEqual(seen, [0, 1, 2, 0, 1]);
});

test('store: a watcher that takes more than a frame has begins one', () => {
  const queue: (() => void)[] = [];
  let time = 0;
  const store = new Store({ a: 0 }, (run) => queue.push(run), () => time);
  const seen: string[] = [];
  store.watch(['a'], () => seen.push('light'));
  store.watch(['a'], () => {
    seen.push('heavy');
    time += 20;
  });
  const frames = (a: number) => {
    store.set({ a });
    let n = 0;
    for (; queue.length; n++) queue.shift()?.();
    return n;
  };
  assert.equal(frames(1), 1, 'nobody knows yet');
  assert.equal(frames(2), 2);
  assert.deepEqual(seen, ['light', 'heavy', 'light', 'heavy']);
});

test('store: a change made by a watcher reaches those before it and those after it', () => {
  const queue: (() => void)[] = [];
  const store = new Store({ a: 0, b: 0, c: 0 }, (run) => queue.push(run));
  const seen: string[] = [];
  store.watch(['c'], () => seen.push('before'));
  store.watch(['a'], () => store.set({ b: store.now.a * 2, c: 1 }));
  store.watch(['b'], () => seen.push(`after ${store.now.b}`));
  store.set({ a: 4 });
  while (queue.length) queue.shift()?.();
  assert.deepEqual(seen, ['after 8', 'before']);
});

test('store: it rests when no watcher is due any more', async () => {
  const queue: (() => void)[] = [];
  let time = 0;
  const store = new Store({ a: 0, b: 0 }, (run) => queue.push(run), () => time);
  store.watch(['b'], () => undefined);
  store.watch(['a'], () => {
    time += 20;
    store.set({ b: 1 });
  });
  store.watch(['a'], () => undefined);
  store.set({ a: 1 });
  let rests = false;
  void store.rest().then(() => (rests = true));
  const frame = () => {
    queue.shift()?.();
    return new Promise((r) => setTimeout(r));
  };
  await frame();
  assert.equal(rests, false, 'a watcher had to wait');
  await frame();
  assert.equal(rests, true);
  void store.rest().then(() => (rests = false));
  await frame();
  assert.equal(rests, false, 'one that had nothing to do rests in the next frame');
});

test('store: an urgent watcher runs in every frame, whoever waits', () => {
  const queue: (() => void)[] = [];
  let time = 0;
  const store = new Store({ a: 0 }, (run) => queue.push(run), () => time);
  const seen: string[] = [];
  store.watch(['a'], () => seen.push('urgent'), true);
  for (const name of ['x', 'y'])
    store.watch(['a'], () => {
      seen.push(name);
      time += 20;
    });
  store.set({ a: 1 });
  queue.shift()?.();
  store.set({ a: 2 });
  queue.shift()?.();
  assert.deepEqual(seen, ['urgent', 'x', 'urgent', 'y']);
});
