// axe-core in a page.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { projectTop } from './site';

const axe = readFileSync(join(projectTop, 'web', 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');

/** What axe complains about, a line each. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const run = (globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[] }> } }).axe;
    const r = await run.run();
    return r.violations.flatMap((v) => v.nodes.map((n) => `${v.id} at ${n.target.join(' ')}: ${n.failureSummary}`));
  });
}
