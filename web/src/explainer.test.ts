import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opened, result, run } from '../test/fixtures';
import type { Answer } from './contract';
import { Cancelled } from './engine/pool';
import { comparedWith, Explainer, type ReasonEngine } from './explainer';
import { armStats } from './model/stats';
import type { Differences, Reasons } from './reasons';
import { initial, type Outcome, type State } from './state';
import { Store } from './store';

interface Asked {
  what: string;
  args: unknown[];
  end(a: Answer<unknown>): void;
  fail(e: Error): void;
}

class FakeEngine implements ReasonEngine {
  asked: Asked[] = [];
  private ask<T>(what: string, args: unknown[]): Promise<Answer<T>> {
    return new Promise((end, fail) => this.asked.push({ what, args, end: end as (a: Answer<unknown>) => void, fail }));
  }
  reasons(...args: unknown[]): Promise<Answer<Reasons[]>> {
    return this.ask('reasons', args);
  }
  difference(...args: unknown[]): Promise<Answer<Differences>> {
    return this.ask('difference', args);
  }
}

function outcome(of = opened(['off', 'on', 'closed'])): Outcome {
  const runs = of.arms.map((_, arm) => run(arm, 7, 10 + arm, [[4, 0]]));
  return { opened: of, runs, stats: armStats(of, runs), result: result(of.arms.map((a) => a.label)), seeds: 1, of: 1 };
}

/** A store whose watchers run when the test says so. */
function setUp(): { store: Store<State>; engine: FakeEngine; frame: () => Promise<void> } {
  const due: (() => void)[] = [];
  const store = new Store<State>(initial(), (f) => due.push(f));
  const engine = new FakeEngine();
  new Explainer(engine, store);
  const frame = async () => {
    await new Promise((r) => setImmediate(r));
    while (due.length) due.shift()?.();
    await new Promise((r) => setImmediate(r));
  };
  return { store, engine, frame };
}

test('asked for the arm and process on screen, one question at a time, and each once', async () => {
  const { store, engine, frame } = setUp();
  const told = () => store.now.reasons;
  const done = outcome();
  store.set({ opened: done.opened, outcome: done, arm: 1, progress: { fraction: 0.5, text: '' } });
  await frame();
  assert.equal(engine.asked.length, 0, 'not while runs go on');
  store.set({ progress: null });
  await frame();
  assert.deepEqual(engine.asked.map((a) => [a.what, ...a.args.slice(1)]), [['reasons', 1, 7, 0, 100]]);
  assert.equal(store.now.asking, 'reasons');
  engine.asked[0]?.end({ ok: true, value: [{ at_ns: 1 }] });
  await frame();
  assert.equal(told()?.value?.length, 1);
  assert.deepEqual(engine.asked.slice(1).map((a) => [a.what, ...a.args.slice(1)]), [['difference', 2, 1, 7]]);
  engine.asked[1]?.end({ ok: true, value: {} });
  await frame();
  assert.deepEqual(store.now.parted?.value, {});
  assert.equal(store.now.asking, null);
  store.set({ arm: 2 });
  await frame();
  assert.equal(told(), null, 'the answer of another arm is not shown');
  store.set({ arm: 1 });
  engine.asked[2]?.end({ ok: false, errors: [{ path: '', message: 'no' }] });
  await frame();
  assert.equal(told()?.value?.length, 1, 'known answers come at once');
  store.set({ arm: 2 });
  await frame();
  assert.equal(told()?.message, 'no');
});

test('a question that a run has ended is asked again, one that fails is not', async () => {
  const { store, engine, frame } = setUp();
  const told = () => store.now.reasons;
  const done = outcome();
  store.set({ opened: done.opened, outcome: done, arm: 1 });
  await frame();
  store.set({ progress: { fraction: 0, text: '' } });
  engine.asked[0]?.fail(new Cancelled());
  await frame();
  assert.equal(engine.asked.length, 1);
  store.set({ progress: null });
  await frame();
  assert.equal(engine.asked.length, 2);
  engine.asked[1]?.fail(new Error('the engine has no reasons'));
  await frame();
  assert.equal(told()?.message, 'the engine has no reasons');
  assert.deepEqual(engine.asked.map((a) => a.what), ['reasons', 'reasons', 'difference']);
});

test('nothing is asked about a precomputed or an old result', async () => {
  const { store, engine, frame } = setUp();
  const done = outcome();
  store.set({ opened: done.opened, outcome: { ...done, precomputed: true } });
  await frame();
  store.set({ opened: opened(['off'], { text: '{"other":1}' }), outcome: done });
  await frame();
  assert.equal(engine.asked.length, 0);
});

test('the arm that the explained one is compared with', () => {
  const state = { ...initial(), opened: opened(['off', 'on', 'closed']), arm: 1 };
  assert.equal(comparedWith(state), 2, 'one that asks CAS rules too');
  assert.equal(comparedWith({ ...state, arm: 0 }), 1);
  assert.equal(comparedWith({ ...state, against: 0 }), 0);
  assert.equal(comparedWith({ ...state, against: 1 }), 2, 'not with itself');
  assert.equal(comparedWith({ ...state, opened: opened(['off', 'on']) }), 0);
  assert.equal(comparedWith({ ...state, opened: opened(['on']), arm: 0 }), -1);
});
