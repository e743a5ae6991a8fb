// The sweep panel: which settings, the pictures, the point under the cursor.

import { addressOf } from '../address';
import { byId, h, letter, put, s } from '../dom';
import { fixed, signed } from '../format';
import { metricText } from '../model/metrics';
import type { AppStore } from '../state';
import { changeOf, metricsOf, valueOf, type Sweep, type SweepPoint } from '../sweep/sweep';
import { clamp } from '../scale';
import { curvePicture, mapPicture, type SweepPicture } from './sweepplot';

export function mountSweepResult(store: AppStore): void {
  const svg = s('svg', { class: 'sweepsvg', tabindex: 0, role: 'application', 'aria-roledescription': 'plot' });
  const read = h('p', { class: 'sweepread' });
  const live = h('p', { class: 'vh', 'aria-live': 'polite' });
  const table = h('div', { class: 'sweeptable', role: 'region', tabindex: 0, 'aria-label': 'Sweep as a table' });
  const metricPick = h('select', { id: 'sw-metric' });
  const showPick = h('select', { id: 'sw-show' });
  const bar = h('div', { class: 'sweepbar' }, h('label', null, 'Metric ', metricPick), h('label', { class: 'sw-show' }, 'Show ', showPick));
  let at: [number, number] = [0, 0];
  let picture: SweepPicture | null = null;
  let shown: Sweep | null = null;
  let pause: ReturnType<typeof setTimeout> | undefined;

  const options = (select: HTMLSelectElement, list: [string, string][], first: string) => {
    const was = select.value;
    const names = list.map(([v]) => v).join('\n');
    if (select.dataset['of'] === names) return;
    select.dataset['of'] = names;
    put(select, ...list.map(([value, text]) => h('option', { value, selected: value === (list.some(([v]) => v === was) ? was : first) }, text)));
  };

  const draw = (): void => {
    const { sweep, sweepOver } = store.now;
    const root = byId('sweepout');
    root.hidden = sweepOver === null || sweep === null;
    if (!sweep || root.hidden) return;
    if (sweep !== shown) {
      shown = sweep;
      at = [0, 0];
      put(root, bar, read, svg, live, h('details', { class: 'sweepmore' }, h('summary', null, 'as a table'), table));
    }
    const metrics = metricsOf(sweep);
    options(metricPick, metrics.map((m) => [m, m]), store.now.outcome?.stats[0]?.metric ?? 'runtime_s');
    const { arms } = sweep.base;
    options(showPick, arms.flatMap((a, i): [string, string][] => [...(i ? [[`change ${i}`, `${letter(i)} ${a.label} against A`] as [string, string]] : []), [`value ${i}`, `${letter(i)} ${a.label}`]]), arms.length > 1 ? 'change 1' : 'value 0');
    (showPick.parentElement as HTMLElement).hidden = !sweep.plan.y;
    const [what, arm] = (showPick.value || 'value 0').split(' ');
    const width = Math.max(280, root.clientWidth - 32);
    const show = { sweep, metric: metricPick.value || 'runtime_s', what: what === 'change' ? 'change' : 'value', arm: Number(arm), width, at } as const;
    picture = sweep.plan.y ? mapPicture(show) : curvePicture(show);
    svg.setAttribute('viewBox', `0 0 ${width} ${picture.height}`);
    svg.setAttribute('height', String(picture.height));
    svg.setAttribute('aria-label', `Sweep of ${show.metric} over ${sweep.plan.x.name}${sweep.plan.y ? ` and ${sweep.plan.y.name}` : ''}: arrows choose a point, Enter opens it`);
    put(svg, ...picture.nodes);
    words(sweep, show.metric);
    if (!sweep.running) put(table, tableOf(sweep, show.metric));
  };

  const here = (sweep: Sweep): SweepPoint | undefined => sweep.points[at[1] * sweep.plan.x.values.length + at[0]];

  const words = (sweep: Sweep, name: string): void => {
    const p = here(sweep);
    if (!p) return;
    const place = `${sweep.plan.x.name} ${p.x}${sweep.plan.y ? `, ${sweep.plan.y.name} ${p.y}` : ''}`;
    const parts = p.error ? [p.error] : sweep.base.arms.map((a, i) => {
      const v = valueOf(p, i, name);
      const c = i ? changeOf(p, i, name) : null;
      return `${letter(i)} ${a.label} ${v === null ? 'to come' : metricText(name, v)}${c === null ? '' : ` (${signed(c, Math.abs(c) < 10 ? 1 : 0)} %)`}`;
    });
    const open = p.opened?.link ? h('a', { href: addressOf(location.href, p.opened.link), id: 'sw-open' }, 'open this point') : null;
    put(read, h('b', null, place), ': ', parts.join(' \u00b7 '), ' ', open);
    clearTimeout(pause);
    if (document.activeElement === svg) pause = setTimeout(() => (live.textContent = `${place}: ${parts.join(', ')}`), 300);
  };

  const go = (x: number, y: number): void => {
    if (!shown) return;
    at = [clamp(x, 0, shown.plan.x.values.length - 1), clamp(y, 0, (shown.plan.y?.values.length ?? 1) - 1)];
    draw();
  };
  svg.addEventListener('keydown', (e) => {
    const step: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const move = step[e.key];
    if (e.key === 'Enter') byId<HTMLAnchorElement>('sw-open').click();
    if (!move) return;
    e.preventDefault();
    e.stopPropagation();
    go(at[0] + move[0], at[1] + move[1]);
  });
  const pointed = (e: PointerEvent): void => {
    const box = svg.getBoundingClientRect();
    if (picture) go(...picture.cellAt(((e.clientX - box.left) / box.width) * svg.viewBox.baseVal.width, ((e.clientY - box.top) / box.height) * svg.viewBox.baseVal.height));
  };
  // a click pins the point, so that the way to its link does not move it
  svg.addEventListener('pointerdown', pointed);
  metricPick.addEventListener('change', draw);
  showPick.addEventListener('change', draw);
  store.watch(['sweep', 'sweepOver'], draw);
  new ResizeObserver(() => requestAnimationFrame(draw)).observe(byId('sweep'));
}

function tableOf(sweep: Sweep, name: string): HTMLTableElement {
  const { x, y } = sweep.plan;
  const cell = (v: number | null) => h('td', null, v === null ? '\u2013' : fixed(v, Math.abs(v) >= 100 ? 0 : 2));
  const head = h('tr', null, h('th', { scope: 'col' }, x.name), y ? h('th', { scope: 'col' }, y.name) : null, ...sweep.base.arms.flatMap((a, i) => [h('th', { scope: 'col' }, `${letter(i)} ${a.label}`), i ? h('th', { scope: 'col' }, `${letter(i)} \u2212 A, %`) : null]), h('th', { scope: 'col' }, 'link'));
  const rows = sweep.points.map((p) => h('tr', null, h('th', { scope: 'row' }, p.x), y ? h('td', null, p.y) : null, ...sweep.base.arms.flatMap((_, i) => [cell(valueOf(p, i, name)), i ? cell(changeOf(p, i, name)) : null]), h('td', null, p.opened?.link ? h('a', { href: p.opened.link, 'aria-label': `open ${x.name} ${p.x}${y ? `, ${y.name} ${p.y}` : ''}` }, 'open') : p.error)));
  return h('table', { class: 'marktable' }, h('caption', { class: 'vh' }, `Sweep of ${name}`), h('thead', null, head), h('tbody', null, ...rows));
}
