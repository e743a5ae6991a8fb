import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Layout } from '../contract';
import { drawingFor, type Box } from './layout';

const machine = (packages: number, nodes: number, llcs: number, clusters: number, cores: number, smt: number): Layout => {
  let cpu = 0;
  let llc = 0;
  let node = 0;
  return {
    name: 'm', title: 'm', synthetic: '', smt, cpus: packages * Math.max(1, nodes) * llcs * clusters * cores * smt,
    packages: Array.from({ length: packages }, (_, index) => ({
      index,
      nodes: Array.from({ length: nodes }, () => ({ index: node++, mem_bytes: 1, gbps: 100 })),
      llcs: Array.from({ length: Math.max(1, nodes) * llcs }, () => ({
        index: llc++, node: 0, bytes: 1, fill_gbps: 1,
        clusters: Array.from({ length: clusters }, () => Array.from({ length: cores }, () => Array.from({ length: smt }, () => cpu++))),
      })),
    })),
  };
};

const inside = (inner: Box, outer: Box, what: string) => {
  const e = 0.51;
  assert.ok(inner.x >= outer.x - e && inner.y >= outer.y - e && inner.x + inner.w <= outer.x + outer.w + e && inner.y + inner.h <= outer.y + outer.h + e, `${what}: ${JSON.stringify(inner)} outside ${JSON.stringify(outer)}`);
};

const shapes: [string, Layout][] = [
  ['two sockets, one LLC each, 36 modules of 4', machine(2, 1, 1, 36, 4, 1)],
  ['one socket, two LLCs with SMT', machine(1, 1, 2, 4, 1, 2)],
  ['two sockets of 12 LLCs', machine(2, 1, 12, 8, 1, 2)],
  ['four nodes a package', machine(2, 4, 3, 8, 1, 2)],
  ['one LLC of four CPUs', machine(1, 1, 1, 4, 1, 1)],
  ['eight sockets', machine(8, 1, 1, 8, 1, 2)],
  ['a package without a node of its own', machine(2, 0, 4, 8, 1, 1)],
];

for (const [name, m] of shapes)
  for (const width of [110, 200, 320, 500])
    test(`layout: ${name} at ${width} px: every CPU once, each box inside its parent`, () => {
      const d = drawingFor(m, width);
      const seen = new Set<number>();
      for (const p of d.packages) {
        inside(p, { x: 0, y: 0, w: d.width, h: d.height }, 'package');
        for (const n of p.nodes) inside(n, p, 'node');
        for (const l of p.llcs) {
          inside(l, p, 'LLC');
          for (const c of l.cells) {
            inside(c, l, `cpu ${c.cpu}`);
            assert.ok(!seen.has(c.cpu));
            seen.add(c.cpu);
          }
        }
      }
      assert.equal(seen.size, m.cpus);
    });
