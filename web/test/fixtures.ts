// Small hand-made scenarios and runs for tests.

import type { Decision, Opened, Result, Run } from '../src/contract';

/** Two sockets with one LLC of four CPUs each. */
export function opened(labels: string[], over: Partial<Opened> = {}): Opened {
  const llc = (index: number) => ({ index, node: index, bytes: 108 * 2 ** 20, fill_gbps: 310, clusters: [[[4 * index], [4 * index + 1], [4 * index + 2], [4 * index + 3]]] });
  const node = (index: number) => ({ index, mem_bytes: 2 ** 38, gbps: 300 });
  return {
    text: '{}', link: '#1;mg-d-112', link_note: '', name: 'mg-d-112', title: 't', purpose: 'p', source: 's', notice: '', scenario: {}, base: {}, fields: [], expect: [], seeds: [1],
    machine: { name: 'm', title: 'm', synthetic: '', cpus: 8, smt: 1, packages: [0, 1].map((index) => ({ index, nodes: [node(index)], llcs: [llc(index)] })) },
    arms: labels.map((label) => ({ label, set: {}, cas: label !== 'off', busy_limit_pct: 75 })),
    ...over,
  };
}

/** threads[i] is [on LLC 0, on LLC 1] in sample i of 100 ms. */
export function run(arm: number, seed: number, runtime: number | null, threads: [number, number][] = [], over: Partial<Run> = {}): Run {
  const series = [0, 1].flatMap((l) => [
    { kind: 'proc_llc_threads', index: l, sub: 0, unit: 'threads', scale: 1, v: Int32Array.from(threads, (t) => t[l] as number) },
    { kind: 'llc_fill', index: l, unit: 'GB/s', scale: 10, v: Int32Array.from(threads, (t) => (t[l] === 0 ? 0 : t[1 - l] === 0 ? 3060 : 2605)) },
  ]);
  return {
    arm, seed, label: '', done: runtime !== null, sim_ns: threads.length * 1e8, events: 1, sample_ns: 1e8,
    metrics: runtime === null ? [] : [{ name: 'runtime_s', value: runtime }], series, decisions: [], log: [], digest: 'd',
    processes: [{ name: 'mg', threads: 112, preferred: [[4.1e8, 0]], rss_bytes: 26.4 * 2 ** 30, footprint_pages_max: 0, numa_sweeps: 0, pages_migrated: 0, hint_faults: 0, scan_runs: 0, scans: 0, nr_running_avg: 105, nr_running_avg_max: 105 }],
    ...over,
  };
}

export function decision(rule: string, over: Partial<Decision>): Decision {
  return { rule, process: 0, evaluated: 1000, fired: 0, first_ns: -1, last_ns: -1, at_ns: 0, value: 0, limit: 0, unit: '', text: '', ...over };
}

export function result(arms: string[], over: Partial<Result> = {}): Result {
  return { engine: 'e', digest: 'd', arms: arms.map((label) => ({ label, changes: [], cas: { wanted: true, possible: true, active: true, preferring: 1 }, metrics: {}, shown_seed: 1, decisions: [], warnings: [] })), deltas: [], verdicts: [], warnings: [], ...over };
}
