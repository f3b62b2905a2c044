import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encode } from '../../../src/base/codec.ts';
import { detectEncoding } from '../../../src/base/encoding.ts';
import { parsePatch } from '../../../src/change/patch/parse.ts';
import { resolvePatch } from '../../../src/change/patch/resolve.ts';
import { openWorkspace } from '../../../src/workspace/workspace.ts';
import { tempFolder } from '../../support/folders.ts';
import { applyTo, contentOf, patched, planPatch, refusal } from './patched.ts';

const guidance =
  'No files were modified. Do not fall back to write_file or rewrite the whole file. Re-read "f" with read_file, then generate a new, minimal patch with fresh context lines copied from its current content.';
const edit = (hunks: string) => `--- a/f\n+++ b/f\n${hunks}`;
const apply = async (text: string | Buffer, hunks: string) => (await patched({ f: text }, edit(hunks))).f;
const missOf = async (text: string | Buffer, hunks: string) => {
  const message = await refusal({ f: text }, edit(hunks));
  const [start, end] = ['conflict: apply patch to f: ', `. ${guidance}`];
  expect([message.slice(0, start.length), message.slice(-end.length)]).toEqual([start, end]);
  return message.slice(start.length, -end.length);
};

const numbers = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1}\n`).join('');

test.each([
  ['the stated line wins over another match', 'a\nx\na\n', '@@ -3 +3 @@\n-a\n+b\n', 'a\nx\nb\n'],
  ['the nearest exact match, below', 'x\ny\na\nz\n', '@@ -1 +1 @@\n-a\n+b\n', 'x\ny\nb\nz\n'],
  ['the nearest of several', 'a\nx\nx\nx\na\nx\n', '@@ -4 +4 @@\n-a\n+b\n', 'a\nx\nx\nx\nb\nx\n'],
  ['a line number beyond the end', 'x\na\n', '@@ -99 +99 @@\n-a\n+b\n', 'x\nb\n'],
  ['line 0', 'a\nx\n', '@@ -0 +0 @@\n-a\n+b\n', 'b\nx\n'],
  ['hunks in order, each after the one before', 'a\na\na\n', '@@ -1 +1 @@\n-a\n+b\n@@ -3 +3 @@\n-a\n+c\n', 'b\na\nc\n'],
  [
    'hunks moved alike',
    `0\n0\n${numbers(9)}`,
    '@@ -2 +2 @@\n-2\n+two\n@@ -5 +5 @@\n-5\n+five\n',
    '0\n0\n1\ntwo\n3\n4\nfive\n6\n7\n8\n9\n',
  ],
  [
    'hunks moved alike',
    `0\n0\n${numbers(9)}`,
    '@@ -2 +2 @@\n-2\n+two\n@@ -5 +5 @@\n-5\n+five\n',
    '0\n0\n1\ntwo\n3\n4\nfive\n6\n7\n8\n9\n',
  ],
  ['touching hunks', 'a\nb\n', '@@ -1 +1 @@\n-a\n+A\n@@ -2 +2 @@\n-b\n+B\n', 'A\nB\n'],
  ['no context: insert in front', 'a\n', '@@ -0,0 +1 @@\n+x\n', 'x\na\n'],
  ['no context: insert behind a line', 'a\nb\n', '@@ -1,0 +2 @@\n+x\n', 'a\nx\nb\n'],
  ['no context: insert at the end', 'a\nb\n', '@@ -2,0 +3 @@\n+x\n', 'a\nb\nx\n'],
  ['an empty file gets text', '', '@@ -0,0 +1 @@\n+x\n', 'x\n'],
  ['a file gets emptied', 'a\n', '@@ -1 +0,0 @@\n-a\n', ''],
  ['a bare @@ in an empty file', '', '@@\n+x\n', 'x\n'],
  ['the last newline goes', 'a\nb\n', '@@ -2 +2 @@\n-b\n+b\n\\ No newline at end of file\n', 'a\nb'],
  ['repeating lines', `${'a\n'.repeat(50)}b\n`, '@@ -3,3 +3,3 @@\n a\n a\n-b\n+c\n', `${'a\n'.repeat(50)}c\n`],
])('placing: %s', async (_, before, hunks, after) => {
  expect(await apply(before, hunks)).toBe(after);
});

test.each([
  [
    'two equally near places',
    'a\nx\na\n',
    '@@ -2 +2 @@\n-a\n+b\n',
    'hunk 1 (@@ -2 +2 @@) matches lines 1 and 3 equally near. Give it more context lines or the right line number',
  ],
  [
    'a stated place that may have moved like the one before',
    'new\na\nx\ny\nx\ny\n',
    '@@ -1 +1 @@\n-a\n+b\n@@ -4 +4 @@\n-y\n+Y\n',
    'hunk 2 (@@ -4 +4 @@) matches lines 4 and 6 equally near. Give it more context lines or the right line number',
  ],
  [
    'two stated places, moved or not',
    'new\nnew\na\nx\n1\nx\n',
    '@@ -1 +1 @@\n-a\n+b\n@@ -4 +4 @@\n-x\n+X\n',
    'hunk 2 (@@ -4 +4 @@) matches lines 4 and 6, and since the hunk before it was found on another line than stated, either may be meant. Give it more context lines or the right line number',
  ],
  [
    'a line that differs',
    numbers(9),
    '@@ -4,3 +4,3 @@\n 4\n-five\n+FIVE\n 6\n',
    'hunk 1 (@@ -4,3 +4,3 @@) does not match: line 5 of the patch expects "five", but line 5 of the file is "5"',
  ],
  [
    'the nearest place is shown',
    `${numbers(50)}func a() {\n  return 1\n}\n`,
    '@@ -3,3 +3,3 @@\n func a() {\n-  return 2\n+  return 3\n }\n',
    'hunk 1 (@@ -3,3 +3,3 @@) does not match: line 5 of the patch expects "  return 2", but line 52 of the file is "  return 1"',
  ],
  [
    'tabs and spaces',
    '\tx\n',
    '@@ -1 +1 @@\n-    x\n+y\n',
    'hunk 1 (@@ -1 +1 @@) does not match: line 4 of the patch expects "    x", but line 1 of the file is "\\tx": the file has a tab where the text sent has 4 spaces',
  ],
  [
    'a space at the end',
    'x \n',
    '@@ -1 +1 @@\n-x\n+y\n',
    'hunk 1 (@@ -1 +1 @@) does not match: line 4 of the patch expects "x", but line 1 of the file is "x ": the file has a space where the text sent has no white space',
  ],
  [
    'a space that is none',
    'a\u00a0b\n',
    '@@ -1 +1 @@\n-a b\n+y\n',
    'hunk 1 (@@ -1 +1 @@) does not match: line 4 of the patch expects "a b", but line 1 of the file is "a\\u00a0b": the file has U+00A0 where the text sent has a space',
  ],
  [
    'a letter that only looks the same, elsewhere',
    `${numbers(9)}c\u0430t\n`,
    '@@ -2 +2 @@\n-cat\n+dog\n',
    'hunk 1 (@@ -2 +2 @@) does not match: line 4 of the patch expects "cat", but line 10 of the file is "c\u0430t": the file has "\u0430" (U+0430) where the text sent has "a" (U+0061)',
  ],
  [
    'a last line without newline',
    'a\nb',
    '@@ -1,2 +1,2 @@\n-a\n+A\n b\n',
    'hunk 1 (@@ -1,2 +1,2 @@) does not match: line 6 of the patch expects "b" at line 2, and the text is there, but it is the last line and has no newline: put "\\ No newline at end of file" behind it in the patch',
  ],
  [
    'a newline said to be missing',
    'a\nb\n',
    '@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+c\n',
    'hunk 1 (@@ -2 +2 @@) does not match: line 4 of the patch expects "b" at line 2, and the text is there, but it ends with a newline, which the patch says is missing',
  ],
  [
    'an end without newline in the middle',
    'a\nb\n',
    '@@ -1 +1 @@\n-a\n+c\n\\ No newline at end of file\n',
    'hunk 1 (@@ -1 +1 @@) does not match: it ends the file without a newline, but the place it matches ends at line 1 of 2',
  ],
  [
    'a hunk longer than the file',
    'a\n',
    '@@ -1,2 +1 @@\n a\n-b\n',
    'hunk 1 (@@ -1,2 +1 @@) does not match: line 5 of the patch expects "b", but the file ends with line 1',
  ],
  ['an empty file', '', '@@ -1 +1 @@\n-a\n+b\n', 'hunk 1 (@@ -1 +1 @@) does not match: the file is empty'],
  [
    'an insertion beyond the end',
    'a\n',
    '@@ -5,0 +6 @@\n+x\n',
    'hunk 1 (@@ -5,0 +6 @@) does not match: it inserts after line 5, but the file has 1 lines',
  ],
  [
    'an insertion behind a last line without newline',
    'a',
    '@@ -1,0 +2 @@\n+x\n',
    'hunk 1 (@@ -1,0 +2 @@) does not match: it adds lines behind a last line that has no newline. Replace that line too',
  ],
  [
    'a bare @@ without context',
    'a\n',
    '@@\n+x\n',
    'hunk 1 (@@) does not match: it has neither context nor a line number',
  ],
  [
    'hunks out of order',
    numbers(9),
    '@@ -7 +7 @@\n-7\n+x\n@@ -2 +2 @@\n-2\n+y\n',
    'hunk 2 (@@ -2 +2 @@) does not match: its lines are at line 2, inside or before the hunk before it. Put hunks in the order of the file',
  ],
  [
    'an insertion after a hunk found elsewhere',
    numbers(9),
    '@@ -2 +2 @@\n-5\n+x\n@@ -7,0 +8 @@\n+y\n',
    'hunk 2 (@@ -7,0 +8 @@) has no context, and a hunk before it was found on another line than stated, so its place is not certain. Give it context lines',
  ],
  [
    'LF meant, CRLF there, where the hunk changes ends',
    'a\r\nb\r\n',
    '@@ -1,2 +1,2 @@\n a\n-b\r\n+b\n',
    'hunk 1 (@@ -1,2 +1,2 @@) does not match: line 4 of the patch expects "a" at line 1, and the text is there, but it ends with CRLF, not LF',
  ],
  ['a binary file', 'a\0\n', '@@ -1 +1 @@\n-a\n+b\n', 'it is a binary file; only text can be patched'],
])('a miss: %s', async (_, before, hunks, message) => {
  expect(await missOf(before, hunks)).toBe(message);
});

test.each([
  ['new lines end like their neighbours', 'a\r\nb\nc\n', '@@ -1,2 +1,3 @@\n a\n+x\n b\n', 'a\r\nx\r\nb\nc\n'],
  ['an insertion without context ends like the line before', 'a\r\nb\r\n', '@@ -2,0 +3 @@\n+x\n', 'a\r\nb\r\nx\r\n'],
  ['an insertion in front ends like the line behind', 'a\r\n', '@@ -0,0 +1 @@\n+x\n', 'x\r\na\r\n'],
  ['a patch with CR in its body only, on an LF file', 'a\nb\n', '@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n', 'a\nc\n'],
  ['a patch that changes line ends', 'a\r\nb\n', '@@ -1,2 +1,2 @@\n-a\r\n+a\n b\n', 'a\nb\n'],
  ['a lone CR is text', 'a\rb\nc\n', '@@ -1 +1 @@\n-a\rb\n+a\rB\n', 'a\rB\nc\n'],
  [
    'a last line without newline, in a CRLF file',
    'a\r\nb',
    '@@ -2 +2,2 @@\n-b\n\\ No newline at end of file\n+b\n+c\n',
    'a\r\nb\r\nc\r\n',
  ],
])('line ends: %s', async (_, before, hunks, after) => {
  expect(await apply(before, hunks)).toBe(after);
});

test('a byte order mark stays, whether the patch shows it or not', async () => {
  const bom = '\u00ef\u00bb\u00bf'; // EF BB BF, as `apply` gives bytes
  expect(await apply('\ufeffa\nb\n', '@@ -1 +1 @@\n-a\n+x\n')).toBe(`${bom}x\nb\n`);
  expect(await apply('\ufeffa\nb\n', '@@ -1 +1 @@\n-\ufeffa\n+\ufeffx\n')).toBe(`${bom}x\nb\n`);
  expect(await apply('\ufeffa\nb\n', '@@ -1,2 +1,2 @@\n \ufeffa\n-b\n+x\n')).toBe(`${bom}a\nx\n`);
  expect(await apply('\ufeffa\nb\n', '@@ -1,2 +1,2 @@\n a\n-b\n+x\n')).toBe(`${bom}a\nx\n`);
  expect(await apply('\ufeffa\n', '@@ -0,0 +1 @@\n+x\n')).toBe(`${bom}x\na\n`);
  expect(await apply('\ufeffa\n', '@@ -1 +1 @@\n-\ufeffa\n+a\n')).toBe('a\n');
  expect(await apply('a\n', '@@ -1 +1 @@\n-a\n+\ufeffa\n')).toBe(`${bom}a\n`);
});

test('a file with a byte order mark is deleted by hunks that remove its lines', async () => {
  expect(await patched({ f: '\ufeffa\n' }, '--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n')).toEqual({});
  expect(await apply('\ufeffa\n', '@@ -1 +0,0 @@\n-a\n')).toBe('\u00ef\u00bb\u00bf');
});

test.each(['UTF-16LE', 'UTF-16BE'])('%s keeps its bytes and gets new text in its own', async (name) => {
  const encoding = { name, bom: Buffer.from(name === 'UTF-16LE' ? [0xff, 0xfe] : [0xfe, 0xff]), certain: true };
  const bytes = (text: string) => Buffer.concat([encoding.bom, encode(text, encoding)]);
  const root = tempFolder({ f: bytes('größe\r\nzwei\r\n\u0a0a drei\r\n') });
  await applyTo(root, edit('@@ -1,3 +1,3 @@\n größe\n-zwei\n+→ 2\n \u0a0a drei\n'));
  expect(readFileSync(join(root, 'f'))).toEqual(bytes('größe\r\n→ 2\r\n\u0a0a drei\r\n'));
});

test('Latin-1 text is matched; its other bytes stay, and characters it is not known to have are refused', async () => {
  const latin = (text: string) => Buffer.from(text, 'latin1');
  const before = latin('Die Größe der Tür ist größer als üblich.\nDer Bär läuft über die Straße.\nzwei\n');
  expect(detectEncoding(before).name).toMatch(/8859|1252/);
  const hunk = (line: string) => edit(`@@ -2,2 +2,2 @@\n Der Bär läuft über die Straße.\n-zwei\n+${line}\n`);
  const root = tempFolder({ f: before });
  await applyTo(root, hunk('drüben'));
  expect(readFileSync(join(root, 'f'))).toEqual(latin(before.toString('latin1').replace('zwei', 'drüben')));
  expect(await refusal({ f: before }, hunk('→'))).toContain('"→" (U+2192)');
});

test('bytes that are no text stay as they are', async () => {
  const before = Buffer.from('a\n\u00e9 \u00ff\u00fe\u0080\nb\nc\n', 'latin1');
  const root = tempFolder({ f: before });
  await applyTo(root, edit('@@ -3,2 +3,2 @@\n b\n-c\n+C\n'));
  expect(readFileSync(join(root, 'f'))).toEqual(Buffer.from('a\n\u00e9 \u00ff\u00fe\u0080\nb\nC\n', 'latin1'));
});

test('patching through a link writes its target; a patch of a file does not delete or replace the link', async () => {
  const root = tempFolder({ 'real.txt': 'a\n' });
  symlinkSync('real.txt', join(root, 'link.txt'));
  await applyTo(root, '--- a/link.txt\n+++ b/link.txt\n@@ -1 +1 @@\n-a\n+b\n');
  expect(contentOf(root)).toEqual({ 'real.txt': 'b\n', 'link.txt': '-> real.txt' });
  await expect(planPatch(root, '--- a/link.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n')).rejects.toThrow(
    'link.txt is a symbolic link, which a patch does not delete. Its target is real.txt.',
  );
  await expect(
    planPatch(root, 'diff --git a/real.txt b/link.txt\nrename from real.txt\nrename to link.txt\n'),
  ).rejects.toThrow('The patch renames "real.txt" to itself.');
});

test('a link into .git is no way there, and what is mounted is read-only', async () => {
  const root = tempFolder({ '.git/config': '[core]\n', 'shown/a': 'a\n' });
  symlinkSync('.git', join(root, 'meta'));
  await expect(planPatch(root, '--- a/meta/config\n+++ b/meta/config\n@@ -1 +1 @@\n-[core]\n+[x]\n')).rejects.toThrow(
    'path must not lead into .git: "meta/config" is .git/config.',
  );
  const workspace = openWorkspace({ root, mounts: { '@shown': join(root, 'shown') } });
  const files = parsePatch('--- a/@shown/a\n+++ b/@shown/a\n@@ -1 +1 @@\n-a\n+b\n');
  expect(() => resolvePatch(files, workspace)).toThrow('@shown/a is read-only: it is not in the workspace.');
});

const link = (name: string, target: string) =>
  `diff --git a/${name} b/${name}\nnew file mode 120000\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+${target}\n\\ No newline at end of file\n`;

test('a symbolic link is created when its target stays inside', async () => {
  const root = tempFolder({ 'sub/a.txt': 'a\n' });
  await applyTo(root, link('sub/deep/l', '../../sub/a.txt'));
  expect(contentOf(root)).toEqual({ 'sub/a.txt': 'a\n', 'sub/deep/l': '-> ../../sub/a.txt' });
});

test.each(['/etc/passwd', '../outside', 'sub/../../outside', 'here/../x', 'door/x'])(
  'a symbolic link to %s is refused',
  async (target) => {
    const root = tempFolder({ 'ws/sub/a.txt': 'a\n', 'outside/x': 'x\n' });
    symlinkSync('.', join(root, 'ws/here'));
    symlinkSync('../outside', join(root, 'ws/door'));
    await expect(planPatch(join(root, 'ws'), link('l', target))).rejects.toThrow(
      `The symbolic link l would lead to "${target}", which may be outside the workspace. No files were modified.`,
    );
  },
);

test.each([
  [
    'the same file twice',
    edit('@@ -1 +1 @@\n-a\n+b\n').repeat(2),
    'invalid: The patch names "f" more than once. Put all hunks of a file into one section.',
  ],
  [
    'a file by another spelling',
    `${edit('@@ -1 +1 @@\n-a\n+b\n')}--- a/./f\n+++ b/./f\n@@ -1 +1 @@\n-a\n+c\n`,
    'invalid: The patch names "f" more than once. Put all hunks of a file into one section.',
  ],
  [
    'a file and its new name',
    `${edit('@@ -1 +1 @@\n-a\n+b\n')}diff --git a/f b/g\nrename from f\nrename to g\n`,
    'invalid: The patch names "f" more than once. Put all hunks of a file into one section.',
  ],
  [
    'a file as the folder of another',
    '--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n--- /dev/null\n+++ b/n/m\n@@ -0,0 +1 @@\n+x\n',
    'invalid: The patch takes "n" both for a file and for the folder of "n/m". Send such changes in two patches, one after the other.',
  ],
  [
    'a missing file',
    '--- a/none\n+++ b/none\n@@ -1 +1 @@\n-a\n+b\n',
    'missing: No such file: none. No files were modified.',
  ],
  [
    'a directory',
    '--- a/dir\n+++ b/dir\n@@ -1 +1 @@\n-a\n+b\n',
    'conflict: path is not a regular file: dir is a directory. No files were modified.',
  ],
  ['a way out', '--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n', `invalid: path must not contain '..': "../x"`],
  [
    'git metadata',
    '--- /dev/null\n+++ b/.git/hooks/pre-commit\n@@ -0,0 +1 @@\n+x\n',
    'invalid: path must not lead into .git: ".git/hooks/pre-commit"',
  ],
  [
    'an existing file',
    '--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n',
    'conflict: f already exists. No files were modified.',
  ],
  [
    'a file as a folder',
    '--- /dev/null\n+++ b/f/sub/x\n@@ -0,0 +1 @@\n+x\n',
    "conflict: f/sub/x can't be made: f is no folder. No files were modified.",
  ],
  [
    'a folder as a file',
    '--- /dev/null\n+++ b/new/\n@@ -0,0 +1 @@\n+x\n',
    'invalid: "new/" names a folder; a patch changes files.',
  ],
  [
    'an existing directory',
    '--- /dev/null\n+++ b/dir\n@@ -0,0 +1 @@\n+x\n',
    'conflict: dir already exists. No files were modified.',
  ],
  [
    'a text that is there already',
    edit('@@ -1 +1 @@\n-a\n+a\n'),
    'invalid: The patch changes nothing in f: it is already as the patch would make it. No files were modified.',
  ],
  [
    'a mode that is there already',
    'diff --git a/f b/f\nold mode 100755\nnew mode 100644\n',
    'invalid: The patch changes nothing in f: it is already as the patch would make it. No files were modified.',
  ],
  [
    'a new file with context',
    '--- /dev/null\n+++ b/n\n@@ -1 +1,2 @@\n a\n+x\n',
    'invalid: The patch creates n, so it must have one hunk of "+" lines only, but line 4 of the patch does not begin with "+". No files were modified.',
  ],
  [
    'a new file in two hunks',
    '--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n@@ -0,0 +5 @@\n+y\n',
    'invalid: The patch creates n, so it must have one hunk of "+" lines only, but the hunk on line 5 of the patch is a second one. No files were modified.',
  ],
  [
    'a deletion that leaves text',
    '--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n',
    `conflict: apply patch to f: the patch deletes the file, but its hunks do not remove all of the content. ${guidance}`,
  ],
])('refused: %s', async (_, patch, message) => {
  expect(await refusal({ f: 'a\nb\n', 'dir/x': 'x\n' }, patch)).toBe(message);
});

test('a plain name that may have a prefix means the file that exists', async () => {
  const patch = '--- a/x\n+++ a/x\n@@ -1 +1 @@\n-x\n+y\n';
  expect(await patched({ 'a/x': 'x\n' }, patch)).toEqual({ 'a/x': 'y\n' });
  expect(await patched({ x: 'x\n' }, patch)).toEqual({ x: 'y\n' });
  expect(await refusal({ x: 'x\n', 'a/x': 'x\n' }, patch)).toBe(
    'invalid: The section on line 1 of the patch may mean "a/x" or "x": both exist. Write "--- a/FILE" and "+++ b/FILE" with the whole path behind the prefix.',
  );
  expect(await patched({ 'a/x': 'x\n' }, '--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n')).toEqual({});
});

test('modes: kept by edits and renames, set by git sections', async () => {
  const root = tempFolder({ f: 'a\n', g: 'a\n' });
  writeFileSync(join(root, 'run'), 'a\n', { mode: 0o750 });
  mkdirSync(join(root, 'd'));
  const hunk = '@@ -1 +1 @@\n-a\n+b\n';
  const changes = await planPatch(
    root,
    `--- a/run\n+++ b/run\n${hunk}diff --git a/f b/d/f\nold mode 100644\nnew mode 100755\nrename from f\nrename to d/f\n` +
      'diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n',
  );
  expect(changes.map((change) => 'after' in change && change.after.mode.toString(8))).toEqual(['750', '755', '755']);
});

test('hunks that would take too long to place are given up', async () => {
  const hunk = `@@ -999999,2000 +1,1999 @@\n${' x\n'.repeat(1999)}-x\n`;
  expect(await missOf('x\n'.repeat(100_000), hunk)).toBe(
    'hunk 1 (@@ -999999,2000 +1,1999 @@) and others have wrong line numbers, and finding their places takes too long. Send the right line numbers',
  );
});
