import { expect, test } from 'vitest';
import { parsePatch } from '../../../src/change/patch/parse.ts';
import { patched, refusal } from './patched.ts';

const hunk = '@@ -1 +1 @@\n-a\n+b\n';
const plain = (from: string, to: string) => `--- ${from}\n+++ ${to}\n${hunk}`;

test.each([
  [
    'diff -r of two folders',
    `diff -ru old/x y/f new/x y/f\n${plain('old/x y/f\t2026-01-01', 'new/x y/f\t2026-01-02')}`,
  ],
  [
    'git’s own long prefixes',
    `diff --git old/x y/f newer/x y/f\nindex 1..2 100644\n${plain('old/x y/f\t', 'newer/x y/f\t')}`,
  ],
])('%s: the first folders are prefixes when nothing has these names', async (_, patch) => {
  expect(await patched({ 'x y/f': 'a\n' }, patch)).toEqual({ 'x y/f': 'b\n' });
});

test('files made, deleted and renamed behind long prefixes', async () => {
  const patch =
    'diff --git old/made here newer/made here\nnew file mode 100644\n--- /dev/null\n+++ newer/made here\t\n@@ -0,0 +1 @@\n+m\n' +
    'diff --git old/gone new/gone\ndeleted file mode 100644\n--- old/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n' +
    `diff --git old/r1 new/r2\nrename from r1\nrename to r2\n${plain('old/r1', 'new/r2')}`;
  expect(await patched({ gone: 'a\n', r1: 'a\n' }, patch)).toEqual({ 'made here': 'm\n', r2: 'b\n' });
});

test('diff -N: the epoch beside an empty range', async () => {
  const patch =
    '--- old/n\t1970-01-01 00:00:00.000000000 +0000\n+++ new/n\t2026-01-01 10:00:00.000000000 +0000\n@@ -0,0 +1 @@\n+x\n' +
    '--- old/g\t2026-01-01 10:00:00.000000000 +0000\n+++ new/g\t1970-01-01 00:00:00.000000000 +0000\n@@ -1 +0,0 @@\n-a\n';
  expect(await patched({ g: 'a\n' }, patch)).toEqual({ n: 'x\n' });
});

test.each([
  ['the old name exists', { 'old/f': 'a\n', f: 'a\n' }],
  ['the new name exists', { 'new/f': 'a\n', f: 'a\n' }],
  ['the name behind them does not', { g: 'a\n' }],
])('an unmarked rename, when %s', async (_, files) => {
  expect(await refusal(files, plain('old/f', 'new/f'))).toContain(
    'invalid: The section on line 1 of the patch modifies "old/f" as "new/f": the names differ',
  );
});

test('a git section without hunks may stand before a plain one', async () => {
  const rename = 'diff --git a/r1 b/r2\nsimilarity index 100%\nrename from r1\nrename to r2\n';
  const empty = 'diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n';
  expect(
    await patched({ r1: 'r\n', f: 'a\n', g: 'a\n' }, rename + plain('a/f', 'b/f') + empty + plain('g', 'g')),
  ).toEqual({
    r2: 'r\n',
    f: 'b\n',
    e: '',
    g: 'b\n',
  });
  const mode = 'diff --git a/f b/f\nold mode 100644\nnew mode 100755\n';
  expect(parsePatch(mode + plain('a/f', 'b/f'))).toHaveLength(1);
  expect(parsePatch(mode + plain('a/g', 'b/g')).map(({ name }) => name)).toEqual(['f', 'g']);
});
