// The service worker: after the first visit the page opens at once and
// without a network. Each build of the page has a cache of its own, filled as a
// whole, so that its parts always fit each other; a new build is fetched
// behind the page and shown on the visit after.

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
const scope = globalThis as unknown as Scope;
const PREFIX = 'casplay-';
const NAME = PREFIX + BUILD_ID;

/** Files whose names stay while their content changes: a kept copy will not do. */
const FRESH = ['./', 'style.css', 'main.js'];
const ENGINE = ['worker.js', 'wasm_exec.js', 'casplay.wasm.gz'].map((f) => `e/${ENGINE_ID}/${f}`);

scope.addEventListener('install', (e) => {
  e.waitUntil(
    caches.open(NAME).then(async (cache) => {
      await cache.addAll([...FRESH.map((f) => new Request(f, { cache: 'no-cache' })), ...ENGINE]);
      await scope.skipWaiting();
    }),
  );
});

scope.addEventListener('activate', (e) => {
  e.waitUntil(
    caches.keys().then(async (names) => {
      for (const name of names) if (name.startsWith(PREFIX) && name !== NAME) await caches.delete(name);
      await scope.clients.claim();
    }),
  );
});

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(NAME);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept) return kept;
  const fresh = await fetch(request);
  if (fresh.ok) await cache.put(request, fresh.clone());
  return fresh;
}

scope.addEventListener('fetch', (e) => {
  const { request } = e;
  if (request.method === 'GET' && request.url.startsWith(scope.registration.scope)) e.respondWith(answer(request));
});
