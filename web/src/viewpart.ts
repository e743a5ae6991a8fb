// The view part of a link: what is on screen, in a few characters. A part that
// cannot be read is as if it were not there.

import type { FillMode, State, ViewMode } from './state';

type View = Pick<State, 'zoom' | 'selection' | 'mode' | 'fill' | 'arm' | 'process' | 'moreGates'>;
const MODES: ViewMode[] = ['side', 'over', 'diff', 'cpus'];
const FILLS: FillMode[] = ['util', 'bandwidth'];

/** Milliseconds are finer than any sample. */
const span = (s: [number, number]) => s.map((t) => Math.round(t * 1000)).join(':');

function spanOf(text: string): [number, number] | null {
  const m = /^(\d{1,6}):(\d{1,6})$/.exec(text);
  const [a, b] = [Number(m?.[1]) / 1000, Number(m?.[2]) / 1000];
  return m && a < b ? [a, b] : null;
}

/** The text behind v=, "" for a screen as it opens. */
export function writeView(v: View, arms: number): string {
  const parts: string[] = [];
  if (v.mode !== 'side') parts.push(`m${v.mode}`);
  if (v.fill !== 'util') parts.push(`f${v.fill}`);
  if (v.arm !== Math.min(1, arms - 1)) parts.push(`a${v.arm}`);
  if (v.process) parts.push(`p${v.process}`);
  if (v.moreGates) parts.push('g1');
  if (v.zoom) parts.push(`z${span(v.zoom)}`);
  if (v.selection) parts.push(`s${span(v.selection)}`);
  return parts.join(',');
}

/** What a view part sets; anything unknown or out of range is left out. */
export function readView(text: string | undefined, arms: number): Partial<View> {
  const out: Partial<View> = {};
  for (const part of (text ?? '').split(',')) {
    const value = part.slice(1);
    const range = spanOf(value);
    if (part[0] === 'm' && (MODES as string[]).includes(value) && (arms > 1 || value === 'cpus')) out.mode = value as ViewMode;
    if (part[0] === 'f' && (FILLS as string[]).includes(value)) out.fill = value as FillMode;
    if (part[0] === 'a' && /^\d$/.test(value) && Number(value) < arms) out.arm = Number(value);
    if (part[0] === 'p' && /^\d{1,4}$/.test(value)) out.process = Number(value);
    if (part === 'g1') out.moreGates = true;
    if (part[0] === 'z' && range) out.zoom = range;
    if (part[0] === 's' && range) out.selection = range;
  }
  return out;
}

/** A fragment with its view; the view stands behind the checksum, which does not cover it. */
export const withView = (link: string, view: string): string => (link && view ? `${link};v=${view}` : link);
