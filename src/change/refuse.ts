import { ToolError } from '../base/error.ts';
import type { FilePath } from '../workspace/path.ts';
import type { ChangeSet } from './change.ts';

/** What is never written, whoever approved it. Throws `denied` or `invalid`; looks at nothing on the disk. */
export function refuseIllegal(changes: ChangeSet): void {
  const seen = new Set<string>();
  for (const change of changes) {
    for (const path of change.type === 'rename' ? [change.path, change.to] : [change.path]) {
      refusePath(path);
      if (seen.has(path.abs)) {
        throw new ToolError('invalid', `${path.given} is named by two changes of one set. Nothing was changed.`);
      }
      seen.add(path.abs);
    }
  }
}

function refusePath(path: FilePath): void {
  if (path.mount !== undefined) {
    throw new ToolError('denied', `${path.given} lies in ${path.mount}, which is read-only. Nothing was changed.`);
  }
  if (path.rel === '.') throw new ToolError('conflict', 'path is the workspace folder itself, no file.');
  if (path.rel.toLowerCase().split('/').includes('.git')) {
    throw new ToolError(
      'denied',
      `${path.given} is git's own data, which file tools never write. Nothing was changed.`,
    );
  }
}
