// Plays the cursor over the visible time; without motion it steps.

import { span } from './shown';
import type { AppStore } from './state';

/** Seconds in which the visible time passes. */
const LENGTH = 12;
/** Steps of a playback for readers who want no motion. */
const STEPS = 24;

/** The next cursor time after ms milliseconds; null at the end. */
export function advance(t: number, [from, to]: [number, number], ms: number): number | null {
  const next = Math.max(t, from) + ((to - from) * ms) / 1000 / LENGTH;
  return next >= to ? null : next;
}

export function mountPlay(store: AppStore): void {
  let last = 0;
  const frame = (now: number): void => {
    if (!store.now.playing) return;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const wait = still ? (LENGTH * 1000) / STEPS : 0;
    if (now - last >= wait) {
      const next = advance(store.now.t, span(store.now), now - last);
      last = now;
      store.set(next === null ? { t: span(store.now)[1], playing: false } : { t: next, held: true });
    }
    requestAnimationFrame(frame);
  };
  store.watch(['playing'], () => {
    if (!store.now.playing) return;
    const [from, to] = span(store.now);
    if (store.now.t >= to - (to - from) / 200) store.set({ t: from });
    last = performance.now();
    requestAnimationFrame(frame);
  });
}
