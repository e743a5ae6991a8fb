// What the page and its workers say to each other.

import type { Answer, Partial } from '../contract';

/** From the page to a worker. */
export type ToWorker =
  /** Without a module the worker compiles the engine at url and passes the module on. */
  | { type: 'boot'; module?: WebAssembly.Module; url: string; glue: string }
  | { type: 'call'; id: number; method: string; args: unknown[] };

/** From a worker to the page. */
export type FromWorker = FromEngine | { type: 'compiled'; module: WebAssembly.Module };

/** From the engine in a worker. */
export type FromEngine =
  | { type: 'ready' }
  /** The engine is gone: it could not start, or it stopped in a call. */
  | { type: 'failed'; message: string }
  | { type: 'answer'; id: number; answer: Answer<unknown> }
  | { type: 'partial'; id: number; part: Partial };

/** The part of Worker that the pool needs; tests bring their own. */
export interface Port {
  postMessage(message: ToWorker): void;
  terminate(): void;
  listen(on: (message: FromEngine) => void): void;
}
