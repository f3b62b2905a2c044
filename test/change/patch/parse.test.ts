import { expect, test } from 'vitest';
import { ToolError } from '../../../src/base/error.ts';
import { parsePatch } from '../../../src/change/patch/parse.ts';

const hunk = '@@ -1 +1 @@\n-x\n+y\n';
const plain = (from: string, to: string, body = hunk) => `--- ${from}\n+++ ${to}\n${body}`;

/** Each section in short: kind, name, other name, new name, mode. */
function sections(patch: string): string[] {
  return parsePatch(patch).map(({ kind, name, otherName, to, mode }) =>
    [kind, name, otherName && `or ${otherName}`, to && `-> ${to}`, mode?.toString(8)].filter(Boolean).join(' '),
  );
}

function refusal(patch: string): string {
  try {
    parsePatch(patch);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    expect(error.code).toBe('invalid');
    return error.message;
  }
  throw new Error('the patch was not refused');
}

/** The lines of the first hunk: sign, text, end. */
function body(patch: string): string[] {
  const signs = { context: ' ', remove: '-', add: '+' };
  return parsePatch(patch)[0]!.hunks[0]!.lines.map(({ kind, text, eol }) => signs[kind] + text + eol);
}

test.each([
  ['prefixes on both sides', plain('a/x', 'b/x'), ['modify x']],
  ['no prefixes', plain('x', 'x'), ['modify x']],
  ['a directory a, or prefixes', plain('a/x', 'a/x'), ['modify a/x or x']],
  ['a created file', plain('/dev/null', 'b/x', '@@ -0,0 +1 @@\n+x\n'), ['create x']],
  ['a deleted file', plain('a/x', '/dev/null', '@@ -1 +0,0 @@\n-x\n'), ['delete x or a/x']],
  [
    'prefixes, as another section shows',
    plain('a/y', 'b/y') + plain('a/x', '/dev/null', '@@ -1 +0,0 @@\n-x\n'),
    ['modify y', 'delete x'],
  ],
  [
    'no prefixes, as another section shows',
    plain('y', 'y') + plain('/dev/null', 'b/x', '@@ -0,0 +1 @@\n+x\n'),
    ['modify y', 'create b/x'],
  ],
  [
    'a time that is the epoch: created',
    plain('a/x\t1970-01-01 01:00:00.000000000 +0100', 'b/x\t2024-01-01 00:00:00 +0000', '@@ -0,0 +1 @@\n+x\n'),
    ['create x'],
  ],
  [
    'a time that is the epoch: deleted',
    plain('a/x', 'b/x\t1969-12-31 19:00:00 -0500', '@@ -1 +0,0 @@\n-x\n'),
    ['delete x'],
  ],
  ['a time that is not', plain('a/x\t1970-01-01 01:00:00 +0000', 'b/x', '@@ -0,0 +1 @@\n+x\n'), ['modify x']],
  ['a quoted name', plain('"a/t\\303\\244b\\t\\"q\\".txt"', '"b/t\\303\\244b\\t\\"q\\".txt"'), ['modify täb\t"q".txt']],
  ['CR behind names', plain('a/x\r', 'b/x\r', '@@ -1 +1 @@\r\n-x\r\n+y\r\n'), ['modify x']],
  ['a byte order mark in front', `\ufeff${plain('a/x', 'b/x')}`, ['modify x']],
])('plain sections: %s', (_, patch, expected) => {
  expect(sections(patch)).toEqual(expected);
});

test.each([
  [
    'a real directory b keeps its name',
    `diff --git a/b/x.go b/b/x.go\n${plain('a/b/x.go', 'b/b/x.go')}`,
    ['modify b/x.go'],
  ],
  ['no prefixes', `diff --git b/x.go b/x.go\n${plain('b/x.go', 'b/x.go')}`, ['modify b/x.go']],
  ['other one-letter prefixes', `diff --git i/x w/x\n${plain('i/x', 'w/x')}`, ['modify x']],
  ['a mode change', 'diff --git a/x y b/x y\nold mode 100644\nnew mode 100755\n', ['modify x y 100755']],
  ['a new empty file', 'diff --git a/x b/x\nnew file mode 100644\nindex 000..e69\n', ['create x 100644']],
  [
    'a new file',
    `diff --git a/x b/x\nnew file mode 100755\n${plain('/dev/null', 'b/x', '@@ -0,0 +1 @@\n+x\n')}`,
    ['create x 100755'],
  ],
  [
    'a new file without its mode',
    `diff --git a/x b/x\n${plain('/dev/null', 'b/x', '@@ -0,0 +1 @@\n+x\n')}`,
    ['create x'],
  ],
  [
    'a new file in a directory b, without prefixes',
    `diff --git b/x b/x\nnew file mode 100644\n${plain('/dev/null', 'b/x', '@@ -0,0 +1 @@\n+x\n')}`,
    ['create b/x 100644'],
  ],
  ['a deleted empty file', 'diff --git a/x b/x\ndeleted file mode 100644\n', ['delete x']],
  [
    'a rename of spaced names',
    'diff --git a/x y b/z z\nsimilarity index 100%\nrename from x y\nrename to z z\n',
    ['rename x y -> z z'],
  ],
  [
    'a rename with hunks and mode',
    `diff --git a/x b/y\nold mode 100644\nnew mode 100755\nrename from x\nrename to y\nindex 12..34\n${plain('a/x', 'b/y')}`,
    ['rename x -> y 100755'],
  ],
  [
    'a rename of quoted names',
    'diff --git "a/\\303\\244" b/y\nrename from "\\303\\244"\nrename to y\n',
    ['rename ä -> y'],
  ],
  [
    'git and plain sections in one patch, each by itself',
    `${plain('a/p', 'b/p')}diff --git a/b/g b/b/g\n${plain('a/b/g', 'b/b/g')}diff -u a/q b/q\n${plain('a/q', 'b/q')}`,
    ['modify p', 'modify b/g', 'modify q'],
  ],
])('git sections: %s', (_, patch, expected) => {
  expect(sections(patch)).toEqual(expected);
});

test.each([
  ['prose and fences around', `Here it is:\n- a point\n\n\`\`\`diff\n${plain('a/x', 'b/x')}\`\`\`\nDone.\n`],
  ['svn index lines', `Index: x\n${'='.repeat(67)}\n${plain('x', 'x')}`],
  [
    'a mail of git format-patch',
    `From 1a2b Mon Sep 17 00:00:00 2001\nSubject: [PATCH] x\n---\n x | 2 +-\n 1 file changed\n\ndiff --git a/x b/x\n${plain('a/x', 'b/x')}-- \n2.39.5\n\n`,
  ],
  ['blank lines before and between hunks', plain('a/x', 'b/x', `\n${hunk}\n\n@@ -9 +9 @@\n-x\n+y\n\n`)],
])('text outside of sections is skipped: %s', (_, patch) => {
  expect(sections(patch)).toEqual(['modify x']);
});

test.each([
  ['as counted', '@@ -1,2 +1,2 @@\n a\n-b\n+c\n', [' a\n', '-b\n', '+c\n']],
  ['counts too small', '@@ -1 +1 @@\n a\n-b\n+c\n d\n', [' a\n', '-b\n', '+c\n', ' d\n']],
  ['counts too large', '@@ -1,9 +1,9 @@\n a\n-b\n+c\n', [' a\n', '-b\n', '+c\n']],
  ['a removed line that looks like a header', '@@ -1,2 +1,2 @@\n a\n--- x\n+++ y\n', [' a\n', '--- x\n', '+++ y\n']],
  [
    'the same before the next hunk',
    '@@ -1,2 +1,2 @@\n a\n--- x\n+++ y\n@@ -5 +5 @@\n-a\n+b\n',
    [' a\n', '--- x\n', '+++ y\n'],
  ],
  [
    'no newline on either side',
    '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ Kein Zeilenumbruch\n',
    ['-a', '+b'],
  ],
  ['trimmed blank lines, wrong counts', '@@ -1,9 +1,9 @@\n a\n\n-b\n+c\n\n', [' a\n', ' \n', '-b\n', '+c\n']],
  ['CR as part of the lines', '@@ -1 +1 @@\n-a\r\n+b\r\n', ['-a\r\n', '+b\r\n']],
  ['CR before no newline', '@@ -1 +1 @@\n-a\r\n\\ No newline at end of file\n+b\n', ['-a\r', '+b\n']],
  ['last line without a line feed', '@@ -1 +1 @@\n-a\n+b', ['-a\n', '+b\n']],
  ['wrong counts and a mail signature', '@@ -1,7 +1,7 @@\n-a\n+b\n-- \n2.39.5\n', ['-a\n', '+b\n']],
])('the body of a hunk: %s', (_, text, expected) => {
  expect(body(`--- a/x\n+++ b/x\n${text}`)).toEqual(expected);
});

test.each([
  ['an empty patch', '', 'The patch holds no change. Send a unified diff'],
  ['prose alone', 'please change x\n', 'The patch holds no change. Send a unified diff'],
  [
    '51 files',
    Array.from({ length: 51 }, (_, n) => plain(`a/${n}`, `b/${n}`)).join(''),
    'The patch touches 51 files; at most 50 are allowed. Send it in parts.',
  ],
  [
    'half a surrogate pair',
    plain('a/x', 'b/x', '@@ -1 +1 @@\n-x\n+\ud83d\n'),
    'The patch holds half of a surrogate pair',
  ],
  [
    'a binary patch',
    'diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 1\n',
    'The section on line 1 of the patch is a binary patch; only text can be patched.',
  ],
  [
    'binary files that differ',
    'diff --git a/x b/x\nBinary files a/x and b/x differ\n',
    'The section on line 1 of the patch is a binary patch; only text can be patched.',
  ],
  [
    'binary files in a plain diff',
    `${plain('a/x', 'b/x')}Binary files a/y and b/y differ\n`,
    'Line 6 of the patch stands for a binary file; only text can be patched.',
  ],
  [
    'a copy',
    'diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n',
    'The section on line 1 of the patch copies a file; copies are not supported. Create the new file with its text.',
  ],
  [
    'a submodule',
    'diff --git a/x b/x\nnew file mode 160000\n',
    'The section on line 1 of the patch changes a submodule, which a patch of files can not do.',
  ],
  [
    'another type of file in one section',
    'diff --git a/x b/x\nold mode 100644\nnew mode 120000\n',
    'The section on line 1 of the patch makes a file a symbolic link, or a link a file. Write two sections: one deletes it, the next creates it.',
  ],
  [
    'a type git does not have',
    'diff --git a/x b/x\nnew file mode 040000\n',
    'The section on line 1 of the patch gives a file a mode that git does not have. Use 100644 or 100755.',
  ],
  [
    'a mode that is none',
    'diff --git a/x b/x\nnew file mode 9\n',
    'Line 2 of the patch has no valid mode: "9". Modes are 100644 and 100755.',
  ],
  [
    'names that differ without a rename',
    plain('x', 'y'),
    'The section on line 1 of the patch modifies "x" as "y": the names differ, but it is not marked as a rename.',
  ],
  [
    'a prefix on one side only',
    plain('a/x', 'x'),
    'The section on line 1 of the patch modifies "a/x" as "x": the names differ',
  ],
  [
    'the same in a git section',
    `diff --git a/x b/y\n${plain('a/x', 'b/y')}`,
    'The section on line 1 of the patch modifies "a/x" as "b/y": the names differ',
  ],
  [
    'half a rename',
    'diff --git a/x b/y\nrename from x\n',
    'The section on line 1 of the patch needs both "rename from" and "rename to".',
  ],
  [
    'a rename with other names in its header',
    `diff --git a/x b/y\nrename from x\nrename to y\n${plain('a/x', 'b/z')}`,
    'The section on line 1 of the patch renames "x" to "y", but its "---" and "+++" lines name other files.',
  ],
  [
    'a section that says nothing',
    'diff --git a/x b/x\nindex 1..2 100644\n',
    'The section on line 1 of the patch changes nothing: it has no hunk, mode or rename lines.',
  ],
  [
    'a created file with an old name',
    `diff --git a/x b/x\nnew file mode 100644\n${plain('a/x', 'b/x')}`,
    'The section on line 1 of the patch creates a file: its "---" line must be /dev/null.',
  ],
  [
    'both sides absent',
    plain('/dev/null', '/dev/null'),
    'The section on line 1 of the patch names no file: both sides are /dev/null.',
  ],
  ['no hunk', '--- a/x\n+++ b/x\n', 'The section on line 1 of the patch has no hunk'],
  ['an empty hunk', plain('a/x', 'b/x', '@@ -1 +1 @@\n'), 'The hunk on line 3 of the patch is empty.'],
  [
    'context only',
    plain('a/x', 'b/x', '@@ -1 +1 @@\n x\n'),
    'The hunk on line 3 of the patch has no "+" or "-" line, so it changes nothing.',
  ],
  [
    'a malformed header',
    plain('a/x', 'b/x', '@@ -1,x +1 @@\n-x\n+y\n'),
    'Line 3 of the patch is a malformed hunk header: "@@ -1,x +1 @@". Write "@@ -START,COUNT +START,COUNT @@".',
  ],
  [
    'a combined diff',
    plain('a/x', 'b/x', '@@@ -1 -1 +1 @@@\n--x\n++y\n'),
    "Line 3 of the patch is a combined diff (of a merge), which can't be applied.",
  ],
  [
    'a context line without its space',
    plain('a/x', 'b/x', '@@ -1,3 +1,3 @@\n a\n-b\n+c\nd\n'),
    'Line 7 of the patch stands inside a hunk but begins with neither " ", "-" nor "+": "d". Every context line needs a leading space.',
  ],
  [
    'lines that may be a header, wrong counts',
    plain('a/x', 'b/x', '@@ -1,9 +1,9 @@\n a\n--- x\n+++ y\n'),
    'Lines 5 and 6 of the patch may be a file header or changed lines, and the counts of the "@@" line before them are wrong. Send the right counts.',
  ],
  [
    'a marker before any line',
    plain('a/x', 'b/x', '@@ -1 +1 @@\n\\ No newline at end of file\n-a\n+b\n'),
    'Line 4 of the patch ("\\ No newline") follows no line of a hunk.',
  ],
  [
    'a marker in the middle',
    plain('a/x', 'b/x', '@@ -1,2 +1,2 @@\n a\n\\ No newline at end of file\n-b\n+c\n'),
    'Line 4 of the patch is marked "\\ No newline at end of file", but more lines of the file follow it.',
  ],
  ['a hunk without a file', hunk, "Line 1 of the patch is a hunk header outside of a file's section."],
  [
    'a stray change',
    `${plain('a/x', 'b/x')}\n+lost\n`,
    'Line 7 of the patch looks like a change but stands outside of every hunk: "+lost".',
  ],
  [
    'rename lines without diff --git',
    'rename from x\nrename to y\n',
    'Line 1 of the patch stands outside of a "diff --git" section: "rename from x".',
  ],
  [
    'another format',
    '*** Begin Patch\n*** Update File: x\n',
    'Line 1 of the patch belongs to another patch format. Send a unified diff.',
  ],
  ['a context diff', '*** x\t2024\n--- x\t2024\n***************\n', 'Line 2 of the patch is half of a file header'],
  [
    'a file on one side',
    'Only in b: x\n',
    'Line 1 of the patch says that a file exists on one side only; make the diff with -N.',
  ],
  [
    'an empty file of diff -N',
    `diff -ruN a/e b/e\n${'diff -ruN a/x b/x\n'}${plain('a/x', 'b/x')}`,
    'Line 1 of the patch has no section behind it',
  ],
  ['broken quotes', plain('"a/x', 'b/x'), 'Line 1 of the patch has a broken quoted file name.'],
  ['a bad escape', plain('"a/\\9"', 'b/x'), 'Line 1 of the patch has a broken quoted file name.'],
  [
    'a name that is not UTF-8',
    plain('"a/\\377"', '"b/\\377"'),
    "The file name on line 1 of the patch is not UTF-8. Such names can't be patched.",
  ],
])('refused: %s', (_, patch, message) => {
  expect(refusal(patch).slice(0, message.length)).toBe(message);
});
