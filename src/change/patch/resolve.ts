import { posix } from 'node:path';
import { ToolError } from '../../base/error.ts';
import { isGitPath } from '../../workspace/git-dir.ts';
import { resolveLink } from '../../workspace/link-path.ts';
import type { FilePath } from '../../workspace/path.ts';
import { foldName } from '../../workspace/spelling.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { PatchFile } from './model.ts';
import { validatePath } from './path.ts';
import { differ } from './prefix.ts';
import { quote } from './text.ts';

/** One section of a patch with its names jailed. */
export interface PatchTarget {
  readonly file: PatchFile;
  readonly path: FilePath;
  /** Set for a rename. */
  readonly to?: FilePath;
}

type Places = Pick<Workspace, 'root' | 'resolve' | 'stat'>;

/**
 * Jails the names of a patch; contents are not read. Refuses, naming the file: paths that `validatePath` refuses or that
 * lead outside, one file named twice (also by another spelling or through a link), a rename onto itself, and taking a
 * symbolic link for a new, deleted or renamed file.
 */
export function resolvePatch(files: readonly PatchFile[], places: Places): readonly PatchTarget[] {
  const targets = files.map((file) => resolveFile(file, places));
  refuseRepeats(targets);
  refuseNesting(targets);
  return targets;
}

function resolveFile(file: PatchFile, places: Places): PatchTarget {
  refuseUnmarked(file, places);
  const path = placeOf(file, places);
  if (file.kind === 'create' || (file.becomes && !file.link)) refuseLink(path, 'create', places);
  else if (file.kind !== 'modify' && !isLink(path, places)) refuseLink(path, file.kind, places);
  if (file.to === undefined) return { file, path };
  const to = jail(file.to, places);
  if (sameFile(path, to, places)) {
    throw new ToolError('invalid', `The patch renames "${path.given}" to itself. Leave out the "rename" lines.`);
  }
  refuseLink(to, 'create', places);
  return { file, path, to };
}

/** A link that a section is about is meant itself, not what it leads to. */
function placeOf(file: PatchFile, places: Places): FilePath {
  if (file.otherName !== undefined) return existing(file, file.otherName, places);
  const path = jail(file.name, places);
  const moved = file.kind === 'rename' && file.hunks.length === 0;
  return file.link || moved ? resolveLink(places, file.name) : path;
}

function isLink(path: FilePath, places: Places): boolean {
  return places.stat(path)?.isSymbolicLink() === true;
}

/** `old/x new/x` are prefixes only while no file has such a name. */
function refuseUnmarked({ kind, name, asWritten, line }: PatchFile, places: Places): void {
  if (asWritten === undefined) return;
  const prefixes = !asWritten.some((one) => exists(one, places)) && (kind === 'create' || exists(name, places));
  if (!prefixes) differ(...asWritten, line);
}

function exists(name: string, places: Places): boolean {
  try {
    return places.stat(places.resolve(name)) !== undefined;
  } catch {
    return false;
  }
}

function jail(name: string, places: Places): FilePath {
  validatePath(name);
  if (/[\\/]$/.test(name)) throw new ToolError('invalid', `${quote(name, 200)} names a folder; a patch changes files.`);
  const path = places.resolve(name);
  if (path.mount !== undefined) throw new ToolError('denied', `${name} is read-only: it is not in the workspace.`);
  if (isGitPath(places.root, path)) {
    throw new ToolError('invalid', `path must not lead into .git: ${JSON.stringify(name)} is ${path.rel}.`);
  }
  return path;
}

/** With a prefix or none: the file that exists is meant. */
function existing(file: PatchFile, otherName: string, places: Places): FilePath {
  const [one, other] = [jail(file.name, places), jail(otherName, places)];
  const oneThere = places.stat(one) !== undefined;
  const otherThere = places.stat(other) !== undefined;
  if (oneThere && otherThere) {
    throw new ToolError(
      'invalid',
      `The section on line ${file.line} of the patch may mean "${file.name}" or "${otherName}": both exist. ` +
        'Write "--- a/FILE" and "+++ b/FILE" with the whole path behind the prefix.',
    );
  }
  return otherThere ? other : one;
}

function refuseLink(path: FilePath, kind: 'create' | 'delete' | 'rename', places: Places): void {
  const folder = places.resolve(posix.dirname(path.given));
  const own = posix.join(folder.rel, posix.basename(path.given));
  const same = places.root.folds ? foldName(own) === foldName(path.rel) : own === path.rel;
  if (same) return;
  const why =
    kind === 'create' ? 'already exists as a symbolic link' : `is a symbolic link, which a patch does not ${kind}`;
  throw new ToolError('conflict', `${path.given} ${why}. Its target is ${path.rel}.`);
}

function sameFile(one: FilePath, other: FilePath, places: Places): boolean {
  if (one.abs === other.abs) return true;
  const [here, there] = [places.stat(one), places.stat(other)];
  const folded = one.abs.toLowerCase() === other.abs.toLowerCase();
  return folded && here !== undefined && here.ino === there?.ino && here.dev === there.dev;
}

function refuseRepeats(targets: readonly PatchTarget[]): void {
  const seen = new Map<string, FilePath>();
  for (const path of targets.flatMap(({ path, to }) => (to ? [path, to] : [path]))) {
    const earlier = seen.get(path.abs);
    if (earlier) {
      const both = earlier.given === path.given ? '' : ` (as "${earlier.given}" and "${path.given}")`;
      throw new ToolError(
        'invalid',
        `The patch names "${path.rel}" more than once${both}. Put all hunks of a file into one section.`,
      );
    }
    seen.set(path.abs, path);
  }
}

/** One name can't be a file and a folder, not even one after the other: changes of a patch happen at once. */
function refuseNesting(targets: readonly PatchTarget[]): void {
  const names = targets.flatMap(({ path, to }) => (to ? [path.rel, to.rel] : [path.rel]));
  const files = new Set(names);
  for (const name of names) {
    for (let folder = posix.dirname(name); folder !== '.'; folder = posix.dirname(folder)) {
      if (!files.has(folder)) continue;
      throw new ToolError(
        'invalid',
        `The patch takes "${folder}" both for a file and for the folder of "${name}". Send such changes in two patches, one after the other.`,
      );
    }
  }
}
