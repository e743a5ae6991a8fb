// Everything the views show. main.ts fills it, views only read it and send
// wishes through Acts.

import type { Facts, FieldError, Opened, Result, Run } from './contract';
import type { Download } from './exports';
import type { LinkForm } from './linkforms';
import type { Differences, Reasons } from './reasons';
import { Store } from './store';
import type { ArmStat } from './model/stats';
import type { Sweep, SweepPlan } from './sweep/sweep';

/** One complete or provisional outcome, shown until a better one is there. */
export interface Outcome {
  opened: Opened;
  runs: Run[];
  stats: ArmStat[];
  result: Result;
  /** Seeds finished in every arm, of how many. */
  seeds: number;
  of: number;
  /** Computed when the site was built, not by this browser; the live run replaces it. */
  precomputed?: true;
}

export interface Progress {
  /** Finished part of all runs, 0..1. */
  fraction: number;
  text: string;
}

export interface Notice {
  title: string;
  lines: string[];
  /** Presets to go on with. */
  choices: { text: string; href: string; what: string }[];
}

/** What the engine answered to a question, or why it could not. */
export interface Told<T> {
  value: T | null;
  message: string;
}

export type ViewMode = 'side' | 'over' | 'diff' | 'cpus';
export type FillMode = 'util' | 'bandwidth';

export interface State {
  facts: Facts | null;
  engine: { phase: 'loading' | 'ready' | 'failed'; message: string };
  /** The scenario on the page, always a valid one. */
  opened: Opened | null;
  /** Refused values by path: the text that was typed and why. */
  refused: Map<string, FieldError>;
  notice: Notice | null;
  outcome: Outcome | null;
  /** The outcome is of an earlier scenario than opened. */
  stale: boolean;
  progress: Progress | null;
  /** For each arm the run that grows now. */
  live: (Run | undefined)[];
  report: string;
  /** Cursor in seconds, and whether the reader has moved it. */
  t: number;
  held: boolean;
  /** Visible span in seconds; null shows all. */
  zoom: [number, number] | null;
  selection: [number, number] | null;
  /** Times of the markers in seconds, two at most. */
  pins: number[];
  /** Row of the CPU heat map under its cursor. */
  row: number;
  playing: boolean;
  /** Settings that the sweep form varies; null while it is closed, "" for none. */
  sweepOver: [string, string] | null;
  sweep: Sweep | null;
  /** The arm whose settings the form changes; -1 for all. */
  scope: number;
  /** The arm that the panels on the right explain. */
  arm: number;
  /** The process that they explain, by index, and the arm that the explained one is compared with; -1 for the obvious one. */
  process: number;
  against: number;
  /** The reasons along the run on screen, and where the two arms part; null while unknown. What is being asked now. */
  reasons: Told<Reasons[]> | null;
  parted: Told<Differences> | null;
  asking: 'reasons' | 'parted' | null;
  mode: ViewMode;
  fill: FillMode;
  /** Filter of the decision log. */
  find: string;
  moreGates: boolean;
  /** Touched while plots wait for their frame. */
  plotting: null;
}

export type AppStore = Store<State>;

/** What a view may ask for. */
export interface Acts {
  /** Changes one setting; the value is written as in a link. */
  setField(path: string, value: string): void;
  /** Makes the explained arm the reference; the first one changes places with the second. */
  swapArms(): void;
  /** Adds an arm with the settings of the explained one. */
  copyArm(): void;
  /** Runs a scenario made from the one on the page; resolves with what is wrong with it, or "". */
  openFork(text: string): Promise<string>;
  /** Runs a sweep; cancel ends it. */
  runSweep(plan: SweepPlan): void;
  /** What the engine offers; null when it could not be asked. */
  facts(): Promise<Facts | null>;
  openPreset(name: string): void;
  reset(): void;
  cancel(): void;
  runAgain(): void;
  copyLink(form?: LinkForm): void;
  copyReport(): void;
  download(what: Download): void;
}

export function initial(): State {
  return {
    facts: null,
    engine: { phase: 'loading', message: 'loading the engine' },
    opened: null,
    refused: new Map(),
    notice: null,
    outcome: null,
    stale: false,
    progress: null,
    live: [],
    report: '',
    t: 0,
    held: false,
    zoom: null,
    selection: null,
    pins: [],
    row: 0,
    playing: false,
    sweepOver: null,
    sweep: null,
    scope: -1,
    arm: 0,
    process: 0,
    against: -1,
    reasons: null,
    parted: null,
    asking: null,
    mode: 'side',
    fill: 'util',
    find: '',
    moreGates: false,
    plotting: null,
  };
}
