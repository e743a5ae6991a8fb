// The rows of the gates table, from what the rules noted while they ran.

import type { Decision, Run } from '../contract';
import { amount, bytes, count } from '../format';
import { gathered } from './gather';
import { wordsFor } from './rules';

export interface Gate {
  rule: string;
  /** True for names of the kernel. */
  code: boolean;
  what: string;
  value: string;
  limit: string;
  /** Value over limit for the bar; null draws none. */
  ratio: number | null;
  verdict: string;
  tone: 'open' | 'veto' | 'late' | 'none';
  count: string;
  /** The comparison in words. */
  text: string;
  main: boolean;
}

/** Whether a rule compared the RSS of a process: its name or text says so, or the number is the RSS to the byte. */
export function readsRss(d: Decision, rss: number): boolean {
  return /rss/i.test(d.rule) || /\brss\b/i.test(d.text) || (d.rule === 'exceed_llc_capacity' && rss > 0 && d.value === rss);
}

function gate(d: Decision, together: number | null, rss: number): Gate {
  const w = wordsFor(d.rule);
  const fired = d.fired > 0;
  const late = d.rule === 'fits_llc_capacity' && d.value >= d.limit && fired && together !== null && d.first_ns / 1e9 >= together - 0.5;
  const verdict = d.evaluated === 0 ? 'not asked' : late ? 'too late' : fired ? w.fired : w.quiet;
  // a knob can remove the limit of a rule
  const limitless = d.limit < 0;
  return {
    rule: d.rule,
    code: true,
    what: late ? 'busy, but the threads are in' : readsRss(d, rss) ? 'RSS against LLC size' : w.what,
    value: d.unit === 'LLC' || d.unit === 'node' ? '' : amount(d.value, d.unit),
    limit: limitless ? 'no limit' : w.compare ? `${w.compare} ${amount(d.limit, d.unit)}` : '',
    ratio: w.compare && !limitless && d.limit > 0 ? d.value / d.limit : null,
    verdict,
    tone: d.evaluated === 0 ? 'none' : late ? 'late' : fired && w.veto ? 'veto' : 'open',
    count: d.evaluated === 0 ? '0 calls' : d.fired === d.evaluated ? `all ${count(d.evaluated)}` : `${count(d.fired)} of ${count(d.evaluated)}`,
    text: d.text,
    main: w.main,
  };
}

/** RSS is shown beside the rules: no rule of 7.3 reads it, and that is the point. */
function rssRow(run: Run, p: number, llcBytes: number, reads: boolean): Gate | null {
  const rss = run.processes[p]?.rss_bytes ?? 0;
  if (rss <= 0 || reads) return null;
  return {
    rule: 'RSS',
    code: false,
    what: 'no rule of these compares it',
    value: bytes(rss),
    limit: 'no limit',
    ratio: null,
    verdict: 'not read',
    tone: 'none',
    count: `${count(Math.round(rss / llcBytes))} \u00d7 LLC`,
    text: '',
    main: true,
  };
}

/**
 * Gates of process p in the order of the rules, RSS after the size gate.
 * decisions are those of the run or of all seeds of its arm.
 */
export function gates(run: Run, decisions: readonly Decision[], p: number, llcBytes: number): Gate[] {
  const home = gathered(run, p);
  const mine = decisions.filter((d) => (d.process === p || d.process < 0) && d.evaluated > 0);
  const bytesOf = run.processes[p]?.rss_bytes ?? 0;
  const reads = mine.some((d) => readsRss(d, bytesOf));
  const rows: Gate[] = [];
  const rss = mine.length ? rssRow(run, p, llcBytes, reads) : null;
  for (const d of mine) {
    rows.push(gate(d, home?.from ?? null, bytesOf));
    if (d.rule === 'exceed_llc_capacity' && rss) rows.push(rss);
  }
  return rows;
}
