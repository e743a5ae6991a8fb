// Asks the engine why, once the runs are through: the answers for the process
// and arm on screen along a whole run, then where two arms part. One question
// at a time, each costs a simulation; what was answered is kept.

import type { Answer } from './contract';
import { Cancelled } from './engine/pool';
import type { Differences, Reasons } from './reasons';
import { shownRun } from './shown';
import type { AppStore, State } from './state';

/** What the explainer needs of the engine; tests bring their own. */
export interface ReasonEngine {
  reasons(scenario: string, arm: number, seed: number, process: number, everyMs: number): Promise<Answer<Reasons[]>>;
  difference(scenario: string, a: number, b: number, seed: number): Promise<Answer<Differences>>;
}

/** Answers that are kept. */
const KEPT = 16;

interface Question {
  key: string;
  slot: 'reasons' | 'parted';
  ask(): Promise<Answer<unknown>>;
}

/**
 * The arm that the explained one is compared with: the chosen one, else its
 * reference when that asks CAS rules, else the first other that does, else the
 * reference; -1 for none.
 */
export function comparedWith({ opened, outcome, arm, against }: State): number {
  const arms = opened?.arms ?? [];
  const reference = outcome?.stats[arm]?.reference ?? 0;
  const others = [against, reference, ...arms.keys()].filter((i) => i >= 0 && i < arms.length && i !== arm);
  if (others[0] === against) return against;
  return others.find((i) => arms[i]?.cas) ?? others[0] ?? -1;
}

export class Explainer {
  private readonly known = new Map<string, unknown>();
  private busy = false;

  constructor(
    private readonly engine: ReasonEngine,
    private readonly store: AppStore,
  ) {
    store.watch(['opened', 'outcome', 'stale', 'progress', 'live', 'arm', 'against', 'process', 'sweep', 'sweepOver'], () => this.look());
  }

  /** What should be known for the present screen; nothing while simulations run. */
  private questions(): Question[] {
    const state = this.store.now;
    const { opened, outcome, stale, progress, arm, process, sweep } = state;
    if (!opened?.text || !outcome || outcome.precomputed || stale || progress || sweep?.running || outcome.opened.text !== opened.text) return [];
    const run = shownRun(state, arm);
    if (!run || run.processes.length === 0) return [];
    const p = Math.min(process, run.processes.length - 1);
    const every = Math.max(1, Math.round(run.sample_ns / 1e6));
    const other = comparedWith(state);
    const id = (...rest: unknown[]) => [...rest, opened.text].join('/');
    const out: Question[] = [{ key: id('why', arm, run.seed, p), slot: 'reasons', ask: () => this.engine.reasons(opened.text, arm, run.seed, p, every) }];
    if (other >= 0) out.push({ key: id('parted', other, arm, run.seed), slot: 'parted', ask: () => this.engine.difference(opened.text, other, arm, run.seed) });
    return out;
  }

  private look(): void {
    const questions = this.questions();
    for (const slot of ['reasons', 'parted'] as const) {
      const q = questions.find((x) => x.slot === slot);
      const answer = q && this.known.get(q.key);
      this.store.set({ [slot]: (answer as State['reasons'] & State['parted']) ?? null });
    }
    const next = questions.find((q) => !this.known.has(q.key));
    this.store.set({ asking: next?.slot ?? null });
    if (next && !this.busy) void this.ask(next);
  }

  private async ask(q: Question): Promise<void> {
    this.busy = true;
    try {
      const answer = await q.ask();
      this.keep(q.key, answer.ok ? { value: answer.value, message: '' } : { value: null, message: answer.errors.map((e) => e.message).join('; ') });
    } catch (error) {
      // a run has taken the processor: asked again when it is through
      if (error instanceof Cancelled) return;
      this.keep(q.key, { value: null, message: error instanceof Error ? error.message : String(error) });
    } finally {
      this.busy = false;
    }
    this.look();
  }

  private keep(key: string, answer: unknown): void {
    const oldest = this.known.keys().next().value;
    if (this.known.size >= KEPT && oldest !== undefined) this.known.delete(oldest);
    this.known.set(key, answer);
  }
}
