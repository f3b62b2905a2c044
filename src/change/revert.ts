import type { ContentOf } from './apply.ts';
import { move, rewriteInPlace } from './apply.ts';
import type { Disk } from './disk.ts';
import { inspect, is } from './inspect.ts';
import type { Entry } from './journal.ts';
import { type Operation, workingNames } from './operation.ts';
import type { Progress } from './progress.ts';
import { stage } from './stage.ts';
import { revertSwap } from './swap-apply.ts';

/** What putting back came to: paths that somebody else changed meanwhile and that were left as they are. */
export interface Reverted {
  /** We had changed them, or may have, before somebody else did. */
  readonly overtaken: readonly string[];
  /** We had not touched them. */
  readonly untouched: readonly string[];
}

/**
 * Puts back whatever of an entry has been done, last operation first, and removes its working files and folders.
 * Goes on over single failures and throws the first of them at the end.
 */
export async function revertEntry(
  disk: Disk,
  entry: Pick<Entry, 'operations' | 'folders'>,
  contentOf: ContentOf,
): Promise<Reverted> {
  const overtaken: string[] = [];
  const untouched: string[] = [];
  const failures: unknown[] = [];
  for (const operation of [...entry.operations].reverse()) {
    try {
      const progress = await revert(disk, operation, contentOf);
      if (progress === 'foreign') overtaken.push(operation.path);
      if (progress === 'blocked') untouched.push(operation.path);
    } catch (error) {
      failures.push(error);
    }
  }
  for (const folder of [...entry.folders].reverse()) disk.removeFolder(folder);
  if (failures.length > 0) throw failures[0];
  return { overtaken, untouched };
}

/** What was changed by somebody else (`foreign`, `blocked`) is left alone. */
async function revert(disk: Disk, operation: Operation, contentOf: ContentOf): Promise<Progress> {
  const progress = await inspect(disk, operation, contentOf);
  if (progress !== 'foreign' && progress !== 'blocked') {
    await putBack(disk, operation, progress === 'applied', contentOf);
  }
  removeWorking(disk, operation);
  return progress;
}

async function putBack(disk: Disk, operation: Operation, applied: boolean, contentOf: ContentOf): Promise<void> {
  switch (operation.type) {
    case 'place':
      if (applied) disk.remove(operation.path);
      return;
    case 'replace':
      if (applied) await restore(disk, operation.path, operation, contentOf);
      return;
    case 'rewrite':
      if (!is(disk, operation.path, operation.before, true)) {
        await rewriteInPlace(disk, operation, 'before', contentOf);
      }
      return;
    case 'move':
      if (disk.look(operation.to) !== undefined) move(disk, operation.to, operation.path);
      return;
    case 'remove':
      if (applied) await restore(disk, operation.path, operation, contentOf);
      return;
    case 'swap':
      revertSwap(disk, operation);
  }
}

/** Gives the old file its name again; from the journal's copy where it could not be set aside. */
async function restore(
  disk: Disk,
  path: string,
  { aside, before }: Extract<Operation, { aside: string }>,
  contentOf: ContentOf,
): Promise<void> {
  if (disk.look(aside) !== undefined) {
    disk.rename(aside, path);
    return;
  }
  const bytes = await contentOf(before.digest);
  if (bytes === undefined) throw new Error(`the old content of ${path} is not kept`);
  const again: Operation = { type: 'place', path, temp: aside, after: before, exact: true };
  await stage(disk, [again], new Map([[before.digest, bytes]]));
  disk.rename(aside, path);
}

/** The old content of a place that somebody else took over stays in the journal. */
function removeWorking(disk: Disk, operation: Operation): void {
  const { temp, aside } = workingNames(operation);
  for (const name of [temp, aside]) if (name !== undefined && disk.look(name) !== undefined) disk.remove(name);
}
