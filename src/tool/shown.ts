import type { FilePath } from '../workspace/path.ts';
import { slot } from './state.ts';

/** What stands for a file that is not there any more. */
export const absent = 'absent';

/**
 * Which files' changes a diff tool has shown in full in this session: for each file, the states (SHA-256 of the content, or
 * `absent`) whose whole difference to the last commit was on display. Finish checks ask whether the present state is one.
 */
export interface ShownDiffs {
  add(path: FilePath, digest: string): void;
  has(path: FilePath, digest: string): boolean;
}

export const shownDiffsSlot = slot<ShownDiffs>(() => {
  const shown = new Map<string, string>();
  return {
    add: (path, digest) => void shown.set(path.abs, digest),
    has: (path, digest) => shown.get(path.abs) === digest,
  };
});
