// The worker: a classic script that starts the Go engine and passes calls to
// it. Everything big crosses as transferred arrays, so that the page's thread
// never parses a run.

import type { Answer, Partial, Run, Series } from '../contract';
import { load } from './load';
import type { FromWorker, ToWorker } from './protocol';

interface GoGlue {
  env: Record<string, string>;
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}
type Engine = Record<string, (...args: unknown[]) => string>;
interface Scope {
  Go: new () => GoGlue;
  casplay?: Engine;
  importScripts(url: string): void;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
}
const scope = globalThis as unknown as Scope;

/** The last lines the engine printed: a panic is worth passing on. */
const printed: string[] = [];

function failed(error: unknown): void {
  const panic = printed.find((line) => line.startsWith('panic:') || line.startsWith('fatal error:'));
  scope.postMessage({ type: 'failed', message: panic ?? (error instanceof Error ? error.message : String(error)) });
}

async function compiled(url: string): Promise<WebAssembly.Module> {
  const module = await load(url);
  scope.postMessage({ type: 'compiled', module });
  return module;
}

async function boot(module: WebAssembly.Module, glue: string): Promise<void> {
  const log = console.log;
  console.log = (...line: unknown[]) => {
    printed.push(line.join(' '));
    log(...line);
  };
  scope.importScripts(glue);
  const go = new scope.Go();
  // a tenth less time for 15 MB: the live heap of a run is small
  go.env = { GOGC: '400' };
  const instance = await WebAssembly.instantiate(module, go.importObject);
  void go.run(instance).then(() => failed('the engine stopped'));
  if (!scope.casplay) throw new Error('the engine started but offers nothing');
  scope.postMessage({ type: 'ready' });
}

/** Turns the samples of a run into parts of one array that can be handed over: hundreds of arrays would keep the page's collector busy. */
function pack(run: Run): Transferable[] {
  const all = new Int32Array(run.series.reduce((n, x) => n + x.v.length, 0));
  let at = 0;
  run.series.forEach((series: Series) => {
    all.set(series.v, at);
    series.v = all.subarray(at, (at += series.v.length));
  });
  return [all.buffer];
}

function call(id: number, method: string, args: unknown[]): void {
  const fn = scope.casplay?.[method === 'measure' ? 'run' : method];
  if (!fn) throw new Error(`the engine has no ${method}`);
  if (method === 'measure') {
    const answer = JSON.parse(fn(...args)) as Answer<Run>;
    scope.postMessage({ type: 'answer', id, answer: answer.ok ? { ok: true, value: { ...answer.value, series: [], log: [] } } : answer });
    return;
  }
  if (method !== 'run') {
    // runs go back to the engine as text; their curves are arrays of numbers there
    const texts = args.map((a) => (typeof a === 'object' ? JSON.stringify(a, (_, v: unknown) => (v instanceof Int32Array ? Array.from(v) : v)) : a));
    scope.postMessage({ type: 'answer', id, answer: JSON.parse(fn(...texts)) as Answer<unknown> });
    return;
  }
  const onPart = (json: string) => {
    const part = JSON.parse(json) as Partial;
    scope.postMessage({ type: 'partial', id, part }, pack(part.run));
  };
  const answer = JSON.parse(fn(...args, onPart)) as Answer<Run>;
  scope.postMessage({ type: 'answer', id, answer }, answer.ok ? pack(answer.value) : []);
}

scope.onmessage = ({ data }) => {
  if (data.type === 'boot') {
    (data.module ? boot(data.module, data.glue) : compiled(data.url).then((m) => boot(m, data.glue))).catch(failed);
    return;
  }
  try {
    call(data.id, data.method, data.args);
  } catch (error) {
    failed(error);
  }
};
