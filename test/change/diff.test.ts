import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change } from '../../src/change/change.ts';
import { renderDiff, summarize } from '../../src/change/diff.ts';
import { listHunks, selectHunks } from '../../src/change/hunk-choice.ts';
import { diffSequences } from '../../src/change/sequence-diff.ts';
import { fileState } from '../../src/workspace/file-state.ts';
import { openRoot, resolvePath } from '../../src/workspace/path.ts';
import { tempFolder } from '../support/folders.ts';
import { runs } from '../support/runs.ts';

const at = (name: string) => resolvePath(openRoot(tempFolder()), name, 'relative');
const modify = (name: string, before: string | Buffer, after: string | Buffer): Change => ({
  type: 'modify',
  path: at(name),
  before: fileState(Buffer.from(before)),
  after: fileState(Buffer.from(after)),
});
const body = (change: Change, options = {}) => renderDiff([change], options).split('\n').slice(3, -1);

test('a modification', () => {
  expect(renderDiff([modify('a.txt', 'a\nb\nc\n', 'a\nB\nc')])).toBe(
    'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n a\n-b\n-c\n+B\n+c\n\\ No newline at end of file\n',
  );
});

test('added and removed lines are counted', () => {
  const changes: Change[] = [
    modify('a.txt', 'a\nb\nc\n', 'a\nB\nB2\nc\n'),
    { type: 'create', path: at('n'), after: fileState(Buffer.from('x\ny')) },
    { type: 'delete', path: at('d'), before: fileState(Buffer.from('x\n')) },
    {
      type: 'rename',
      path: at('o'),
      to: at('p'),
      before: fileState(Buffer.from('x\n')),
      after: fileState(Buffer.from('y\n')),
    },
    modify('bin', 'a\0', 'b\0'),
  ];
  expect(summarize(changes)).toEqual([
    { type: 'modify', path: 'a.txt', added: 2, removed: 1 },
    { type: 'create', path: 'n', added: 2, removed: 0 },
    { type: 'delete', path: 'd', added: 0, removed: 1 },
    { type: 'rename', path: 'o', to: 'p', added: 1, removed: 1 },
    { type: 'modify', path: 'bin', added: 0, removed: 0 },
  ]);
});

test('a rename names both paths and how much stayed', () => {
  const bytes = Buffer.from('one\ntwo\n');
  const rename = (after: string): Change => ({
    type: 'rename',
    path: at('o'),
    to: at('p q'),
    before: fileState(bytes),
    after: fileState(Buffer.from(after)),
  });
  expect(renderDiff([rename('one\ntwo\n')])).toBe(
    'diff --git a/o b/p q\nsimilarity index 100%\nrename from o\nrename to p q\n',
  );
  expect(renderDiff([rename('one\nTWO\n')])).toBe(
    'diff --git a/o b/p q\nsimilarity index 50%\nrename from o\nrename to p q\n--- a/o\n+++ b/p q\t\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n',
  );
});

test('binary files are named by size and digest', () => {
  const change = modify('b.bin', 'a\0', 'ab\0');
  if (change.type !== 'modify') return;
  expect(renderDiff([change])).toBe(
    `diff --git a/b.bin b/b.bin\nBinary files a/b.bin and b/b.bin differ\n  before: 2 bytes, sha256 ${change.before.digest}\n  after: 3 bytes, sha256 ${change.after.digest}\n`,
  );
});

test('content of a denied file is not shown, nor cut into hunks', () => {
  const change = modify('.env', 'KEY=zzz-secret\n', 'KEY=other\n');
  const opaque = { opaque: () => true };
  expect(renderDiff([change], opaque)).not.toMatch(/zzz|other/);
  expect(renderDiff([change], opaque)).toContain(
    'Content not shown: reading this file is denied\n  before: 15 bytes, sha256 ',
  );
  expect(JSON.stringify(listHunks([change], opaque))).not.toMatch(/zzz|other/);
  expect(selectHunks([change], ['.env#1'], opaque)).toEqual({ changes: [change], dropped: [] });
});

test('a diff beyond the limit names counts and digests instead', () => {
  const change = modify('big', 'a\nb\n', 'a\nc\nd\n');
  const small = modify('small', 'a\n', 'b\n');
  const text = renderDiff([change, small], { maxBytes: 4 });
  expect(text).toMatch(
    /^diff --git a\/big b\/big\nDiff too long to show: 2 lines added, 1 removed\n {2}before: 4 bytes, sha256 /,
  );
  expect(text).toContain('diff --git a/small b/small\nDiff too long to show: 1 line added, 1 removed\n');
});

test('other encodings are decoded for the reader', () => {
  expect(body(modify('w', Buffer.from('\ufeffé\nb\n', 'utf16le'), Buffer.from('\ufeffé\nc\n', 'utf16le')))).toEqual([
    '@@ -1,2 +1,2 @@',
    ' é',
    '-b',
    '+c',
  ]);
  expect(body(modify('l', Buffer.from('caf\xe9\nb\n', 'latin1'), Buffer.from('caf\xe9\nc\n', 'latin1')))).toEqual([
    '@@ -1,2 +1,2 @@',
    ' café',
    '-b',
    '+c',
  ]);
  expect(body(modify('c', Buffer.from('\ufeffa\nb\n', 'utf16le'), 'a\nb\n'))).toEqual([
    '@@ -1,2 +1,2 @@',
    '-a',
    '-b',
    '+a',
    '+b',
  ]);
});

test('for display, a carriage return shows only where line ends change', () => {
  const display = { display: true };
  expect(body(modify('a', 'a\r\nb\r\n', 'a\r\nB\r\n'), display)).toEqual(['@@ -1,2 +1,2 @@', ' a', '-b', '+B']);
  expect(body(modify('a', 'a\r\nb\r\n', 'a\r\nb\n'), display)).toEqual(['@@ -1,2 +1,2 @@', ' a', '-b␍', '+b']);
  expect(body(modify('a', 'a\nb\n', 'a\r\nb\r\n'), display)).toEqual(['@@ -1,2 +1,2 @@', '-a', '-b', '+a␍', '+b␍']);
  expect(body(modify('a', 'a\r\nb\r\n', 'a\r\nb\n'))).toEqual(['@@ -1,2 +1,2 @@', ' a\r', '-b\r', '+b']);
});

test('hunks have stable ids and can be taken one by one', () => {
  const lines = Array.from({ length: 30 }, (_, i) => `${i}\n`);
  const before = lines.join('');
  const after = before.replace('2\n', 'two\n').replace('25\n', 'twenty-five\n');
  const change: Change = {
    ...modify('s.sh', before, after),
    type: 'modify',
    before: fileState(Buffer.from(before)),
    after: fileState(Buffer.from(after), 0o755),
  };
  const created: Change = { type: 'create', path: at('n'), after: fileState(Buffer.from('x\n')) };
  expect(listHunks([change, created]).map(({ id, text }) => [id, text.split('\n')[0]])).toEqual([
    ['s.sh#mode', 'old mode 0644'],
    ['s.sh#1', '@@ -1,6 +1,6 @@'],
    ['s.sh#2', '@@ -23,7 +23,7 @@'],
    ['n#1', 'diff --git a/n b/n'],
  ]);
  const only = Buffer.from(before.replace('25\n', 'twenty-five\n'));
  expect(selectHunks([change, created], ['s.sh#2'])).toEqual({
    changes: [{ type: 'modify', path: change.path, before: change.before, after: fileState(only) }],
    dropped: ['s.sh#mode', 's.sh#1', 'n#1'],
  });
  expect(selectHunks([change, created], [])).toMatchObject({ changes: [] });
  expect(() => selectHunks([created], ['n#2'])).toThrow('There is no hunk "n#2". The hunks are: n#1.');
});

/** The length of a longest common subsequence, by the textbook. */
function commonLength(a: readonly number[], b: readonly number[]): number {
  let row = b.map(() => 0).concat(0);
  for (const x of a) {
    const next = [0];
    b.forEach((y, j) => {
      next.push(x === y ? row[j]! + 1 : Math.max(row[j + 1]!, next[j]!));
    });
    row = next;
  }
  return row.at(-1)!;
}

const sequence = fc.array(fc.nat(6), { maxLength: 60 });

test('the blocks of a sequence difference turn one into the other, with the fewest steps', () => {
  fc.assert(
    fc.property(sequence, sequence, (a, b) => {
      const blocks = diffSequences(Int32Array.from(a), Int32Array.from(b), 7);
      const built: number[] = [];
      let done = 0;
      for (const { fromA, toA, fromB, toB } of blocks) {
        built.push(...a.slice(done, fromA), ...b.slice(fromB, toB));
        done = toA;
      }
      expect([...built, ...a.slice(done)]).toEqual(b);
      const touched = blocks.reduce((sum, { fromA, toA, fromB, toB }) => sum + toA - fromA + toB - fromB, 0);
      expect(touched).toBe(a.length + b.length - 2 * commonLength(a, b));
    }),
    runs(3000),
  );
});

test('wholly different and reversed files take bounded time', () => {
  const numbers = Array.from({ length: 60_000 }, (_, i) => `line ${i}\n`);
  const other = numbers.map((line) => `x${line}`).join('');
  const repeated = Array.from({ length: 60_000 }, (_, i) => `${(i * 7919) % 97}\n`);
  const changes = [
    modify('a', numbers.join(''), other),
    modify('b', numbers.join(''), numbers.toReversed().join('')),
    modify('c', repeated.join(''), repeated.toReversed().join('')),
  ];
  for (const { added, removed } of summarize(changes)) expect(added).toBe(removed);
});
