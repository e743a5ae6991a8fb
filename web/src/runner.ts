// Runs every arm and seed of a scenario, seed by seed, and sums up as soon as
// each arm has one.

import type { Answer, FieldError, Opened, Partial as Part, Result, Run } from './contract';
import { grow } from './curves';
import { seconds } from './format';
import { letter } from './dom';
import { armStats } from './model/stats';
import type { AppStore } from './state';

/** What the runner needs of the engine; tests bring their own. */
export interface RunEngine {
  run(scenario: string, arm: number, seed: number, onPart?: (part: Part) => void): Promise<Answer<Run>>;
  summarise(scenario: string, runs: Run[]): Promise<Answer<Result>>;
  cancel(): void;
}

export class Runner {
  private generation = 0;

  constructor(
    private readonly engine: RunEngine,
    private readonly store: AppStore,
    /** Called once with everything that went wrong in a run. */
    private readonly failed: (errors: FieldError[]) => void,
  ) {}

  /** Ends what runs; the last result stays. */
  cancel(): void {
    this.generation++;
    this.engine.cancel();
    this.store.set({ progress: null, live: [] });
  }

  /** Runs a scenario from the start; resolves when it is through or replaced. */
  async start(opened: Opened): Promise<void> {
    this.engine.cancel();
    const mine = ++this.generation;
    const { store } = this;
    const arms = opened.arms.length;
    const total = arms * opened.seeds.length;
    const parts = new Map<string, number>();
    const runs: Run[] = [];
    let last = '';
    const current = () => this.generation === mine;
    const tell = () => {
      const done = runs.length + [...parts.values()].reduce((a, b) => a + b, 0);
      store.set({ progress: { fraction: done / total, text: last || 'starting' } });
    };
    const known = store.now.outcome;
    // what was precomputed for this very scenario stays until this run is through
    const expected = known?.precomputed && known.opened.text === opened.text;
    store.set({ stale: known !== null && !expected, live: [], progress: { fraction: 0, text: 'starting' } });
    const one = async (arm: number, seed: number): Promise<void> => {
      const id = `${arm}/${seed}`;
      const first = seed === opened.seeds[0];
      const answer = await this.engine.run(opened.text, arm, seed, (part) => {
        if (!current()) return;
        parts.set(id, part.fraction);
        if (first) this.show(arm, grow(store.now.live[arm], part));
        last = `seed ${seed - (opened.seeds[0] ?? 0) + 1} of ${opened.seeds.length}, arm ${letter(arm)} at ${seconds(part.sim_ns / 1e9)}`;
        tell();
      });
      if (!current()) return;
      parts.delete(id);
      if (!answer.ok) {
        this.cancel();
        this.failed(answer.errors);
        return;
      }
      runs.push(answer.value);
      if (first) this.show(arm, answer.value);
      tell();
      await this.sumUp(opened, runs, total, current);
    };
    const jobs = opened.seeds.flatMap((seed) => opened.arms.map((_, arm) => one(arm, seed)));
    try {
      await Promise.all(jobs);
    } catch (error) {
      if (!current()) return;
      this.cancel();
      this.failed([{ path: '', message: error instanceof Error ? error.message : String(error) }]);
    }
  }

  private show(arm: number, run: Run): void {
    const live = this.store.now.live.slice();
    live[arm] = run;
    this.store.set({ live });
  }

  /** Publishes an outcome whenever one more seed is complete in every arm. */
  private async sumUp(opened: Opened, runs: Run[], total: number, current: () => boolean): Promise<void> {
    const finished = [...runs];
    const seeds = Math.min(...opened.arms.map((_, arm) => finished.filter((r) => r.arm === arm).length));
    const whole = finished.length === total;
    // a precomputed result has all seeds: fewer do not replace it
    if (!whole && !this.store.now.stale && this.store.now.outcome?.precomputed) return;
    if (seeds === 0 || (!whole && finished.length % opened.arms.length !== 0)) return;
    const answer = await this.engine.summarise(opened.text, finished);
    if (!current() || !answer.ok) return;
    const known = this.store.now.outcome;
    if (!this.store.now.stale && known && !known.precomputed && known.opened === opened && known.runs.length >= finished.length) return;
    this.store.set({ outcome: { opened, runs: finished, stats: armStats(opened, finished), result: answer.value, seeds, of: opened.seeds.length }, stale: false });
    if (whole) this.store.set({ progress: null, live: [] });
  }
}
