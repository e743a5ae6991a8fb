// The built engine in Node, as the worker runs it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import vm from 'node:vm';
import { gunzipSync } from 'node:zlib';
import { readIndex } from '../archive.mjs';
import type { Answer, Opened, Result, Run } from '../src/contract';
import { projectTop } from './site';

type Api = Record<string, (...args: unknown[]) => string>;
interface Go {
  env: Record<string, string>;
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

const dist = join(projectTop, 'dist');
const folder = (): string => join(dist, 'e', readIndex(dist).current);

/** Starts the engine of the built site, or another one; it may be packed. */
export async function startEngine(wasm = join(folder(), 'casplay.wasm.gz'), glue = join(folder(), 'wasm_exec.js')): Promise<Api> {
  vm.runInThisContext(readFileSync(glue, 'utf8'));
  const go = new (globalThis as unknown as { Go: new () => Go }).Go();
  go.env = { GOGC: '400' };
  const file = readFileSync(wasm);
  const bytes = new Uint8Array(wasm.endsWith('.gz') ? gunzipSync(file) : file);
  const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
  void go.run(instance);
  return (globalThis as unknown as { casplay: Api }).casplay;
}

export function value<T>(text: string): T {
  const answer = JSON.parse(text) as Answer<T>;
  if (!answer.ok) throw new Error(JSON.stringify(answer.errors));
  return answer.value;
}

/** Runs every arm and seed and returns the digest of the result. */
export function digestIn(api: Api, link: string): string {
  const opened = value<Opened>(api['open']!(link));
  const runs = opened.seeds.flatMap((seed) => opened.arms.map((_, arm) => ({ ...value<Run>(api['run']!(opened.text, arm, seed)), series: [] })));
  return value<Result>(api['summarise']!(opened.text, JSON.stringify(runs))).digest;
}
