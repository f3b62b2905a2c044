import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/** A git repository with a working tree, as far as listing files needs it. */
export interface Repository {
  /** The folder that holds `.git`. */
  readonly top: string;
  /** The path of its private ignore file (`info/exclude`), which worktrees share. */
  readonly excludeFile: string;
}

/** The repository whose working tree begins at `folder`, or undefined. Understands `.git` files of worktrees and submodules. */
export function repositoryAt(folder: string): Repository | undefined {
  const gitFolder = gitFolderOf(join(folder, '.git'));
  if (gitFolder === undefined) return undefined;
  const common = readSmallFile(join(gitFolder, 'commondir'))?.toString('utf8').trim();
  const shared = common === undefined ? gitFolder : resolve(gitFolder, common);
  return { top: folder, excludeFile: join(shared, 'info', 'exclude') };
}

/** The nearest repository that `folder` lies in, itself included. */
export function repositoryAround(folder: string): Repository | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = repositoryAt(at);
    if (found !== undefined || dirname(at) === at) return found;
  }
}

const longestIgnoreFile = 16 * 1024 * 1024;

/** A small regular file's bytes; undefined when it is missing, a link, a pipe, unreadable or over 16 MB. */
export function readSmallFile(path: string): Buffer | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(fd);
    return stats.isFile() && stats.size <= longestIgnoreFile ? readFileSync(fd) : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}

function gitFolderOf(dotGit: string): string | undefined {
  const stats = statOf(dotGit);
  if (stats?.isDirectory()) return looksLikeGitFolder(dotGit) ? dotGit : undefined;
  if (!stats?.isFile()) return undefined;
  const target = /^gitdir: (.+?)[\r\n]*$/.exec(readSmallFile(dotGit)?.toString('utf8') ?? '')?.[1];
  if (target === undefined) return undefined;
  const folder = isAbsolute(target) ? target : resolve(dirname(dotGit), target);
  return looksLikeGitFolder(folder) ? folder : undefined;
}

function looksLikeGitFolder(folder: string): boolean {
  return statOf(join(folder, 'HEAD'))?.isFile() === true;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
