// Workers for one engine. The first one compiles it, in its own thread; the
// others get the compiled module.

import { load } from './load';
import type { FromEngine, FromWorker, Port, ToWorker } from './protocol';

/** Starts a worker; what it sends goes to hear. */
export type Spawn = (hear: (message: FromWorker) => void) => { postMessage(message: ToWorker): void; terminate(): void };

const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The workers of the engine in a folder. */
export class Ports {
  /** The engine compiled; rejects with what to tell the reader. */
  readonly module: Promise<WebAssembly.Module>;
  private settle!: { resolve(module: WebAssembly.Module): void; reject(error: Error): void };
  private asked = false;

  /**
   * base is the address of the folder. No worker starts before first has
   * settled. Workers of an old page cannot compile (here); the page does it then.
   */
  constructor(
    private readonly base: string,
    private readonly first: Promise<unknown>,
    here: boolean,
    private readonly spawn: Spawn = (hear) => spawnWorker(base, hear),
  ) {
    this.module = new Promise((resolve, reject) => (this.settle = { resolve, reject }));
    this.module.catch(() => undefined);
    if (!here) return;
    this.asked = true;
    void first.then(() => load(this.url)).then(this.settle.resolve, this.settle.reject);
  }

  private get url(): string {
    return new URL('casplay.wasm.gz', this.base).href;
  }

  open(): Port {
    let hear: (m: FromEngine) => void = () => {};
    let worker: ReturnType<Spawn> | null = null;
    let dead = false;
    const boot = (module?: WebAssembly.Module) => worker?.postMessage({ type: 'boot', ...(module && { module }), url: this.url, glue: new URL('wasm_exec.js', this.base).href });
    const failed = (message: string, compiling: boolean) => {
      if (compiling) this.settle.reject(new Error(message));
      hear({ type: 'failed', message });
    };
    void this.first.then(() => {
      if (dead) return;
      const compiles = !this.asked;
      this.asked = true;
      worker = this.spawn((m) => {
        if (m.type === 'compiled') this.settle.resolve(m.module);
        else if (m.type === 'failed') failed(m.message, compiles);
        else hear(m);
      });
      if (compiles) boot();
      else this.module.then(boot, (error: unknown) => failed(words(error), false));
    });
    return {
      postMessage: (m) => worker?.postMessage(m),
      terminate: () => {
        dead = true;
        worker?.terminate();
        worker = null;
      },
      listen: (on) => {
        hear = on;
      },
    };
  }
}

function spawnWorker(base: string, hear: (message: FromWorker) => void): ReturnType<Spawn> {
  const worker = new Worker(new URL('worker.js', base));
  worker.onmessage = (e: MessageEvent<FromWorker>) => hear(e.data);
  worker.onerror = (e) => hear({ type: 'failed', message: e.message || 'the worker could not be loaded' });
  return worker;
}
