// The mail report, the link, and the exports.

import { byId, text } from '../dom';
import type { Acts, AppStore } from '../state';

export function mountReport(store: AppStore, acts: Acts): void {
  store.watch(['report'], () => text(byId('report'), store.now.report || 'The report is written when the runs are through.'));
  store.watch(['opened'], () => {
    const { opened } = store.now;
    text(byId('link'), opened?.link || 'This scenario has no link. Download it instead.');
    text(byId('linklen'), opened ? `${opened.link_note} The address bar always holds this state.${opened.extra ? ` It keeps ${opened.extra.join(', ')}, which this engine does not know.` : ''}` : '');
  });
  const on = (id: string, run: () => void) => byId(id).addEventListener('click', run);
  on('copylink', () => acts.copyLink());
  on('copymail', () => acts.copyLink('mail'));
  on('copymd', () => acts.copyLink('markdown'));
  on('copyreport', () => acts.copyReport());
  on('copyreport2', () => acts.copyReport());
  on('getcsv', () => acts.download('csv'));
  on('getjson', () => acts.download('json'));
  on('getsvg', () => acts.download('svg'));
  on('getpng', () => acts.download('png'));
  on('getsummary', () => acts.download('summary'));
  on('gettrace', () => acts.download('trace'));
  on('getscenario', () => acts.download('scenario'));
  on('cancel', () => acts.cancel());
}

/** Hands a text to the reader as a file. */
export function saveFile(name: string, type: string, content: string | Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const a = document.createElement('a');
  a.href = url;
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Copies a text; tells whether it worked. */
export async function copy(content: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(content);
    return true;
  } catch {
    // no permission or no secure context: the old way needs a selection
    const area = document.createElement('textarea');
    area.value = content;
    area.className = 'vh';
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
