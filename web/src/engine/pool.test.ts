import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cancelled, Pool } from './pool';
import type { FromEngine, Port, ToWorker } from './protocol';

class FakePort implements Port {
  static all: FakePort[] = [];
  dead = false;
  calls: Extract<ToWorker, { type: 'call' }>[] = [];
  private on: (m: FromEngine) => void = () => {};
  constructor() {
    FakePort.all.push(this);
  }
  postMessage(m: ToWorker): void {
    if (m.type === 'call') this.calls.push(m);
  }
  terminate(): void {
    this.dead = true;
  }
  listen(on: (m: FromEngine) => void): void {
    this.on = on;
  }
  say(m: FromEngine): void {
    this.on(m);
  }
  answer(value: unknown): void {
    this.say({ type: 'answer', id: this.calls.at(-1)!.id, answer: { ok: true, value } });
  }
}

const fresh = (width: number) => {
  FakePort.all = [];
  calm = [];
  return new Pool(() => new FakePort(), width, 1, (run) => calm.push(run));
};
/** What waits for calm. */
let calm: (() => void)[] = [];

test('pool: one warm spare, never more than width calls at once', async () => {
  const pool = fresh(2);
  const results = ['a', 'b', 'c'].map((x) => pool.call('run', [x]));
  assert.equal(FakePort.all.length, 3);
  for (const p of FakePort.all) p.say({ type: 'ready' });
  const busy = FakePort.all.filter((p) => p.calls.length);
  assert.equal(busy.length, 2);
  busy[1]!.answer('second first');
  assert.deepEqual(await results[1], { ok: true, value: 'second first' });
  assert.equal(FakePort.all.flatMap((p) => p.calls).length, 3, 'the freed place is used');
});

test('pool: cancel ends running and waiting calls, keeps the spare, and respawns', async () => {
  const pool = fresh(1);
  const running = pool.call('run', [1]);
  const waiting = pool.call('run', [2]);
  for (const p of FakePort.all) p.say({ type: 'ready' });
  const spare = FakePort.all.find((p) => p.calls.length === 0)!;
  pool.cancel();
  await assert.rejects(running, Cancelled);
  await assert.rejects(waiting, Cancelled);
  assert.equal(FakePort.all.filter((p) => p.dead).length, 1);
  assert.equal(FakePort.all.filter((p) => !p.dead).length, 1, 'a new worker waits until the reader sees the end');
  calm.shift()!();
  assert.equal(FakePort.all.filter((p) => !p.dead).length, 2);
  const next = pool.call('run', [3]);
  assert.equal(spare.calls.length, 1, 'the spare takes the next call without a boot');
  spare.answer(3);
  assert.deepEqual(await next, { ok: true, value: 3 });
});

test('pool: late words of an old call are not heard', async () => {
  const pool = fresh(1);
  const parts: number[] = [];
  const first = pool.call('run', [1], (p) => parts.push(p.fraction));
  const port = FakePort.all[0]!;
  port.say({ type: 'ready' });
  port.say({ type: 'partial', id: 1, part: { fraction: 0.5 } as never });
  port.answer(1);
  await first;
  port.say({ type: 'partial', id: 1, part: { fraction: 0.9 } as never });
  assert.deepEqual(parts, [0.5]);
});

test('pool: a worker that stops fails its call only, and is replaced', async () => {
  const pool = fresh(1);
  const broken = pool.call('run', [1]);
  FakePort.all[0]!.say({ type: 'ready' });
  FakePort.all[0]!.say({ type: 'failed', message: 'out of memory' });
  await assert.rejects(broken, /out of memory/);
  assert.equal(FakePort.all.length, 3);
});

test('pool: an engine that cannot start is not started for ever', async () => {
  const pool = fresh(1);
  const call = pool.call('run', [1]);
  for (let i = 0; i < FakePort.all.length && i < 50; i++) FakePort.all[i]!.say({ type: 'failed', message: 'no wasm' });
  await assert.rejects(call, /does not start/);
  assert.ok(FakePort.all.length < 10);
});
