// Fetches and compiles the engine, once for all workers.

/** Header of an engine that the service worker has unpacked: a browser keeps the machine code of such a response. */
export const UNPACKED = 'x-casplay-unpacked';

/** Says what the first bytes are; hosts disagree about names and types. */
export function sniff(head: Uint8Array): 'gzip' | 'wasm' | null {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (head[0] === 0x00 && head[1] === 0x61 && head[2] === 0x73 && head[3] === 0x6d) return 'wasm';
  return null;
}

/** Reads a little of a stream and gives it back whole. */
export async function peek(stream: ReadableStream<Uint8Array>): Promise<{ head: Uint8Array; whole: ReadableStream<Uint8Array> }> {
  const reader = stream.getReader();
  let head = new Uint8Array(0);
  while (head.length < 4) {
    const { done, value } = await reader.read();
    if (done) break;
    const next = new Uint8Array(head.length + value.length);
    next.set(head);
    next.set(value, head.length);
    head = next;
  }
  const whole = new ReadableStream<Uint8Array>({
    start(c) {
      if (head.length) c.enqueue(head);
    },
    async pull(c) {
      const { done, value } = await reader.read();
      if (done) c.close();
      else c.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { head, whole };
}

/** An engine as plain WebAssembly; null when the response is something else. */
export async function unpacked(response: Response): Promise<Response | null> {
  if (response.headers.has(UNPACKED)) return response;
  if (!response.body) return null;
  const { head, whole } = await peek(response.body);
  const kind = sniff(head);
  if (!kind) return null;
  const plain = kind === 'gzip' ? whole.pipeThrough(new DecompressionStream('gzip') as unknown as ReadableWritablePair<Uint8Array, Uint8Array>) : whole;
  return new Response(plain as unknown as BodyInit, { headers: { 'content-type': 'application/wasm', [UNPACKED]: '1' } });
}

/** Compiles the engine at url; throws an Error that says what to do. */
export async function load(url: string): Promise<WebAssembly.Module> {
  let response: Response;
  try {
    response = await fetch(url);
  } catch {
    throw new Error('The engine could not be fetched. Check the connection and reload the page.');
  }
  if (!response.ok) throw new Error(`The engine is not where the page expects it (${url}: ${response.status}). The site is incomplete.`);
  const plain = await unpacked(response);
  if (!plain) throw new Error(`${url} is not an engine: the host sent something else.`);
  return WebAssembly.compileStreaming(plain);
}
