// Values of a scenario by dotted path: kernel.cas.enabled, workload.0.threads.

import type { Scalar } from './contract';

/** The value at a path; undefined when there is none. */
export function valueAt(root: unknown, path: string): unknown {
  let now = root;
  for (const key of path.split('.')) {
    if (typeof now !== 'object' || now === null) return undefined;
    now = (now as Record<string, unknown>)[key];
  }
  return now;
}

/** The same as a value a field can show; objects (an inline machine) by their name. */
export function scalarAt(root: unknown, path: string): Scalar {
  const v = valueAt(root, path);
  if (typeof v === 'number' || typeof v === 'string' || typeof v === 'boolean') return v;
  if (typeof v === 'object' && v !== null) return String((v as { name?: unknown }).name ?? 'inline');
  return '';
}

/** The value that an arm has: its own, else that of the scenario. */
export function armValue(root: unknown, path: string, label: string | undefined): Scalar {
  const arms = valueAt(root, 'arms');
  const arm = label === undefined || !Array.isArray(arms) ? undefined : arms.find((a: unknown) => valueAt(a, 'label') === label);
  const own = (valueAt(arm, 'set') as Record<string, unknown> | undefined)?.[path];
  return typeof own === 'number' || typeof own === 'string' || typeof own === 'boolean' ? own : scalarAt(root, path);
}

/** A value as links and the engine write it. */
export function written(v: Scalar): string {
  return v === true ? '1' : v === false ? '0' : String(v);
}

/** Parts of the form: fields whose paths begin alike. */
export interface Group {
  title: string;
  /** What the group is called in the file system of the kernel. */
  hint: string;
  /** Prefix of the paths. */
  prefix: string;
  /** Folded away until asked for. */
  folded: boolean;
}

export const GROUPS: Group[] = [
  { title: 'Knobs', hint: 'sched/llc_balancing/', prefix: 'kernel.cas.', folded: false },
  { title: 'Kernel', hint: '', prefix: 'kernel.', folded: true },
  { title: 'NUMA', hint: 'sched/numa_balancing/', prefix: 'kernel.numa.', folded: true },
  { title: 'Cost of the kernel', hint: '', prefix: 'kernel.timing.', folded: true },
  { title: 'Run', hint: '', prefix: 'run.', folded: true },
];

/** The group of a path: the longest prefix wins. */
export function groupOf(path: string): Group | undefined {
  return GROUPS.filter((g) => path.startsWith(g.prefix)).sort((a, b) => b.prefix.length - a.prefix.length)[0];
}

/** End of a slider: the whole range when it is small, else what people try. */
export function sliderEnd(max: number, value: number, base: number): number {
  if (max <= 1000) return max;
  let end = 100;
  while (end < value || end < 2 * base) end *= 10;
  return Math.min(end, max);
}
