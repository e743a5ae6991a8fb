// A fork: one more arm that is like another until a time, when one knob
// changes. The timeline of a scenario does it (events with an arm).

import { freshLabel } from './armacts';
import type { Field, Opened } from './contract';

interface ScenarioJson {
  arms: { label: string; set: Record<string, unknown> }[];
  events: { at_ms: number; arm?: string; set?: Record<string, unknown> }[];
}

/** Knobs that may change while a scenario runs. */
export function forkable(opened: Opened): Field[] {
  return opened.fields.filter((f) => f.path.startsWith('kernel.cas.') || f.path.startsWith('kernel.numa.') || f.path === 'kernel.numa_balancing');
}

/** A typed value as JSON has it; a text that is no number stays one, for the engine to refuse. */
export function jsonValue(field: Field, text: string): unknown {
  if (field.type === 'bool') return text === '1' || text === 'true';
  const n = Number(text);
  return field.type !== 'string' && text.trim() !== '' && Number.isFinite(n) ? n : text;
}

/** The text of the scenario with the fork of an arm at t seconds, and its label; an Error says why there is none. */
export function forked(opened: Opened, arm: number, t: number, field: Field, text: string): { text: string; label: string } {
  const from = opened.arms[arm];
  if (!from || opened.arms.length >= 6) throw new Error('A scenario has six arms at most.');
  const scenario = structuredClone(opened.scenario) as ScenarioJson;
  const label = freshLabel(opened.arms, `${from.label.slice(0, 7)}-fork`);
  const own = scenario.arms.find((a) => a.label === from.label)?.set ?? {};
  scenario.arms.push({ label, set: structuredClone(own) });
  const events = scenario.events ?? [];
  const inherited = events.filter((e) => e.arm === from.label && e.at_ms <= t * 1000).map((e) => ({ ...e, arm: label }));
  scenario.events = [...events, ...inherited, { at_ms: Math.round(t * 1000), arm: label, set: { [field.path]: jsonValue(field, text) } }];
  return { text: JSON.stringify(scenario), label };
}
