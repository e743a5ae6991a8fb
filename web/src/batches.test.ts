import assert from 'node:assert/strict';
import test from 'node:test';
import { Batches } from './batches';

function setUp(most = 99): { batches: Batches; frame(): boolean; did: string[]; jobs(name: string, n: number): (() => void)[] } {
  let now = 0;
  const frames: (() => void)[] = [];
  const did: string[] = [];
  return {
    batches: new Batches((run) => frames.push(run), most, 6, () => now),
    frame: () => {
      const run = frames.shift();
      run?.();
      return run !== undefined;
    },
    did,
    jobs: (name, n) => Array.from({ length: n }, (_, i) => () => {
      did.push(`${name}${i}`);
      now += 4;
    }),
  };
}

test('a frame does what fits, the next ones the rest', () => {
  const { batches, frame, did, jobs } = setUp();
  batches.set(jobs('a', 5));
  assert.deepEqual(did, ['a0', 'a1']);
  assert.ok(frame());
  assert.deepEqual(did, ['a0', 'a1', 'a2', 'a3']);
  assert.ok(frame());
  assert.deepEqual(did, ['a0', 'a1', 'a2', 'a3', 'a4']);
  assert.ok(!frame(), 'nothing is left');
});

test('new jobs go on where the old ones were, and each is done once', () => {
  const { batches, frame, did, jobs } = setUp();
  batches.set(jobs('a', 5));
  batches.set(jobs('b', 5));
  while (frame());
  assert.deepEqual(did, ['a0', 'a1', 'b2', 'b3', 'b4', 'b0', 'b1']);
  did.length = 0;
  batches.set(jobs('c', 3));
  while (frame());
  assert.deepEqual(did, ['c0', 'c1', 'c2']);
  batches.set([]);
  assert.ok(!frame());
});

test('a frame takes no more than it may, however cheap', () => {
  const { batches, frame, did } = setUp(3);
  batches.set(Array.from({ length: 7 }, (_, i) => () => void did.push(`x${i}`)));
  assert.equal(did.length, 3);
  frame();
  assert.equal(did.length, 6);
  frame();
  assert.equal(did.length, 7);
});
