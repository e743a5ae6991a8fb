// Where the explained arm and another one part: their first different decision
// and placement, each with the numbers that went in and a jump to its time.

import { byId, h, letter, put, tag, text } from '../dom';
import { comparedWith } from '../explainer';
import { armValue } from '../paths';
import { moment, pieces, type Difference, type Side } from '../reasons';
import type { AppStore, State } from '../state';
import { leaf, named, scalar } from './words';

export function mountParting(store: AppStore): void {
  const pick = byId<HTMLSelectElement>('against');
  let pair = '';
  pick.addEventListener('change', () => store.set({ against: Number(pick.value) }));
  store.watch(['opened', 'arm', 'against', 'outcome', 'parted', 'asking'], () => {
    const { opened, arm, parted } = store.now;
    const other = comparedWith(store.now);
    const root = byId<HTMLDetailsElement>('parting');
    root.hidden = !opened || other < 0;
    if (!opened || other < 0) return;
    const next = `${opened.name}/${arm}/${other}`;
    // between CAS off and on there is little to learn
    if (next !== pair && document.activeElement !== pick) root.open = opened.arms[arm]?.cas === true && opened.arms[other]?.cas === true;
    pair = next;
    put(pick, ...opened.arms.map((a, i) => (i === arm ? null : h('option', { value: i, selected: i === other }, `${letter(i)} ${a.label}`))));
    const first = parted?.value?.decision;
    text(byId('parthead'), `${letter(arm)} and ${letter(other)} part${first ? ` at ${moment(Math.min(first.a.at_ns, first.b.at_ns))}` : parted?.value ? ' nowhere' : ''}`);
    put(byId('partset'), ...settings(store.now, other));
    put(byId('partwhat'), ...(parted?.value ? found(store, other, parted.value.decision, parted.value.placement) : [h('p', { class: 'sub' }, waiting(store.now))]));
  });
}

function waiting({ parted, asking }: State): string {
  if (parted?.message) return `Cannot be said: ${parted.message}.`;
  return asking === 'parted' ? 'The engine runs both arms side by side to find it.' : 'Found when the runs are through.';
}

/** The settings in which two arms differ, with both values. */
function settings({ opened, arm }: State, other: number): (Node | string)[] {
  const [a, b] = [opened?.arms[other], opened?.arms[arm]];
  if (!opened || !a || !b) return [];
  const of = (path: string, label: string) => scalar(armValue(opened.scenario, path, label)) || 'built in';
  const rows = [...new Set([...Object.keys(a.set), ...Object.keys(b.set)])].map((path) => [leaf(path), of(path, a.label), of(path, b.label)] as const).filter(([, x, y]) => x !== y);
  return rows.length ? ['Settings: ', ...rows.flatMap(([name, x, y], i) => [i ? ', ' : '', h('code', null, name), ` ${letter(other)} ${x}, ${letter(arm)} ${y}`])] : ['No setting of the arms differs.'];
}

function found(store: AppStore, other: number, decision: Difference | undefined, placement: Difference | undefined): HTMLElement[] {
  const block = (name: string, d: Difference | undefined): HTMLElement[] => {
    if (!d) return [h('p', null, `No ${name} differs.`)];
    const [a, b] = pieces(d.a.text, d.b.text);
    return [h('h3', null, `First ${name} that differs`), h('ul', null, side(store, other, d.a, a ?? []), side(store, store.now.arm, d.b, b ?? []))];
  };
  return [...block('decision', decision), ...block('placement', placement)];
}

function side(store: AppStore, arm: number, d: Side, words: { text: string; other: boolean }[]): HTMLElement {
  const jump = h('button', { type: 'button', class: 'linkish', title: 'move the cursor here', click: () => store.set({ t: d.at_ns / 1e9, held: true }) }, moment(d.at_ns));
  const said = d.text ? words.map((w) => (w.other ? h('b', null, w.text) : w.text)) : ['nothing more; the run has ended'];
  return h('li', null, tag(arm), ' ', jump, ' ', h('span', null, ...said), d.rule ? h('p', null, ...named(d.rule)) : null);
}
