import type { FileState } from '../workspace/file-state.ts';
import type { FilePath } from '../workspace/path.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { currentState } from './current.ts';
import { openDisk } from './disk.ts';
import { refuseMounted } from './refuse.ts';

/**
 * What a path holds at this moment, links not followed; undefined when nothing is there. For a change's `before` alone:
 * it does not ask whether reading is allowed, so its content must never become a result.
 *
 * Throws `conflict` for what is neither a regular file nor a link, `denied` for a path in a read-only mount.
 */
export function stateNow(workspace: Pick<Workspace, 'root'>, path: FilePath): FileState | undefined {
  refuseMounted(path);
  const disk = openDisk(workspace.root);
  try {
    return currentState(disk, path.rel);
  } finally {
    disk.close();
  }
}
