import { expect, test } from 'vitest';
import { splitGrowing, splitWhole } from '../../../src/ui/terminal/growing.ts';
import { createHighlighter } from '../../../src/ui/terminal/highlight.ts';
import { createMarkdownView } from '../../../src/ui/terminal/markdown.ts';
import { themeFor } from '../../../src/ui/terminal/theme.ts';

/** Text that comes piece by piece, cut after each. */
function grow(pieces: readonly string[]) {
  let finished = '';
  let rest = '';
  let longest = 0;
  for (const piece of pieces) {
    const step = splitGrowing(rest + piece);
    finished += step.finished;
    rest = step.rest;
    longest = Math.max(longest, rest.length);
  }
  return { finished, rest, longest, all: finished + rest };
}

const many = (piece: string, count: number) => Array.from({ length: count }, () => piece);

test('a paragraph is live until the next block begins', () => {
  expect(splitGrowing('one\n\ntwo')).toEqual({ finished: 'one\n\n', rest: 'two', within: false });
  expect(splitGrowing('one\ntwo')).toEqual({ finished: '', rest: 'one\ntwo', within: false });
});

test.each([
  ['a paragraph without end', many('some words and '.repeat(20), 500)],
  ['a word without end', many('x'.repeat(300), 500)],
  ['a list', many('- an item\n  - one below\n'.repeat(10), 200)],
  ['a quotation', many('> quoted\n'.repeat(20), 200)],
])('%s is never live whole, and nothing of it is lost', (_, pieces) => {
  const { all, longest } = grow(pieces);
  expect(all).toBe(pieces.join(''));
  expect(longest).toBeLessThanOrEqual(10_000);
});

test('a list is cut before an item that is not set in', () => {
  const { rest } = splitGrowing(many('- an item\n    deeper\n', 1000).join(''));
  expect(rest).toMatch(/^- an item\n {4}deeper\n/);
});

test('a long table goes on under its head', () => {
  const head = '| name | size |\n|---|---|\n';
  const { finished, rest } = splitGrowing(head + many('| one | 2 |\n', 2000).join(''));
  expect(finished.endsWith('| one | 2 |')).toBe(false);
  expect(rest.startsWith(`${head}| one | 2 |\n`)).toBe(true);
});

test('an open fence is opened anew, also in a line without end; a closed one is finished', () => {
  const lines = splitGrowing(`\`\`\`ts\n${many('const a = 1;\n', 50).join('')}`);
  expect(lines.rest).toBe(`\`\`\`ts\n${many('const a = 1;\n', 7).join('')}`);
  const line = splitGrowing(`\`\`\`ts\n${'x'.repeat(20_000)}`);
  expect(line.rest).toBe(`\`\`\`ts\n${'x'.repeat(5000)}`);
  const closed = `\`\`\`ts\n${'x'.repeat(20_000)}\n\`\`\`\n`;
  expect(splitGrowing(closed)).toEqual({ finished: closed, rest: '', within: false });
});

test('a word of a megabyte is broken into rows, all of it', () => {
  const theme = themeFor({ NO_COLOR: '1', LANG: 'C.UTF-8' });
  const rows = createMarkdownView(theme, createHighlighter(theme)).render('x'.repeat(1_000_000), 79);
  expect(rows.join('').length).toBe(1_000_000);
});

test('a whole text is parted, and nothing of it is lost', () => {
  const text = many('A paragraph of some words.\n\n', 10_000).join('');
  const parts = splitWhole(text);
  expect(parts.length).toBeGreaterThan(4);
  expect(parts.map(({ finished }) => finished).join('')).toBe(text);
});
