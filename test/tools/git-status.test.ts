import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitStatus } from '../../src/tools/git-status.ts';
import { tempFolder } from '../support/folders.ts';
import { repository, sh } from '../support/repository.ts';
import { callTool } from '../support/tool-call.ts';

const status = (root: string) => callTool(gitStatus(), {}, { root });

test('names the branch and says in words what each file is', async () => {
  const root = repository(
    { 'src/app.ts': '1\n' },
    'echo 2 > src/app.ts; git add .; echo 3 > src/app.ts; echo new > new.ts',
  );
  expect((await status(root)).text).toBe(
    'On main, 2 changed:\nsrc/app.ts  (staged modified, modified)\nnew.ts  (untracked)',
  );
});

test('a clean tree', async () => {
  expect((await status(repository({ a: '1' }))).text).toBe('On main, clean.');
});

test('before the first commit', async () => {
  const root = tempFolder({ 'f.txt': 'line1\n' });
  sh(root, 'git init -q -b main .; git add .; echo line2 >> f.txt');
  expect((await status(root)).text).toBe('On main (no commits yet), 1 changed:\nf.txt  (staged added, modified)');
});

test('a detached head', async () => {
  const root = repository({ a: '1' }, 'git checkout -q --detach');
  const hash = sh(root, 'git rev-parse --short=7 HEAD').trim();
  expect((await status(root)).text).toBe(`On detached HEAD at ${hash}, clean.`);
});

test('names as they are: not ASCII, with blanks, with an arrow, renamed, with a line end', async () => {
  const root = repository(
    { 'sueño.txt': '1\n', 'x -> y.txt': '1\n', 'old name.txt': 'l1\nl2\nl3\n' },
    `echo 2 > sueño.txt; echo 2 > 'x -> y.txt'; git mv 'old name.txt' 'nëw name.txt'; echo u > 'un tracked ü.txt'; touch $'two\\nlines'`,
  );
  expect((await status(root)).text.split('\n')).toEqual([
    'On main, 5 changed:',
    'nëw name.txt  (staged renamed from old name.txt)',
    'sueño.txt  (modified)',
    'x -> y.txt  (modified)',
    '"two\\nlines"  (untracked)',
    'un tracked ü.txt  (untracked)',
  ]);
});

test('conflicts', async () => {
  const root = repository(
    { a: '1\n' },
    'git checkout -q -b other; echo 2 > a; git commit -qam two; git checkout -q main; echo 3 > a; git commit -qam three; git merge -q other || true',
  );
  expect((await status(root)).text).toBe('On main, 1 changed:\na  (conflict: both modified)');
});

test('a workspace below the top of the repository: its own files, named from itself', async () => {
  const root = repository({ 'sub/a': '1\n', b: '1\n' }, 'echo 2 > sub/a; echo 2 > b; echo n > sub/n');
  expect((await status(join(root, 'sub'))).text).toBe('On main, 2 changed:\na  (modified)\nn  (untracked)');
});

test('a work tree of its own, and a submodule', async () => {
  const root = repository({ a: '1\n' }, 'git worktree add -q ../$(basename "$PWD")-tree');
  const tree = `${root}-tree`;
  sh(tree, 'echo 2 > a');
  expect((await status(tree)).text).toMatch(/^On .*-tree, 1 changed:\na {2}\(modified\)$/);
  sh(root, `rm -r '${tree}'`);
  const inner = repository({ in: '1\n' });
  const outer = repository(
    { a: '1\n' },
    `git -c protocol.file.allow=always submodule add -q '${inner}' mod; git commit -qm mod; echo 2 > mod/in`,
  );
  expect((await status(join(outer, 'mod'))).text).toBe('On main, 1 changed:\nin  (modified)');
  expect((await status(outer)).text).toBe('On main, clean.');
});

test('outside a repository', async () => {
  const root = tempFolder();
  expect(await status(root)).toMatchObject({ code: 'failed', text: `${root} is not a git repository.` });
});

test('a bare repository', async () => {
  const root = tempFolder();
  sh(root, 'git init -q --bare .');
  expect(await status(root)).toMatchObject({
    code: 'failed',
    text: 'This is a bare repository: it has no files to compare.',
  });
});

test('writes nothing, the index included', async () => {
  const root = repository({ a: '1\n', b: '1\n' }, 'sleep 0.01; touch a; echo 2 > b');
  const index = join(root, '.git/index');
  const before = statSync(index);
  await status(root);
  expect(statSync(index)).toMatchObject({ mtimeMs: before.mtimeMs, ino: before.ino });
});

test('many files are cut with a count', async () => {
  const root = tempFolder(
    Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`file-with-a-long-name-${at}.txt`, ''])),
  );
  sh(root, 'git init -q -b main .');
  const { text } = await status(root);
  expect(text.length).toBeLessThanOrEqual(30_000);
  expect(text).toMatch(/^On main \(no commits yet\), 1500 changed:\n/);
  expect(text).toMatch(/\n\.\.\. \[truncated \d+ files\]$/);
});
