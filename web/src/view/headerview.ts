// Header line: what is shown, where it was published, what the engine does.

import { byId, h, put, text } from '../dom';
import type { AppStore, State } from '../state';

export function mountHeader(store: AppStore): void {
  store.watch(['opened'], () => title(store.now));
  store.watch(['opened', 'engine', 'progress', 'outcome', 'stale', 'facts'], () => status(store.now), true);
  store.watch(['outcome', 'stale', 'opened'], () => {
    const ready = store.now.outcome !== null && !store.now.outcome.precomputed && !store.now.stale;
    for (const id of ['copyreport', 'copyreport2', 'getcsv', 'getjson', 'getsvg', 'getpng', 'getsummary', 'gettrace']) byId<HTMLButtonElement>(id).disabled = !ready;
    for (const id of ['copylink', 'copymail', 'copymd', 'getscenario']) byId<HTMLButtonElement>(id).disabled = !store.now.opened?.text;
  });
  store.watch(['notice', 'opened'], () => notice(store.now), true);
}

function title({ opened }: State): void {
  if (!opened) return;
  text(byId('sid'), opened.name);
  text(byId('stitle'), opened.title);
  put(byId('ssource'), ...(opened.source ? ['published: ', opened.source] : []));
  byId('ssource').title = opened.source;
}

function status(state: State): void {
  const at = byId('sstate');
  const bar = byId<HTMLProgressElement>('sbar');
  const running = state.progress !== null;
  bar.hidden = !running;
  byId('cancel').hidden = !running;
  if (state.progress) bar.value = state.progress.fraction;
  const early = state.outcome?.precomputed ? 'precomputed \u00b7 ' : '';
  if (state.engine.phase !== 'ready') return text(at, early + state.engine.message);
  const engine = `engine ${state.facts ? state.facts.version + ' ' : ''}${state.engine.message}`;
  if (state.progress) return text(at, `${early}${engine} \u00b7 ${state.progress.text}`);
  const { outcome, opened } = state;
  if (outcome?.precomputed) return text(at, `${early}${engine} \u00b7 not run here`);
  if (outcome && !state.stale) {
    const seeds = opened && opened.seeds.length > 1 ? `seeds ${opened.seeds[0]}\u2013${opened.seeds.at(-1)}` : `seed ${opened?.seeds[0] ?? ''}`;
    const part = outcome.seeds < outcome.of ? ` \u00b7 stopped after ${outcome.seeds} of ${outcome.of} seeds` : '';
    const { digest } = outcome.result;
    const promised = outcome.seeds === outcome.of ? outcome.opened.digest : undefined;
    const same = promised && digest.startsWith(promised);
    const word = !promised ? 'digest ' : same ? '\u2713 reproduced ' : `differs: ${promised.slice(0, 8)} expected, found `;
    put(at, `${engine} \u00b7 ${seeds}${part} \u00b7 `, promised ? h('b', null, word) : word, h('code', null, digest.slice(0, 8)));
    return;
  }
  text(at, outcome ? `${engine} \u00b7 stopped, old result shown` : engine);
}

function notice({ notice: n, opened }: State): void {
  const at = byId('notice');
  at.hidden = n === null;
  // without a scenario there is nothing to frame
  document.body.classList.toggle('nothing', n !== null && !opened);
  if (!n) return void put(at);
  const lines = n.lines.length > 1 ? [h('ul', null, ...n.lines.map((l) => h('li', null, l)))] : n.lines.map((l) => h('p', null, l));
  const choices = n.choices.length ? [h('ul', { class: 'choices' }, ...n.choices.map((c) => h('li', null, h('a', { href: c.href }, c.text), ' ', h('span', { class: 'sub' }, c.what))))] : [];
  put(at, h('div', null, h('p', null, h('b', null, n.title)), ...lines, ...choices));
}
