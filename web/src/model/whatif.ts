// A rule as an expression: examples, what the engine says is wrong with one and
// where, and which expressions a scenario has.

import type { FieldError, Opened, WhatIfRule } from '../contract';
import { WHAT_IF } from './ruletable';

/** Expressions to begin with. The first is question 2 of the report that the headline scenario is about. */
export const EXAMPLES: { rule: string; name: string; text: string }[] = [
  { rule: 'exceed_llc_capacity', name: 'fail-closed gate', text: 'footprint_bytes > 0 ? footprint_bytes > llc_bytes*scale : rss_bytes > llc_bytes*scale' },
  { rule: 'exceed_llc_capacity', name: 'RSS gate', text: 'rss_bytes > llc_bytes*scale' },
  { rule: 'invalid_llc_nr', name: '100 % thread gate', text: 'nr_threads <= 1 || nr_running_avg*smt > llc_cpus' },
  { rule: 'preferred_llc', name: 'move only for 4 times the occupancy', text: 'best > 4*current' },
];

/** The rule of 7.3 as an expression, from the documentation of the rule; "" when it has none. */
export function builtIn(rule: WhatIfRule): string {
  return /; 7\.3: (.+)$/.exec(rule.doc)?.[1] ?? '';
}

/** What the value of a rule means, without the rule of 7.3. */
export function meaning(rule: WhatIfRule): string {
  return rule.doc.replace(/; 7\.3: .+$/, '');
}

export interface Wrong {
  message: string;
  /** Character of the text that is at fault, from 0; null when the engine names none. */
  at: number | null;
}

/** The engine's complaint about a typed expression. */
export function wrong(errors: readonly FieldError[]): Wrong {
  const message = errors.map((e) => e.message).join('; ').replace(/^is not a rule: /, '');
  const m = /^at character (\d+): /.exec(message);
  return { message, at: m ? Number(m[1]) - 1 : null };
}

/** A line of the text around a character, and a caret below that character. */
export function caret(text: string, at: number, width = 60): string {
  const flat = text.replace(/\s/g, ' ');
  const from = Math.max(0, Math.min(at - (width >> 1), flat.length - width));
  const lead = from > 0 ? '\u2026' : '';
  const tail = from + width < flat.length ? '\u2026' : '';
  return `${lead}${flat.slice(from, from + width)}${tail}\n${' '.repeat(at - from + lead.length)}^`;
}

/** Puts a name at the selection, with spaces where it would touch another word. */
export function inserted(text: string, from: number, to: number, name: string): { text: string; cursor: number } {
  const before = text.slice(0, from);
  const after = text.slice(to);
  const word = `${/\w$/.test(before) ? ' ' : ''}${name}${/^\w/.test(after) ? ' ' : ''}`;
  return { text: before + word + after, cursor: from + word.length };
}

export interface Expression {
  /** Index of the arm that has it, -1 for the scenario. */
  arm: number;
  rule: string;
  text: string;
}

/** All expressions of a scenario: of its own, then of its arms. */
export function expressions(opened: Opened): Expression[] {
  const base = (opened.scenario as { kernel?: { what_if?: Record<string, unknown> } }).kernel?.what_if ?? {};
  const own = Object.entries(base).map(([rule, text]) => ({ arm: -1, rule, text: String(text) }));
  const arms = opened.arms.flatMap((a, arm) => Object.entries(a.set).filter(([path]) => path.startsWith(WHAT_IF)).map(([path, text]) => ({ arm, rule: path.slice(WHAT_IF.length), text: String(text) })));
  return [...own, ...arms].filter((e) => e.text !== '');
}
