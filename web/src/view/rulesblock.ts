// The rules in the form: the version, the expressions that replace rules, and
// the ways to the dialogs.

import type { Opened } from '../contract';
import { byId, h, letter } from '../dom';
import { expressions } from '../model/whatif';
import { editRule } from './whatifview';

/** version is the knob of kernel.rules; setScope chooses the arm that is changed. */
export function rulesBlock(opened: Opened, version: HTMLElement, setScope: (arm: number) => void): HTMLElement {
  const list = expressions(opened);
  const edit = (rule: string, arm: number) => {
    setScope(arm);
    editRule(rule);
  };
  const rows = list.map((e) => {
    const whose = e.arm < 0 ? 'all arms' : `arm ${letter(e.arm)}`;
    return h('li', null, h('code', null, e.rule), ` of ${whose} `, h('button', { type: 'button', class: 'linkish', 'aria-label': `edit ${e.rule} of ${whose}`, click: () => edit(e.rule, e.arm) }, 'edit'), h('code', { class: 'expr' }, e.text));
  });
  return h('div', null, h('h3', null, 'Rules ', h('small', null, 'kernel.rules')), version,
    h('p', { class: 'rulelinks' }, h('button', { type: 'button', class: 'linkish', 'aria-haspopup': 'dialog', click: () => byId('rulesopen').click() }, 'versions and proposals'), h('button', { type: 'button', class: 'linkish', 'aria-haspopup': 'dialog', click: () => byId('whatifopen').click() }, 'what-if rule')),
    rows.length ? h('ul', { class: 'exprs' }, ...rows) : null);
}
