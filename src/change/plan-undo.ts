import { ToolError } from '../base/error.ts';
import { entryPath } from '../workspace/entry-path.ts';
import type { FileState } from '../workspace/file-state.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Change, ChangeSet } from './change.ts';
import { currentState } from './current.ts';
import { openDisk } from './disk.ts';
import { type Selection, selectRedo, selectUndo, type Which } from './history.ts';
import type { Entry, Journal, JournaledChange, Mark, Reverts } from './journal.ts';
import { netChanges } from './net-changes.ts';
import type { Swaps } from './swap.ts';
import { showSwaps } from './swap-show.ts';
import { isOfCommand, swapsBack } from './swap-undo.ts';

/** A change set that puts entries back or does them again, to be shown and committed like any other. */
export interface UndoPlan {
  readonly changes: ChangeSet;
  readonly reverts: Reverts;
  /** In the order they are reverted. */
  readonly entries: readonly Entry[];
  /** Set when a command is taken back: the changes happen by moving files, as it did its own. */
  readonly swaps?: Swaps;
}

type Place = Pick<Workspace, 'root'>;

/**
 * What puts the chosen commits back. All of them, or an error: `stale` when somebody changed a file since, naming it
 * and what differs; `missing` when a content is no longer kept.
 *
 * @example
 * const plan = await planUndo(journal, workspace, { steps: 2 });
 * await commit(plan.changes, { workspace, journal, origin: { ...origin, reverts: plan.reverts } });
 */
export function planUndo(journal: Journal, workspace: Place, which: Which = {}): Promise<UndoPlan> {
  return planSelection(journal, workspace, selectUndo(journal, which));
}

/** What does the chosen undone commits again; see `planUndo`. */
export function planRedo(journal: Journal, workspace: Place, which: Which = {}): Promise<UndoPlan> {
  return planSelection(journal, workspace, selectRedo(journal, which));
}

/** The change set for entries that were chosen already. */
export async function planSelection(journal: Journal, workspace: Place, { as, entries }: Selection): Promise<UndoPlan> {
  if (entries.some(isOfCommand)) return planSwapped(journal, workspace, { as, entries });
  const disk = openDisk(workspace.root);
  try {
    const start = new Map<string, FileState | undefined>();
    const now = new Map<string, FileState | undefined>();
    const view: View = {
      get: (path) => {
        if (!now.has(path)) {
          const state = currentState(disk, path);
          start.set(path, state);
          now.set(path, state);
        }
        return now.get(path);
      },
      set: (path, state) => void now.set(path, state),
    };
    for (const entry of entries) {
      const steps = entry.changes.map((change) => stepOf(change, as));
      for (const step of as === 'undo' ? steps.reverse() : steps) await take(view, journal, entry, step);
    }
    const changes = netChanges(start, now, movesOf(entries, as), (rel) => entryPath(workspace.root, rel));
    return { changes: narrowed(changes), reverts: { entries: entries.map((entry) => entry.id), as }, entries };
  } finally {
    disk.close();
  }
}

async function planSwapped(journal: Journal, { root }: Place, { as, entries }: Selection): Promise<UndoPlan> {
  if (entries.length > 1) throw together(entries);
  const swaps = swapsBack(journal, root, entries[0]!);
  const { changes } = await showSwaps(root, swaps.list);
  return { changes, swaps, reverts: { entries: [entries[0]!.id], as }, entries };
}

function together(entries: readonly Entry[]): ToolError {
  const command = entries.find(isOfCommand)!;
  const text = `Change ${command.id} is a command's (${command.origin.tool}), which goes back on its own.`;
  return new ToolError('conflict', `${text} Nothing was changed. Take one change at a time.`);
}

/** The files as they would be after the steps taken so far. */
interface View {
  get(path: string): FileState | undefined;
  set(path: string, state: FileState | undefined): void;
}

/** One change in the direction it is taken: `from` stands at `path` and becomes `into` at `to`. */
interface Step {
  readonly path: string;
  readonly to: string;
  readonly from?: Mark;
  readonly into?: Mark;
}

function stepOf({ path, to = path, before, after }: JournaledChange, as: 'undo' | 'redo'): Step {
  const forth = { path, to, ...(before && { from: before }), ...(after && { into: after }) };
  const back = { path: to, to: path, ...(after && { from: after }), ...(before && { into: before }) };
  return as === 'undo' ? back : forth;
}

async function take(view: View, journal: Journal, entry: Entry, { path, to, from, into }: Step): Promise<void> {
  const current = view.get(path);
  if (current?.digest !== from?.digest || current?.kind !== from?.kind) {
    throw differs(journal, entry, path, current, from);
  }
  if (to !== path && view.get(to) !== undefined) {
    throw new ToolError('conflict', `${to} exists now, so ${path} can't go back there. Nothing was changed.`);
  }
  view.set(path, undefined);
  if (into === undefined) return;
  const bytes = current?.digest === into.digest ? current.bytes : await journal.content(into.digest);
  if (bytes === undefined) {
    throw new ToolError('missing', `The content of ${to} (${into.size} bytes) is no longer kept. Nothing was changed.`);
  }
  // A mode that the commit did not touch is left as it is now.
  const mode = current !== undefined && from?.mode === into.mode ? current.mode : into.mode;
  view.set(to, { kind: into.kind, bytes, mode, digest: into.digest });
}

function differs(journal: Journal, entry: Entry, path: string, current: FileState | undefined, from: Mark | undefined) {
  const entries = journal.entries();
  const later = entries
    .slice(entries.findIndex((other) => other.id === entry.id) + 1)
    .findLast((other) => other.changes.some((change) => change.path === path || change.to === path));
  const who = later === undefined ? 'Somebody' : `Change ${later.id} (${later.origin.tool})`;
  const text = `${path} is not as change ${entry.id} (${entry.origin.tool}) left it: ${describe(current, from)}.`;
  const next = later === undefined ? 'Compare and put it back by hand.' : `Undo ${later.id} first.`;
  return new ToolError('stale', `${text} ${who} changed it since. Nothing was changed. ${next}`);
}

function describe(current: FileState | undefined, from: Mark | undefined): string {
  if (current === undefined) return `it is gone, ${from!.size} bytes were left there`;
  if (from === undefined) return `there is a file of ${current.bytes.length} bytes, none was left there`;
  if (current.kind !== from.kind) return current.kind === 'symlink' ? 'it is a link now' : 'it is no link any more';
  const size = current.bytes.length;
  return size === from.size
    ? `its bytes differ (${size} bytes, as before)`
    : `it has ${size} bytes, it had ${from.size}`;
}

function movesOf(entries: readonly Entry[], as: 'undo' | 'redo'): [string, string][] {
  return entries.flatMap((entry) =>
    entry.changes.flatMap(({ path, to }): [string, string][] => {
      if (to === undefined) return [];
      return as === 'undo' ? [[to, path]] : [[path, to]];
    }),
  );
}

function narrowed(changes: readonly Change[]): ChangeSet {
  if (changes.length > 0) return changes;
  throw new ToolError('conflict', 'Everything is as it was already; there is nothing to put back.');
}
