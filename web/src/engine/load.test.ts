import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { peek, sniff, unpacked } from './load';

const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

test('load: first bytes tell gzip from wasm from anything else', () => {
  assert.equal(sniff(empty), 'wasm');
  assert.equal(sniff(gzipSync(empty)), 'gzip');
  assert.equal(sniff(new TextEncoder().encode('<!doctype html>')), null);
  assert.equal(sniff(new Uint8Array(0)), null);
});

test('load: a peeked stream is still whole, however it was cut', async () => {
  for (const cut of [1, 2, 3, 8]) {
    const parts = [empty.slice(0, cut), empty.slice(cut)].filter((p) => p.length);
    const stream = new ReadableStream<Uint8Array>({
      pull(c) {
        const p = parts.shift();
        if (p) c.enqueue(p);
        else c.close();
      },
    });
    const { head, whole } = await peek(stream);
    assert.ok(head.length >= 4);
    const got = new Uint8Array(await new Response(whole as unknown as BodyInit).arrayBuffer());
    assert.deepEqual(got, empty);
  }
});

test('load: an engine is unpacked, marked, and left alone when it is marked', async () => {
  const plain = (await unpacked(new Response(Uint8Array.from(gzipSync(empty)))))!;
  assert.equal(plain.headers.get('content-type'), 'application/wasm');
  assert.deepEqual(new Uint8Array(await plain.clone().arrayBuffer()), empty);
  assert.equal(await unpacked(plain), plain);
  assert.deepEqual(new Uint8Array(await (await unpacked(new Response(empty)))!.arrayBuffer()), empty);
  assert.equal(await unpacked(new Response('<!doctype html>')), null);
});
