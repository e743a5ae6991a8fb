// Writes a picture of few colours small: PNG with a palette of 256.

import { crc32, deflateSync, inflateSync } from 'node:zlib';

interface Pixels {
  width: number;
  height: number;
  /** Three bytes for each pixel. */
  rgb: Uint8Array;
}

/** Reads a PNG of eight bits a channel, with or without alpha, as browsers write it. */
export function decode(png: Buffer): Pixels {
  let at = 8;
  const data: Buffer[] = [];
  let [width, height, channels] = [0, 0, 0];
  while (at < png.length) {
    const size = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + size);
    if (type === 'IHDR') {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      channels = body[9] === 6 ? 4 : body[9] === 2 ? 3 : 0;
      if (body[8] !== 8 || channels === 0 || body[12] !== 0) throw new Error('not a PNG as browsers write it');
    }
    if (type === 'IDAT') data.push(body);
    at += size + 12;
  }
  const raw = inflateSync(Buffer.concat(data));
  const stride = width * channels;
  const rows = new Uint8Array(height * stride);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const a = x >= channels ? (rows[y * stride + x - channels] as number) : 0;
      const b = y > 0 ? (rows[(y - 1) * stride + x] as number) : 0;
      const c = x >= channels && y > 0 ? (rows[(y - 1) * stride + x - channels] as number) : 0;
      const p = a + b - c;
      const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
      const guess = filter === 0 ? 0 : filter === 1 ? a : filter === 2 ? b : filter === 3 ? (a + b) >> 1 : pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
      rows[y * stride + x] = (raw[y * (stride + 1) + 1 + x] as number) + guess;
    }
  }
  const rgb = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) for (let k = 0; k < 3; k++) rgb[i * 3 + k] = rows[i * channels + k] as number;
  return { width, height, rgb };
}

function chunk(type: string, body: Buffer): Buffer {
  const out = Buffer.alloc(12 + body.length);
  out.writeUInt32BE(body.length, 0);
  out.write(type, 4, 'latin1');
  body.copy(out, 8);
  out.writeUInt32BE(crc32(out.subarray(4, 8 + body.length)), 8 + body.length);
  return out;
}

/** The most frequent colours, five bits a channel apart, and the nearest of them for each pixel. */
export function encode({ width, height, rgb }: Pixels): Buffer {
  const count = new Map<number, { n: number; colour: number; best: number }>();
  const exact = new Map<number, number>();
  const colours = new Uint32Array(width * height);
  for (let i = 0; i < colours.length; i++) {
    const c = ((rgb[i * 3] as number) << 16) | ((rgb[i * 3 + 1] as number) << 8) | (rgb[i * 3 + 2] as number);
    colours[i] = c;
    exact.set(c, (exact.get(c) ?? 0) + 1);
  }
  for (const [c, n] of exact) {
    const key = c & 0xf8f8f8;
    const was = count.get(key);
    if (!was) count.set(key, { n, colour: c, best: n });
    else Object.assign(was, { n: was.n + n }, n > was.best ? { colour: c, best: n } : {});
  }
  const palette = [...count.values()].sort((a, b) => b.n - a.n || a.colour - b.colour).slice(0, 256).map((x) => x.colour);
  const channel = (c: number, k: number) => (c >> (16 - 8 * k)) & 255;
  const nearest = new Map<number, number>();
  for (const c of exact.keys()) {
    let [best, least] = [0, Infinity];
    palette.forEach((p, i) => {
      const d = [0, 1, 2].reduce((sum, k) => sum + (channel(c, k) - channel(p, k)) ** 2, 0);
      if (d < least) [best, least] = [i, d];
    });
    nearest.set(c, best);
  }
  const raw = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) raw[y * (width + 1) + 1 + x] = nearest.get(colours[y * width + x] as number) as number;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), chunk('IHDR', head), chunk('PLTE', Buffer.from(palette.flatMap((c) => [0, 1, 2].map((k) => channel(c, k))))), chunk('IDAT', deflateSync(raw, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}
