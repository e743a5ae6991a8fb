// What the page and its workers say to each other.

import type { Answer, Partial } from '../contract';

/** From the page to a worker. */
export type ToWorker =
  | { type: 'boot'; module: WebAssembly.Module; glue: string }
  | { type: 'call'; id: number; method: string; args: unknown[] };

/** From a worker to the page. */
export type FromWorker =
  | { type: 'ready' }
  /** The engine is gone: it could not start, or it stopped in a call. */
  | { type: 'failed'; message: string }
  | { type: 'answer'; id: number; answer: Answer<unknown> }
  | { type: 'partial'; id: number; part: Partial };

/** The part of Worker that the pool needs; tests bring their own. */
export interface Port {
  postMessage(message: ToWorker): void;
  terminate(): void;
  listen(on: (message: FromWorker) => void): void;
}
