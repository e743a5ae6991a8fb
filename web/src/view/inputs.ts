// What a knob shows of a setting, for the arms that are being changed.

import type { Field, Opened, Scalar } from '../contract';
import { letter } from '../dom';
import { armValue, written } from '../paths';
import type { State } from '../state';
import type { KnobInput } from './knob';

export function inputFor(field: Field, state: State, opened: Opened): KnobInput {
  const arm = field.in_arms ? opened.arms[state.scope] : undefined;
  const label = arm?.label;
  // an arm with a version of its own has the features of that version
  const value = arm?.rules?.[field.path] ?? armValue(opened.scenario, field.path, label);
  const base = armValue(opened.base, field.path, label);
  const overriding = opened.arms.map((a, i) => ({ i, v: a.set[field.path] })).filter((x): x is { i: number; v: Scalar } => x.v !== undefined);
  const arms = overriding.map((x) => `arm ${letter(x.i)}: ${written(x.v)}`).join(', ');
  return { field, value, base, arms, refused: state.refused.get(label === undefined ? field.path : `${label}:${field.path}`), slider: field.path.startsWith('kernel.cas.') && field.type === 'int' };
}
