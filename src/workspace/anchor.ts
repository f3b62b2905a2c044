import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { systemCode, ToolError } from '../base/error.ts';
import { fileError } from './file-error.ts';
import type { FilePath, Root } from './path.ts';
import { foldName } from './spelling.ts';

/**
 * A held folder. On Linux it is an open handle reached through the proc file system, walked from the root without
 * following links, so whatever is opened below it lies in the folder that was checked, even when a name on the way is
 * swapped for a link meanwhile. Elsewhere it is the plain folder, and `verify` looks again where it leads.
 */
export interface Anchor {
  /** The last part of the path the anchor was made for; `.` for a folder held itself. */
  readonly name: string;
  /** A path, usable with `node:fs`, for an entry of the held folder. Open it with O_NOFOLLOW. */
  at(entry: string): string;
  /** Throws `outside` when the folder is no longer where it was. To be called after opening, before trusting. */
  verify(): void;
  close(): void;
}

export interface AnchorOptions {
  /** Make missing folders on the way (mode 0o777 less umask). */
  readonly create?: boolean;
  /** Walk by open handles; default: where the system can. */
  readonly handles?: boolean;
}

// Linux: a handle that needs no read permission on the folder (O_PATH, open(2)).
export const oPath = 0o10000000;
/** Whether open handles can be walked through the proc file system. */
export const handlesWork = process.platform === 'linux' && existsSync('/proc/self/fd');

/**
 * Holds the folder that contains `path`; for the root itself, the root. Throws `missing` when it is not there,
 * `outside` when a name on the way has become a link, `denied` for `create` in a read-only mount.
 */
export function anchorParent(root: Root, path: FilePath, options: AnchorOptions = {}): Anchor {
  if (path.abs === root.real) return hold(root, root.real, '.', path, options);
  return hold(root, dirname(path.abs), basename(path.abs), path, options);
}

/** Holds the folder `path` itself; its entries are reached by `at(name)`, the folder by `at('.')`. */
export function anchorFolder(root: Root, path: FilePath): Anchor {
  return hold(root, path.abs, '.', path, {});
}

function hold(root: Root, folder: string, name: string, path: FilePath, options: AnchorOptions): Anchor {
  if (root.mount !== path.mount) throw new Error(`${path.given} was resolved below another root than ${root.real}`);
  if (options.create && root.mount !== undefined) {
    throw new ToolError('denied', `${path.given} lies in ${root.mount}, which is read-only.`);
  }
  return (options.handles ?? handlesWork)
    ? heldAnchor(root, folder, name, path, options.create)
    : plainAnchor(root, folder, name, path, options.create);
}

function heldAnchor(root: Root, folder: string, name: string, path: FilePath, create = false): Anchor {
  let fd = openRootFolder(root);
  try {
    const way = relative(root.real, folder);
    const home = join(readlinkSync(handle(fd)), way);
    for (const step of way.split(sep).filter(Boolean)) {
      const child = openStep(`${handle(fd)}/${step}`, path, create);
      closeSync(fd);
      fd = child;
    }
    const verify = () => refuseMoved(root, home, readlinkSync(handle(fd)), path);
    if (way !== '') verify();
    return { name, at: (entry) => `${handle(fd)}/${entry}`, verify, close: () => closeSync(fd) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

const folderFlags = oPath | constants.O_DIRECTORY | (constants.O_NOFOLLOW ?? 0);

function handle(fd: number): string {
  return `/proc/self/fd/${fd}`;
}

function openRootFolder(root: Root): number {
  try {
    return openSync(root.real, folderFlags);
  } catch (error) {
    const code = systemCode(error);
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'ELOOP') throw fileError(error, root.real);
    throw new ToolError(
      'missing',
      `The workspace folder ${root.spelled} is gone. Nothing in it can be read or written.`,
    );
  }
}

function openStep(place: string, path: FilePath, create: boolean): number {
  try {
    if (create) makeFolder(place);
    return openSync(place, folderFlags);
  } catch (error) {
    const code = systemCode(error);
    if ((code === 'ENOTDIR' || code === 'ELOOP') && isLink(place)) throw swapped(path);
    throw fileError(error, path.given);
  }
}

function isLink(place: string): boolean {
  // A name that was a folder when it was checked and is gone again by now was swapped as well.
  return lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() ?? true;
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/** The system knows where a held folder is by now: moved away and deleted folders are told. */
function refuseMoved(root: Root, home: string, now: string, path: FilePath): void {
  if (now === home || (root.folds && foldName(now) === foldName(home))) return;
  throw swapped(path);
}

function plainAnchor(root: Root, parent: string, name: string, path: FilePath, create = false): Anchor {
  try {
    if (create) makeFolders(root, parent, path);
    const before = placeOf(parent, path);
    return {
      name,
      at: (entry) => join(parent, entry),
      verify: () => refuseOther(before, parent, path),
      close: () => {},
    };
  } catch (error) {
    throw fileError(error, path.given);
  }
}

/** What tells a folder from any other. Throws `outside` for a link, or a folder that is reached through one. */
function placeOf(folder: string, path: FilePath): string {
  const stats = lstatSync(folder, { bigint: true });
  if (stats.isSymbolicLink() || realpathSync.native(folder) !== folder) throw swapped(path);
  if (!stats.isDirectory()) throw Object.assign(new Error(`${folder} is no folder`), { code: 'ENOTDIR' });
  // An inode number is given anew at once; the time of birth tells such folders apart.
  return `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`;
}

function refuseOther(before: string, folder: string, path: FilePath): void {
  try {
    if (placeOf(folder, path) === before) return;
  } catch {
    // Gone or no folder any more: not what was held either.
  }
  throw swapped(path);
}

function makeFolders(root: Root, parent: string, path: FilePath): void {
  let folder = root.real;
  for (const step of relative(root.real, parent).split(sep).filter(Boolean)) {
    placeOf(folder, path);
    folder = join(folder, step);
    makeFolder(folder);
  }
}

function swapped(path: FilePath): ToolError {
  return new ToolError(
    'outside',
    `A folder on the way to ${path.given} was moved or became a link while it was used. Nothing was read or written.`,
  );
}
