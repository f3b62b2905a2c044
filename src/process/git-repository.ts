import { lstatSync, readFileSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { ToolError } from '../base/error.ts';

/** A repository as found from a folder, without asking git, which would follow what the repository says of itself. */
export interface Repository {
  /** What `GIT_DIR` is set to. */
  readonly gitDir: string;
  /** The work tree's top folder; undefined in a bare repository. */
  readonly top?: string;
}

/**
 * The repository `folder` lies in, or undefined. A `.git` file is followed only to a folder that points back to it, as work
 * trees and submodules do, or that has no work tree of its own; otherwise a file in the workspace could show any repository of the machine. Throws `denied` for
 * one that does not.
 */
export function findRepository(folder: string): Repository | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const dotGit = join(at, '.git');
    const stats = look(dotGit);
    if (stats?.isDirectory() && isGitDir(dotGit)) return { gitDir: dotGit, top: at };
    if (stats?.isFile()) return { gitDir: followPointer(dotGit), top: at };
    if (stats?.isSymbolicLink()) throw astray(dotGit, 'is a symbolic link');
    if (isGitDir(at)) return { gitDir: at };
    if (dirname(at) === at) return undefined;
  }
}

/** The folder with the objects and refs that several work trees share; `gitDir` itself when there is one work tree. */
export function commonDir(gitDir: string): string {
  try {
    return resolve(gitDir, readFileSync(join(gitDir, 'commondir'), 'utf8').trim());
  } catch {
    return gitDir;
  }
}

function look(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** What git itself asks of a git folder: HEAD, and objects and refs here or in the common folder. */
function isGitDir(path: string): boolean {
  const head = look(join(path, 'HEAD'));
  if (head === undefined || head.isDirectory()) return false;
  if (look(join(path, 'commondir')) !== undefined) return true;
  return ['objects', 'refs'].every((name) => look(join(path, name)) !== undefined);
}

function followPointer(dotGit: string): string {
  const text = readFileSync(dotGit, 'utf8').slice(0, 8192);
  const target = /^gitdir: ([^\n\r]+)/.exec(text)?.[1]?.trimEnd();
  if (target === undefined) throw astray(dotGit, 'is no git pointer');
  const gitDir = isAbsolute(target) ? target : resolve(dirname(dotGit), target);
  if (!isGitDir(gitDir)) throw astray(dotGit, `points to ${gitDir}, which is no repository`);
  const real = realpathSync(gitDir);
  const inside = relative(realpathSync(dirname(dotGit)), real);
  if (!inside.startsWith('..') && !isAbsolute(inside)) return real;
  if (!pointsBack(real, dotGit) && !isSeparate(real))
    throw astray(dotGit, `points to ${gitDir}, which does not point back`);
  return real;
}

/** A work tree's folder names the `.git` file, a submodule's config the work tree. */
function pointsBack(gitDir: string, dotGit: string): boolean {
  const named = [readLine(join(gitDir, 'gitdir')), worktreeOf(join(gitDir, 'config'))?.concat('/.git')];
  return named.some((path) => path !== undefined && samePlace(resolve(gitDir, path), dotGit));
}

/**
 * One that was made by `git init --separate-git-dir` names no work tree, and has none of its own: a repository that has,
 * lies in `.git` of it, and a bare one says that it is bare.
 */
function isSeparate(gitDir: string): boolean {
  const linked = ['commondir', 'gitdir'].some((name) => look(join(gitDir, name)) !== undefined);
  if (linked || basename(gitDir) === '.git') return false;
  const text = configText(join(gitDir, 'config'));
  return /^\s*bare\s*=\s*false\s*$/im.test(text) && !/^\s*worktree\s*=/im.test(text);
}

function configText(config: string): string {
  try {
    return readFileSync(config, 'utf8').slice(0, 65_536);
  } catch {
    return '';
  }
}

function worktreeOf(config: string): string | undefined {
  return /^\s*worktree\s*=\s*"?([^"\n\r]+?)"?\s*$/m.exec(configText(config))?.[1];
}

function readLine(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function samePlace(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}

function astray(dotGit: string, what: string): ToolError {
  return new ToolError('denied', `${dotGit} ${what}; it is not followed. Use git through bash if that is meant.`);
}
