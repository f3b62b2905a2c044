import { asToolError } from '../base/error.ts';
import type { Root } from '../workspace/path.ts';
import { type Disk, type OnStep, openDisk } from './disk.ts';
import { nothingChanged } from './failure.ts';
import { lockPaths } from './file-locks.ts';
import type { Journal } from './journal.ts';

export interface LockedPlace {
  readonly workspace: { readonly root: Root };
  readonly journal: Pick<Journal, 'locks'>;
  readonly onStep?: OnStep;
}

/**
 * Works on the disk of a workspace while the files at `paths` (relative to its root) are locked; lets go of both however it
 * ends. Throws nothing but `ToolError`s.
 */
export async function onLockedDisk<T>(
  { workspace, journal, onStep }: LockedPlace,
  paths: readonly string[],
  work: (disk: Disk) => Promise<T>,
): Promise<T> {
  const disk = openDisk(workspace.root, onStep);
  try {
    const lock = await lockPaths(disk, journal.locks, paths).catch(nothingChanged);
    try {
      return await work(disk);
    } finally {
      lock.release();
    }
  } catch (error) {
    throw asToolError(error);
  } finally {
    disk.close();
  }
}
