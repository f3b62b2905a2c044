import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileWildcard, matchWildcard } from '../../src/base/wildcard.ts';
import { runs } from '../support/runs.ts';

test.each([
  ['*', '', true],
  ['*', 'a/b\nc', true],
  ['a*c', 'a\n/c', true],
  ['?', '', false],
  ['?', '/', true],
  ['?', '\n', true],
  ['?', '😀', true],
  ['??', '😀', false],
  ['*?', '😀', true],
  ['git *', 'git', false],
  ['*.env', 'a/b/.env', true],
  ['*.env', '.envrc', false],
  ['a.c', 'abc', false],
  ['[ab]', 'a', false],
  ['', '', true],
  ['', 'a', false],
])('%j matches %j: %j', (pattern, text, expected) => {
  expect(matchWildcard(pattern, text)).toBe(expected);
  expect(compileWildcard(pattern)(text)).toBe(expected);
});

test('agrees with the obvious recursive definition', () => {
  const matches = (p: string, t: string): boolean => {
    if (p === '') return t === '';
    if (p[0] === '*') return matches(p.slice(1), t) || (t !== '' && matches(p, t.slice(1)));
    return t !== '' && (p[0] === '?' || p[0] === t[0]) && matches(p.slice(1), t.slice(1));
  };
  const part = fc.array(fc.constantFrom('a', 'b', '*', '?', '\n'), { maxLength: 7 }).map((parts) => parts.join(''));
  const text = fc.array(fc.constantFrom('a', 'b', '\n'), { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(part, text, (p, t) => matchWildcard(p, t) === matches(p, t)),
    runs(100),
  );
  fc.assert(
    fc.property(part, text, (p, t) => compileWildcard(p)(t) === matches(p, t)),
    runs(1000),
  );
});

test('a hostile pattern is matched in linear steps of its length', () => {
  expect(matchWildcard(`${'a*'.repeat(200)}b`, 'a'.repeat(20_000))).toBe(false);
});
