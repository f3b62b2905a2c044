import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ToolError } from '../../../src/base/error.ts';
import { parsePatch } from '../../../src/change/patch/parse.ts';
import { tempFolder } from '../../support/folders.ts';
import { runs } from '../../support/runs.ts';
import { applyTo, contentOf, planPatch } from './patched.ts';

const seeds = [
  '--- a/list.txt\n+++ b/list.txt\n@@ -1,3 +1,4 @@ head\n a\n-b\n+B\n+b2\n c\n@@ -10,2 +11,1 @@\n x\n-y\n\\ No newline at end of file\n',
  'diff --git "a/gr\\303\\266.md" "b/gr\\303\\266.md"\nold mode 100644\nnew mode 100755\nindex 12ab..34cd\n--- "a/gr\\303\\266.md"\n+++ "b/gr\\303\\266.md"\n@@ -1 +1 @@\n-x\n+y\n',
  'diff --git a/from.txt b/to.txt\nsimilarity index 80%\nrename from from.txt\nrename to to.txt\n--- a/from.txt\n+++ b/to.txt\n@@ -2,0 +3 @@\n+z\n',
  'Words before\n```diff\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,2 @@\n+hello\n+world\n```\nWords after\n',
  'diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\t2024-01-01\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n-- \n2.39.5\n',
];
const pieces = [
  '\n', '\r', '\r\n', '\t', ' ', '+', '-', '@@', '@@ -1 +1 @@', '--- ', '+++ ', '--- a/x\n+++ b/x\n', 'diff --git ', 'diff -u a b\n', '\\ No newline at end of file\n',
  'rename from ', 'rename to ', 'new file mode 120000\n', 'GIT binary patch\n', '/dev/null', '"', '\\', '\\777', '\u2028', '\ufeff', '\ud800', '\0', '..', '.git/', '99999999999', '-- \n2.1\n', '```',
]; // biome-ignore format: a list of odd pieces

const mutated = fc
  .tuple(
    fc.array(fc.constantFrom(...seeds), { minLength: 1, maxLength: 3 }),
    fc.array(
      fc.tuple(
        fc.nat(1000),
        fc.nat(12),
        fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3, unit: 'binary' })),
      ),
      { maxLength: 6 },
    ),
  )
  .map(([chosen, edits]) => {
    let text = chosen.join('');
    for (const [at, length, piece] of edits) {
      const index = at % (text.length + 1);
      text = text.slice(0, index) + piece + text.slice(index + length);
    }
    return text;
  });

test('whatever the patch, parsing gives files or a ToolError', () => {
  fc.assert(
    fc.property(mutated, (patch) => {
      try {
        const files = parsePatch(patch);
        expect(files.length).toBeGreaterThan(0);
        for (const { kind, hunks, mode } of files)
          expect(
            kind === 'rename' || kind === 'create' || kind === 'delete' || hunks.length > 0 || mode !== undefined,
          ).toBe(true);
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        expect(error.code).toBe('invalid');
      }
    }),
    runs(3000),
  );
});

test('whatever the patch, applying gives changes that change something, or a ToolError', async () => {
  const root = tempFolder({
    'list.txt': 'a\nb\nc\nd\nx\ny',
    'grö.md': 'x\n',
    'from.txt': '1\n2\n3\n',
    gone: 'x\n',
    'x/y.txt': '',
  });
  await fc.assert(
    fc.asyncProperty(mutated, async (patch) => {
      try {
        const changes = await planPatch(root, patch);
        for (const change of changes) {
          if (change.type !== 'modify') continue;
          expect([change.after.digest, change.after.mode]).not.toEqual([change.before.digest, change.before.mode]);
        }
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
      }
    }),
    runs(1500),
  );
});

test.each([
  ['garbage', 'x'.repeat(10_000_000)],
  ['half headers', '--- a\n'.repeat(50_000)],
  ['blank lines in a hunk', `--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n${'\n'.repeat(2_000_000)}`],
  ['lone CRs', `--- x\ry\n${'\r'.repeat(2_000_000)}`],
  ['octal escapes', `--- "${'\\303\\266'.repeat(300_000)}"\n+++ "x"\n@@ -1 +1 @@\n-a\n+b\n`],
  ['nested quotes', `diff --git ${'" "'.repeat(500_000)}\n`],
  ['spaces in a git line', `diff --git ${' '.repeat(2_000_000)}\n`],
  ['many short sections', '--- a/x\n+++ b/x\n@@ -1,99 +1,99 @@\n-a\n+b\n'.repeat(50_000)],
  [
    'headers that may be lines',
    `--- a/x\n+++ b/x\n@@ -1,999999999 +1,999999999 @@\n${'--- a\n+++ b\n'.repeat(300_000)}`,
  ],
  ['binary words', `Binary files ${' differ'.repeat(300_000)}`],
])('a hostile patch of %s ends in an error', (_, patch) => {
  expect(() => parsePatch(patch)).toThrow(ToolError);
});

/** Where git refuses a hunk that we place, or the other way round, is only in ties and in anchors to the file's borders. */
test('what we find nowhere, git apply refuses; what both apply, both apply alike', async () => {
  const line = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const lines = fc.array(line, { minLength: 8, maxLength: 30 });
  const edits = fc.array(fc.tuple(fc.nat(30), fc.nat(2), fc.array(line, { maxLength: 2 })), {
    minLength: 1,
    maxLength: 3,
  });
  const edit = (from: readonly string[], how: readonly (readonly [number, number, readonly string[]])[]) => {
    const to = [...from];
    for (const [at, count, added] of how) to.splice(at % to.length, count, ...added);
    return `${to.join('\n')}\n`;
  };
  let both = 0;
  await fc.assert(
    fc.asyncProperty(lines, edits, edits, async (base, mine, theirs) => {
      const root = tempFolder({
        'base/f': edit(base, []),
        'mine/f': edit(base, mine),
        'ours/f': edit(base, theirs),
        'git/f': edit(base, theirs),
      });
      const patch = diffFiles(root);
      if (patch === '') return;
      const refused = await applyTo(join(root, 'ours'), patch).catch((error: ToolError) => error.message);
      const gitApplied = gitApplies(join(root, 'git'), patch);
      if (refused?.includes('does not match')) expect(gitApplied).toBe(false);
      if (refused !== undefined || !gitApplied) return;
      both += 1;
      if (hasFullContext(patch)) expect(contentOf(join(root, 'ours'))).toEqual(contentOf(join(root, 'git')));
    }),
    runs(15),
  );
  expect(both).toBeGreaterThan(0);
});

function diffFiles(root: string): string {
  try {
    return execFileSync('diff', ['-u', '--label', 'a/f', '--label', 'b/f', 'base/f', 'mine/f'], {
      cwd: root,
      encoding: 'utf8',
    });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

function gitApplies(folder: string, patch: string): boolean {
  writeFileSync(join(folder, '../patch'), patch);
  try {
    // A repository above the temporary folder would change what git applies to.
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: join(folder, '..') };
    execFileSync('git', ['apply', '../patch'], { cwd: folder, env, stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

function hasFullContext(patch: string): boolean {
  return patch
    .split(/^@@.*\n/m)
    .slice(1)
    .every((body) => /^( .*\n){3}/.test(body) && /\n( .*\n){3}$/.test(body));
}
