// The JSON that crosses between the page and the engine. The Go side is
// core/result, core/scenario and wasm/engine; names and units are theirs.

/** One thing that is wrong with a scenario, a link or a typed value. */
export interface FieldError {
  /** Dotted path of the field, "" for the whole text. */
  path: string;
  /** The refused value as text. */
  value?: string;
  message: string;
}

export type Answer<T> = { ok: true; value: T } | { ok: false; errors: FieldError[]; rest?: Opened };

/** A value a knob or a workload key may have. */
export type Scalar = number | string | boolean;

/** One setting of a scenario; its value is found in the scenario by the path. */
export interface Field {
  path: string;
  /** The name a kernel developer knows: the debugfs file or the key. */
  name: string;
  type: 'int' | 'float' | 'bool' | 'string';
  unit?: string;
  min: number;
  max: number;
  enum?: string[];
  doc: string;
  /** True when an arm may override it. */
  in_arms: boolean;
}

export interface Preset {
  name: string;
  title: string;
  purpose: string;
}

/** A machine or a workload of the reader's own, in a scenario. */
export interface Imported {
  text: string;
  summary: string;
  warnings: string[];
}

/** What the page knows before it opens a scenario. */
export interface Facts {
  version: string;
  presets: Preset[];
  machines: string[];
  /** Values of kernel.rules, settings under kernel.features, and what is left out. */
  versions: RuleRow[];
  proposals: RuleRow[];
  not_simulated: RuleRow[];
  /** The rules that an expression can replace; an engine of an old link may have none. */
  what_if?: WhatIfRule[];
}

/** A rule that kernel.what_if.<name> gives as an expression, with its variables and the words it may answer. */
export interface WhatIfRule {
  name: string;
  doc: string;
  vars: { name: string; type: string; doc: string }[];
  words?: string[];
}

/** A version of the rules or a proposal: who made it, where, what differs from 7.3, and what is the model's choice. */
export interface RuleRow {
  name: string;
  who: string;
  where: string;
  differs: string;
  ours?: string;
  /** Features in which a version differs from the default one: "rss_gate=1 thread_gate=v1". */
  switches?: string;
}

/** An LLC of the drawing; cores hold logical CPU numbers. */
export interface LayoutLLC {
  index: number;
  node: number;
  bytes: number;
  fill_gbps: number;
  /** Clusters of cores of hardware threads. */
  clusters: number[][][];
}

export interface LayoutNode {
  index: number;
  mem_bytes: number;
  gbps: number;
}

/** The machine as lstopo nests it. */
export interface Layout {
  name: string;
  title: string;
  /** lstopo synthetic string of the machine. */
  synthetic: string;
  cpus: number;
  smt: number;
  /** Nodes stand in the package where they begin. */
  packages: { index: number; nodes: LayoutNode[]; llcs: LayoutLLC[] }[];
}

export interface Arm {
  label: string;
  set: Record<string, Scalar>;
  /** Above this share of busy CPUs an LLC takes no more threads (overaggr_pct). */
  busy_limit_pct: number;
  /** False where the arm has CAS off. */
  cas: boolean;
  /** kernel.rules and kernel.features.* as they are in the arm; an engine of an old link does not tell. */
  rules?: Record<string, Scalar>;
}

/** A published value or a bound that an arm is compared with. */
export interface Expect {
  arm: string;
  metric: string;
  value?: number;
  tol_pct?: number;
  delta_pct?: number;
  min?: number;
  max?: number;
  /** The arm that delta_pct refers to; the first one when absent. */
  vs?: string;
  role: string;
  source?: string;
  /** Why the model misses the row, where that is known. */
  miss?: string;
}

/** A scenario that the engine has read and found valid. */
export interface Opened {
  /** Canonical JSON, as the engine wants it back. */
  text: string;
  /** Fragment, with the leading '#'; empty when the scenario is too long for one. */
  link: string;
  /** How far a link of this length gets. */
  link_note: string;
  /** Digest that the opened link promises, and whether the link had to be repaired. */
  digest?: string;
  repaired?: boolean;
  /** What else the opened link says: the engine it names, what was on screen, keys that this engine does not know. */
  engine?: string;
  view?: string;
  extra?: string[];
  name: string;
  title: string;
  purpose: string;
  source: string;
  notice: string;
  machine: Layout;
  /** The scenario as an object, and that of the preset it was made from. */
  scenario: object;
  base: object;
  arms: Arm[];
  fields: Field[];
  seeds: number[];
  expect: Expect[];
}

export type { ArmDecision, Decision, Entry, Metric, Partial, Process, Result, Run, Series, Stat } from './outcome';
