// The steps of the amount ramp as pixels: a canvas cannot use the tokens of
// the style sheet, so they are read once for each theme.

import { h } from '../dom';

let made: Uint32Array | null = null;

/** Forgets the colours; the theme has changed. */
export function resetPalette(): void {
  made = null;
}

/** Nine little-endian RGBA words, idle to full. */
export function paletteOf(): Uint32Array {
  if (made) return made;
  const canvas = h('canvas', { width: 9, height: 1 });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const out = new Uint32Array(9);
  if (!context) return out;
  const probe = h('i', { class: 'vh' });
  document.body.append(probe);
  for (let i = 0; i < 9; i++) {
    probe.className = `vh g${i}`;
    context.fillStyle = getComputedStyle(probe).backgroundColor;
    context.fillRect(i, 0, 1, 1);
  }
  probe.remove();
  out.set(new Uint32Array(context.getImageData(0, 0, 9, 1).data.buffer));
  made = out;
  return out;
}
