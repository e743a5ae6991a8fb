// The service worker: after the first visit the page opens at once and
// without a network. Each build of the page has a cache of its own, filled as a
// whole, so that its parts always fit each other; a new build is fetched
// behind the page and shown on the visit after. Engines have caches of their
// own, unpacked, and outlive the build: links that name one go on working.

import { unpacked } from './engine/load';
import { engineFile, superfluous, type Kept } from './kept';

interface WorkerEvent extends Event {
  request: Request;
  respondWith(response: Promise<Response>): void;
  waitUntil(work: Promise<unknown>): void;
}
interface Scope {
  registration: { scope: string };
  addEventListener(type: string, listen: (e: WorkerEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
}
declare const ENGINE_ID: string;
/** Hash over the files of the page. */
declare const BUILD_ID: string;
/** Folder of the results of this build; "" without. */
declare const PRE: string;
const scope = globalThis as unknown as Scope;
const here = scope.registration.scope;
// caches belong to the host: another copy of the site has its own
const PREFIX = `casplay ${new URL(here).pathname} `;
const NAME = PREFIX + BUILD_ID;
const ENGINES = `${PREFIX}engine `;

/** Files whose names stay while their content changes: a kept copy will not do. */
const FRESH = ['./', 'style.css', 'main.js'];
/** The list of engines grows; it is fetched anew while there is a network. */
const LIST = new URL('e/index.json', here).href;
const WASM = 'casplay.wasm.gz';
/** Not a file of the site: when an engine was last used, and its size. */
const STAMP = 'used';

const at = (id: string, file: string): string => new URL(`e/${id}/${file}`, here).href;

/** Fetches a file and keeps it, if there is room. */
async function fetchAndKeep(cacheName: string, url: string): Promise<Response> {
  const fresh = await fetch(url);
  if (!fresh.ok) return fresh;
  try {
    const cache = await caches.open(cacheName);
    const copy = fresh.clone();
    await cache.put(url, (url.endsWith(WASM) && (await unpacked(copy))) || fresh.clone());
    return (await cache.match(url)) ?? fresh;
  } catch {
    return fresh;
  }
}

async function kept(cacheName: string, url: string): Promise<Response | undefined> {
  return (await caches.has(cacheName)) ? (await caches.open(cacheName)).match(url) : undefined;
}

const keptOrFetched = async (cacheName: string, url: string): Promise<Response> => (await kept(cacheName, url)) ?? fetchAndKeep(cacheName, url);

async function stampOf(id: string): Promise<Kept> {
  const stamp = await (await caches.open(ENGINES + id)).match(at(id, STAMP));
  return { id, used: 0, bytes: 0, ...((await stamp?.json()) as object | undefined) };
}

/** Notes that an engine is in use, and makes room. */
async function used(id: string): Promise<void> {
  const cache = await caches.open(ENGINES + id);
  const wasm = await cache.match(at(id, WASM));
  const bytes = (await stampOf(id)).bytes || (wasm ? (await wasm.blob()).size : 0);
  await cache.put(at(id, STAMP), Response.json({ used: Date.now(), bytes }));
  const ids = (await caches.keys()).filter((n) => n.startsWith(ENGINES)).map((n) => n.slice(ENGINES.length));
  for (const old of superfluous(await Promise.all(ids.map(stampOf)), ENGINE_ID)) await caches.delete(ENGINES + old);
}

async function install(): Promise<void> {
  const cache = await caches.open(NAME);
  await cache.addAll([...FRESH, LIST].map((f) => new Request(f, { cache: 'no-cache' })));
  for (const file of ['worker.js', 'wasm_exec.js', WASM])
    if (!(await keptOrFetched(ENGINES + ENGINE_ID, at(ENGINE_ID, file))).ok) throw new Error(`${file} is missing`);
  await used(ENGINE_ID);
  await scope.skipWaiting();
}

async function activate(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && !name.startsWith(ENGINES) && name !== NAME) await caches.delete(name);
  await scope.clients.claim();
}

async function list(): Promise<Response> {
  const cache = await caches.open(NAME);
  const fresh = await fetch(LIST).catch(() => null);
  if (fresh?.ok) await cache.put(LIST, fresh.clone());
  return (fresh?.ok ? fresh : await cache.match(LIST)) ?? fresh ?? Response.error();
}

scope.addEventListener('install', (e) => e.waitUntil(install()));
scope.addEventListener('activate', (e) => e.waitUntil(activate()));
scope.addEventListener('fetch', (e) => {
  const { request } = e;
  const url = request.url.split(/[?#]/)[0] as string;
  if (request.method !== 'GET' || !url.startsWith(here)) return;
  if (url === LIST) return e.respondWith(list());
  const engine = engineFile(here, url);
  if (engine) {
    const answer = keptOrFetched(ENGINES + engine.id, url);
    e.respondWith(answer);
    if (engine.file === WASM) e.waitUntil(answer.then(({ ok }) => (ok ? used(engine.id) : undefined)));
  } else if (PRE && url.startsWith(new URL(PRE, here).href)) e.respondWith(keptOrFetched(NAME, url));
  else {
    const name = url === `${here}index.html` ? here : url;
    if (FRESH.some((f) => new URL(f, here).href === name)) e.respondWith(kept(NAME, name).then((page) => page ?? fetch(request)));
  }
  // what else lies below the folder, such as short links, is the host's
});
