// Short texts about arms and settings.

import type { Arm, Scalar } from '../contract';
import { h } from '../dom';

/** The last part of a dotted path: the name a reader knows. */
export function leaf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** A value as a knob file shows it. */
export function scalar(v: Scalar): string {
  return v === true ? '1' : v === false ? '0' : String(v);
}

/** A change as a short text: an expression only by the name of its rule. */
function brief(path: string, v: Scalar): string {
  return `${leaf(path)}=${path.startsWith('kernel.what_if.') && v !== '' ? 'what-if' : scalar(v)}`;
}

/** What an arm changes: "enabled=0", or "base". */
export function how(arm: Arm): string {
  const changes = Object.entries(arm.set).map(([path, v]) => brief(path, v));
  return changes.length ? changes.join(' ') : 'base';
}

/** A sentence with names of rules and knobs in code type. */
export function named(line: string): (string | Node)[] {
  return line.split(/([a-z]+(?:[_.][a-z]+)+(?:=\d+)?)/).map((part, i) => (i % 2 ? h('code', null, part) : part));
}
