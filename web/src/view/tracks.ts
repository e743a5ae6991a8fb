// The rows of the curves: what each shows, from which series, on which scale.

import type { Opened, Run } from '../contract';
import { bank, LINKS, raw } from '../curves';
import { cpuRows } from '../model/cpurows';
import { axisEnd, niceStep, ticks } from '../scale';
import type { ViewMode } from '../state';

/** Up to this many LLCs have a line each; more become a heat map. */
export const MAX_LINES = 6;

export interface Track {
  id: string;
  kind: string;
  name: string;
  unit: string;
  /** Prefix of the readout of one line: "LLC 0", and where there is little room. */
  noun: string;
  short: string;
  /** For each curve the node or package it belongs to, for gaps in a heat map. */
  groups: number[];
  /** Height in pixels (4/5 of it on phones). */
  height: number;
  /** 'line' curves, 'diff' areas around zero, 'heat' rows, 'cpus' a canvas with a row for each CPU (groups: tops of LLCs). */
  form: 'line' | 'diff' | 'heat' | 'cpus';
  max: number;
  ticks: number[];
  /** A limit for an arm, and its name. */
  limit(arm: number): { value: number; name: string } | null;
  decimals: number;
}

function top(runs: readonly Run[], kind: string): number {
  let best = 0;
  for (const run of runs)
    for (const series of bank(run, kind)) for (let i = 0; i < series.v.length; i++) if (raw(series, i) > best) best = raw(series, i);
  return best;
}

/** End of an axis: the capacity is in the picture unless the curves would be flat then. */
function scaleFor(most: number, cap: number): number {
  return axisEnd(most > 0 && most < cap * 0.25 ? most : Math.max(most, cap));
}

function bandwidth(runs: readonly Run[], caps: number[], groups: number[], id: string, kind: string, name: string, noun: string, limitName: string, height = 66): Track {
  const cap = caps.find((c) => c > 0) ?? null;
  const max = scaleFor(top(runs, kind), cap ?? 0);
  return {
    id, kind, name, noun, short: noun === 'link' ? '' : noun.charAt(0).toUpperCase(), unit: 'GB/s', form: caps.length > MAX_LINES ? 'heat' : 'line', groups, height, max, ticks: ticks(0, max, 2), decimals: max < 20 ? 1 : 0,
    limit: () => (cap === null ? null : { value: cap, name: `${cap.toFixed(0)} ${limitName}` }),
  };
}

/** The row of the links between packages, where there are some and few enough for lines. */
function links(runs: readonly Run[]): Track[] {
  const all = runs.map((r) => bank(r, LINKS)).find((list) => list.length > 0) ?? [];
  if (all.length === 0 || all.length > MAX_LINES) return [];
  return [bandwidth(runs, all.map((x) => (x.cap ?? 0) / x.scale), all.map((x) => x.index), 'links', LINKS, 'Package links', 'link', 'link limit', 46)];
}

/** A row that shows the difference to the first arm. */
function difference(of: Track, runs: readonly Run[]): Track {
  const reference = runs.find((r) => r.arm === 0);
  let most = 0;
  if (reference)
    for (const run of runs) {
      const mine = bank(run, of.kind);
      bank(reference, of.kind).forEach((x, k) => {
        const y = mine[k];
        for (let i = 0; y && i < Math.min(x.v.length, y.v.length); i++) most = Math.max(most, Math.abs(raw(y, i) - raw(x, i)));
      });
    }
  const max = niceStep(most || 1);
  return { ...of, id: of.id + '-diff', name: `${of.name.replace('LLC ', '').replace(/^./, (c) => c.toUpperCase())} \u2212 A`, unit: of.unit.startsWith('%') ? 'points' : of.unit, form: 'diff', height: 46, max, ticks: [-max, 0, max], limit: () => null };
}

/** Rows for the runs on the page. */
export function tracksFor(opened: Opened, runs: readonly Run[], mode: ViewMode): Track[] {
  if (mode === 'cpus') return [{ id: 'cpus', kind: 'cpu_busy', name: 'CPUs', unit: '% busy', noun: 'CPU', short: 'C', form: 'cpus', groups: cpuRows(opened.machine).llcs.map((l) => l.y), height: 0, max: 100, ticks: [], decimals: 0, limit: () => null }];
  const nodes = opened.machine.packages.flatMap((p) => p.nodes);
  const caches = opened.machine.packages.flatMap((p) => p.llcs);
  const homes = caches.map((c) => c.node);
  const busiest = top(runs, 'llc_util');
  const most = busiest > 0 && busiest < 25 ? axisEnd(busiest) : 100;
  const util: Track = {
    id: 'util', kind: 'llc_util', name: 'LLC utilisation', unit: '% of CPUs', noun: 'LLC', short: 'L', form: caches.length > MAX_LINES ? 'heat' : 'line', groups: homes, height: 80, max: most, ticks: ticks(0, most, 2), decimals: most < 20 ? 1 : 0,
    limit: (arm) => {
      const pct = opened.arms[arm]?.busy_limit_pct;
      return pct === undefined || pct > 100 ? null : { value: pct, name: `${pct} busy limit` };
    },
  };
  const fill = bandwidth(runs, caches.map((c) => c.fill_gbps), homes, 'fill', 'llc_fill', 'LLC fill', 'LLC', 'port limit');
  const dram = bandwidth(runs, nodes.map((n) => n.gbps), opened.machine.packages.flatMap((p) => p.nodes.map(() => p.index)), 'dram', 'node_bw', 'Node DRAM', 'node', 'DRAM ceiling');
  const rows = [util, fill, dram, ...links(runs)];
  const several = opened.arms.length > 1;
  if (mode === 'diff' && several) return rows.map((x) => ({ ...difference(x, runs), height: 78 }));
  if (mode === 'over') return rows.map((x) => ({ ...x, form: 'line' as const, height: 78 }));
  return several && util.form === 'line' ? [...rows, difference(util, runs)] : rows;
}
