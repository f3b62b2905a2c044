import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../support/folders.ts';
import { applyTo, contentOf, patched, planPatch, refusal } from './patched.ts';

const guidance = (name: string) =>
  `No files were modified. Do not fall back to write_file or rewrite the whole file. Re-read "${name}" with read_file, then generate a new, minimal patch with fresh context lines copied from its current content.`;

test('a short header means a count of 1 (B018)', async () => {
  const patch = '--- a/list.txt\n+++ b/list.txt\n@@ -2 +2 @@\n-b\n+B\n';
  expect(await patched({ 'list.txt': 'a\nb\nc\n' }, patch)).toEqual({ 'list.txt': 'a\nB\nc\n' });
});

test('a bare @@ is placed by its unique context (B019)', async () => {
  const patch = '--- a/list.txt\n+++ b/list.txt\n@@\n a\n+inserted\n b\n';
  expect(await patched({ 'list.txt': 'a\nb\nc\n' }, patch)).toEqual({ 'list.txt': 'a\ninserted\nb\nc\n' });
});

test('a bare @@ whose context occurs twice is refused', async () => {
  const patch = '--- a/list.txt\n+++ b/list.txt\n@@\n a\n+inserted\n b\n';
  expect(await refusal({ 'list.txt': 'a\nb\na\nb\n' }, patch)).toBe(
    `conflict: apply patch to list.txt: hunk 1 (@@) matches more than one place, e.g. lines 1 and 3. Give it more context lines or the right line number. ${guidance('list.txt')}`,
  );
});

test('a line that is not what the patch removes is never removed (B023)', async () => {
  const patch = '--- a/f.txt\n+++ b/f.txt\n@@ -1,4 +1,3 @@\n alpha\n-beta\n gamma\n delta\n';
  expect(await refusal({ 'f.txt': 'alpha\nSOMETHING ELSE\ngamma\ndelta\n' }, patch)).toBe(
    `conflict: apply patch to f.txt: hunk 1 (@@ -1,4 +1,3 @@) does not match: line 5 of the patch expects "beta", but line 2 of the file is "SOMETHING ELSE". ${guidance('f.txt')}`,
  );
});

test('a missing last newline stays missing, and can be added (B025)', async () => {
  const patch =
    '--- a/keep.txt\n+++ b/keep.txt\n@@ -1,2 +1,3 @@\n first\n+middle\n last\n\\ No newline at end of file\n' +
    '--- a/gain.txt\n+++ b/gain.txt\n@@ -1 +1 @@\n-Hello\n\\ No newline at end of file\n+Hello\n';
  expect(await patched({ 'keep.txt': 'first\nlast', 'gain.txt': 'Hello' }, patch)).toEqual({
    'keep.txt': 'first\nmiddle\nlast',
    'gain.txt': 'Hello\n',
  });
});

test('an LF patch on a CRLF file keeps every end CRLF (B026)', async () => {
  const patch = '--- a/w.txt\n+++ b/w.txt\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n+b2\n c\n';
  expect(await patched({ 'w.txt': 'a\r\nb\r\nc\r\n' }, patch)).toEqual({ 'w.txt': 'a\r\nB\r\nb2\r\nc\r\n' });
});

test('a CRLF patch on an LF file brings no CR, into names neither (B027)', async () => {
  const patch = '--- a/l.txt\r\n+++ b/l.txt\r\n@@ -1,3 +1,3 @@\r\n a\r\n-b\r\n+B\r\n c\r\n';
  expect(await patched({ 'l.txt': 'a\nb\nc\n' }, patch)).toEqual({ 'l.txt': 'a\nB\nc\n' });
});

test('quoted octal names and spaced names with a trailing tab (B028)', async () => {
  const patch =
    'diff --git "a/docs/gr\\303\\266\\303\\237e.md" "b/docs/gr\\303\\266\\303\\237e.md"\n--- "a/docs/gr\\303\\266\\303\\237e.md"\n+++ "b/docs/gr\\303\\266\\303\\237e.md"\n@@ -1 +1 @@\n-x\n+y\n' +
    'diff --git a/my notes.txt b/my notes.txt\n--- a/my notes.txt\t\n+++ b/my notes.txt\t\n@@ -1 +1 @@\n-x\n+z\n';
  expect(await patched({ 'docs/größe.md': 'x\n', 'my notes.txt': 'x\n' }, patch)).toEqual({
    'docs/größe.md': 'y\n',
    'my notes.txt': 'z\n',
  });
});

test('plain headers without prefix, with a time behind a tab (B029)', async () => {
  const time = '\t2024-04-02 13:32:43.427214939 +0100';
  const patch = `--- notes.txt${time}\n+++ notes.txt${time}\n@@ -1 +1 @@\n-x\n+y\n`;
  expect(await patched({ 'notes.txt': 'x\n' }, patch)).toEqual({ 'notes.txt': 'y\n' });
});

test('header-only sections: rename and mode change (B031)', async () => {
  const root = tempFolder({ 'old.sh': 'echo hi\n', 'run.sh': 'echo run\n' });
  const patch =
    'diff --git a/old.sh b/new.sh\nsimilarity index 100%\nrename from old.sh\nrename to new.sh\ndiff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n';
  const [rename, mode] = await planPatch(root, patch);
  expect(rename).toMatchObject({ type: 'rename', path: { rel: 'old.sh' }, to: { rel: 'new.sh' } });
  expect(rename).toMatchObject({ before: { mode: 0o644 }, after: { mode: 0o644, bytes: Buffer.from('echo hi\n') } });
  expect(mode).toMatchObject({ type: 'modify', before: { mode: 0o644 }, after: { mode: 0o755 } });
});

test('creating a file that exists is refused, through a link too (B033)', async () => {
  const root = tempFolder({ 'exist.txt': 'original 1\noriginal 2\n' });
  symlinkSync('exist.txt', join(root, 'alias.txt'));
  symlinkSync('nowhere.txt', join(root, 'dangling.txt'));
  const create = (name: string) => `--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+replaced\n`;
  await expect(planPatch(root, create('exist.txt'))).rejects.toThrow(
    'exist.txt already exists. No files were modified.',
  );
  await expect(planPatch(root, create('alias.txt'))).rejects.toThrow('alias.txt already exists as a symbolic link');
  await expect(planPatch(root, create('dangling.txt'))).rejects.toThrow(
    'dangling.txt already exists as a symbolic link',
  );
});

test.each([
  ['journal.md', 'invalid: The patch renames "journal.md" to itself. Leave out the "rename" lines.'],
  ['./journal.md', 'invalid: The patch renames "journal.md" to itself. Leave out the "rename" lines.'],
  ['x/../journal.md', `invalid: path must not contain '..': "x/../journal.md"`],
])('a rename onto itself, as %s, is refused (B034)', async (to, message) => {
  const patch = `diff --git a/journal.md b/${to}\nsimilarity index 50%\nrename from journal.md\nrename to ${to}\n--- a/journal.md\n+++ b/${to}\n@@ -1 +1 @@\n-before\n+after\n`;
  expect(await refusal({ 'journal.md': 'before\n' }, patch)).toBe(message);
});

test('one failing file stops all (B035)', async () => {
  const root = tempFolder({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'dest.txt': 'precious\n' });
  const patch = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+A\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-not b\n+B\n';
  await expect(applyTo(root, patch)).rejects.toThrow('apply patch to b.txt: hunk 1');
  const rename = 'diff --git a/a.txt b/dest.txt\nsimilarity index 100%\nrename from a.txt\nrename to dest.txt\n';
  await expect(applyTo(root, rename)).rejects.toThrow('dest.txt already exists. No files were modified.');
  expect(contentOf(root)).toEqual({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'dest.txt': 'precious\n' });
});

test.each([
  ['--- x\u2028y\n+++ x\u2028y\n@@ -1 +1 @@\n-x\n+y\n', 'missing: No such file: x\u2028y. No files were modified.'],
  ['--- x\ry\n+++ x\ry\n@@ -1 +1 @@\n-x\n+y\n', 'invalid: path must not contain control characters: "x\\ry"'],
  [
    '--- x\u2028y',
    'invalid: Line 1 of the patch is half of a file header: "--- x\u2028y". A "--- a/FILE" line and a "+++ b/FILE" line belong together, in this order.',
  ],
])('odd line separators in a header end in an error (B036)', async (patch, message) => {
  expect(await refusal({ 'x.txt': 'x\n' }, patch)).toBe(message);
});

test('a blank context line whose space was trimmed (B038)', async () => {
  const patch = '--- a/t.txt\n+++ b/t.txt\n@@ -1,4 +1,4 @@\n head\n\n-body\n+BODY\n tail\n';
  expect(await patched({ 't.txt': 'head\n\nbody\ntail\n' }, patch)).toEqual({ 't.txt': 'head\n\nBODY\ntail\n' });
});
