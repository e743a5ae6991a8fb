// The values of a sweep as people type them, and what to offer first.

import type { Field } from '../contract';

/** Most values on one axis. */
export const MOST_VALUES = 64;

/** Reads "1, 2, 4" and "1-144/12" (from, to, in how many values); an Error says what is wrong. */
export function parseValues(text: string): string[] {
  const out: string[] = [];
  for (const part of text.split(/[\s,;]+/).filter(Boolean)) {
    const range = /^(-?\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)(?:\/(\d+))?$/.exec(part);
    if (!range) {
      if (!/^-?\d+(\.\d+)?$/.test(part)) throw new Error(`"${part}" is not a number or a range; write 1, 2, 4 or 1-144/8.`);
      out.push(String(Number(part)));
      continue;
    }
    const [from, to, n] = [Number(range[1]), Number(range[2]), range[3] ? Number(range[3]) : 8];
    if (n < 2 || n > MOST_VALUES || to <= from) throw new Error(`"${part}" is no range: from a smaller to a larger number in 2 to ${MOST_VALUES} values.`);
    const whole = Number.isInteger(from) && Number.isInteger(to);
    for (let i = 0; i < n; i++) {
      const v = from + ((to - from) * i) / (n - 1);
      out.push(String(whole ? Math.round(v) : Number(v.toPrecision(6))));
    }
  }
  const unique = [...new Set(out)].sort((a, b) => Number(a) - Number(b));
  if (unique.length === 0) throw new Error('Write the values to try: 1, 2, 4 or 1-144/8.');
  if (unique.length > MOST_VALUES) throw new Error(`${unique.length} values are too many; ${MOST_VALUES} is the most.`);
  return unique;
}

/** About seven values around the one that is set, each about twice the one before. */
export function offered(field: Field, value: number, base: number): string {
  const whole = field.type === 'int';
  const centre = value || base || Math.max(1, field.min);
  const all = [...[1 / 8, 1 / 4, 1 / 2, 1, 2, 4].map((k) => centre * k), field.min >= 0 && field.min === 0 ? 0 : field.min];
  const fit = all.map((v) => Math.min(field.max, Math.max(field.min, whole ? Math.round(v) : Number(v.toPrecision(4)))));
  return [...new Set(fit)].sort((a, b) => a - b).join(', ');
}
