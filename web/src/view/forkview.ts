// The fork dialog: which knob changes at the cursor time, and to what.

import { forkable, forked } from '../fork';
import { byId, h, letter, put, text } from '../dom';
import { clock } from '../format';
import { armValue, written } from '../paths';
import type { Acts, AppStore } from '../state';

export function mountFork(store: AppStore, acts: Acts): void {
  const dialog = byId<HTMLDialogElement>('fork');
  const pick = byId<HTMLSelectElement>('forkknob');
  const entry = byId<HTMLInputElement>('forkvalue');
  const error = byId('forkerr');
  const field = () => forkable(store.now.opened as NonNullable<typeof store.now.opened>).find((f) => f.path === pick.value);
  const offer = (): void => {
    const { opened, arm } = store.now;
    if (opened) entry.value = written(armValue(opened.scenario, pick.value, opened.arms[arm]?.label));
  };
  byId('forkopen').addEventListener('click', () => {
    const { opened, arm, t } = store.now;
    if (!opened?.text) return;
    put(pick, ...forkable(opened).map((f) => h('option', { value: f.path }, f.name)));
    text(byId('forkwhat'), `A new arm is like ${letter(arm)} ${opened.arms[arm]?.label ?? ''} until ${clock(t)}. Then this changes:`);
    error.hidden = true;
    offer();
    dialog.showModal();
  });
  pick.addEventListener('change', offer);
  byId('forkform').addEventListener('submit', (e) => {
    e.preventDefault();
    void make();
  });
  byId('forkcancel').addEventListener('click', () => dialog.close());

  const make = async (): Promise<void> => {
    const { opened, arm, t } = store.now;
    const of = field();
    if (!opened || !of) return;
    try {
      const made = forked(opened, arm, t, of, entry.value);
      const problem = await acts.openFork(made.text);
      if (problem) throw new Error(problem);
      dialog.close();
    } catch (problem) {
      text(error, problem instanceof Error ? problem.message : String(problem));
      error.hidden = false;
    }
  };
}
