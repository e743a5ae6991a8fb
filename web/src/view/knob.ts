// One setting of the form: label, typed entry, slider, what is wrong with it.

import type { Field, FieldError, Scalar } from '../contract';
import { attr, h, put, text } from '../dom';
import { sliderEnd, written } from '../paths';

export interface KnobInput {
  field: Field;
  value: Scalar;
  base: Scalar;
  /** Arms that override the setting, as text; empty when none does. */
  arms: string;
  refused: FieldError | undefined;
  slider: boolean;
  /** Begins the id of the entry, f- in the form. */
  prefix?: string;
}

/** Wishes of a knob; typed values come while typing, debounced by the caller. */
export interface KnobActs {
  set(path: string, text: string): void;
  /** Opens the sweep over a setting; null where there is none. */
  sweep: ((path: string) => void) | null;
}

type Entry = HTMLInputElement | HTMLSelectElement;

export class Knob {
  readonly box: HTMLElement;
  private readonly entry: Entry;
  private readonly range: HTMLInputElement | null;
  private readonly hint = h('span', { class: 'hint' });
  private readonly error = h('p', { class: 'fielderr' });
  private readonly reset: HTMLButtonElement;
  private base: Scalar = '';

  constructor(
    readonly field: Field,
    input: KnobInput,
    acts: KnobActs,
  ) {
    const id = (input.prefix ?? 'f-') + field.path.replaceAll('.', '-');
    const errorId = `${id}-err`;
    this.entry = this.makeEntry(id, acts);
    this.entry.setAttribute('aria-describedby', errorId);
    this.error.id = errorId;
    const unit = field.unit && field.unit !== field.name ? h('span', { class: 'unit' }, field.unit) : null;
    this.reset = h('button', { type: 'button', class: 'linkish unit', 'aria-label': `reset ${field.name}`, click: () => acts.set(field.path, written(this.base)) }, 'reset');
    this.range = input.slider ? h('input', { type: 'range', min: field.min, step: 1, 'aria-label': `${field.name}, slider` }) : null;
    this.range?.addEventListener('input', () => {
      this.entry.value = (this.range as HTMLInputElement).value;
      acts.set(field.path, (this.range as HTMLInputElement).value);
    });
    const number = field.type === 'int' || field.type === 'float';
    const open = acts.sweep;
    const sweep = open && number && !field.path.startsWith('run.') ? h('button', { type: 'button', class: 'linkish sweepit', 'aria-label': `sweep ${field.name}`, click: () => open(field.path) }, 'sweep') : null;
    const under = this.range || sweep ? h('span', { class: this.range ? 'under' : 'under bare' }, this.range ?? h('span', null), this.range ? (unit ?? h('span', null)) : null, sweep) : null;
    this.box = h('div', { class: 'knob', title: field.doc }, h('label', { for: id }, field.name, this.range ? null : unit), this.entry, under, h('span', { class: 'hint row' }, this.hint, this.reset), this.error);
    this.show(input);
  }

  private makeEntry(id: string, acts: KnobActs): Entry {
    const { field } = this;
    if (field.enum) return h('select', { id, change: (e: Event) => acts.set(field.path, (e.target as HTMLSelectElement).value) }, ...field.enum.map((v) => h('option', null, v)));
    if (field.type === 'bool') return h('input', { id, type: 'checkbox', class: 'onoff', change: (e: Event) => acts.set(field.path, (e.target as HTMLInputElement).checked ? '1' : '0') });
    const number = field.type === 'int' || field.type === 'float';
    // text, not number: a refused entry stays readable and is explained by us
    return h('input', { id, type: 'text', inputmode: number ? 'decimal' : 'text', autocomplete: 'off', spellcheck: 'false', input: (e: Event) => acts.set(field.path, (e.target as HTMLInputElement).value.trim()) });
  }

  /** Brings the knob up to date; what is being typed stays. */
  show({ value, base, arms, refused }: KnobInput): void {
    this.base = base;
    const typed = refused?.value ?? written(value);
    if (this.entry instanceof HTMLInputElement && this.entry.type === 'checkbox') this.entry.checked = value === true;
    else if (document.activeElement !== this.entry || !refused) {
      if (this.entry.value !== typed && !(document.activeElement === this.entry && Number(this.entry.value) === value)) this.entry.value = typed;
    }
    if (this.range && typeof value === 'number' && typeof base === 'number') {
      attr(this.range, 'max', sliderEnd(this.field.max, value, base));
      if (document.activeElement !== this.range) this.range.value = String(value);
    }
    const changed = value !== base;
    this.box.classList.toggle('changed', changed);
    this.reset.hidden = !changed && !refused;
    text(this.hint, [changed ? `preset ${written(base)}` : '', arms].filter(Boolean).join(' \u00b7 '));
    (this.hint.parentElement as HTMLElement).hidden = this.hint.textContent === '' && this.reset.hidden;
    attr(this.entry, 'aria-invalid', refused ? 'true' : null);
    put(this.error, refused ? refused.message : null);
    this.error.hidden = !refused;
  }
}
