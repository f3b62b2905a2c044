import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ToolError } from '../base/error.ts';
import { type FilePath, type Root, resolvePath } from './path.ts';

/**
 * Makes paths of the entries that a walk of `root` meets, by their relative paths; each folder is looked at once, not
 * each file. Undefined for an entry that lies behind a link by now, or is a link that leads out of the workspace.
 */
export function entryPaths(root: Root): (rel: string, kind: 'file' | 'symlink') => FilePath | undefined {
  const top = resolvePath(root, '.', 'relative');
  let folder = { rel: '', real: false };
  return (rel, kind) => {
    if (kind === 'symlink') return linkPath(root, rel);
    const parent = dirname(rel);
    if (folder.rel !== parent) folder = { rel: parent, real: isFreeOfLinks(join(root.real, parent)) };
    return folder.real ? { ...top, abs: join(root.real, rel), rel, given: rel } : undefined;
  };
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
