import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ports } from './port';
import type { FromEngine, FromWorker, ToWorker } from './protocol';

class FakeWorker {
  static all: FakeWorker[] = [];
  got: ToWorker[] = [];
  dead = false;
  constructor(readonly say: (m: FromWorker) => void) {
    FakeWorker.all.push(this);
  }
  postMessage(m: ToWorker): void {
    this.got.push(m);
  }
  terminate(): void {
    this.dead = true;
  }
}

const soon = () => new Promise((r) => setTimeout(r));
const fresh = (first: Promise<unknown> = Promise.resolve()) => {
  FakeWorker.all = [];
  return new Ports('http://x/e/1/', first, false, (hear) => new FakeWorker(hear));
};
const module = {} as WebAssembly.Module;

test('ports: the first worker compiles, the others get the module', async () => {
  const ports = fresh();
  ports.open();
  ports.open();
  await soon();
  const [a, b] = FakeWorker.all as [FakeWorker, FakeWorker];
  assert.deepEqual(a.got, [{ type: 'boot', url: 'http://x/e/1/casplay.wasm.gz', glue: 'http://x/e/1/wasm_exec.js' }]);
  assert.deepEqual(b.got, []);
  a.say({ type: 'compiled', module });
  assert.equal(await ports.module, module);
  await soon();
  assert.deepEqual(b.got, [{ type: 'boot', module, url: 'http://x/e/1/casplay.wasm.gz', glue: 'http://x/e/1/wasm_exec.js' }]);
});

test('ports: no worker before the first screen, none at all for a port that was closed', async () => {
  let screen = () => {};
  const ports = fresh(new Promise<void>((r) => (screen = r)));
  const closed = ports.open();
  ports.open();
  await soon();
  assert.equal(FakeWorker.all.length, 0);
  closed.terminate();
  screen();
  await soon();
  assert.equal(FakeWorker.all.length, 1);
  assert.equal(FakeWorker.all[0]!.got.length, 1, 'the one that is left compiles');
});

test('ports: an engine that cannot be compiled fails every worker with the reason', async () => {
  const ports = fresh();
  const heard: FromEngine[] = [];
  for (const port of [ports.open(), ports.open()]) port.listen((m) => heard.push(m));
  await soon();
  FakeWorker.all[0]!.say({ type: 'failed', message: 'not found' });
  await assert.rejects(ports.module, /not found/);
  await soon();
  assert.deepEqual(heard, [{ type: 'failed', message: 'not found' }, { type: 'failed', message: 'not found' }]);
});
