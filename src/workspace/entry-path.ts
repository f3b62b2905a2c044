import { dirname, join } from 'node:path';
import { ToolError } from '../base/error.ts';
import { type FilePath, type Root, resolvePath } from './path.ts';

const probeName = '.benchdog-folder';

/**
 * The path of an entry itself, which may be a link, by its real relative path as the journal keeps it. Throws `outside`
 * when a folder on the way is a link now: the entry then is not where it was.
 */
export function entryPath(root: Root, rel: string): FilePath {
  const slash = rel.lastIndexOf('/') + 1;
  const probe = probeIn(root, rel.slice(0, slash));
  if (probe === undefined) {
    throw new ToolError('outside', `A folder on the way to ${rel} is a link now; the file is no longer where it was.`);
  }
  return { ...probe, abs: join(dirname(probe.abs), rel.slice(slash)), rel, given: rel };
}

/** As `entryPath`, for many entries: each folder is looked at once. */
export function entryPathMaker(root: Root): (rel: string) => FilePath {
  const folders = new Map<string, FilePath>();
  return (rel) => {
    const folder = rel.slice(0, rel.lastIndexOf('/') + 1);
    const known = folders.get(folder);
    if (known !== undefined)
      return { ...known, abs: join(dirname(known.abs), rel.slice(folder.length)), rel, given: rel };
    const path = entryPath(root, rel);
    folders.set(folder, path);
    return path;
  };
}

/** A name in the folder itself; undefined when a link leads elsewhere. */
function probeIn(root: Root, folder: string): FilePath | undefined {
  try {
    const probe = resolvePath(root, `${folder}${probeName}`, 'relative');
    return probe.rel === `${folder}${probeName}` ? probe : undefined;
  } catch (error) {
    if (error instanceof ToolError && error.code === 'outside') return undefined;
    throw error;
  }
}
