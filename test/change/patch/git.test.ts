import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempFolder } from '../../support/folders.ts';
import { runs } from '../../support/runs.ts';
import { type RandomFile, randomTree, snapshotOf, writeTree } from '../random-trees.ts';
import { applyTo, contentOf } from './patched.ts';

// More in the nightly run: `PATCH_RUNS=20` multiplies.

function git(root: string, ...args: string[]): string {
  const safe = ['-c', 'core.autocrlf=false', '-c', 'core.safecrlf=false', '-c', 'core.fileMode=true'];
  return execFileSync('git', [...safe, ...args], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
}

/** The diff that git makes of a tree's two sides, in a fresh repository below `root`. */
function gitDiff(root: string, files: readonly RandomFile[], options: readonly string[], quotePath: boolean): string {
  const tree = (side: 'before' | 'after') => {
    const place = join(root, side);
    mkdirSync(place);
    writeTree(place, files, side);
    const where = [`--git-dir=${join(root, 'repo')}`, `--work-tree=${place}`];
    git(place, ...where, 'add', '-A', '.');
    return git(place, ...where, 'write-tree').trim();
  };
  git(root, 'init', '-q', '--bare', 'repo');
  const [before, after] = [tree('before'), tree('after')];
  const quoting = ['-c', `core.quotePath=${quotePath}`];
  return git(root, ...quoting, '--git-dir=repo', 'diff', '--no-color', '--no-ext-diff', ...options, before, after);
}

const style = fc.record({
  context: fc.constantFrom('-U1', '-U2', '-U3', '-U5'),
  renames: fc.constantFrom('-M', '-M10%', '--no-renames'),
  prefix: fc.constantFrom('--src-prefix=a/', '--no-prefix', '--src-prefix=i/'),
  index: fc.constantFrom('--full-index', '--abbrev=7'),
  quotePath: fc.boolean(),
});

const prefixes: Record<string, readonly string[]> = {
  '--no-prefix': ['--no-prefix'],
  '--src-prefix=a/': ['--src-prefix=a/', '--dst-prefix=b/'],
  '--src-prefix=i/': ['--src-prefix=i/', '--dst-prefix=w/'],
};

async function agrees(files: readonly RandomFile[], options: readonly string[], quotePath: boolean): Promise<void> {
  const root = tempFolder();
  const patch = gitDiff(root, files, options, quotePath);
  if (patch === '') return;
  await applyTo(join(root, 'before'), patch);
  expect(snapshotOf(join(root, 'before'))).toEqual(snapshotOf(join(root, 'after')));
}

test('what git diff makes of random trees applies to exactly what git has', async () => {
  await fc.assert(
    fc.asyncProperty(
      randomTree({ mixedEnds: true, emptyFiles: true }),
      style,
      (files, { context, renames, prefix, index, quotePath }) =>
        agrees(files, [context, renames, index, ...prefixes[prefix]!], quotePath),
    ),
    runs(12),
  );
});

test('without context too, when all lines of a file end alike', async () => {
  await fc.assert(
    fc.asyncProperty(randomTree({ mixedEnds: false, emptyFiles: true }), (files) =>
      agrees(files, ['-U0', '-M'], false),
    ),
    runs(6),
  );
});

const crlf = (text: string) => text.replaceAll('\n', '\r\n');
const utf16 = (text: string) =>
  Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]).toString('latin1');
const utf8 = (text: string) => Buffer.from(text).toString('latin1');

/** A patch of LF text, met by files that are stored otherwise, or itself carried otherwise. */
const ways = {
  'a patch carried with CRLF, LF files': { carry: crlf, store: utf8 },
  'an LF patch, CRLF files': { carry: (patch: string) => patch, store: (text: string) => utf8(crlf(text)) },
  'an LF patch, UTF-16 files': { carry: (patch: string) => patch, store: utf16 },
  'a patch carried with CRLF, UTF-16 files with CRLF': { carry: crlf, store: (text: string) => utf16(crlf(text)) },
} as const;

test.each(Object.entries(ways))('%s: each file keeps its own ends and encoding', async (_, { carry, store }) => {
  const plain = randomTree({ mixedEnds: false, emptyFiles: false }).map((files) => files.map(withLf));
  await fc.assert(
    fc.asyncProperty(plain, fc.constantFrom('-U0', '-U3'), async (files, context) => {
      const root = tempFolder();
      const patch = gitDiff(root, files, [context, '--no-renames'], false);
      if (patch === '') return;
      const place = join(root, 'stored');
      const expected: Record<string, string> = {};
      for (const { name, before, after } of files) {
        if (before) storeFile(join(place, name), store(before.text), before.executable);
        // A new file, and one whose lines show no end, get what the patch says.
        if (after) expected[name] = before === undefined ? utf8(after.text) : store(after.text);
      }
      mkdirSync(place, { recursive: true });
      await applyTo(place, carry(patch));
      expect(contentOf(place)).toEqual(expected);
    }),
    runs(3),
  );
});

/** All ends LF, and at least one of them, so that the file shows how its lines end. */
function withLf({ name, before, after }: RandomFile): RandomFile {
  const lf = (content: RandomFile['before']) =>
    content && { ...content, text: `first\n${content.text.replaceAll('\r\n', '\n')}` };
  return { name, before: lf(before), after: lf(after) };
}

function storeFile(path: string, latin1: string, executable: boolean): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, Buffer.from(latin1, 'latin1'), { mode: executable ? 0o755 : 0o644 });
}

test('what diff -ruN makes of random trees applies to exactly the other tree', async () => {
  await fc.assert(
    fc.asyncProperty(
      randomTree({ mixedEnds: true, emptyFiles: false }),
      fc.constantFrom('1', '3', '4'),
      async (files, context) => {
        const root = tempFolder();
        for (const [folder, side] of [
          ['a', 'before'],
          ['b', 'after'],
        ] as const) {
          mkdirSync(join(root, folder));
          // `diff` does not tell modes.
          writeTree(join(root, folder), files.map(withoutModes), side);
        }
        const patch = diffFolders(root, context);
        if (patch === '') return;
        await applyTo(join(root, 'a'), patch);
        expect(snapshotOf(join(root, 'a'))).toEqual(snapshotOf(join(root, 'b')));
      },
    ),
    runs(12),
  );
});

function withoutModes({ name, before, after }: RandomFile): RandomFile {
  const plain = (content: RandomFile['before']) => content && { ...content, executable: false };
  return { name, before: plain(before), after: plain(after) };
}

function diffFolders(root: string, context: string): string {
  try {
    return execFileSync('diff', ['-ruN', `-U${context}`, 'a', 'b'], { cwd: root, encoding: 'utf8' });
  } catch (error) {
    // Exit code 1: the folders differ.
    return (error as { stdout: string }).stdout;
  }
}
