// Fetches and compiles the engine once; workers get the compiled module.

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

/**
 * Compiles the engine at url once `first` has settled, which may want the
 * processor more; throws an Error that says what to do.
 */
export async function load(url: string, first: Promise<unknown>): Promise<WebAssembly.Module> {
  let response: Response;
  try {
    response = await fetch(url);
  } catch {
    throw new Error('The engine could not be fetched. Check the connection and reload the page.');
  }
  if (!response.ok || !response.body) throw new Error(`The engine is not where the page expects it (${url}: ${response.status}). The site is incomplete.`);
  await first;
  const { head, whole } = await peek(response.body);
  const kind = sniff(head);
  if (!kind) throw new Error(`${url} is not an engine: the host sent something else.`);
  const plain = kind === 'gzip' ? whole.pipeThrough(new DecompressionStream('gzip') as unknown as ReadableWritablePair<Uint8Array, Uint8Array>) : whole;
  return WebAssembly.compileStreaming(new Response(plain as unknown as BodyInit, { headers: { 'content-type': 'application/wasm' } }));
}
