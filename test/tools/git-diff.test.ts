import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shownDiffsSlot } from '../../src/tool/shown.ts';
import { createToolState } from '../../src/tool/state.ts';
import { gitDiff } from '../../src/tools/git-diff.ts';
import { udiffGitDiff } from '../../src/tools/git-diff-udiff.ts';
import { digestOf } from '../../src/workspace/file-state.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { tempFolder } from '../support/folders.ts';
import { repository, sh } from '../support/repository.ts';
import { type CallOptions, callTool } from '../support/tool-call.ts';

const diff = (root: string, args: object = {}, more: Partial<CallOptions> = {}) =>
  callTool(gitDiff(), args, { root, ...more });
const udiff = (root: string, args: object = {}, more: Partial<CallOptions> = {}) =>
  callTool(udiffGitDiff(), args, { root, pathStyle: 'rooted', ...more });

const noEnv: Partial<CallOptions> = { visible: (path) => !path.rel.endsWith('.env') };
const changeOfA = 'diff --git a/a b/a\nindex d00491f..0cfbf08 100644\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2';

describe('shiro and native', () => {
  test('the unified diff of uncommitted changes, staged or not, new files included', async () => {
    const root = repository(
      { a: '1\n', b: '1\n' },
      'echo 2 > a; echo 2 > b; git add b; printf "new\\nfile" > c; chmod +x c',
    );
    expect((await diff(root)).text).toBe(
      [
        changeOfA,
        changeOfA.replaceAll('/a', '/b'),
        'diff --git a/c b/c\nnew file mode 100755\n--- /dev/null\n+++ b/c\n@@ -0,0 +1,2 @@\n+new\n+file\n\\ No newline at end of file',
      ].join('\n'),
    );
  });

  test('staged: what is in the index only', async () => {
    const root = repository({ a: '1\n', b: '1\n' }, 'echo 2 > a; git add a; echo 3 > a; echo 2 > b; echo n > n');
    expect((await diff(root, { staged: true })).text).toBe(changeOfA);
  });

  test('path: a file or a folder, taken literally', async () => {
    const root = repository(
      { a: '1\n', '*': '1\n', 'd/x': '1\n' },
      "echo 2 > a; echo 2 > '*'; echo 2 > d/x; echo n > d/n",
    );
    expect((await diff(root, { path: '*' })).text).toBe(changeOfA.replaceAll('/a', '/*'));
    expect((await diff(root, { path: 'd' })).text.match(/^diff --git .*$/gm)).toEqual([
      'diff --git a/d/x b/d/x',
      'diff --git a/d/n b/d/n',
    ]);
  });

  test('nothing to show', async () => {
    const root = repository({ a: '1\n' });
    expect((await diff(root)).text).toBe('No uncommitted changes.');
    expect((await diff(root, { staged: true, path: 'a' })).text).toBe('No staged changes in a.');
  });

  test('before the first commit, the staged half and the other', async () => {
    const root = tempFolder({ 'f.txt': 'line1\n' });
    sh(root, 'git init -q . && git add f.txt && echo line2 >> f.txt');
    const { text } = await diff(root);
    expect(text).toContain('+line1\n+line2');
  });

  test('the same in a repository of SHA-256 hashes', async () => {
    const root = tempFolder({ 'f.txt': 'line1\n' });
    sh(root, 'git init -q --object-format=sha256 . && git add f.txt && echo line2 >> f.txt');
    expect((await diff(root)).text).toContain('+line1\n+line2');
  });

  test.each(['--output=pwned.txt', '-O./x', 'nope.txt', '; touch pwned.txt'])(
    'the path %j is a mistake, not an option',
    async (path) => {
      const root = repository({ a: '1\n' });
      expect(await diff(root, { path })).toMatchObject({
        code: 'missing',
        text: `No such path: ${path}. It is neither in the workspace nor in the last commit.`,
      });
      expect(existsSync(join(root, 'pwned.txt'))).toBe(false);
    },
  );

  test('a deleted file can still be asked for', async () => {
    const root = repository({ a: '1\n' }, 'rm a');
    expect((await diff(root, { path: 'a' })).text).toContain('deleted file mode 100644');
  });

  test('a path outside is refused', async () => {
    expect((await diff(repository({ a: '1' }), { path: '../x' })).code).toBe('outside');
  });

  test('denied files are left out with a note, tracked or not', async () => {
    const root = repository(
      { a: '1\n', '.env': 'A=1\n' },
      'echo 2 > a; echo A=zzz-secret > .env; echo B=zzz-secret > new.env',
    );
    const { text } = await diff(root, {}, noEnv);
    expect(text).toBe(
      `${changeOfA}\nnote: left out (reading is denied, or it leads out of the workspace): .env, new.env`,
    );
  });

  test('a file that was only touched is no change, and nothing is written', async () => {
    const root = repository({ a: '1\n', b: '1\n' }, 'sleep 0.01; touch a; echo 2 > b');
    const index = join(root, '.git/index');
    const before = statSync(index);
    expect((await diff(root)).text).toBe(changeOfA.replaceAll('/a', '/b'));
    expect(statSync(index)).toMatchObject({ mtimeMs: before.mtimeMs, ino: before.ino });
  });

  test('a huge file is told apart, not compared; what else changed is shown', async () => {
    const root = repository(
      { 'a.txt': 'one\n' },
      'yes first | head -c 34000000 > huge.txt; git add .; git commit -qm huge; yes other | head -c 34000000 > huge.txt; echo two > a.txt',
    );
    const { text } = await callTool(gitDiff(), {}, { root });
    expect(text).toContain('+two');
    expect(text).toContain('Binary files a/huge.txt and b/huge.txt differ');
  });

  test('is capped at 30,000 characters with a count of the rest', async () => {
    const root = repository({ a: '1\n', b: '1\n' }, 'seq 1 20000 > a; echo 2 > b');
    const { text } = await diff(root);
    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text).toMatch(/\n\.\.\. \[truncated [\d,]+ chars\] Pass path to narrow it\.$/);
  });

  test('settings of the repository do not change the form', async () => {
    const root = repository(
      { a: '1\n' },
      'git config diff.noprefix true; git config diff.mnemonicPrefix true; git config color.ui always; git config diff.context 9; git config core.quotePath true; git config diff.renames false; git config diff.relative true; git mv a ü; git config diff.wsErrorHighlight all',
    );
    expect((await diff(root)).text).toBe('diff --git a/a b/ü\nsimilarity index 100%\nrename from a\nrename to ü');
  });

  test('outside a repository', async () => {
    const root = tempFolder();
    expect((await diff(root)).text).toBe(`${root} is not a git repository.`);
  });
});

describe('udiff', () => {
  test('the changed files as porcelain lists them, then the diff, new files included', async () => {
    const root = repository(
      { a: '1\n', 'old name': 'l1\nl2\n' },
      "echo 2 > a; git mv 'old name' 'new name'; echo n > n",
    );
    expect((await udiff(root)).text).toBe(
      [
        'Changed files (git status --porcelain):',
        ' M a',
        'R  old name -> new name',
        '?? n',
        '',
        'Diff against HEAD:',
        changeOfA,
        'diff --git a/old name b/new name',
        'similarity index 100%',
        'rename from old name',
        'rename to new name',
        'diff --git a/n b/n',
        'new file mode 100644',
        '--- /dev/null',
        '+++ b/n',
        '@@ -0,0 +1 @@',
        '+n',
      ].join('\n'),
    );
  });

  test('no changes', async () => {
    expect((await udiff(repository({ a: '1' }))).text).toBe('No changes in the working tree.');
  });

  test('no repository', async () => {
    expect(await udiff(tempFolder())).toMatchObject({
      code: 'failed',
      text: 'workspace is not a git repository, cannot verify changes',
    });
  });

  test('no arguments at all are fine', async () => {
    const result = await callTool(udiffGitDiff(), '', { root: repository({ a: '1' }) });
    expect(result.text).toBe('No changes in the working tree.');
  });

  test('no commits yet', async () => {
    const root = tempFolder({ 'f.txt': 'line1\n' });
    sh(root, 'git init -q . && git add f.txt && echo line2 >> f.txt');
    expect((await udiff(root)).text).toMatch(
      /^Changed files \(git status --porcelain\):\nAM f\.txt\n\nDiff \(no commits yet, everything is new\):\n[\s\S]*\+line1\n\+line2$/,
    );
  });

  test.each([
    [' ', 'path is required'],
    ['x'.repeat(4097), 'too long'],
    ['a\tb', 'control characters'],
    ['/etc/passwd', 'relative'],
    ['\\x', 'relative'],
    ['C:x', 'relative'],
    ['a/../b', "'..'"],
    ['.git/config', '.git'],
    ['sub/.GIT/config', '.git'],
  ])('refuses the path %j', async (path, words) => {
    const result = await udiff(repository({ a: '1' }), { path });
    expect(result.code).toBe('invalid');
    expect(result.text).toContain(words);
  });

  test('a link that leads outside is refused', async () => {
    const root = repository({ a: '1' }, 'ln -s /etc link');
    expect((await udiff(root, { path: 'link/passwd' })).code).toBe('outside');
  });

  test('is truncated at 64 KB with a hint', async () => {
    const root = repository({ a: '1\n' }, 'seq 1 40000 > a');
    const { text } = await udiff(root);
    expect(Buffer.byteLength(text)).toBeLessThan(66 * 1024);
    expect(Buffer.byteLength(text)).toBeGreaterThan(63 * 1024);
    expect(text).toMatch(/\n\.\.\. output truncated, [\d,]+ bytes left out; pass a path to narrow it$/);
  });

  test('denied files are listed, their content is left out', async () => {
    const root = repository({ '.env': 'A=1\n' }, 'echo A=zzz-secret > .env');
    expect((await udiff(root, {}, noEnv)).text).toBe(
      'Changed files (git status --porcelain):\n M .env\n\nDiff against HEAD:\n\nnote: left out (reading is denied, or it leads out of the workspace): .env',
    );
  });
});

describe('what a diff has shown', () => {
  const shownIn = async (root: string, args: object, name: string, content: string) => {
    const state = createToolState();
    await diff(root, args, { state });
    return state.get(shownDiffsSlot).has(openWorkspace({ root }).resolve(name), digestOf(Buffer.from(content)));
  };

  test('is remembered per file, by the digest of what is there', async () => {
    const root = repository({ a: '1\n', b: '1\n' }, 'echo 2 > a; echo n > n');
    expect(await shownIn(root, {}, 'a', '2\n')).toBe(true);
    expect(await shownIn(root, {}, 'n', 'n\n')).toBe(true);
    expect(await shownIn(root, {}, 'a', '3\n')).toBe(false);
    expect(await shownIn(root, { path: 'n' }, 'a', '2\n')).toBe(false);
    expect(await shownIn(root, { staged: true }, 'a', '2\n')).toBe(false);
  });

  test('a cut section does not count, a deleted file does', async () => {
    const root = repository({ a: '1\n', big: '1\n' }, 'seq 1 20000 > big; rm a');
    const big = Array.from({ length: 20_000 }, (_, at) => `${at + 1}\n`).join('');
    expect(await shownIn(root, {}, 'big', big)).toBe(false);
    const state = createToolState();
    await diff(root, {}, { state });
    expect(state.get(shownDiffsSlot).has(openWorkspace({ root }).resolve('a'), 'absent')).toBe(true);
  });
});
