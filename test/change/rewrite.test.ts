import { expect, test } from 'vitest';
import { rewriteText } from '../../src/change/rewrite.ts';

test('a new file is UTF-8, as given', () => {
  expect(rewriteText(undefined, 'a\r\né')).toEqual({ bytes: Buffer.from('a\r\né'), notes: [] });
});

test('empty content empties a file', () => {
  expect(rewriteText(Buffer.from('a\n'), '')).toEqual({ bytes: Buffer.alloc(0), notes: [] });
});

test('a byte-order mark stays, and is not doubled', () => {
  const after = { bytes: Buffer.from('\ufeffnew\n'), notes: [] };
  expect(rewriteText(Buffer.from('\ufeffold\n'), 'new\n')).toEqual(after);
  expect(rewriteText(Buffer.from('\ufeffold\n'), '\ufeffnew\n')).toEqual(after);
});

test('the encoding stays', () => {
  expect(rewriteText(Buffer.from('\ufeffold', 'utf16le'), 'neu →')).toEqual({
    bytes: Buffer.from('\ufeffneu →', 'utf16le'),
    notes: ['The file stays UTF-16LE.'],
  });
});

test('content that the encoding can’t hold is refused with the character named', () => {
  expect(() => rewriteText(Buffer.from('caf\xe9\n', 'latin1'), 'a → b\n')).toThrow(
    'The file is Windows-1252, which has no "→" (U+2192). Use only characters that Windows-1252 has, or convert the file to UTF-8 first.',
  );
});

test('a file that ends every line in CRLF keeps it when the content has LF only', () => {
  expect(rewriteText(Buffer.from('a\r\nb\r\n'), 'x\ny\n')).toEqual({
    bytes: Buffer.from('x\r\ny\r\n'),
    notes: ['The file keeps its CRLF line ends.'],
  });
});

test.each([
  ['mixed file', 'a\r\nb\n', 'x\ny\n'],
  ['LF file, CRLF content', 'a\nb\n', 'x\r\ny\r\n'],
  ['CRLF file, CRLF content', 'a\r\n', 'x\r\n'],
  ['single line', 'a', 'x\ny'],
  ['binary file', 'a\0\r\n', 'x\ny é'],
])('otherwise content is written as given: %s', (_name, before, content) => {
  expect(rewriteText(Buffer.from(before), content)).toEqual({ bytes: Buffer.from(content), notes: [] });
});

test('known characters of a guessed file may be written again', () => {
  const before = Buffer.from('caf\xe9\n', 'latin1');
  expect(rewriteText(before, 'café, café\n').bytes).toEqual(Buffer.from('caf\xe9, caf\xe9\n', 'latin1'));
  expect(() => rewriteText(before, 'über\n')).toThrow('"ü" (U+00FC)');
});
