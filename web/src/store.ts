// One state, watched by key. A change marks the watchers of its keys; they run
// once in the next frame, in the order they were added, or in later frames
// when a frame has no time left. One that took more than that alone begins a frame.

/** Milliseconds of a frame that watchers may use before the rest has to wait. */
const BUDGET = 8;

interface Watcher<S> {
  keys: (keyof S)[];
  fn: () => void;
  /** Runs in the next frame in any case. */
  urgent: boolean;
  due: boolean;
  /** Milliseconds of its last run. */
  cost: number;
}

export class Store<S extends object> {
  private readonly watchers: Watcher<S>[] = [];
  /** Watcher that the next frame begins with. */
  private next = 0;
  private scheduled = false;
  private resting: (() => void)[] = [];

  /** schedule runs its argument later, once: requestAnimationFrame on the page. */
  constructor(
    readonly now: S,
    private readonly schedule: (run: () => void) => void,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** Calls fn after any of the keys changed; an urgent one is short and never waits for the others. */
  watch(keys: (keyof S)[], fn: () => void, urgent = false): void {
    this.watchers.push({ keys, fn, urgent, due: false, cost: 0 });
  }

  /** Changes some keys; equal values are no change. */
  set(change: { [K in keyof S]?: S[K] }): void {
    for (const key of Object.keys(change) as (keyof S)[]) {
      const value = change[key] as S[typeof key];
      if (Object.is(this.now[key], value)) continue;
      this.now[key] = value;
      this.touch(key);
    }
  }

  /** Marks a key whose value was changed in place. */
  touch(key: keyof S): void {
    for (const w of this.watchers) if (w.keys.includes(key)) w.due = true;
    this.plan();
  }

  /** Settles once no watcher is due, with all of them run. */
  rest(): Promise<void> {
    return new Promise((resolve) => {
      this.resting.push(resolve);
      this.plan();
    });
  }

  private plan(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    this.schedule(() => this.flush());
  }

  private flush(): void {
    this.scheduled = false;
    const start = this.clock();
    const n = this.watchers.length;
    const first = this.next;
    let begun = false;
    for (const w of this.watchers) if (w.due && w.urgent) this.run(w);
    for (let k = 0; k < n; k++) {
      const i = (first + k) % n;
      const w = this.watchers[i] as Watcher<S>;
      if (!w.due) continue;
      if (this.clock() - start > BUDGET || (begun && w.cost > BUDGET)) {
        this.next = i; // so that nobody waits for ever
        this.plan();
        return;
      }
      this.run(w);
      begun = true;
    }
    this.next = 0;
    if (this.scheduled) return; // a watcher has marked others
    for (const resolve of this.resting.splice(0)) resolve();
  }

  private run(w: Watcher<S>): void {
    w.due = false;
    const start = this.clock();
    try {
      w.fn();
    } catch (error) {
      // one view that fails must not take the others with it
      this.schedule(() => {
        throw error;
      });
    }
    w.cost = this.clock() - start;
  }
}
