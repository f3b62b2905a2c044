import { expect, test } from 'vitest';
import { diffRows } from '../../../src/ui/terminal/diff-rows.ts';
import { diffLines, diffViews } from '../../../src/ui/terminal/diff-view.ts';
import { windowOf } from '../../../src/ui/terminal/row-view.ts';
import { themeFor } from '../../../src/ui/terminal/theme.ts';

const plain = themeFor({ NO_COLOR: '1', LANG: 'C.UTF-8' });

const diff = `diff --git a/x.txt b/x.txt
--- a/x.txt
+++ b/x.txt
@@ -9,3 +9,3 @@
 same
--- a sql comment
+++ b
 end
\\ No newline at end of file
`;

test('a removed line that looks like a file name is a removed line', () => {
  expect(diffRows(diff)).toEqual([
    { kind: 'file', text: 'a/x.txt b/x.txt' },
    { kind: 'hunk', text: '@@ -9,3 +9,3 @@' },
    { kind: 'same', text: 'same', before: 9, after: 9 },
    { kind: 'removed', text: '-- a sql comment', before: 10 },
    { kind: 'added', text: '++ b', after: 10 },
    { kind: 'same', text: 'end', before: 11, after: 11 },
    { kind: 'note', text: '\\ No newline at end of file' },
  ]);
});

test('numbered by both files, long lines wrapped and none cut', () => {
  expect(diffLines(diffRows(diff), 20, plain)).toEqual([
    'x.txt',
    '@@ -9,3 +9,3 @@',
    ' 9  9   same',
    '10    - -- a sql',
    '      - comment',
    '   10 + ++ b',
    '11 11   end',
    '\\ No newline at end',
    'of file',
  ]);
});

test('what can not be seen is made visible: controls, tabs and blanks at the end of changed lines', () => {
  const rows = diffRows('@@ -1 +1 @@\n-a\tb  \n+a\u202eb\n');
  expect(diffLines(rows, 60, plain).slice(1)).toEqual(['1   - a→   b··', '  1 + a\\u202eb']);
});

test('every part of a line of a megabyte can be scrolled to', () => {
  const rows = diffViews(diffRows(`@@ -0,0 +1 @@\n+${'0123456789'.repeat(100_000)}END\n`), plain);
  const end = windowOf(rows, Number.MAX_SAFE_INTEGER, 80, 20);
  expect(end.lines.join('')).toContain('END');
  expect(end.to).toBe(rows.length);
  expect(windowOf(rows, 0, 80, 20).lines.length).toBeGreaterThan(12);
});

test('the window moves up so that it is full at the end', () => {
  const rows = Array.from({ length: 30 }, (_, at) => () => [`row ${at}`]);
  expect(windowOf(rows, 29, 80, 10)).toEqual({ lines: rows.slice(20).map((row) => row()[0]), from: 20, to: 30 });
  expect(windowOf(rows.slice(0, 3), 2, 80, 10)).toMatchObject({ from: 0, to: 3 });
});
