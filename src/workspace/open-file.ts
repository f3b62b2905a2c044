import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats } from 'node:fs';
import { ToolError } from '../base/error.ts';
import { type Anchor, anchorParent, handlesWork, oPath } from './anchor.ts';
import { fileError } from './file-error.ts';
import type { FilePath, Root } from './path.ts';

export interface OpenFile {
  readonly fd: number;
  /** Of what was opened, not of what the name means by now. */
  readonly stats: Stats;
}

/**
 * Opens a regular file for reading. Pipes, sockets, devices and folders are refused without being opened, links are
 * never followed, and the call never blocks. The caller closes the descriptor.
 */
export function openRegularFile(root: Root, path: FilePath): OpenFile {
  const anchor = anchorParent(root, path);
  try {
    return handlesWork ? openByHandle(anchor, path) : openByName(anchor, path);
  } catch (error) {
    throw fileError(error, path.given);
  } finally {
    anchor.close();
  }
}

const noFollow = constants.O_NOFOLLOW ?? 0;
// Neither waits for the other end of a pipe nor makes a terminal ours, should a name be swapped after the look at it.
const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Takes hold of the file without opening it, looks at it, and opens the very thing it looked at. */
function openByHandle(anchor: Anchor, path: FilePath): OpenFile {
  const held = openSync(anchor.at(anchor.name), oPath | noFollow);
  try {
    const stats = fstatSync(held);
    refuseIrregular(stats, path);
    anchor.verify();
    return { fd: openSync(`/proc/self/fd/${held}`, readFlags), stats };
  } finally {
    closeSync(held);
  }
}

/** Looks first, opens without following, and looks again at what was opened and where it lies. */
function openByName(anchor: Anchor, path: FilePath): OpenFile {
  const place = anchor.at(anchor.name);
  const before = lstatSync(place);
  refuseIrregular(before, path);
  const fd = openSync(place, readFlags | noFollow);
  try {
    const stats = fstatSync(fd);
    refuseIrregular(stats, path);
    const after = lstatSync(place);
    anchor.verify();
    if (after.ino !== stats.ino || after.dev !== stats.dev) {
      throw new ToolError('stale', `${path.given} was replaced while it was opened. Try again.`);
    }
    return { fd, stats };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function refuseIrregular(stats: Stats, path: FilePath): void {
  if (stats.isFile()) return;
  throw new ToolError('conflict', `path is not a regular file: ${path.given} is ${kindOf(stats)}.`);
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  if (stats.isSymbolicLink()) return 'a symbolic link that changed meanwhile';
  return 'a device';
}
