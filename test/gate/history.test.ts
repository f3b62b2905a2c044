import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openTestGate, type TestGate } from '../support/gate.ts';
import { repository } from '../support/repository.ts';

const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: root, stdio: 'pipe' });

/** A secret was committed once, and taken away by a later commit. */
function withPast(): string {
  const root = repository({ 'a.txt': 'one\n', '.env': 'KEY=old-secret-1\n', 'src/b.ts': '', '.env.example': 'KEY=\n' });
  rmSync(join(root, '.env'));
  git(root, 'commit', '-qam', 'gone');
  return root;
}

const open = (root: string, permission: object = { bash: { '*': 'ask', 'git *': 'allow' } }) =>
  openTestGate({ root, config: { permission } });

async function decide(gate: TestGate, command: string) {
  const { verdict } = await gate.app.gate.judge({ tool: 'bash', args: { command } });
  return verdict.decision;
}

describe('what git shows of denied files without naming them', () => {
  const showing = [
    'git log -p',
    'git log --patch -3',
    'git log -u | head',
    'git -C src log -p',
    'git log -L1,2:a.txt',
    'git log --word-diff',
    'git show',
    'git show HEAD~1',
    'git show --stat -p',
    'git diff HEAD~1',
    'git diff HEAD~1 HEAD -- .',
    'git diff HEAD~1 -- a.txt "$X"',
    'git format-patch -1 --stdout',
    'git whatchanged -p',
    'git stash show -p',
    'git cat-file -p abc123',
    'git cat-file --batch',
    'git archive HEAD~1',
    'git grep KEY HEAD~1',
    'git reflog -p',
    'git diff-tree -p HEAD',
  ];
  const silent = [
    'git log',
    'git log --stat',
    'git log --oneline -S KEY',
    'git show --stat',
    'git show --name-only HEAD',
    'git show HEAD:a.txt',
    'git diff',
    'git diff --cached',
    'git diff --stat HEAD~1',
    'git diff a.txt',
    'git diff HEAD~1 -- a.txt src',
    "git log -p -- . ':!.env'",
    'git grep KEY',
    'git grep -l KEY HEAD~1',
    'git cat-file -t HEAD',
    'git status',
    'git commit -m x',
    'git stash show',
  ];

  test('is asked when the past holds one, and what shows no content is not', async () => {
    const gate = await open(withPast());
    for (const command of showing) expect([command, await decide(gate, command)]).toEqual([command, 'ask']);
    for (const command of silent) expect([command, await decide(gate, command)]).toEqual([command, 'allow']);
  });

  test('a file that is tracked now is shown by more commands, and the reason says how to leave it out', async () => {
    const root = repository({ 'a.txt': '', 'sub/.env': 'KEY=1\n' });
    const gate = await open(root);
    for (const command of ['git diff', 'git grep KEY', 'git add -p', 'git status -v', 'git checkout -p'])
      expect([command, await decide(gate, command)]).toEqual([command, 'ask']);
    const { verdict } = await gate.app.gate.judge({ tool: 'bash', args: { command: 'git diff' } });
    expect([verdict.by, verdict.reason]).toEqual([
      'built-in: shell',
      "it may show what sub/.env holds or held, whose reading is denied. Leave it out: -- . ':!sub/.env'",
    ]);
    expect(await decide(gate, "git diff -- . ':!sub/.env'")).toBe('allow');
    expect(await decide(gate, 'git diff -- a.txt')).toBe('allow');
  });

  test('a commit made meanwhile counts, and so does a stash', async () => {
    const root = repository({ 'a.txt': 'one\n' });
    const gate = await open(root);
    expect(await decide(gate, 'git log -p')).toBe('allow');
    expect(await decide(gate, 'git stash show -p')).toBe('allow');
    writeFileSync(join(root, 'key.pem'), 'x\n');
    git(root, 'add', '-f', 'key.pem');
    git(root, 'stash', '-q');
    expect(await decide(gate, 'git stash show -p')).toBe('ask');
    git(root, 'stash', 'drop', '-q');
    writeFileSync(join(root, '.env'), 'x\n');
    git(root, 'add', '-f', '.env');
    git(root, 'commit', '-qm', 'env');
    expect(await decide(gate, 'git log -p')).toBe('ask');
  });

  test('rows decide what is denied; a repository without such a file, and no repository, ask nothing', async () => {
    const own = { bash: { 'git *': 'allow' }, read_file: { 'src/*': 'deny' } };
    expect(await decide(await open(repository({ 'a.txt': '', 'src/b': 'x\n' }), own), 'git log -p')).toBe('ask');
    const reopened = { bash: { 'git *': 'allow' }, read_file: { '*.env': 'allow' } };
    expect(await decide(await open(withPast(), reopened), 'git log -p')).toBe('allow');
    expect(await decide(await open(repository({ 'a.txt': '', '.env.example': 'x\n' })), 'git log -p')).toBe('allow');
    expect(await decide(await openTestGate({ config: { permission: own } }), 'git log -p')).toBe('allow');
  });

  test('another repository inside is not known, and asked', async () => {
    const root = repository({ 'a.txt': '' });
    git(root, 'init', '-q', 'inner');
    const gate = await open(root);
    expect(await decide(gate, 'cd inner && git log -p')).toBe('ask');
    expect(await decide(gate, 'git log -p')).toBe('allow');
  });
});

describe('files whose reading a row asks about', () => {
  const files = { 'a.txt': 'needle\n', 'private/b.txt': 'needle private\n' };
  const permission = { read_file: { 'private/*': 'ask' } };

  test.each([
    ['native', 'grep', { pattern: 'needle' }],
    ['udiff', 'search_code', { query: 'needle' }],
    ['rousseau', 'grep', { pattern: 'needle' }],
  ])('%s: a search leaves them out', async (dialect, tool, args) => {
    const gate = await openTestGate({ files, flags: { dialect }, config: { permission } });
    const path = dialect === 'rousseau' ? { path: gate.root } : {};
    const { text } = await gate.call(tool, { ...args, ...path });
    expect(text).toContain('a.txt');
    expect(text).not.toContain('private');
  });

  test('by name they are asked, once granted they are found, and under --approve all', async () => {
    const gate = await openTestGate({ files, config: { permission } });
    expect((await gate.call('read_file', { path: 'private/b.txt' })).ok).toBe(false);
    const batch = await gate.call('read_many_files', { files: [{ path: 'a.txt' }, { path: 'private/b.txt' }] });
    expect(batch.text).not.toContain('needle private');
    gate.app.policy.grant('read_file', 'private/*');
    expect((await gate.call('grep', { pattern: 'needle' })).text).toContain('private/b.txt');
    const open = await openTestGate({ files, flags: { approve: 'all' }, config: { permission } });
    expect((await open.call('grep', { pattern: 'needle' })).text).toContain('private/b.txt');
  });

  test('a diff of everything leaves them out', async () => {
    const root = repository(files);
    writeFileSync(join(root, 'private/b.txt'), 'changed\n');
    writeFileSync(join(root, 'a.txt'), 'changed\n');
    const { text } = await (await openTestGate({ root, config: { permission } })).call('git_diff', {});
    expect(text).toContain('+++ b/a.txt');
    expect(text).not.toContain('+++ b/private');
  });
});
