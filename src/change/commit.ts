import type { BigIntStats } from 'node:fs';
import { asToolError, ToolError } from '../base/error.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { applyOperation, type ContentOf } from './apply.ts';
import type { ChangeSet, ChangeSummary } from './change.ts';
import type { Disk, OnStep } from './disk.ts';
import { draftOperations, journaledChanges, missingFolders } from './draft.ts';
import { expectBefore, type Found } from './expect.ts';
import { explainFailure, nothingChanged } from './failure.ts';
import { type Entry, type Journal, newEntry, type Origin } from './journal.ts';
import { keptBy } from './journal-index.ts';
import { keepAsides, keptAsFiles, syncOld } from './keep-old.ts';
import { onLockedDisk } from './locked-disk.ts';
import { type Operation, touchedPaths, workingNames } from './operation.ts';
import { refuseIllegal } from './refuse.ts';
import { revertEntry } from './revert.ts';
import { stage } from './stage.ts';

export interface CommitOptions {
  readonly workspace: Pick<Workspace, 'root'>;
  readonly journal: Journal;
  readonly origin: Origin;
  /** Line counts for the journal, one for each change in the same order. */
  readonly summaries?: readonly ChangeSummary[];
  /** Told before each single step on the disk; what it throws makes that step fail. For tests. */
  readonly onStep?: OnStep;
}

/** A commit that happened; `entry` is its id in the journal. */
export interface Committed {
  readonly entry: string;
}

/**
 * The one writer. All of `changes` happen, or none: every `before` is checked under a lock, the intention is journaled
 * on the disk, the new contents are written beside their targets and get their names last. A failure puts everything
 * back before it is thrown; after a crash the next `openJournal` finishes or undoes what was begun.
 *
 * Throws `stale` (a file is not what the change was made for), `conflict` (a new name is taken, no regular file),
 * `denied` (git's own data, read-only mounts) or `failed` (the disk); the message says what state things are in.
 */
export async function commit(changes: ChangeSet, options: CommitOptions): Promise<Committed | undefined> {
  refuseIllegal(options.workspace.root, changes);
  if (changes.length === 0) return undefined;
  const paths = changes.flatMap((change) => [change.path.rel, ...(change.type === 'rename' ? [change.to.rel] : [])]);
  return onLockedDisk(options, paths, (disk) => commitLocked(disk, changes, options));
}

async function commitLocked(disk: Disk, changes: ChangeSet, options: CommitOptions): Promise<Committed> {
  const { journal, origin } = options;
  const { entry, found } = begin(disk, changes, options);
  const contents = contentsOf(changes);
  const contentOf: ContentOf = async (digest) => contents.get(digest);
  try {
    await prepare(disk, journal, entry, found, contents);
    await applyAll(disk, journal, entry.operations, found, contentOf);
    await keepAsides(disk, journal, entry.operations);
    await Promise.all([disk.syncFoldersOf(entry.operations.flatMap(touchedPaths)), journal.settle()]);
  } catch (error) {
    throw await putBack(disk, journal, entry, contentOf, error);
  }
  finish(disk, journal, entry);
  if (origin.reverts?.as === 'undo') removeMadeFolders(disk, journal, origin.reverts.entries);
  return { entry: entry.id };
}

/** Checks that the changes still fit and writes down what is about to happen. */
function begin(disk: Disk, changes: ChangeSet, { journal, origin, summaries }: CommitOptions) {
  try {
    const found = expectBefore(disk, changes);
    const draft = newEntry({
      origin,
      changes: journaledChanges(changes, summaries),
      folders: missingFolders(disk, changes),
    });
    const operations = draftOperations(changes, found, draft.id, origin.reverts !== undefined);
    const entry: Entry = { ...draft, operations };
    disk.step('begin');
    journal.begin(entry);
    return { entry, found };
  } catch (error) {
    return nothingChanged(error);
  }
}

/**
 * Brings everything to the disk that finishing or undoing needs, side by side, as one wait for the disk. The names of
 * the kept contents can wait until the end, but for what is written in place: nothing else has the old bytes.
 */
async function prepare(
  disk: Disk,
  journal: Journal,
  entry: Entry,
  found: Found,
  contents: ReadonlyMap<string, Buffer>,
) {
  const asFiles = keptAsFiles(entry.operations, found, journal);
  const kept = new Map([...keptBy(entry).keys()].map((digest) => [digest, contents.get(digest)!]));
  for (const { before } of asFiles) kept.delete(before.digest);
  for (const folder of entry.folders) disk.makeFolder(folder);
  const staged = stage(disk, entry.operations, contents);
  const work = [journal.flush(), journal.keep(kept, disk.step), staged, syncOld(disk, asFiles, found)];
  const results = await Promise.allSettled(work);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  if (entry.operations.some((operation) => operation.type === 'rewrite')) await journal.settle();
}

async function applyAll(
  disk: Disk,
  journal: Journal,
  operations: readonly Operation[],
  found: Found,
  contentOf: ContentOf,
) {
  const ours = new Set<bigint>();
  for (const operation of operations) {
    const before = found.get(operation.path);
    // The other name of a hard link that this very commit has written.
    if (before !== undefined && !ours.has(before.ino)) expectUnmoved(disk, operation.path, before);
    await applyOperation(disk, operation, journal, contentOf);
    if (operation.type === 'rewrite' && before !== undefined) ours.add(before.ino);
  }
}

/** A last look just before a name changes, for edits by programs that know nothing of our locks. */
function expectUnmoved(disk: Disk, path: string, before: BigIntStats): void {
  const now = disk.look(path);
  const same = now?.ino === before.ino && now.size === before.size && now.mtimeNs === before.mtimeNs;
  if (same && now.mode === before.mode) return;
  throw new ToolError('stale', `${path} was changed by somebody else just now. Read it again.`);
}

/** Undoes what was done of an entry; returns the error that says so. */
export async function putBack(disk: Disk, journal: Journal, entry: Entry, contentOf: ContentOf, cause: unknown) {
  try {
    const { overtaken } = await revertEntry(disk, entry, contentOf);
    disk.step('end');
    journal.end(entry.id, 'undone');
    const but = overtaken.length > 0 ? `, except ${overtaken.join(', ')}, which somebody else changed meanwhile` : '';
    return explainFailure(cause, `Nothing was changed${but}.`);
  } catch (error) {
    const state = `Putting things back failed too (${asToolError(error).message}): the next start completes it from journal entry ${entry.id}. Files concerned: ${entry.changes.map((change) => change.path).join(', ')}.`;
    return explainFailure(cause, state);
  }
}

/**
 * Everything has happened and is on the disk. What is left is tidying, and recovery does it too: its failure is none of
 * the commit's.
 */
function finish(disk: Disk, journal: Journal, entry: Entry): void {
  try {
    discardAsides(disk, entry.operations);
    disk.step('end');
    journal.end(entry.id, 'done');
  } catch {
    // The entry stays open; the next openJournal finds all of it applied and closes it.
  }
}

/** Folders that the undone commits had to make go again, as far as nothing else is in them. */
function removeMadeFolders(disk: Disk, journal: Journal, ids: readonly string[]): void {
  const undone = journal.entries().filter((entry) => ids.includes(entry.id));
  for (const folder of undone.flatMap((entry) => entry.folders).reverse()) disk.removeFolder(folder);
}

/** Removes the old files that were set aside; goes on over a failure and throws it at the end. */
export function discardAsides(disk: Disk, operations: readonly Operation[]): void {
  let failure: unknown;
  for (const operation of operations) {
    const { aside } = workingNames(operation);
    try {
      if (aside !== undefined && disk.look(aside) !== undefined) disk.remove(aside);
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
}

function contentsOf(changes: ChangeSet): Map<string, Buffer> {
  const contents = new Map<string, Buffer>();
  for (const change of changes) {
    if ('before' in change) contents.set(change.before.digest, change.before.bytes);
    if ('after' in change) contents.set(change.after.digest, change.after.bytes);
  }
  return contents;
}
