import { join } from 'node:path';
import { asToolError } from '../base/error.ts';
import { lock } from '../base/lock.ts';
import { processState } from '../base/process-mark.ts';
import { applyOperation } from './apply.ts';
import { discardAsides } from './commit.ts';
import { type Disk, type OnStep, openDisk } from './disk.ts';
import { inspect } from './inspect.ts';
import { type Entry, type Journal, type JournalOptions, openJournalFiles } from './journal.ts';
import { keepAsides } from './keep-old.ts';
import { touchedPaths } from './operation.ts';
import type { Progress } from './progress.ts';
import { revertEntry } from './revert.ts';

export interface OpenOptions extends JournalOptions {
  /** Told before each single step on the disk; for tests. */
  readonly onStep?: OnStep;
}

/**
 * Opens the journal of a workspace and first sets right what a crash left: each commit that was begun by a process that
 * is gone is finished where that is provably possible and undone otherwise. `notices` says what was done.
 */
export async function openJournal(options: OpenOptions): Promise<Journal> {
  const notices: string[] = [];
  const journal = openJournalFiles(options, notices);
  if (abandoned(journal).length === 0) return journal;
  const turn = await lock(join(journal.folder, 'recovery.lock'));
  const disk = openDisk(options.root, options.onStep);
  try {
    for (const entry of abandoned(journal)) notices.push(await recover(disk, journal, entry));
  } finally {
    disk.close();
    turn.release();
  }
  return journal;
}

/** A commit takes seconds; one of a process that can't be looked at (another container) counts as dead after this, in ms. */
const unknownOwnerLimit = 10 * 60_000;

function abandoned(journal: Journal): readonly Entry[] {
  return journal.unfinished().filter((entry) => {
    const state = processState(entry.owner);
    return state === 'unknown' ? Date.now() - Date.parse(entry.time) > unknownOwnerLimit : state === 'dead';
  });
}

async function recover(disk: Disk, journal: Journal, entry: Entry): Promise<string> {
  try {
    const progress: Progress[] = [];
    for (const one of entry.operations) progress.push(await inspect(disk, one, journal.content));
    const finishable = progress.every((one) => one !== 'unready' && one !== 'blocked');
    return finishable ? await complete(disk, journal, entry, progress) : await undo(disk, journal, entry);
  } catch (error) {
    return `${title(entry)} could not be set right: ${asToolError(error).message} It is tried again at the next start.`;
  }
}

async function complete(disk: Disk, journal: Journal, entry: Entry, progress: readonly Progress[]): Promise<string> {
  const foreign: string[] = [];
  for (const [index, operation] of entry.operations.entries()) {
    if (progress[index] === 'foreign') foreign.push(operation.path);
    if (progress[index] === 'ready') await applyOperation(disk, operation, journal, journal.content);
    if (operation.type === 'place' && disk.look(operation.temp) !== undefined) disk.remove(operation.temp);
  }
  await keepAsides(disk, journal, entry.operations);
  await Promise.all([disk.syncFoldersOf(entry.operations.flatMap(touchedPaths)), journal.settle()]);
  discardAsides(disk, entry.operations);
  disk.step('end');
  journal.end(entry.id, 'done');
  return `${title(entry)} was completed: ${files(entry)}.${leftAlone(foreign)}`;
}

async function undo(disk: Disk, journal: Journal, entry: Entry): Promise<string> {
  const { overtaken, untouched } = await revertEntry(disk, entry, journal.content);
  await disk.syncFoldersOf(entry.operations.flatMap(touchedPaths).filter((path) => disk.look(path) !== undefined));
  disk.step('end');
  journal.end(entry.id, 'undone');
  return `${title(entry)} was undone; as before: ${files(entry)}.${leftAlone([...overtaken, ...untouched])}`;
}

function title(entry: Entry): string {
  return `An interrupted change (${entry.origin.tool}, ${entry.time}, ${entry.id})`;
}

function files(entry: Entry): string {
  return entry.changes.map(({ path, to }) => (to === undefined ? path : `${path} -> ${to}`)).join(', ');
}

function leftAlone(paths: readonly string[]): string {
  return paths.length === 0 ? '' : ` Changed by somebody else since and left as it is: ${paths.join(', ')}.`;
}
