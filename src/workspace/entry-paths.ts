import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { ToolError } from '../base/error.ts';
import { type FilePath, type Root, resolvePath } from './path.ts';

/**
 * Makes paths of the entries that a walk of `root` meets, by their relative paths; each folder is looked at once, not
 * each file. Undefined for an entry that lies behind a link by now, or is a link that leads out of the workspace.
 */
export function entryPaths(root: Root): (rel: string, kind: 'file' | 'symlink') => FilePath | undefined {
  const top = resolvePath(root, '.', 'relative');
  let folder: { rel: string; abs: string; real: boolean } | undefined;
  return (rel, kind) => {
    if (kind === 'symlink') return linkPath(root, rel);
    const slash = rel.lastIndexOf('/');
    const parent = slash < 0 ? '.' : rel.slice(0, slash);
    if (folder?.rel !== parent) folder = folderAt(root, parent);
    return folder.real ? { ...top, abs: folder.abs + rel.slice(slash + 1), rel, given: rel } : undefined;
  };
}

/** `abs` ends in a separator. */
function folderAt(root: Root, rel: string): { rel: string; abs: string; real: boolean } {
  const abs = join(root.real, rel);
  return { rel, abs: abs.endsWith(sep) ? abs : abs + sep, real: isFreeOfLinks(abs) };
}

function isFreeOfLinks(folder: string): boolean {
  try {
    return realpathSync.native(folder) === folder;
  } catch {
    return false;
  }
}

function linkPath(root: Root, rel: string): FilePath | undefined {
  try {
    return resolvePath(root, rel, 'relative');
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
