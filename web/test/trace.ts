// Tasks of a page's main thread, from a trace of the browser.

import type { Page } from 'playwright-core';
import type { Site } from './site';

interface Event {
  name: string;
  ph: string;
  tid: number;
  pid: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** Longest task of a page's main thread in ms of processor time, and how many tasks were seen. */
export function longest(events: Event[]): { ms: number; tasks: number } {
  const mains = new Set(events.filter((e) => e.name === 'thread_name' && e.args?.name === 'CrRendererMain').map((e) => `${e.pid}/${e.tid}`));
  const tasks = events.filter((e) => e.ph === 'X' && /RunTask$/.test(e.name) && mains.has(`${e.pid}/${e.tid}`) && e.tdur !== undefined);
  return { ms: Math.max(0, ...tasks.map((e) => (e.tdur as number) / 1000)), tasks: tasks.length };
}

/** Traces what the page does meanwhile; the tasks are measured in processor time, which other load does not stretch. */
export async function traced(site: Site, page: Page, work: () => Promise<unknown>): Promise<{ ms: number; tasks: number }> {
  await site.browser.startTracing(page, { categories: ['toplevel', '__metadata', 'disabled-by-default-devtools.timeline', 'devtools.timeline'] });
  await work();
  const trace = JSON.parse((await site.browser.stopTracing()).toString()) as { traceEvents: Event[] };
  return longest(trace.traceEvents);
}
