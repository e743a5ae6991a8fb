// What the reader can ask for, carried out.

import { AddressBar, addressOf, fromHash } from './address';
import type { Facts, FieldError, Opened } from './contract';
import type { Engine } from './engine/client';
import { badLink, badRun } from './errors';
import { Runner } from './runner';
import type { Acts, AppStore } from './state';
import { copy, saveFile } from './view/reportview';

/** A changed setting runs this long after the last change. */
const SETTLE_MS = 150;

export class Actions implements Acts {
  private readonly runner: Runner;
  private readonly address = new AddressBar();
  private settle: ReturnType<typeof setTimeout> | undefined;
  /** Settings change one after the other: each builds on the scenario before. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly engine: Engine,
    private readonly engineId: string,
    private readonly store: AppStore,
    private readonly say: (words: string) => void,
  ) {
    this.runner = new Runner(engine, store, (errors) => store.set({ notice: badRun(errors, store.now.facts?.presets ?? []) }));
    store.watch(['outcome', 'stale'], () => void this.writeReport());
    window.addEventListener('hashchange', (e: HashChangeEvent) => {
      const { hash } = new URL(e.newURL);
      if (hash === this.address.written) return;
      this.address.hold();
      void this.openText(fromHash(hash));
    });
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
    store.set({ notice: null, outcome: null, stale: false, zoom: null, selection: null, held: false, find: '', report: '' });
    this.show(answer.value);
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
    store.set({ opened, refused: new Map(), arm: Math.min(store.now.outcome ? store.now.arm : 1, opened.arms.length - 1) });
    this.address.show(opened.link);
  }

  setField(path: string, value: string): void {
    this.queue = this.queue.then(() => this.change(path, value));
  }

  private async change(path: string, value: string): Promise<void> {
    const { store } = this;
    const before = store.now.opened;
    if (!before) return;
    const answer = await this.engine.set(before.text, path, value);
    if (!answer.ok) {
      this.refuse(path, value, answer.errors);
      return;
    }
    if (answer.value.text === before.text) {
      this.refuse(path, value, []);
      return;
    }
    store.set({ notice: null });
    this.show(answer.value);
    clearTimeout(this.settle);
    this.settle = setTimeout(() => void this.runner.start(answer.value), SETTLE_MS);
  }

  /** Notes what is wrong beside the field that was changed; no errors clear it. */
  private refuse(path: string, value: string, errors: FieldError[]): void {
    const refused = new Map(this.store.now.refused);
    refused.delete(path);
    const own = errors.find((e) => e.path === path) ?? errors[0];
    if (own) refused.set(path, { ...own, path, value, message: own.path === path ? own.message : `${own.path} ${own.message}` });
    this.store.set({ refused });
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
    this.runner.cancel();
  }

  runAgain(): void {
    if (this.store.now.opened) void this.runner.start(this.store.now.opened);
  }

  copyLink(): void {
    void this.link().then(async (link) => {
      if (!link) return this.say('This scenario has no link. Download it instead.');
      this.say((await copy(addressOf(location.href, link))) ? 'Link copied.' : 'The browser refused to copy. The link is in the address bar.');
    });
  }

  /** The link of the scenario; with engine and digest once the result is there. */
  private async link(): Promise<string> {
    const { opened, outcome, stale } = this.store.now;
    if (!opened || !outcome || stale || outcome.seeds < outcome.of) return opened?.link ?? '';
    const answer = await this.engine.link(outcome.opened.text, this.engineId, outcome.result.digest);
    return answer.ok ? answer.value : opened.link;
  }

  copyReport(): void {
    const { report } = this.store.now;
    if (!report) return this.say('The report is written when the runs are through.');
    void copy(report).then((done) => this.say(done ? 'Report copied.' : 'The browser refused to copy. Select the report at the end of the page.'));
  }

  download(what: 'csv' | 'json' | 'scenario'): void {
    void this.save(what);
  }

  private async save(what: 'csv' | 'json' | 'scenario'): Promise<void> {
    const { opened, outcome } = this.store.now;
    const of = what === 'scenario' ? opened : outcome?.opened;
    if (!of) return;
    // curves of single CPUs are for the drawing; a file has them when the scenario asks
    const cpus = (of.scenario as { run?: { sample_cpus?: boolean } }).run?.sample_cpus === true;
    const runs = (outcome?.runs ?? []).map((r) => ({ ...r, series: r.series.filter((x) => cpus || x.kind !== 'cpu_busy') }));
    const answer = what === 'csv' ? await this.engine.csv(of.text, runs) : what === 'json' ? await this.engine.json(of.text, runs) : await this.engine.indented(of.text);
    if (!answer.ok) return this.say(answer.errors.map((e) => e.message).join('; '));
    saveFile(`${of.name}.${what === 'csv' ? 'csv' : 'json'}`, what === 'csv' ? 'text/csv' : 'application/json', answer.value);
  }

  private async writeReport(): Promise<void> {
    const { outcome, stale } = this.store.now;
    if (!outcome || stale || outcome.seeds < outcome.of) return;
    const link = await this.link();
    const answer = await this.engine.report(outcome.opened.text, outcome.runs, link && addressOf(location.href, link));
    if (this.store.now.outcome === outcome && answer.ok) this.store.set({ report: answer.value });
  }
}

