// The paragraph under the verdict: which rule let the process gather or kept
// it apart, with the numbers it compared, and what memory made of that.

import type { ArmDecision, Decision, Opened, Result, Run } from '../contract';
import { end } from '../curves';
import { letter } from '../dom';
import { amount, bytes, count, seconds } from '../format';
import { readsRss } from './gates';
import { gathered, meanTotal, settled } from './gather';
import { metricText, metricWords } from './metrics';
import { wordsFor } from './rules';
import type { ArmStat } from './stats';
import { armName } from './verdict';

export interface Evidence {
  opened: Opened;
  /** The run that stands for the arm, and the decisions over its seeds. */
  run: Run;
  decisions: readonly (Decision | ArmDecision)[];
  /** The same of the reference arm. */
  reference: Run | undefined;
}

/** The gates that can keep a process from gathering, in the kernel's order. */
const SIZE_GATES = ['invalid_llc_nr', 'exceed_llc_capacity'];
const SIZE_NAMES: Record<string, string> = { invalid_llc_nr: 'nr_running_avg', exceed_llc_capacity: 'footprint' };

/** "`nr_running_avg` 105 of 115" */
function compared(d: Decision, rss: number): string {
  const limit = d.limit < 0 ? ' without a limit' : ` of ${amount(d.limit, d.unit)}`;
  return `${readsRss(d, rss) ? 'RSS' : `\`${SIZE_NAMES[d.rule] ?? d.rule}\``} ${amount(d.value, d.unit)}${limit}`;
}

function join(parts: string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** What the gates said of the first process. */
function gatesSaid(e: Evidence): string {
  const asked = SIZE_GATES.map((rule) => e.decisions.find((d) => d.rule === rule && d.process === 0)).filter((d): d is Decision => !!d && d.evaluated > 0);
  if (asked.length === 0) return '';
  const process = e.run.processes[0];
  const size = process?.rss_bytes ?? 0;
  const rss = size > 0 ? bytes(size) : '';
  const vetoed = asked.filter((d) => d.fired > 0);
  if (vetoed.length === 0) {
    const tail = rss && !asked.some((d) => readsRss(d, size)) ? `, and RSS (${rss}) is not read` : '';
    const said = asked.map((d) => compared(d, size));
    return `No gate keeps the process apart: ${tail ? said.join(', ') : join(said)}${tail}.`;
  }
  const d = vetoed.reduce((a, b) => (b.fired > a.fired ? b : a));
  const numbers = /\brss\b/i.test(d.text) ? d.text : compared(d, size);
  const share = d.fired / d.evaluated;
  if (share > MOSTLY) return `\`${d.rule}\` keeps the process apart, ${d.fired === d.evaluated ? 'every time it is asked' : `${count(d.fired)} of ${count(d.evaluated)} times`}: ${numbers}.`;
  const first = `\`${d.rule}\` refuses ${share < 0.01 ? 'less than 1' : (share * 100).toFixed(0)} % of the time, first at ${seconds(d.first_ns / 1e9)}: ${numbers}.`;
  return d.first_ns > 1e9 ? `${first} Until then no gate kept the process apart.` : first;
}

/** From this share of refusals on a gate has kept the process apart. */
const MOSTLY = 0.9;

/** Where the threads ended up, and what memory delivers there. */
function placement(e: Evidence): string {
  const home = gathered(e.run, 0);
  if (home && home.from < 0.75 * end(e.run)) {
    const when = home.from < 0.1 ? 'from the start' : `after ${seconds(home.from)}`;
    return `${home.all ? 'All' : 'Nearly all'} ${e.run.processes[0]?.threads ?? 0} threads sit on LLC ${home.llc} ${when}${traffic(e, home.from)}.`;
  }
  const most = settled(e.run, 0);
  return most ? `In the second half of the run ${most.threads.toFixed(0)} of ${most.all.toFixed(0)} threads sit on LLC ${most.llc}${traffic(e, most.from)}.` : '';
}

/** What the memory delivers from then on, against the reference arm in the same time of its run. */
function traffic(e: Evidence, from: number): string {
  const now = meanTotal(e.run, 'llc_fill', from);
  const before = e.reference ? (meanTotal(e.reference, 'llc_fill', from) ?? meanTotal(e.reference, 'llc_fill', 0)) : null;
  return now !== null && before !== null && before > 1 && Math.abs(now / before - 1) > 0.05 ? `, where ${now.toFixed(0)} GB/s replace ${before.toFixed(0)}` : '';
}

/** When no gate decided: the rule that vetoed most. */
function otherRule(e: Evidence): string {
  const d = e.decisions.filter((x) => x.fired > 0 && wordsFor(x.rule).veto && !SIZE_GATES.includes(x.rule)).sort((a, b) => b.fired - a.fired)[0];
  return d ? `\`${d.rule}\` forbids ${count(d.fired)} of ${count(d.evaluated)} moves.` : '';
}

/** The paragraph about the arm that the verdict is about. */
export function why(e: Evidence): string {
  const casOff = !e.opened.arms[e.run.arm]?.cas;
  const where = placement(e);
  if (casOff) return `CAS is off in this arm, so none of its rules was asked. ${where}`.trim();
  const said = gatesSaid(e);
  return [said, where, said && where ? '' : otherRule(e)].filter(Boolean).join(' ');
}

/** One more sentence for each arm that the verdict leaves out. */
export function others(stats: readonly ArmStat[], result: Result, about: number): string {
  return stats
    .filter((x) => x.arm !== about && x.arm !== x.reference && x.values.length > 0)
    .map((x) => {
      const veto = result.arms[x.arm]?.decisions.filter((d) => SIZE_GATES.includes(d.rule) && d.fired > 0).sort((a, b) => b.fired - a.fired)[0];
      const takes = metricWords(x.metric).time ? 'takes' : 'has';
      const reason = veto ? `: \`${veto.rule}\` refuses, and it ${takes}` : ` ${takes}`;
      return `${armName(x.label)} (${letter(x.arm)})${reason} ${metricText(x.metric, x.median)}.`;
    })
    .join(' ');
}
