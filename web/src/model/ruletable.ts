// The rules table as the dialog shows it: the proposals behind each feature.

import type { Field, RuleRow } from '../contract';

export const FEATURES = 'kernel.features.';
export const WHAT_IF = 'kernel.what_if.';

/** Settings that the rules dialog and the what-if editor have, and the form leaves to them. */
export function isRule(path: string): boolean {
  return path === 'kernel.rules' || path.startsWith(FEATURES) || path.startsWith(WHAT_IF);
}

export interface Proposal {
  /** Values of the feature that the row is about, "" for on. */
  values: string;
  row: RuleRow;
}

export interface FeatureRow {
  field: Field;
  proposals: Proposal[];
}

/** A row's name is "feature", "feature, feature" or "feature=value, value". */
function names(row: RuleRow): { features: string[]; values: string } {
  const [left = '', values = ''] = row.name.split('=');
  return { features: left.split(', '), values };
}

/** Every feature with the rows about it, in the order of the fields. */
export function featureRows(fields: readonly Field[], proposals: readonly RuleRow[]): FeatureRow[] {
  return fields
    .filter((f) => f.path.startsWith(FEATURES))
    .map((field) => ({ field, proposals: proposals.filter((row) => names(row).features.includes(field.name)).map((row) => ({ values: names(row).values, row })) }));
}

/** "Who, where" of a row; either may be missing. */
export function origin(row: RuleRow): string {
  return [row.who, row.where].filter(Boolean).join(', ');
}

/** What a version switches, as settings; none for the default one. */
export function switches(row: RuleRow): string[] {
  return row.switches ? row.switches.split(' ') : [];
}
