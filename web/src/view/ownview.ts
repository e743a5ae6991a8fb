// The owner of a machine: paste or drop what lscpu, lstopo or rt-app say, see
// what was read of it, and open the present scenario with it.

import type { Answer, Imported } from '../contract';
import { byId, h, put } from '../dom';
import type { AppStore } from '../state';

/** What the dialog asks of the engine and the page. */
interface Importer {
  importMachine(text: string, scenario: string): Promise<Answer<Imported>>;
  importRtapp(text: string, scenario: string): Promise<Answer<Imported>>;
}
interface Opener {
  openText(text: string): Promise<void>;
}

/** The engine reads no more; a browser should not hold more for a field either. */
const MOST = 8 << 20;

/** An rt-app file has "tasks"; everything else is about a machine. */
export function isRtapp(text: string): boolean {
  return /"tasks"\s*:/.test(text.slice(0, 1 << 16)) && !/^\s*</.test(text);
}

export function mountOwn(store: AppStore, engine: Importer, opener: Opener): void {
  const dialog = byId<HTMLDialogElement>('own');
  const field = byId<HTMLTextAreaElement>('owntext');
  const out = byId('ownresult');
  const go = byId<HTMLButtonElement>('owngo');
  let ready = '';
  let turn = 0;

  const show = (bad: boolean, ...kids: (Node | string)[]): void => {
    field.setAttribute('aria-invalid', String(bad));
    put(out, ...kids);
  };

  const check = async (): Promise<void> => {
    const mine = ++turn;
    const text = field.value;
    ready = '';
    go.disabled = true;
    if (text.trim() === '') return show(false);
    if (text.length > MOST) return show(true, h('p', null, `The text has more than ${MOST >> 20} MiB. Paste the output of one command.`));
    const read = isRtapp(text) ? engine.importRtapp(text, store.now.opened?.text ?? '') : engine.importMachine(text, store.now.opened?.text ?? '');
    const answer = await read;
    if (mine !== turn) return;
    if (!answer.ok) {
      return show(true, h('p', null, h('strong', null, 'This cannot be read. '), 'The scenario on the page is as before.'), list(answer.errors.map((e) => `${e.path ? `${e.path}: ` : ''}${e.message}`)));
    }
    ready = answer.value.text;
    go.disabled = false;
    show(false, h('p', null, h('strong', null, answer.value.summary)), list(answer.value.warnings));
  };

  const take = (file: File | undefined): void => {
    if (!file) return;
    if (file.size > MOST) return show(true, h('p', null, `${file.name} has more than ${MOST >> 20} MiB. Drop the output of one command.`));
    void file.text().then((text) => {
      field.value = text;
      void check();
    });
  };

  let settle: ReturnType<typeof setTimeout> | undefined;
  field.addEventListener('input', () => {
    clearTimeout(settle);
    go.disabled = true;
    settle = setTimeout(() => void check(), 200);
  });
  dialog.addEventListener('dragover', (e) => e.preventDefault());
  dialog.addEventListener('drop', (e) => {
    e.preventDefault();
    const text = e.dataTransfer?.getData('text/plain');
    if (e.dataTransfer?.files.length) take(e.dataTransfer.files[0]);
    else if (text) {
      field.value = text;
      void check();
    }
  });
  const pick = byId<HTMLInputElement>('ownfile');
  pick.addEventListener('change', () => take(pick.files?.[0]));
  go.addEventListener('click', () => {
    if (!ready) return;
    dialog.close();
    void opener.openText(ready);
  });
  byId('ownopen').addEventListener('click', () => {
    dialog.showModal();
    if (field.value) void check(); // the scenario may be another by now
  });
}

function list(lines: readonly string[]): HTMLElement {
  return h('ul', null, ...lines.map((line) => h('li', null, line)));
}
