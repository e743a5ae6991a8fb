// The pointer over a plot: it moves the cursor, a drag selects a span, a wheel
// with Ctrl (or two fingers) zooms around it.

import { clamp } from '../scale';
import { timeEnd, zoomed } from '../shown';
import type { AppStore } from '../state';

interface Target {
  svg: SVGSVGElement;
  timeAt(pixel: number, shown: number): number;
}

/** A drag shorter than this many pixels is a click. */
const CLICK = 4;

export function followPointer(plot: Target, store: AppStore): void {
  let from: { x: number; t: number } | null = null;
  const time = (e: PointerEvent): number => {
    const box = plot.svg.getBoundingClientRect();
    return clamp(plot.timeAt(e.clientX - box.left, box.width), 0, timeEnd(store.now));
  };
  plot.svg.addEventListener('pointermove', (e) => {
    const t = time(e);
    const drag = from && Math.abs(e.clientX - from.x) > CLICK && e.pointerType === 'mouse';
    store.set(drag && from ? { t, held: true, selection: [Math.min(from.t, t), Math.max(from.t, t)] } : { t, held: true });
  });
  plot.svg.addEventListener('pointerdown', (e) => {
    if (e.button !== 0) return;
    from = { x: e.clientX, t: time(e) };
    if (e.pointerType === 'mouse') plot.svg.setPointerCapture(e.pointerId);
    store.set({ t: from.t, held: true, selection: null });
  });
  plot.svg.addEventListener('wheel', (e) => {
    // without Ctrl it scrolls the page
    if (!e.ctrlKey) return;
    e.preventDefault();
    store.set({ zoom: zoomed(store.now, 2 ** clamp(e.deltaY / 200, -1, 1)) });
  }, { passive: false });
  const stop = () => {
    from = null;
  };
  plot.svg.addEventListener('pointerup', stop);
  plot.svg.addEventListener('pointercancel', stop);
}
