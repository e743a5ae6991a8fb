import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer, FieldError, Opened, Partial as Part, Result, Run } from './contract';
import { Runner, type RunEngine } from './runner';
import { initial, type State } from './state';
import { Store } from './store';

const opened = (text: string, seeds: number[]): Opened =>
  ({ text, seeds, arms: [{ label: 'off' }, { label: 'on' }], expect: [], name: text }) as unknown as Opened;

const result = (arm: number, seed: number, value: number): Run => ({
  arm, seed, label: '', done: true, sim_ns: value * 1e9, events: 0, sample_ns: 20e6, metrics: [{ name: 'runtime_s', value }],
  series: [], processes: [], decisions: [], log: [], digest: `${arm}${seed}`,
});

class FakeEngine implements RunEngine {
  waiting: { arm: number; seed: number; part?: (p: Part) => void; end: (a: Answer<Run>) => void; fail: (e: Error) => void }[] = [];
  cancels = 0;
  summed: number[] = [];
  run(_: string, arm: number, seed: number, part?: (p: Part) => void): Promise<Answer<Run>> {
    return new Promise((end, fail) => this.waiting.push({ arm, seed, ...(part && { part }), end, fail }));
  }
  summarise(_: string, runs: Run[]): Promise<Answer<Result>> {
    this.summed.push(runs.length);
    return Promise.resolve({ ok: true, value: { digest: `of ${runs.length}`, arms: [], deltas: [], verdicts: [], warnings: [], engine: '' } });
  }
  cancel(): void {
    this.cancels++;
  }
  finish(arm: number, seed: number, value: number): void {
    this.waiting.find((w) => w.arm === arm && w.seed === seed)?.end({ ok: true, value: result(arm, seed, value) });
  }
}

const tick = () => new Promise((r) => setImmediate(r));
const outcomeOf = (store: Store<State>) => store.now.outcome;
const setUp = () => {
  const engine = new FakeEngine();
  const store = new Store<State>(initial(), (run) => void run);
  const errors: FieldError[][] = [];
  return { engine, store, errors, runner: new Runner(engine, store, (e) => errors.push(e)) };
};

test('runner: seed by seed, an outcome for every seed that all arms have', async () => {
  const { engine, store, runner } = setUp();
  const through = runner.start(opened('x', [1, 2]));
  assert.deepEqual(engine.waiting.map((w) => [w.arm, w.seed]), [[0, 1], [1, 1], [0, 2], [1, 2]]);
  engine.finish(0, 1, 25);
  await tick();
  assert.equal(store.now.outcome, null, 'one arm alone is no comparison');
  assert.equal(store.now.progress?.fraction, 0.25);
  engine.finish(1, 1, 42);
  await tick();
  assert.equal(outcomeOf(store)?.seeds, 1);
  assert.equal(outcomeOf(store)?.stats[1]?.median, 42);
  assert.ok(store.now.progress);
  engine.finish(1, 2, 44);
  engine.finish(0, 2, 26);
  await through;
  assert.equal(outcomeOf(store)?.seeds, 2);
  assert.equal(outcomeOf(store)?.result.digest, 'of 4');
  assert.equal(store.now.progress, null);
  assert.deepEqual(store.now.live, []);
});

test('runner: a new start makes words of the old one void and keeps the old outcome as stale', async () => {
  const { engine, store, runner } = setUp();
  const first = runner.start(opened('x', [1]));
  engine.finish(0, 1, 25);
  engine.finish(1, 1, 42);
  await first;
  const old = store.now.outcome;
  void runner.start(opened('y', [1]));
  assert.equal(store.now.stale, true);
  assert.equal(store.now.outcome, old);
  const late = engine.waiting.slice(2);
  void runner.start(opened('z', [1]));
  late[0]!.end({ ok: true, value: result(0, 1, 99) });
  late[1]!.end({ ok: true, value: result(1, 1, 99) });
  await tick();
  assert.equal(store.now.outcome, old);
  engine.waiting.slice(4).forEach((w) => w.end({ ok: true, value: result(w.arm, 1, 30) }));
  await tick();
  assert.equal(outcomeOf(store)?.opened.text, 'z');
  assert.equal(store.now.stale, false);
});

test('runner: partial results grow the curves of the first seed', async () => {
  const { engine, store, runner } = setUp();
  void runner.start(opened('x', [1, 2]));
  const part = (v: number[], from: number): Part => ({
    fraction: 0.5, sim_ns: (from + v.length) * 20e6,
    run: { ...result(1, 1, 0), done: false, series: [{ kind: 'llc_util', index: 0, unit: '%', scale: 1, v: Int32Array.from(v) }] },
  });
  engine.waiting[1]!.part!(part([1, 2], 0));
  engine.waiting[1]!.part!(part([3], 2));
  engine.waiting[3]!.part!(part([9], 0));
  assert.deepEqual([...store.now.live[1]!.series[0]!.v], [1, 2, 3]);
  assert.equal(store.now.progress?.fraction, 0.25);
  assert.match(store.now.progress?.text ?? '', /seed 2 of 2, arm B/);
});

test('runner: what goes wrong is told once and ends the run', async () => {
  const { engine, store, errors, runner } = setUp();
  const a = runner.start(opened('x', [1]));
  engine.waiting[0]!.end({ ok: false, errors: [{ path: 'run', message: 'too much' }] });
  engine.waiting[1]!.fail(new Error('cancelled'));
  await a;
  assert.equal(engine.cancels, 2, 'one at the start, one at the end');
  assert.deepEqual(errors, [[{ path: 'run', message: 'too much' }]]);
  assert.equal(store.now.progress, null);
  const b = runner.start(opened('y', [1]));
  engine.waiting[2]!.fail(new Error('panic: index out of range'));
  await b;
  assert.equal(errors.length, 2);
  assert.match(errors[1]![0]!.message, /panic/);
});
