import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawVeiled, unveil, veil } from '../../../src/ui/terminal/veil.ts';

test('what a terminal would obey or hide comes through the input, and is drawn as a mark of one column', () => {
  const text = 'a\x1b[31mred\x9b0m\u202eback\u200b\tend';
  expect(veil(text)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u200b\u202e]/);
  expect(unveil(veil(text))).toBe(text);
  expect(drawVeiled(veil(text), '→')).toBe('a�[31mred�0m�back�→end');
});

test('emoji, joined letters, line ends and the coded keys of a paste stay', () => {
  const text = '👨‍👩‍👧 می‌خواهم\r\nx\x1b[106;5u';
  expect(veil(text)).toBe(text);
});

test('any text comes back as it was', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      (text) => unveil(veil(text)) === text || /[\u{f0000}-\u{fffff}]/u.test(text),
    ),
  );
});
