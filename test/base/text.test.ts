import { expect, test } from 'vitest';
import { lineEnds } from '../../src/base/eol.ts';
import { capBytes, capText, clipLine, continueNote, numberLines, thousands, wholeUtf8 } from '../../src/base/text.ts';

test('lines are numbered from 1 or from where the window begins', () => {
  expect(numberLines(['a', '', 'b'])).toBe('1: a\n2: \n3: b');
  expect(numberLines(['x'], 41)).toBe('41: x');
});

test('a result is cut after 30,000 characters with a note of how much', () => {
  expect(capText('a'.repeat(30_000))).toBe('a'.repeat(30_000));
  expect(capText('a'.repeat(71_233))).toBe(`${'a'.repeat(30_000)}\n... [truncated 41,233 chars]`);
  expect(capText('abcdef', 3, 'Ask for less.')).toBe('abc\n... [truncated 3 chars] Ask for less.');
});

test('no cut falls within a character', () => {
  expect(capText('ab😀cd', 3)).toBe('ab\n... [truncated 4 chars]');
  expect(clipLine('ab😀cd', 3)).toBe('ab... [4 more chars]');
  expect(wholeUtf8(Buffer.from('aé→😀'), 5).toString()).toBe('aé');
  expect(wholeUtf8(Buffer.from('aé→😀'), 6).toString()).toBe('aé→');
  expect(wholeUtf8(Buffer.from('aé→😀'), 9).toString()).toBe('aé→');
});

test('a cut by bytes falls behind a whole line', () => {
  expect(capBytes('one\ntwo\nthree\n', 9, '... output truncated')).toBe('one\ntwo\n... output truncated');
  expect(capBytes('ééééé', 5, '... output truncated')).toBe('éé\n... output truncated');
  expect(capBytes('one\n', 4, '...')).toBe('one\n');
});

test('thousands are set apart', () => {
  expect([0, 999, 1000, 41_233, 1_234_567].map(thousands)).toEqual(['0', '999', '1,000', '41,233', '1,234,567']);
});

test('a window says how to read on', () => {
  expect(continueNote(1, 2000, 5000)).toBe('... [lines 1-2000 of 5,000; continue with offset 2001]');
  expect(continueNote(11, 10, undefined)).toBe('... [lines 11-20; continue with offset 21]');
  expect(continueNote(1, 3, 3)).toBe('');
});

test.each([
  ['', { lf: 0, crlf: 0, cr: 0, dominant: undefined, uniform: undefined, final: true }],
  ['a', { lf: 0, crlf: 0, cr: 0, dominant: undefined, uniform: undefined, final: false }],
  ['a\nb\n', { lf: 2, crlf: 0, cr: 0, dominant: '\n', uniform: '\n', final: true }],
  ['a\r\nb', { lf: 0, crlf: 1, cr: 0, dominant: '\r\n', uniform: '\r\n', final: false }],
  ['a\r\nb\r\nc\n', { lf: 1, crlf: 2, cr: 0, dominant: '\r\n', uniform: undefined, final: true }],
  ['a\rb\r', { lf: 0, crlf: 0, cr: 2, dominant: '\r', uniform: '\r', final: true }],
  ['a\rb\n', { lf: 1, crlf: 0, cr: 1, dominant: '\n', uniform: undefined, final: true }],
])('line ends of %j', (text, expected) => {
  expect(lineEnds(Buffer.from(text))).toEqual(expected);
  if (text !== '') expect(lineEnds(Buffer.from(`\ufeff${text}`, 'utf16le'))).toEqual(expected);
});
