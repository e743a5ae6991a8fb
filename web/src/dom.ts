// Elements from data. Text only ever becomes a text node: nothing from a link,
// a file or the engine is parsed as markup.

export type Kid = Node | string | number | null | undefined | false;
type Value = string | number | boolean | null | undefined | ((event: never) => void);
export type Attrs = Record<string, Value>;

const SVG = 'http://www.w3.org/2000/svg';

function fill<E extends Element>(e: E, attrs: Attrs | null, kids: Kid[]): E {
  for (const [name, value] of Object.entries(attrs ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') e.addEventListener(name, value as EventListener);
    else e.setAttribute(name, value === true ? '' : String(value));
  }
  append(e, kids);
  return e;
}

function append(e: Element, kids: Kid[]): void {
  for (const k of kids) if (k !== null && k !== undefined && k !== false) e.append(k instanceof Node ? k : String(k));
}

/** Makes an HTML element; a function value listens to the event of that name. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attrs: Attrs | null, ...kids: Kid[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attrs, kids);
}

/** Makes an SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(tag: K, attrs: Attrs | null, ...kids: Kid[]): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(SVG, tag), attrs, kids);
}

/** Replaces the children of e. */
export function put<E extends Element>(e: E, ...kids: Kid[]): E {
  e.replaceChildren();
  append(e, kids);
  return e;
}

/** The element of index.html with this id. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  const e = document.getElementById(id);
  if (!e) throw new Error(`index.html has no element #${id}`);
  return e as E;
}

/** Sets an attribute only when it changes, so that a redraw touches little. */
export function attr(e: Element, name: string, value: string | number | null): void {
  if (value === null) {
    if (e.hasAttribute(name)) e.removeAttribute(name);
  } else if (e.getAttribute(name) !== String(value)) e.setAttribute(name, String(value));
}

/** Sets the text only when it changes. */
export function text(e: Element, value: string): void {
  if (e.textContent !== value) e.textContent = value;
}

/** Splits text at backticks: the odd parts are names the kernel or a shell knows. */
export function marks(value: string): { code: boolean; text: string }[] {
  return value.split('`').map((part, i) => ({ code: i % 2 === 1, text: part })).filter((p) => p.text !== '');
}

/** Nodes of text in which `names` stand in code type. */
export function rich(value: string): Node[] {
  return marks(value).map((p) => (p.code ? h('code', null, p.text) : document.createTextNode(p.text)));
}

/** The boxed letter of an arm. */
export function tag(arm: number): HTMLElement {
  return h('span', { class: 'tag' }, letter(arm));
}

/** A for the first arm, B for the second. */
export function letter(arm: number): string {
  return String.fromCharCode(65 + arm);
}
