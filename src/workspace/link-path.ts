import { dirname } from 'node:path';
import { ToolError } from '../base/error.ts';
import { entryPath } from './entry-path.ts';
import { type FilePath, resolvePath } from './path.ts';
import type { Workspace } from './workspace.ts';

/**
 * The path of the entry that a text names: where that is a symbolic link, the link itself and not what it leads to.
 * For deleting and moving. A link that leads out of the workspace is `outside`, as for every other tool.
 */
export function resolveLink(workspace: Pick<Workspace, 'root' | 'resolve'>, text: string): FilePath {
  const path = workspace.resolve(text);
  if (path.mount !== undefined || path.given === '.') return path;
  const slash = path.given.lastIndexOf('/') + 1;
  const parent = slash === 0 ? '.' : resolvePath(workspace.root, dirname(path.given), 'relative').rel;
  const name = path.given.slice(slash);
  const entry = entryPath(workspace.root, parent === '.' ? name : `${parent}/${name}`);
  if (entry.rel === path.rel) return path;
  if (name === '' || name === '..') throw new ToolError('invalid', `path names no file: ${text}`);
  return { ...entry, given: path.given };
}
