import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, engineNamed } from './engines';

const [old, now] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'];
const index = { v: 1, current: now, engines: [{ id: now, version: '0.2.0' }, { id: old, version: '0.1.0' }] };
const pick = (fragment: string) => choose(fragment, now, () => Promise.resolve(index));

test('engines: the part e of a link, also a wrapped one', () => {
  assert.equal(engineNamed(`#1;mg-d-112;e=${old};tol=2;c=abcdef`), old);
  assert.equal(engineNamed('#1;mg-d-112;e=aaaaaa\n  aaaaaa;c=abcdef'), old);
  assert.equal(engineNamed('#1;mg-d-112;e=0.1.0'), '0.1.0');
  for (const none of ['', '#1;mg-d-112', '#1;mg-d-112;e=', '#1;mg-d-112;e=../x;c=a', '#1;scale=2;e=<b>']) assert.equal(engineNamed(none), '');
});

test('engines: a link gets the engine it names, by id or by version, else the current one', async () => {
  assert.equal((await pick('#1;mg-d-112')).id, now);
  assert.equal((await pick(`#1;mg-d-112;e=${now};c=abcdef`)).id, now);
  assert.deepEqual(await pick(`#1;mg-d-112;e=${old};c=abcdef`), { id: old, version: '0.1.0', named: old, missing: false });
  assert.equal((await pick('#1;mg-d-112;e=0.1.0;c=abcdef')).id, old);
  assert.deepEqual(await pick('#1;mg-d-112;e=cccccccccccc'), { id: now, version: '', named: 'cccccccccccc', missing: true });
  assert.equal((await choose(`#1;x;e=${old}`, now, () => Promise.resolve(null))).missing, true);
});

test('engines: a link that names none costs no request', async () => {
  await choose('#1;mg-d-112', now, () => assert.fail('asked for the list'));
});
