// Changes of the list of arms, as settings that the engine checks one by one.

import type { Arm, Opened } from './contract';
import { written } from './paths';

/** One change as the engine takes it. */
export type Change = [path: string, value: string];

/** Most arms of a scenario. */
const MOST = 6;

/** The explained arm comes first; the first arm changes places with the second. */
export function swapChanges(opened: Opened, arm: number): Change[] {
  const labels = opened.arms.map((a) => a.label);
  if (labels.length < 2) return [];
  const first = arm === 0 ? 1 : arm;
  return [['arms', [labels[first], ...labels.filter((_, i) => i !== first)].join(',')]];
}

/** A label that no arm has: on-2, on-3. */
export function freshLabel(arms: readonly Arm[], label: string): string {
  const stem = label.replace(/-\d+$/, '').slice(0, 12);
  for (let n = 2; ; n++) if (!arms.some((a) => a.label === `${stem}-${n}`)) return `${stem}-${n}`;
}

/** A new arm at the end with the settings of another; null when there are too many. */
export function copyChanges(opened: Opened, arm: number): Change[] | null {
  const from = opened.arms[arm];
  if (!from || opened.arms.length >= MOST) return null;
  const label = freshLabel(opened.arms, from.label);
  return [['arms', [...opened.arms.map((a) => a.label), label].join(',')], ...Object.entries(from.set).map(([path, v]): Change => [`${label}:${path}`, written(v)])];
}
