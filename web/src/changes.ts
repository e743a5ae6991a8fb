// Settings changed one after the other: each builds on the scenario before.

import type { Change } from './armacts';
import type { Answer, FieldError, Opened } from './contract';
import type { AppStore } from './state';

/** What changes need of the engine; tests bring their own. */
export interface ChangeEngine {
  set(scenario: string, path: string, value: string, extra?: readonly string[]): Promise<Answer<Opened>>;
}

export class Changes {
  private queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly engine: ChangeEngine,
    private readonly store: AppStore,
    private readonly say: (words: string) => void,
    /** Gets the scenario with all changes of a call made. */
    private readonly take: (next: Opened) => void,
  ) {}

  /** Makes changes after those asked for before; the first that is refused ends them. */
  make(changes: Change[], then?: () => void): void {
    if (this.store.now.engine.phase === 'loading') this.say('The change is made as soon as the engine is here.');
    this.queue = this.queue.then(() => this.carryOut(changes, then)).catch((error: unknown) => this.say(`The change was not made: ${error instanceof Error ? error.message : String(error)}`));
  }

  private async carryOut(changes: Change[], then?: () => void): Promise<void> {
    const before = this.store.now.opened;
    let next = before;
    for (const [path, value] of changes) {
      if (!next) return;
      const answer: Answer<Opened> = await this.engine.set(next.text, path, value, next.extra);
      if (!answer.ok) return this.refuse(path, value, answer.errors);
      next = answer.value;
    }
    const [path, value] = changes.at(-1) ?? ['', ''];
    if (!next || next.text === before?.text) return this.refuse(path, value, []);
    this.take(next);
    then?.();
  }

  /** Notes what is wrong beside the field that was changed; no errors clear it. */
  private refuse(path: string, value: string, errors: FieldError[]): void {
    const refused = new Map(this.store.now.refused);
    refused.delete(path);
    const own = errors.find((e) => e.path === path) ?? errors[0];
    if (own) refused.set(path, { ...own, path, value, message: own.path === path ? own.message : `${own.path} ${own.message}` });
    this.store.set({ refused });
  }
}
