import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync } from 'node:fs';
import { systemCode, ToolError } from '../base/error.ts';
import { type Anchor, anchorParent, handlesWork } from './anchor.ts';
import { fileError } from './file-error.ts';
import type { FilePath, Root } from './path.ts';

/** One entry of a folder; a link is listed as a link, whatever it leads to. */
export interface Entry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
  /** Bytes; 0 for what is not a regular file. */
  readonly size: number;
}

/** The entries of a folder, sorted by name (code units). Throws `missing`, or `conflict` when it is no folder. */
export function listFolder(root: Root, path: FilePath): readonly Entry[] {
  const anchor = anchorParent(root, path);
  try {
    return handlesWork ? listHeld(anchor, path) : listPlain(anchor, path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw new ToolError('missing', `No such directory: ${path.given}`);
    throw fileError(error, path.given);
  } finally {
    anchor.close();
  }
}

/** Lists the very folder that was looked at, whatever its name leads to by now. */
function listHeld(anchor: Anchor, path: FilePath): readonly Entry[] {
  const place = anchor.at(anchor.name);
  refuseOther(lstatSync(place).isDirectory(), path);
  const fd = openSync(place, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    refuseOther(fstatSync(fd).isDirectory(), path);
    anchor.verify();
    return entriesOf(`/proc/self/fd/${fd}`);
  } finally {
    closeSync(fd);
  }
}

function listPlain(anchor: Anchor, path: FilePath): readonly Entry[] {
  const place = anchor.at(anchor.name);
  refuseOther(lstatSync(place).isDirectory(), path);
  const entries = entriesOf(place);
  refuseOther(lstatSync(place).isDirectory(), path);
  anchor.verify();
  return entries;
}

function refuseOther(isDirectory: boolean, path: FilePath): void {
  if (!isDirectory) throw new ToolError('conflict', `path is not a directory: ${path.given}`);
}

function entriesOf(place: string): readonly Entry[] {
  return readdirSync(place)
    .sort()
    .map((name) => describeEntry(`${place}/${name}`, name));
}

function describeEntry(place: string, name: string): Entry {
  try {
    const stats = lstatSync(place);
    if (stats.isFile()) return { name, kind: 'file', size: stats.size };
    const kind = stats.isDirectory() ? 'directory' : stats.isSymbolicLink() ? 'symlink' : 'other';
    return { name, kind, size: 0 };
  } catch {
    return { name, kind: 'other', size: 0 };
  }
}
