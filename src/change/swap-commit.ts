import { join } from 'node:path';
import { ToolError } from '../base/error.ts';
import { makeOwnFolder } from '../base/own-folder.ts';
import type { ChangeSet } from './change.ts';
import { type CommitOptions, type Committed, putBack } from './commit.ts';
import type { Disk } from './disk.ts';
import { journaledChanges } from './draft.ts';
import { nothingChanged } from './failure.ts';
import { type Entry, newEntry } from './journal.ts';
import { onLockedDisk } from './locked-disk.ts';
import type { SwapOperation } from './operation.ts';
import type { Swap, Swaps } from './swap.ts';
import { applySwap } from './swap-apply.ts';
import { takenAway } from './taken-away.ts';
import { readTree, storedBytes } from './tree.ts';

/** Names locked one by one; a command that changes more locks the first of them, and each is checked again all the same. */
const maxLocked = 500;

/**
 * Carries out swaps, all of them or none, under the same locks and the same journal as every commit; `changes` is how they
 * are shown. What gives way is kept for undo. The new things are as durable as the command that wrote them made them.
 *
 * Throws `stale` when something that a swap replaces is not what it was, `conflict` when a new name is taken, `failed`.
 */
export async function commitSwaps(changes: ChangeSet, swaps: Swaps, options: CommitOptions): Promise<Committed> {
  const paths = swaps.list.slice(0, maxLocked).map(({ path }) => path);
  return onLockedDisk(options, paths, (disk) => commitLocked(disk, changes, swaps, options));
}

async function commitLocked(disk: Disk, changes: ChangeSet, swaps: Swaps, options: CommitOptions): Promise<Committed> {
  const { journal } = options;
  const entry = begin(disk, changes, swaps, options);
  try {
    await journal.flush();
    for (const operation of entry.operations) applySwap(disk, operation as SwapOperation);
    await disk.syncFoldersOf(entry.operations.map(({ path }) => path));
  } catch (error) {
    throw await putBack(disk, journal, entry, async () => undefined, error);
  }
  disk.step('end');
  journal.end(entry.id, 'done');
  return { entry: entry.id };
}

function begin(disk: Disk, changes: ChangeSet, swaps: Swaps, options: CommitOptions): Entry {
  const { list, store } = swaps;
  try {
    for (const swap of list) expectUnchanged(disk, swap);
    refuseTakenAway(swaps, options);
    const draft = newEntry({
      origin: options.origin,
      changes: journaledChanges(changes, options.summaries),
      folders: [],
    });
    const keep = join(store, draft.id);
    const entry: Entry = { ...draft, operations: list.map((swap, at) => operationOf(swap, join(keep, String(at)))) };
    disk.step('begin');
    makeOwnFolder(keep);
    options.journal.begin(entry);
    return entry;
  } catch (error) {
    return nothingChanged(error);
  }
}

function expectUnchanged(disk: Disk, { path, before }: Swap): void {
  const now = readTree(join(disk.root.real, path));
  // Who knows how can set every time but this one.
  if (now?.stamp === before?.stamp && now?.changedAt === before?.changedAt) return;
  if (before === undefined) throw new ToolError('conflict', `${path} exists now. Nothing was changed.`);
  const what = now === undefined ? 'is gone' : 'was changed by somebody else';
  throw new ToolError('stale', `${path} ${what} meanwhile. Nothing was changed.`);
}

function refuseTakenAway({ list, since }: Swaps, { journal }: CommitOptions): void {
  if (since === undefined) return;
  const made = list.filter(({ before }) => before === undefined).map(({ path }) => path);
  const path = made.length === 0 ? undefined : takenAway(made, journal.entries(), Number(since / 1_000_000n));
  if (path !== undefined) throw new ToolError('stale', `${path} was taken away meanwhile. Nothing was changed.`);
}

function operationOf({ path, from, before, after }: Swap, keep: string): SwapOperation {
  return {
    type: 'swap',
    path,
    ...(from === undefined ? {} : { from, after: after!.stamp }),
    ...(before === undefined ? {} : { before: before.stamp }),
    keep,
    bytes: storedBytes(before),
  };
}
