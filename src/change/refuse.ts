import { ToolError } from '../base/error.ts';
import { isGitPath } from '../workspace/git-dir.ts';
import type { FilePath, Root } from '../workspace/path.ts';
import type { ChangeSet } from './change.ts';

/** What is never written, whoever approved it. Throws `denied` or `invalid`; touches nothing. */
export function refuseIllegal(root: Root, changes: ChangeSet): void {
  const seen = new Set<string>();
  for (const change of changes) {
    for (const path of change.type === 'rename' ? [change.path, change.to] : [change.path]) {
      refusePath(root, path);
      if (seen.has(path.abs)) {
        throw new ToolError('invalid', `${path.given} is named by two changes of one set. Nothing was changed.`);
      }
      seen.add(path.abs);
    }
  }
}

/** What lies in a mount is never changed. */
export function refuseMounted(path: FilePath): void {
  if (path.mount === undefined) return;
  throw new ToolError('denied', `${path.given} lies in ${path.mount}, which is read-only. Nothing was changed.`);
}

function refusePath(root: Root, path: FilePath): void {
  refuseMounted(path);
  if (path.rel === '.') throw new ToolError('conflict', 'path is the workspace folder itself, no file.');
  if (isGitPath(root, path)) {
    throw new ToolError(
      'denied',
      `${path.given} is git's own data, which file tools never write. Nothing was changed.`,
    );
  }
}
