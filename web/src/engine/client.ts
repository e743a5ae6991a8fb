// Typed calls to the engine: one worker answers questions at once, the others
// simulate.

import type { Answer, Facts, Imported, Opened, Partial, Result, Run } from '../contract';
import type { Differences, Reasons } from '../reasons';
import { Pool } from './pool';
import { Ports } from './port';

/** More workers than this gain little and cost memory. */
const MOST = 12;

/** Whether the browser can do what the page needs; a text that says what is missing, or "". */
export function missing(): string {
  if (typeof WebAssembly === 'undefined' || typeof WebAssembly.compileStreaming !== 'function') return 'This browser has no WebAssembly. Use a current Firefox, Chromium or Safari.';
  if (typeof DecompressionStream === 'undefined') return 'This browser cannot unpack the engine (DecompressionStream). Use a current Firefox, Chromium or Safari.';
  if (location.protocol === 'file:') return 'A page opened from a file may not start workers. Serve the folder over HTTP, for example with "casplay serve".';
  return '';
}

export class Engine {
  private readonly desk: Pool;
  private readonly runners: Pool;
  /** Settles when the engine is compiled; rejects with what to tell the reader. */
  readonly compiled: Promise<unknown>;

  /** base is the address of the folder of this engine; nothing starts before first has settled. An archived one has old workers. */
  constructor(base: string, first: Promise<unknown> = Promise.resolve(), archived = false) {
    const ports = new Ports(base, first, archived);
    this.compiled = ports.module;
    const spawn = () => ports.open();
    const cores = navigator.hardwareConcurrency || 2;
    this.desk = new Pool(spawn, 1, 0);
    this.runners = new Pool(spawn, Math.max(1, Math.min(MOST, cores)), 1);
    this.desk.warm();
  }

  facts(): Promise<Answer<Facts>> {
    return this.desk.call('facts', []) as Promise<Answer<Facts>>;
  }

  /** extra are keys of the link that a scenario was made from, which mean nothing here and are kept. */
  open(text: string, extra: readonly string[] = []): Promise<Answer<Opened>> {
    return this.desk.call('open', [text, extra.join(';')]) as Promise<Answer<Opened>>;
  }

  /** Reads lscpu, lstopo or a listing of /sys into the scenario, "" for a small one. */
  importMachine(text: string, scenario: string): Promise<Answer<Imported>> {
    return this.desk.call('importMachine', [text, scenario]) as Promise<Answer<Imported>>;
  }

  /** The same for an rt-app file. */
  importRtapp(text: string, scenario: string): Promise<Answer<Imported>> {
    return this.desk.call('importRtapp', [text, scenario]) as Promise<Answer<Imported>>;
  }

  set(scenario: string, path: string, value: string, extra: readonly string[] = []): Promise<Answer<Opened>> {
    return this.desk.call('set', [scenario, path, value, extra.join(';')]) as Promise<Answer<Opened>>;
  }

  /** The fragment that also names the engine and the digest of the result. */
  link(scenario: string, engine: string, digest: string, extra: readonly string[] = []): Promise<Answer<string>> {
    return this.desk.call('link', [scenario, engine, digest, extra.join(';')]) as Promise<Answer<string>>;
  }

  run(scenario: string, arm: number, seed: number, onPart?: (part: Partial) => void): Promise<Answer<Run>> {
    return this.runners.call('run', [scenario, arm, seed], onPart) as Promise<Answer<Run>>;
  }

  /** A run of which only the metrics come back. */
  measure(scenario: string, arm: number, seed: number): Promise<Answer<Run>> {
    return this.runners.call('measure', [scenario, arm, seed]) as Promise<Answer<Run>>;
  }

  /** Why a process is or is not gathered, along one run; everyMs is the finest step. */
  reasons(scenario: string, arm: number, seed: number, process: number, everyMs: number): Promise<Answer<Reasons[]>> {
    return this.runners.call('reasons', [scenario, arm, seed, process, everyMs]) as Promise<Answer<Reasons[]>>;
  }

  /** Where two arms part. */
  difference(scenario: string, a: number, b: number, seed: number): Promise<Answer<Differences>> {
    return this.runners.call('difference', [scenario, a, b, seed]) as Promise<Answer<Differences>>;
  }

  /** One run as a Chrome trace. */
  trace(scenario: string, arm: number, seed: number): Promise<Answer<string>> {
    return this.runners.call('trace', [scenario, arm, seed]) as Promise<Answer<string>>;
  }

  /** Ends all runs and drops those that wait. */
  cancel(): void {
    this.runners.cancel();
  }

  /** Ends all workers for good. */
  close(): void {
    this.desk.close();
    this.runners.close();
  }

  /** Starts the workers that simulate, before they are needed. */
  warm(): void {
    this.runners.warm();
  }

  summarise(scenario: string, runs: Run[]): Promise<Answer<Result>> {
    return this.desk.call('summarise', [scenario, runs.map(brief)]) as Promise<Answer<Result>>;
  }

  report(scenario: string, runs: Run[], address: string): Promise<Answer<string>> {
    return this.desk.call('report', [scenario, runs.map(brief), address]) as Promise<Answer<string>>;
  }

  csv(scenario: string, runs: Run[]): Promise<Answer<string>> {
    return this.desk.call('csv', [scenario, runs]) as Promise<Answer<string>>;
  }

  summary(scenario: string, runs: Run[]): Promise<Answer<string>> {
    return this.desk.call('summaryCSV', [scenario, runs.map(brief)]) as Promise<Answer<string>>;
  }

  json(scenario: string, runs: Run[]): Promise<Answer<string>> {
    return this.desk.call('json', [scenario, runs]) as Promise<Answer<string>>;
  }

  indented(scenario: string): Promise<Answer<string>> {
    return this.desk.call('indented', [scenario]) as Promise<Answer<string>>;
  }
}

/** A run without its curves. */
function brief(run: Run): Run {
  return { ...run, series: [] };
}
