import { closeSync, constants, existsSync, fstatSync, lstatSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { systemCode, ToolError } from '../base/error.ts';
import type { FilePath, Root } from './path.ts';

/**
 * A held folder. On Linux it is an open handle reached through the proc file system, walked from the root without
 * following links, so whatever is opened below it lies in the folder that was checked, even when a name on the way is
 * swapped for a link meanwhile. Elsewhere it is the plain folder, and `verify` looks again where it leads.
 */
export interface Anchor {
  /** The last part of the path the anchor was made for. */
  readonly name: string;
  /** A path, usable with `node:fs`, for an entry of the held folder. */
  at(entry: string): string;
  /** Throws `outside` when the folder is no longer where it was. To be called after opening, before trusting. */
  verify(): void;
  close(): void;
}

// Linux: a handle that needs no read permission on the folder (O_PATH, open(2)).
const oPath = 0o10000000;
const procWorks = process.platform === 'linux' && existsSync('/proc/self/fd');

/** Holds the folder that contains `path`. With `create`, missing folders on the way are made (mode 0o777 less umask). */
export function anchorParent(root: Root, path: FilePath, options: { readonly create?: boolean } = {}): Anchor {
  const parent = path.rel === '.' ? path.abs : dirname(path.abs);
  const name = path.rel === '.' ? '.' : basename(path.abs);
  const steps = relative(root.real, parent).split(sep).filter(Boolean);
  return procWorks
    ? heldAnchor(root, steps, name, path, options.create)
    : plainAnchor(parent, name, path, options.create);
}

function heldAnchor(root: Root, steps: string[], name: string, path: FilePath, create = false): Anchor {
  const flags = oPath | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  let fd = openStep(() => openSync(root.real, flags), path);
  for (const step of steps) {
    const next = `/proc/self/fd/${fd}/${step}`;
    try {
      if (create) makeFolder(next);
      const child = openStep(() => openSync(next, flags), path);
      closeSync(fd);
      fd = child;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }
  return {
    name,
    at: (entry) => `/proc/self/fd/${fd}/${entry}`,
    verify: () => void fstatSync(fd),
    close: () => closeSync(fd),
  };
}

function openStep(open: () => number, path: FilePath): number {
  try {
    return open();
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') throw new ToolError('missing', `No such file: ${path.given}`);
    // A name on the way that was a folder when it was checked is now a link or a file.
    if (code === 'ELOOP' || code === 'ENOTDIR') {
      throw new ToolError(
        'outside',
        `A folder on the way to ${path.given} is a link or no folder. Nothing was read or written.`,
      );
    }
    throw error;
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

function plainAnchor(parent: string, name: string, path: FilePath, create = false): Anchor {
  if (create) mkdirSync(parent, { recursive: true });
  const verify = () => {
    let real: string | undefined;
    try {
      real = realpathSync.native(parent);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') throw new ToolError('missing', `No such file: ${path.given}`);
      throw error;
    }
    if (real !== parent || !lstatSync(parent).isDirectory()) {
      throw new ToolError(
        'outside',
        `A folder on the way to ${path.given} changed while it was used. Nothing was written.`,
      );
    }
  };
  verify();
  return { name, at: (entry) => join(parent, entry), verify, close: () => {} };
}
