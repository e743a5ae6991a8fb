// A segmented choice: radio buttons that look like one control.

import { byId, h, put } from '../dom';

export function segments(id: string, name: string, options: { value: string; text: string; title?: string }[], chosen: string, pick: (value: string) => void): void {
  const root = byId(id);
  const legend = root.querySelector('legend');
  const had = root.contains(document.activeElement);
  put(root, legend, ...options.map((o) => h('label', { title: o.title }, h('input', { type: 'radio', name, value: o.value, checked: o.value === chosen, change: () => pick(o.value) }), h('span', null, o.text))));
  if (had) root.querySelector<HTMLInputElement>('input:checked')?.focus();
}
