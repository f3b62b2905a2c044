import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isGitMetadata, isGitPath } from '../../src/workspace/git-dir.ts';
import { openWorkspace } from '../../src/workspace/workspace.ts';
import { tempFolder } from '../support/folders.ts';

describe('isGitMetadata', () => {
  it.each([
    '.git',
    '.git/config',
    '.git/hooks/pre-commit',
    'sub/inner/.git/config',
    'sub/.git',
    '/abs/ws/.git/HEAD',
    '.GIT/hooks/pre-commit',
    '.Git/x',
    '.git./config',
    '.git ./config',
    '.git . ./config',
    '.git::$INDEX_ALLOCATION/config',
    '.git:stream',
    '.git .:x/y',
    'git~1/config',
    'GIT~1',
    'git~12/config',
    'git~1 /x',
    '.g\u200cit/config',
    '\ufeff.git/config',
    '.gi\u202et/config',
    '.git\\hooks\\pre-commit',
    'a\\.git\\x',
    '\uff0egit/x',
  ])('is true for %j', (path) => {
    expect(isGitMetadata(path)).toBe(true);
  });

  it.each([
    '.gitignore',
    '.gitattributes',
    '.gitmodules',
    '.github/workflows/ci.yml',
    '.gitlab-ci.yml',
    '.git-blame-ignore-revs',
    'git/config',
    'x.git/config',
    '.git2',
    '.gi/t',
    'git~/x',
    'agit~1',
    '..git',
    '.',
    '',
  ])('is false for %j', (path) => {
    expect(isGitMetadata(path)).toBe(false);
  });
});

describe('isGitPath', () => {
  function gitPath(root: string, text: string): boolean {
    const workspace = openWorkspace({ root });
    return isGitPath(workspace.root, workspace.resolve(text));
  }

  it('sees through links by the real path, and by the given one', () => {
    const root = tempFolder({ 'a.txt': '' });
    execFileSync('git', ['init', '-q', root]);
    symlinkSync('.git', join(root, 'meta'));
    expect(gitPath(root, 'meta/hooks/pre-commit')).toBe(true);
    expect(gitPath(root, 'sub/../.git/hooks/pre-commit')).toBe(true);
    expect(gitPath(root, 'a.txt')).toBe(false);
  });

  it('knows where a .git file points to, and bare repositories', () => {
    const root = tempFolder({ 'wt/a.txt': '' });
    execFileSync('git', ['init', '-q', '--separate-git-dir', join(root, 'elsewhere'), join(root, 'wt')]);
    execFileSync('git', ['init', '-q', '--bare', join(root, 'fixtures/bare')]);
    expect(gitPath(root, 'elsewhere/config')).toBe(true);
    expect(gitPath(root, 'elsewhere/hooks/new/deep')).toBe(true);
    expect(gitPath(root, 'elsewhere')).toBe(true);
    expect(gitPath(root, 'fixtures/bare/hooks/pre-commit')).toBe(true);
    expect(gitPath(root, 'wt/.git')).toBe(true);
    expect(gitPath(root, 'wt/a.txt')).toBe(false);
    expect(gitPath(root, 'fixtures/other')).toBe(false);
  });
});

it('a hard link to a file that git obeys is git’s, another hard link is not', () => {
  const root = tempFolder({ 'a.txt': '' });
  execFileSync('git', ['init', '-q', join(root, 'inner')]);
  execFileSync('git', ['init', '-q', root]);
  mkdirSync(join(root, '.git/hooks'), { recursive: true });
  writeFileSync(join(root, '.git/hooks/pre-commit'), '');
  for (const [file, name] of [
    ['.git/config', 'settings'],
    ['.git/hooks/pre-commit', 'inner/script'],
    ['inner/.git/config', 'inner/settings'],
    ['a.txt', 'b.txt'],
  ] as const) {
    linkSync(join(root, file), join(root, name));
  }
  const workspace = openWorkspace({ root });
  const isGit = (name: string) => isGitPath(workspace.root, workspace.resolve(name));
  expect(['settings', 'inner/script', 'inner/settings', 'a.txt', 'b.txt', 'new.txt'].map(isGit)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
