// The service worker: after the first visit the page opens without a network.
// Files under the hash of their bytes are taken from the cache; all others
// from the network while there is one.

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
const scope = globalThis as unknown as Scope;
const NAME = 'casplay-1';

/** What a page without a network needs. */
const SHELL = ['./', 'style.css', 'main.js', `e/${ENGINE_ID}/worker.js`, `e/${ENGINE_ID}/wasm_exec.js`, `e/${ENGINE_ID}/casplay.wasm.gz`];

scope.addEventListener('install', (e) => {
  e.waitUntil(
    caches.open(NAME).then(async (cache) => {
      await cache.addAll(SHELL);
      await scope.skipWaiting();
    }),
  );
});

scope.addEventListener('activate', (e) => {
  e.waitUntil(
    caches.open(NAME).then(async (cache) => {
      // engines that no page of this site names any more
      for (const request of await cache.keys()) if (/\/e\/[0-9a-f]+\//.test(request.url) && !request.url.includes(`/e/${ENGINE_ID}/`)) await cache.delete(request);
      await scope.clients.claim();
    }),
  );
});

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(NAME);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept && /\/e\/[0-9a-f]+\//.test(request.url)) return kept;
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await cache.put(request, fresh.clone());
    return fresh;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

scope.addEventListener('fetch', (e) => {
  const { request } = e;
  if (request.method === 'GET' && request.url.startsWith(scope.registration.scope)) e.respondWith(answer(request));
});
