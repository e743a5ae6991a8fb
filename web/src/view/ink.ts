// What the style sheet gives to curves, as a canvas needs it: read once for each
// theme from elements that nobody sees.

import { s } from '../dom';

/** n0 to n5 are lines with a band, up and down are areas of a difference. */
export type InkName = `n${number}` | 'up' | 'down';

export interface Ink {
  stroke: string;
  width: number;
  dash: number[];
  /** Of the band or the area. */
  fill: string;
}

let known = new Map<InkName, Ink>();

/** Forgets the inks; the theme has changed. */
export function resetInks(): void {
  known = new Map();
}

export function inkOf(name: InkName): Ink {
  let ink = known.get(name);
  if (!ink) {
    ink = read(name);
    known.set(name, ink);
  }
  return ink;
}

function read(name: InkName): Ink {
  const line = s('path', { class: name === 'up' ? 'aup' : name === 'down' ? 'adn' : `line ${name}` });
  const area = name === 'up' || name === 'down' ? line : s('path', { class: `band d${name.slice(1)}` });
  const probe = s('svg', { class: 'vh', 'aria-hidden': 'true' }, line, area);
  // where the rules for plots hold, those for forced colours among them
  document.getElementById('tracks')?.append(probe);
  const style = getComputedStyle(line);
  const fill = getComputedStyle(area);
  const ink = { stroke: style.stroke, width: parseFloat(style.strokeWidth) || 1, dash: dashOf(style.strokeDasharray), fill: faded(fill.fill, parseFloat(fill.fillOpacity)) };
  probe.remove();
  return ink;
}

/** "5px, 3px" as numbers; none for a line without gaps. */
export function dashOf(value: string): number[] {
  return value === 'none' ? [] : value.split(/[\s,]+/).map(parseFloat).filter(Number.isFinite);
}

/** A colour with an opacity. */
export function faded(colour: string, opacity: number): string {
  return opacity < 1 ? `color-mix(in srgb, ${colour} ${Math.round(opacity * 100)}%, transparent)` : colour;
}
