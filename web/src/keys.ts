// One table binds the keys, prints the sheet and drives the tests.

/** What a key can do; main.ts gives the functions. */
export interface KeyActs {
  move(samples: number): void;
  select(samples: number): void;
  jump(direction: -1 | 1): void;
  zoom(factor: number): void;
  pan(part: number): void;
  fitSelection(): void;
  fitAll(): void;
  view(n: number): void;
  arm(n: number): void;
  pin(): void;
  play(): void;
  swap(): void;
  copyArm(): void;
  fork(): void;
  toggleRun(): void;
  escape(): void;
  copyLink(): void;
  copyReport(): void;
  search(): void;
  sheet(): void;
  theme(): void;
  browse(): void;
  rules(): void;
  whatIf(): void;
}

export interface Key {
  /** event.key values, lower case for letters. */
  keys: string[];
  shift?: boolean;
  /** As the sheet prints it. */
  shown: string;
  what: string;
  run(acts: KeyActs, key: string): void;
}

export const KEYS: Key[] = [
  { keys: ['ArrowLeft', 'ArrowRight'], shown: '\u2190 \u2192', what: 'cursor by one sample', run: (a, k) => a.move(k === 'ArrowLeft' ? -1 : 1) },
  { keys: ['PageUp', 'PageDown'], shown: 'PgUp PgDn', what: 'cursor by fifty samples', run: (a, k) => a.move(k === 'PageDown' ? -50 : 50) },
  { keys: ['ArrowLeft', 'ArrowRight'], shift: true, shown: 'Shift + \u2190 \u2192', what: 'select a span', run: (a, k) => a.select(k === 'ArrowLeft' ? -1 : 1) },
  { keys: [','], shown: ',', what: 'previous decision', run: (a) => a.jump(-1) },
  { keys: ['.'], shown: '.', what: 'next decision', run: (a) => a.jump(1) },
  { keys: ['w'], shown: 'w', what: 'zoom in at the cursor', run: (a) => a.zoom(0.5) },
  { keys: ['s'], shown: 's', what: 'zoom out', run: (a) => a.zoom(2) },
  { keys: ['a'], shown: 'a', what: 'pan to earlier', run: (a) => a.pan(-0.25) },
  { keys: ['d'], shown: 'd', what: 'pan to later', run: (a) => a.pan(0.25) },
  { keys: ['f'], shown: 'f', what: 'fit the selection', run: (a) => a.fitSelection() },
  { keys: ['0'], shown: '0', what: 'fit all', run: (a) => a.fitAll() },
  { keys: ['1', '2', '3', '4'], shown: '1 2 3 4', what: 'side by side, overlaid, differences, CPU rows', run: (a, k) => a.view(Number(k)) },
  { keys: ['a', 'b', 'c', 'd', 'e', 'f'], shift: true, shown: 'Shift + A B C', what: 'look at arm A, B, C', run: (a, k) => a.arm(k.charCodeAt(0) - 97) },
  { keys: ['m'], shown: 'm', what: 'set a marker; two give differences, a third clears', run: (a) => a.pin() },
  { keys: ['p'], shown: 'p', what: 'play and pause', run: (a) => a.play() },
  { keys: ['x'], shown: 'x', what: 'make this arm the reference A', run: (a) => a.swap() },
  { keys: ['b'], shown: 'b', what: 'make a new arm from this one', run: (a) => a.copyArm() },
  { keys: ['k'], shown: 'k', what: 'fork this arm at the cursor', run: (a) => a.fork() },
  { keys: [' '], shown: 'space', what: 'run again, or cancel the run', run: (a) => a.toggleRun() },
  { keys: ['Escape'], shown: 'Esc', what: 'cancel the run, clear the selection', run: (a) => a.escape() },
  { keys: ['c'], shown: 'c', what: 'copy the link', run: (a) => a.copyLink() },
  { keys: ['r'], shown: 'r', what: 'copy the report', run: (a) => a.copyReport() },
  { keys: ['/'], shown: '/', what: 'search decisions', run: (a) => a.search() },
  { keys: ['o'], shown: 'o', what: 'open another scenario', run: (a) => a.browse() },
  { keys: ['v'], shown: 'v', what: 'rules: versions and proposals', run: (a) => a.rules() },
  { keys: ['e'], shown: 'e', what: 'a rule as an expression', run: (a) => a.whatIf() },
  { keys: ['t'], shown: 't', what: 'light or dark', run: (a) => a.theme() },
  { keys: ['?'], shown: '?', what: 'this sheet', run: (a) => a.sheet() },
];

/** The part of a KeyboardEvent that decides. */
export interface Pressed {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** The entry of the table for a key press; undefined when the page has no use for it. */
export function find(e: Pressed): Key | undefined {
  if (e.ctrlKey || e.metaKey || e.altKey) return undefined;
  const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
  // shift is part of typing a sign such as ?, but changes what a letter or an arrow means
  const matters = /^[a-z]$/.test(key) || key.startsWith('Arrow');
  return KEYS.find((k) => k.keys.includes(key) && (!matters || (k.shift ?? false) === e.shiftKey));
}

/** Controls that use the keys themselves. */
const ENTRY = 'input:not([type=range]):not([type=radio]):not([type=checkbox]), select, textarea';
/** Controls for which arrows, Home, End and space have a meaning of their own. */
const CONTROL = 'input, button, summary, a, [role=region], ol[tabindex]';
const OWN = new Set(['ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', ' ']);

/** Binds the table to the page. */
export function bindKeys(acts: KeyActs): void {
  document.addEventListener('keydown', (e: KeyboardEvent) => {
    const target = e.target as Element;
    const entry = find(e);
    if (!entry || document.querySelector('dialog[open]')) return;
    if (target.matches(ENTRY) && e.key !== 'Escape') return;
    if (OWN.has(e.key) && target.matches(CONTROL) && !e.shiftKey) return;
    e.preventDefault();
    entry.run(acts, e.key.length === 1 ? e.key.toLowerCase() : e.key);
  });
}
