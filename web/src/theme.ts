// Light and dark: the system decides until the reader does.

import { byId } from './dom';

const KEY = 'casplay-theme';

function dark(): boolean {
  const chosen = document.documentElement.dataset['theme'];
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

function name(): void {
  byId('theme').textContent = dark() ? 'Light' : 'Dark';
}

/** Storage is refused in some private windows; the page works without. */
function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

let changed = (): void => {};

export function toggleTheme(): void {
  const next = dark() ? 'light' : 'dark';
  document.documentElement.dataset['theme'] = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // the choice lasts for this visit only
  }
  name();
  changed();
}

/** onChange is called when colours have changed. */
export function startTheme(onChange: () => void): void {
  changed = onChange;
  const was = remembered();
  if (was === 'light' || was === 'dark') document.documentElement.dataset['theme'] = was;
  for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)'])
    matchMedia(query).addEventListener('change', () => {
      name();
      changed();
    });
  byId('theme').addEventListener('click', toggleTheme);
  name();
}
