import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkAs } from './linkforms';

test('link: plain, in angle brackets, as Markdown whose title cannot break out', () => {
  const address = 'https://example.org/#1;mg-d-112;c=abcdef';
  assert.equal(linkAs('plain', address, 'x'), address);
  assert.equal(linkAs('mail', address, 'x'), `<${address}>`);
  assert.equal(linkAs('markdown', address, 'a](javascript:b) `c` <i>'), `[a\\](javascript:b) \\\`c\\\` \\<i\\>](${address})`);
});
