import { readdirSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FilePath, Root } from './path.ts';
import { hasOtherNames, isSameFile, look } from './same-file.ts';

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
 * another name: a bare repository, or the place a `.git` file points to; and for a hard link to a file of `.git`.
 */
export function isGitPath(root: Root, path: FilePath): boolean {
  if (isGitMetadata(path.rel) || isGitMetadata(path.given)) return true;
  const stats = look(path.abs);
  return liesInGitDirectory(root, path.abs, stats) || isNameOfGitFile(root, path.abs, stats);
}

// Code points that HFS+ leaves out when it compares names.
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
// NTFS: `git~1` is the short name; dots and blanks at the end do not count; what follows a colon is a stream's name.
const dotGit = /^(\.git|git~[0-9]+)[. ]*(:.*)?$/is;

function isDotGit(name: string): boolean {
  return dotGit.test(name.normalize('NFKC').replace(ignorable, ''));
}

function liesInGitDirectory(root: Root, abs: string, stats: Stats | undefined): boolean {
  // Asking a file for what is in it makes Node build an error, which costs more than all other looks.
  return foldersUp(root, stats?.isDirectory() ? abs : dirname(abs)).some(looksLikeGitDirectory);
}

function foldersUp(root: Root, from: string): string[] {
  const folders = [from];
  for (let folder = from; folder !== root.real && folder !== dirname(folder); folder = dirname(folder)) {
    folders.push(dirname(folder));
  }
  return folders;
}

/** A hard link to a file that git obeys, in the repository of a folder on the way up. */
function isNameOfGitFile(root: Root, abs: string, stats: Stats | undefined): boolean {
  if (!hasOtherNames(stats)) return false;
  return foldersUp(root, dirname(abs)).some((folder) =>
    obeyed.some((part) => filesIn(join(folder, '.git', part)).some((file) => isSameFile(stats, file))),
  );
}

const obeyed = ['.', 'hooks', 'info', 'refs/heads'];

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** The test git makes of a directory: a HEAD, an object store and refs. */
function looksLikeGitDirectory(folder: string): boolean {
  return isThere(folder, 'HEAD') && isThere(folder, 'objects') && isThere(folder, 'refs');
}

function isThere(folder: string, name: string): boolean {
  return look(join(folder, name)) !== undefined;
}
