// The plots as one picture that stands for itself: title, verdict, curves,
// link and engine. Colours are those of the theme on the page.

import { s } from '../dom';
import { vectorOf } from './curvecanvas';

export interface PictureText {
  title: string;
  verdict: string;
  /** Lines below the plots: link, engine, digest. */
  foot: string[];
}

/** What a style sheet gives to shapes and text. */
const STYLE = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linejoin', 'stroke-opacity', 'opacity', 'visibility', 'font-size', 'font-weight', 'paint-order'];
const FONT = 'system-ui, sans-serif';
const MARGIN = 16;
const HEAD = 56;

/** A copy of a drawing with its styles written into it. */
function inlined(from: SVGSVGElement): SVGSVGElement {
  const copy = from.cloneNode(true) as SVGSVGElement;
  const sources = from.querySelectorAll('*');
  copy.querySelectorAll('*').forEach((e, i) => {
    const style = getComputedStyle(sources[i] as Element);
    for (const name of STYLE) {
      const v = style.getPropertyValue(name);
      if (v && v !== 'none' && v !== 'auto' && v !== 'normal') e.setAttribute(name, v.replace('px', ''));
      else if (name === 'fill' && v === 'none') e.setAttribute(name, v);
    }
    e.removeAttribute('class');
  });
  return copy;
}

/** Draws the plots below root. */
export function pictureOf(root: HTMLElement, words: PictureText): SVGSVGElement {
  const frame = root.getBoundingClientRect();
  const page = getComputedStyle(root);
  const ink = page.color;
  const width = Math.round(frame.width) + 2 * MARGIN;
  const height = Math.round(frame.height) + HEAD + words.foot.length * 15 + 2 * MARGIN;
  const panel = getComputedStyle(document.querySelector('.cols') as Element).backgroundColor;
  const svg = s('svg', { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}`, 'font-family': FONT });
  const text = (x: number, y: number, content: string, size: number, weight = 400, fill = ink) => svg.append(s('text', { x, y, fill, 'font-size': size, 'font-weight': weight }, content));
  svg.append(s('title', null, words.title), s('desc', null, [words.verdict, ...words.foot].join(' ')), s('rect', { width, height, fill: panel }));
  text(MARGIN, MARGIN + 12, words.title, 13, 650);
  text(MARGIN, MARGIN + 34, words.verdict, 17);
  const place = (e: Element) => {
    const r = e.getBoundingClientRect();
    return { x: r.left - frame.left + MARGIN, y: r.top - frame.top + MARGIN + HEAD, w: r.width, h: r.height };
  };
  for (const plot of root.querySelectorAll<SVGSVGElement | HTMLCanvasElement>('svg, canvas')) {
    const at = place(plot);
    if (at.w === 0) continue;
    if (plot instanceof HTMLCanvasElement) {
      const curves = vectorOf(plot);
      svg.append(curves ? s('svg', { x: at.x, y: at.y, width: at.w, height: at.h }, ...curves) : s('image', { href: plot.toDataURL(), x: at.x, y: at.y, width: at.w, height: at.h, preserveAspectRatio: 'none' }));
      continue;
    }
    const copy = inlined(plot);
    for (const name of ['class', 'role', 'aria-label', 'aria-hidden']) copy.removeAttribute(name);
    for (const [name, v] of [['x', at.x], ['y', at.y], ['width', at.w], ['height', at.h], ['overflow', 'visible']] as const) copy.setAttribute(name, String(v));
    svg.append(copy);
  }
  for (const e of root.querySelectorAll<HTMLElement>('.tname h3, .tname .sub, .read > span:not(.arm), .armhead > *')) {
    const at = place(e);
    if (at.w === 0 || !e.textContent) continue;
    const style = getComputedStyle(e);
    text(at.x, at.y + Math.min(at.h, 16) * 0.78, e.textContent.replace(/\s+/g, ' ').trim(), parseFloat(style.fontSize), Number(style.fontWeight), e.matches('.tag') ? ink : style.color);
  }
  words.foot.forEach((line, i) => text(MARGIN, height - MARGIN - (words.foot.length - 1 - i) * 15, line, 11));
  return svg;
}

/** The text of an SVG file. */
export function svgText(svg: SVGSVGElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(svg)}\n`;
}

/** A picture as a PNG of twice its size. */
export async function pngOf(svg: SVGSVGElement): Promise<Blob | null> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width * 2;
  canvas.height = image.height * 2;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, 'image/png'));
}
