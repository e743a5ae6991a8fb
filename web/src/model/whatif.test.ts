import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opened } from '../../test/fixtures';
import { builtIn, caret, expressions, inserted, meaning, wrong } from './whatif';

test('the position that the engine names', () => {
  assert.deepEqual(wrong([{ path: 'on:kernel.what_if.x', message: 'is not a rule: at character 7: unknown name "rs"' }]), { message: 'at character 7: unknown name "rs"', at: 6 });
  assert.equal(wrong([{ path: 'x', message: 'must be an expression' }]).at, null);
});

test('the caret stands below the character, in a long text too', () => {
  assert.equal(caret('a >\nb c', 6), 'a > b c\n      ^');
  const long = `${'x'.repeat(100)}?${'y'.repeat(100)}`;
  const [line = '', mark = ''] = caret(long, 100).split('\n');
  assert.equal(line[mark.indexOf('^')], '?');
  assert.ok(line.length <= 62);
  assert.equal(caret('ab', 2).split('\n')[1], '  ^', 'behind the end');
});

test('a name goes in with spaces where it needs them', () => {
  assert.deepEqual(inserted('a > b', 2, 3, 'smt'), { text: 'a smt b', cursor: 5 });
  assert.equal(inserted('ab', 1, 1, 'smt').text, 'a smt b');
  assert.equal(inserted('', 0, 0, 'smt').text, 'smt');
});

test('a rule documents what its value means and what 7.3 does', () => {
  const rule = { name: 'x', doc: 'true keeps it apart; 7.3: a > b ? c : d', vars: [] };
  assert.equal(builtIn(rule), 'a > b ? c : d');
  assert.equal(meaning(rule), 'true keeps it apart');
});

test('expressions of the scenario and of its arms', () => {
  const o = opened(['off', 'on'], { scenario: { kernel: { what_if: { a: '', b: 'best > 1' } } } });
  (o.arms[1] as { set: object }).set = { 'kernel.what_if.a': 'smt > 1', 'kernel.cas.enabled': true };
  assert.deepEqual(expressions(o), [{ arm: -1, rule: 'b', text: 'best > 1' }, { arm: 1, rule: 'a', text: 'smt > 1' }]);
});
