// The what-if editor: a rule as an expression, checked by the engine as it is typed.

import type { Answer, Opened, WhatIfRule } from '../contract';
import { attr, byId, h, put, rich, text } from '../dom';
import { armValue } from '../paths';
import { WHAT_IF } from '../model/ruletable';
import { builtIn, caret, EXAMPLES, inserted, meaning, wrong } from '../model/whatif';
import type { Acts, AppStore } from '../state';
import { bindScope, scoped } from './scope';

/** What the editor asks of the engine. */
interface Checker {
  set(scenario: string, path: string, value: string): Promise<Answer<Opened>>;
}

/** A typed expression is checked this long after the last key. */
const SETTLE_MS = 120;

/** Opens the editor with a rule. */
export function editRule(rule: string): void {
  byId<HTMLSelectElement>('wirule').value = rule;
  byId('whatifopen').click();
}

export function mountWhatIf(store: AppStore, acts: Acts, engine: Checker): void {
  const dialog = byId<HTMLDialogElement>('whatif');
  const pick = byId<HTMLSelectElement>('wirule');
  const field = byId<HTMLTextAreaElement>('witext');
  const apply = byId<HTMLButtonElement>('wiapply');
  const rules = (): WhatIfRule[] => store.now.facts?.what_if ?? [];
  const rule = () => rules().find((r) => r.name === pick.value) ?? rules()[0];
  const path = () => WHAT_IF + (rule()?.name ?? '');
  const present = () => String(armValue(store.now.opened?.scenario, path(), store.now.opened?.arms[store.now.scope]?.label));
  let turn = 0;
  let at: number | null = null;

  const check = async (): Promise<void> => {
    const mine = ++turn;
    const { opened } = store.now;
    if (!opened) return;
    apply.disabled = true;
    const answer = await engine.set(opened.text, scoped(store.now, path()), field.value);
    if (mine !== turn) return;
    const bad = answer.ok ? null : wrong(answer.errors);
    at = bad?.at ?? null;
    attr(field, 'aria-invalid', bad ? 'true' : null);
    text(byId('wierr'), bad ? bad.message : '');
    text(byId('wicaret'), at === null ? '' : caret(field.value, at));
    byId('wicaret').hidden = at === null;
    byId('wigoto').hidden = at === null;
    apply.disabled = bad !== null;
    text(byId('wistate'), bad ? '' : field.value.trim() === '' ? 'Empty: the rule of the version decides.' : answer.ok && answer.value.text === opened.text ? 'This is what the arm has.' : 'A valid rule.');
  };

  const write = (value: string, cursor = value.length): void => {
    field.value = value;
    field.focus();
    field.setSelectionRange(cursor, cursor);
    void check();
  };

  const show = (): void => {
    const r = rule();
    if (!r) return;
    put(byId('widoc'), meaning(r), '. ');
    const own = builtIn(r);
    put(byId('wibuilt'), ...(own ? ['7.3: ', h('code', null, own), ' ', h('button', { type: 'button', class: 'linkish', click: () => write(own) }, 'begin with it')] : []));
    const insert = (name: string) => h('button', { type: 'button', class: 'linkish', 'aria-label': `insert ${name}`, click: () => {
      const next = inserted(field.value, field.selectionStart, field.selectionEnd, name);
      write(next.text, next.cursor);
    } }, h('code', null, name));
    put(byId('wivars'), ...r.vars.map((v) => h('tr', null, h('th', { scope: 'row' }, insert(v.name)), h('td', null, v.type), h('td', null, ...rich(v.doc)))), ...(r.words ?? []).map((w) => h('tr', null, h('th', { scope: 'row' }, insert(w)), h('td', null, 'a verdict'), h('td', null, 'an answer of this rule'))));
    field.value = present();
    void check();
  };

  let settle: ReturnType<typeof setTimeout> | undefined;
  field.addEventListener('input', () => {
    clearTimeout(settle);
    apply.disabled = true;
    settle = setTimeout(() => void check(), SETTLE_MS);
  });
  field.addEventListener('keydown', (e) => {
    if (e.key !== 'Enter' || e.shiftKey) return;
    e.preventDefault();
    if (!apply.disabled) apply.click();
  });
  byId('wigoto').addEventListener('click', () => {
    field.focus();
    field.setSelectionRange(at ?? 0, Math.min(field.value.length, (at ?? 0) + 1));
  });
  bindScope(store, 'wiscope');
  pick.addEventListener('change', show);
  store.watch(['scope'], () => dialog.open && show());
  put(byId('wiexamples'), 'Examples: ', ...EXAMPLES.flatMap((x, i) => [i ? ', ' : '', h('button', { type: 'button', class: 'linkish', click: () => {
    if (pick.value !== x.rule) {
      pick.value = x.rule;
      show();
    }
    write(x.text);
  } }, x.name)]));
  byId('whatifform').addEventListener('submit', (e) => {
    e.preventDefault();
    acts.setField(path(), field.value.replace(/\s+/g, ' ').trim());
    dialog.close();
  });
  byId('wiclear').addEventListener('click', () => write(''));
  byId('wicancel').addEventListener('click', () => dialog.close());
  byId('whatifopen').addEventListener('click', () => void open());

  const open = async (): Promise<void> => {
    const wanted = pick.value || 'exceed_llc_capacity';
    await acts.facts();
    put(pick, ...rules().map((r) => h('option', { selected: r.name === wanted }, r.name)));
    dialog.showModal();
    show();
    field.focus();
  };
}
