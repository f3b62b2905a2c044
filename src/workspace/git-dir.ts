import { lstatSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FilePath, Root } from './path.ts';

/**
 * Whether a path names git's own data: `.git` as a whole component at any depth, in any spelling that some file system
 * takes for it. Git itself refuses the same spellings in trees. `.gitignore`, `.gitattributes`, `.gitmodules` and
 * `.github` are ordinary files.
 *
 * @param rel a relative or absolute path with `/` or `\` between its names
 */
export function isGitMetadata(rel: string): boolean {
  return rel.split(/[\\/]/).some(isDotGit);
}

/**
 * As `isGitMetadata`, for a path in a workspace, by real and given path; also true inside a git directory that has
 * another name: a bare repository, or the place a `.git` file points to.
 */
export function isGitPath(root: Root, path: FilePath): boolean {
  return isGitMetadata(path.rel) || isGitMetadata(path.given) || liesInGitDirectory(root, path);
}

// Code points that HFS+ leaves out when it compares names.
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
// NTFS: `git~1` is the short name; dots and blanks at the end do not count; what follows a colon is a stream's name.
const dotGit = /^(\.git|git~[0-9]+)[. ]*(:.*)?$/is;

function isDotGit(name: string): boolean {
  return dotGit.test(name.normalize('NFKC').replace(ignorable, ''));
}

function liesInGitDirectory(root: Root, path: FilePath): boolean {
  // Asking a file for what is in it makes Node build an error, which costs more than all other looks.
  let folder = isFolder(path.abs) ? path.abs : dirname(path.abs);
  while (!looksLikeGitDirectory(folder)) {
    if (folder === root.real || folder === dirname(folder)) return false;
    folder = dirname(folder);
  }
  return true;
}

/** The test git makes of a directory: a HEAD, an object store and refs. */
function looksLikeGitDirectory(folder: string): boolean {
  return isThere(folder, 'HEAD') && isThere(folder, 'objects') && isThere(folder, 'refs');
}

function isFolder(path: string): boolean {
  return look(path)?.isDirectory() === true;
}

function isThere(folder: string, name: string): boolean {
  return look(join(folder, name)) !== undefined;
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
