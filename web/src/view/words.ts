// Short texts about arms and settings.

import type { Arm, Scalar } from '../contract';

/** The last part of a dotted path: the name a reader knows. */
export function leaf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** A value as a knob file shows it. */
export function scalar(v: Scalar): string {
  return v === true ? '1' : v === false ? '0' : String(v);
}

/** What an arm changes: "enabled=0", or "base". */
export function how(arm: Arm): string {
  const changes = Object.entries(arm.set).map(([path, v]) => `${leaf(path)}=${scalar(v)}`);
  return changes.length ? changes.join(' ') : 'base';
}
