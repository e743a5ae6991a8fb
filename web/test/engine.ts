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

export async function startEngine(): Promise<Api> {
  const dist = join(projectTop, 'dist');
  const folder = join(dist, 'e', readIndex(dist).current);
  vm.runInThisContext(readFileSync(join(folder, 'wasm_exec.js'), 'utf8'));
  const go = new (globalThis as unknown as { Go: new () => Go }).Go();
  go.env = { GOGC: '400' };
  const bytes = new Uint8Array(gunzipSync(readFileSync(join(folder, 'casplay.wasm.gz'))));
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
