// Whose settings are changed: all arms or one, the same choice wherever it stands.

import { byId, h, letter, put } from '../dom';
import type { AppStore, State } from '../state';

/** Options of a select for the scope. */
export function scopeOptions({ opened, scope }: State): HTMLElement[] {
  const option = (value: number, text: string) => h('option', { value, selected: value === scope }, text);
  return [option(-1, 'all arms'), ...(opened?.arms.map((a, i) => option(i, `${letter(i)} ${a.label} only`)) ?? [])];
}

/** Keeps a select of index.html in step with the scope. */
export function bindScope(store: AppStore, id: string): void {
  const select = byId<HTMLSelectElement>(id);
  select.addEventListener('change', () => store.set({ scope: Number(select.value) }));
  store.watch(['opened', 'scope'], () => put(select, ...scopeOptions(store.now)));
}

/** The path of a setting in the scope, as the engine takes it and refusals name it. */
export function scoped({ opened, scope }: State, path: string): string {
  const label = opened?.arms[scope]?.label;
  return label === undefined ? path : `${label}:${path}`;
}
