// What went wrong, as a notice: what, where, what to do.

import type { FieldError, Opened, Preset } from './contract';
import type { Notice } from './state';

/** The shipped scenarios; of a table the first point, which alone has its texts. */
const choices = (presets: readonly Preset[]) => presets.filter((p) => p.purpose !== '').map((p) => ({ text: p.name, href: `#1;${p.name}`, what: p.title }));

function line(e: FieldError): string {
  const where = e.path && e.path !== 'link' && e.path !== 'scenario' ? `${e.path}: ` : '';
  return `${where}${e.value ? `${e.value} ` : ''}${e.message}`;
}

/** A link that cannot be opened; rest is what could still be read of it. */
export function badLink(errors: readonly FieldError[], rest: Opened | undefined, presets: readonly Preset[], kept: boolean): Notice {
  const go = rest?.link ? [{ text: 'go on with what could be read', href: rest.link, what: rest.link }] : [];
  const what = kept ? ' The scenario on the page is still the one before.' : '';
  return { title: `This link cannot be opened as it is.${what} Nothing was guessed.`, lines: [...errors.map(line), 'Ask the sender for the whole link, or go on with one of these:'], choices: [...go, ...choices(presets)] };
}

/** A run that failed. */
export function badRun(errors: readonly FieldError[], presets: readonly Preset[]): Notice {
  return { title: 'The run stopped.', lines: [...errors.map(line), 'Change a setting, press space to run again, or open another scenario.'], choices: choices(presets) };
}

/** The engine itself is missing or broken. */
export function badEngine(message: string): Notice {
  return { title: 'The engine does not run here.', lines: [message], choices: [] };
}
