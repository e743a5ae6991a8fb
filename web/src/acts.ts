// What the reader can ask for, carried out.

import { AddressBar, addressOf, fromHash } from './address';
import { copyChanges, swapChanges } from './armacts';
import { Changes } from './changes';
import type { Facts, Opened } from './contract';
import type { Engine } from './engine/client';
import { badLink, badRun } from './errors';
import { outcomeOf, type Precomputed } from './precomputed';
import type { LinkForm } from './linkforms';
import { Runner } from './runner';
import { Share } from './share';
import type { Acts, AppStore } from './state';
import { readView, withView, writeView } from './viewpart';
import { startSweep } from './sweep/start';
import type { SweepPlan } from './sweep/sweep';
import { download, type Download } from './exports';

/** A changed setting runs this long after the last change. */
const SETTLE_MS = 150;

export class Actions implements Acts {
  private readonly runner: Runner;
  private readonly share: Share;
  private stopSweep: (() => void) | undefined;
  private readonly address = new AddressBar();
  private settle: ReturnType<typeof setTimeout> | undefined;
  private readonly changes: Changes;

  constructor(
    private readonly engine: Engine,
    engineId: string,
    private readonly store: AppStore,
    private readonly say: (words: string) => void,
  ) {
    this.runner = new Runner(engine, store, (errors) => store.set({ notice: badRun(errors, store.now.facts?.presets ?? []) }));
    this.changes = new Changes(engine, store, say, (next) => this.take(next));
    this.share = new Share(engine, engineId, store, say);
    store.watch(['zoom', 'selection', 'mode', 'fill', 'arm', 'process', 'moreGates'], () => this.writeAddress());
    window.addEventListener('hashchange', (e: HashChangeEvent) => {
      const { hash } = new URL(e.newURL);
      if (hash === this.address.written) return;
      this.address.hold();
      void this.openText(fromHash(hash));
    });
  }

  /** Shows a result of the build while the engine is on its way. */
  showEarly(file: Precomputed): void {
    if (this.store.now.opened) return;
    const outcome = outcomeOf(file);
    this.store.set({ outcome, opened: outcome.opened, arm: Math.min(1, outcome.opened.arms.length - 1) });
  }

  /** Opens a link, a preset or JSON and runs it. */
  async openText(text: string): Promise<void> {
    const answer = await this.engine.open(text);
    const { store } = this;
    if (!answer.ok) {
      const facts = await this.facts();
      store.set({ notice: badLink(answer.errors, answer.rest, facts?.presets ?? [], store.now.opened !== null) });
      return;
    }
    this.stopSweep?.();
    const known = store.now.outcome;
    const early = known?.precomputed && known.opened.link === answer.value.link ? known : null;
    // the live run is compared with what was precomputed, unless the link promises something itself
    if (early) answer.value.digest ??= early.result.digest;
    store.set({ notice: null, outcome: early, stale: false });
    // with a result of the build the reader is already looking around
    if (!early) store.set({ sweep: null, zoom: null, selection: null, pins: [], playing: false, scope: -1, process: 0, against: -1, row: 0, held: false, find: '', report: '' });
    this.show(answer.value);
    store.set(readView(answer.value.view, answer.value.arms.length));
    if (answer.value.extra) this.say(`This engine does not know ${answer.value.extra.join(', ')} of the link. It changes nothing here and is kept in the address.`);
    if (answer.value.repaired) this.say('The link was damaged on its way. Its checksum proves that it is whole again.');
    void this.runner.start(answer.value);
  }

  /** What the engine offers, asked for once; the form and the notices need it, the first run does not. */
  async facts(): Promise<Facts | null> {
    if (this.store.now.facts) return this.store.now.facts;
    const answer = await this.engine.facts();
    if (answer.ok) this.store.set({ facts: answer.value });
    return answer.ok ? answer.value : null;
  }

  private show(opened: Opened): void {
    const { store } = this;
    store.set({ opened, refused: new Map(), scope: store.now.scope < opened.arms.length ? store.now.scope : -1, arm: Math.min(store.now.outcome ? store.now.arm : 1, opened.arms.length - 1) });
    this.writeAddress();
  }

  /** The address holds the scenario and, behind its checksum, what is on screen. */
  private writeAddress(): void {
    const { opened } = this.store.now;
    if (opened?.text) this.address.show(withView(opened.link, writeView(this.store.now, opened.arms.length)));
  }

  setField(path: string, value: string): void {
    const { opened, scope } = this.store.now;
    const label = opened?.arms[scope]?.label;
    this.changes.make([[label === undefined ? path : `${label}:${path}`, value]]);
  }

  swapArms(): void {
    const { opened, arm } = this.store.now;
    if (opened) this.changes.make(swapChanges(opened, arm));
  }

  copyArm(): void {
    const { opened, arm } = this.store.now;
    const changes = opened && copyChanges(opened, arm);
    if (!opened || !changes) return this.say('A scenario has six arms at most.');
    this.changes.make(changes, () => this.store.set({ arm: opened.arms.length, scope: opened.arms.length }));
  }

  /** Shows a changed scenario and runs it once changes have settled. */
  private take(next: Opened): void {
    this.stopSweep?.();
    this.store.set({ notice: null });
    this.show(next);
    clearTimeout(this.settle);
    this.settle = setTimeout(() => void this.runner.start(next), SETTLE_MS);
  }

  openPreset(name: string): void {
    void this.openText(`#1;${name}`);
  }

  reset(): void {
    const { opened } = this.store.now;
    if (opened) this.openPreset(opened.name);
  }

  cancel(): void {
    clearTimeout(this.settle);
    this.stopSweep?.();
    this.runner.cancel();
  }

  async openFork(text: string): Promise<string> {
    const answer = await this.engine.open(text, this.store.now.opened?.extra);
    if (!answer.ok) return answer.errors.map((e) => e.message).join('; ');
    this.take(answer.value);
    this.store.set({ arm: answer.value.arms.length - 1 });
    return '';
  }

  runSweep(plan: SweepPlan): void {
    const { opened } = this.store.now;
    if (!opened) return;
    // the runs of the page would stand before those of the sweep
    this.cancel();
    this.stopSweep = startSweep(this.engine, this.store, opened, plan);
  }

  runAgain(): void {
    if (this.store.now.opened) void this.runner.start(this.store.now.opened);
  }

  copyLink(form: LinkForm = 'plain'): void {
    void this.share.copyLink(form);
  }

  copyReport(): void {
    this.share.copyReport();
  }

  download(what: Download): void {
    void this.save(what);
  }

  private async save(what: Download): Promise<void> {
    if (what === 'trace') this.say('The trace is being recorded.');
    const { opened, outcome } = this.store.now;
    const problem = await download(this.engine, what, opened, outcome, addressOf(location.href, (await this.share.link()) || location.hash), this.store.now.arm);
    if (problem) this.say(problem);
  }
}
