import { expect, test } from 'vitest';
import { visibleProse, visibleText } from '../../src/base/visible.ts';

test('joiners stay in prose where they join, and are shown everywhere else', () => {
  const joined = ['👨‍👩‍👧‍👦', '👩🏽‍🚀', '❤️‍🔥', 'می‌خواهم', 'क्‍ष'];
  for (const text of joined) expect(visibleProse(text)).toBe(text);
  expect(visibleProse('a\u200db')).toBe('a\\u200db');
  expect(visibleProse('\u200d👩')).toBe('\\u200d👩');
  expect(visibleProse('👩\u200d')).toBe('👩\\u200d');
  expect(visibleProse('می\u200cabc')).toBe('می\\u200cabc');
  expect(visibleProse('x\u202ey\x1b[2J')).toBe('x\\u202ey\\u001b[2J');
  expect(visibleText('👩‍🚀')).toBe('👩\\u200d🚀');
});

test('text that can not be seen at all is shown: tags, fillers, marks', () => {
  const smuggled = [...'rm'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
  expect(visibleText(`ok${smuggled}`)).toBe('ok\\u{e0072}\\u{e006d}');
  expect(visibleText('a\u061cb\u3164c\u00add')).toBe('a\\u061cb\\u3164c\\u00add');
});
