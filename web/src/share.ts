// What leaves the page by the clipboard: the link with its digest, the report.

import { addressOf } from './address';
import type { Engine } from './engine/client';
import { linkAs, type LinkForm } from './linkforms';
import type { AppStore } from './state';
import { copy } from './view/reportview';

export class Share {
  constructor(
    private readonly engine: Engine,
    private readonly engineId: string,
    private readonly store: AppStore,
    private readonly say: (words: string) => void,
  ) {
    store.watch(['outcome', 'stale'], () => void this.writeReport());
  }

  async copyLink(form: LinkForm): Promise<void> {
    const link = await this.link();
    if (!link) return this.say('This scenario has no link. Download it instead.');
    this.say((await copy(linkAs(form, addressOf(location.href, link), this.title()))) ? 'Link copied.' : 'The browser refused to copy. The link is in the address bar.');
  }

  private title(): string {
    const { opened } = this.store.now;
    return opened ? `${opened.title || opened.name} (casplay)` : '';
  }

  /** The link of the scenario; with engine and digest once the result is there. */
  async link(): Promise<string> {
    const { opened, outcome, stale } = this.store.now;
    if (!opened || !outcome || outcome.precomputed || stale || outcome.seeds < outcome.of) return opened?.link ?? '';
    const answer = await this.engine.link(outcome.opened.text, this.engineId, outcome.result.digest, outcome.opened.extra);
    return answer.ok ? answer.value : opened.link;
  }

  copyReport(): void {
    const { report } = this.store.now;
    if (!report) return this.say('The report is written when the runs are through.');
    void copy(report).then((done) => this.say(done ? 'Report copied.' : 'The browser refused to copy. Select the report at the end of the page.'));
  }

private async writeReport(): Promise<void> {
    const { outcome, stale } = this.store.now;
    if (!outcome || outcome.precomputed || stale || outcome.seeds < outcome.of) return;
    const link = await this.link();
    const answer = await this.engine.report(outcome.opened.text, outcome.runs, link && addressOf(location.href, link));
    if (this.store.now.outcome === outcome && answer.ok) this.store.set({ report: answer.value });
  }
}
