import { ToolError } from '../base/error.ts';
import type { Entry, Journal } from './journal.ts';

/**
 * One line of the history. A commit is `done` until it is undone, and again when that is redone; an undo or redo is
 * listed too, with what it reverted in `entry.origin.reverts`.
 */
export interface HistoryItem {
  readonly entry: Entry;
  readonly state: 'done' | 'undone' | 'revert';
}

/** Which commits to put back or do again: the newest `steps` (default 1), or one by the beginning of its id. */
export interface Which {
  readonly steps?: number;
  readonly id?: string;
  /** Only commits of this session. */
  readonly session?: string;
}

/** What happened, newest first. */
export function history(journal: Pick<Journal, 'entries'>): readonly HistoryItem[] {
  const { entries, undone } = replay(journal.entries());
  const items = entries.map((entry): HistoryItem => {
    if (entry.origin.reverts !== undefined) return { entry, state: 'revert' };
    return { entry, state: undone.includes(entry.id) ? 'undone' : 'done' };
  });
  return items.reverse();
}

/** Entries to revert in the order they are to be reverted, and in which direction. */
export interface Selection {
  readonly as: 'undo' | 'redo';
  readonly entries: readonly Entry[];
}

/**
 * Chooses what an undo puts back. Naming an undo means to do again what it undid, naming a redo to undo it again.
 * Throws `missing`, `invalid` (an ambiguous id) or `conflict` (already undone).
 */
export function selectUndo(journal: Pick<Journal, 'entries'>, which: Which): Selection {
  const { entries, undone } = replay(journal.entries());
  if (which.id !== undefined) return selectById(entries, undone, which.id, which.session);
  const candidates = entries.filter(
    (entry) => entry.origin.reverts === undefined && !undone.includes(entry.id) && isOf(entry, which.session),
  );
  return { as: 'undo', entries: newest(candidates, which, 'undo') };
}

/** Chooses what a redo does again: what was undone last comes first. */
export function selectRedo(journal: Pick<Journal, 'entries'>, which: Which): Selection {
  const { entries, undone } = replay(journal.entries());
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  if (which.id !== undefined) {
    const entry = find(entries, which.id, which.session);
    if (!undone.includes(entry.id)) {
      throw new ToolError('conflict', `${entry.id} is not undone, so there is nothing to do again.`);
    }
    return { as: 'redo', entries: [entry] };
  }
  const candidates = undone.map((id) => byId.get(id)!).filter((entry) => isOf(entry, which.session));
  return { as: 'redo', entries: newest(candidates, which, 'redo') };
}

/** All entries that happened, and the ids of those undone at present, in the order they were undone. */
function replay(entries: readonly Entry[]): { entries: Entry[]; undone: string[] } {
  const known = new Set(entries.map((entry) => entry.id));
  let undone: string[] = [];
  for (const { origin } of entries) {
    if (origin.reverts === undefined) continue;
    const concerned = origin.reverts.entries.filter((id) => known.has(id));
    undone = undone.filter((id) => !concerned.includes(id));
    if (origin.reverts.as === 'undo') undone.push(...concerned);
  }
  return { entries: [...entries], undone };
}

function isOf(entry: Entry, session: string | undefined): boolean {
  return session === undefined || entry.origin.session === session;
}

function newest(candidates: readonly Entry[], { steps = 1, session }: Which, verb: 'undo' | 'redo'): readonly Entry[] {
  const where = session === undefined ? '' : ' in this session';
  if (!Number.isInteger(steps) || steps < 1) throw new ToolError('invalid', `${steps} is no number of steps.`);
  if (candidates.length === 0) throw new ToolError('missing', `There is nothing to ${verb}${where}.`);
  if (steps > candidates.length) {
    const count = candidates.length === 1 ? 'only 1 change' : `only ${candidates.length} changes`;
    throw new ToolError(
      'missing',
      `${candidates.length === 1 ? 'There is' : 'There are'} ${count} to ${verb}${where}, not ${steps}. Nothing was changed.`,
    );
  }
  return candidates.slice(-steps).reverse();
}

function selectById(entries: Entry[], undone: string[], id: string, session: string | undefined): Selection {
  const entry = find(entries, id, session);
  const { reverts } = entry.origin;
  if (reverts === undefined) {
    if (!undone.includes(entry.id)) return { as: 'undo', entries: [entry] };
    throw new ToolError('conflict', `${entry.id} is undone already. Nothing was changed.`);
  }
  const as = reverts.as === 'undo' ? 'redo' : 'undo';
  const concerned = [...reverts.entries].reverse().flatMap((one) => entries.filter((other) => other.id === one));
  const open = concerned.every((one) => undone.includes(one.id) === (as === 'redo'));
  if (open && concerned.length === reverts.entries.length) return { as, entries: concerned };
  throw new ToolError(
    'conflict',
    `${entry.id} was taken back already, or what it reverted is no longer in the journal.`,
  );
}

function find(entries: readonly Entry[], id: string, session: string | undefined): Entry {
  const matches = entries.filter((entry) => entry.id.startsWith(id) && id !== '' && isOf(entry, session));
  if (matches.length === 1) return matches[0]!;
  if (matches.length === 0) {
    const where = session === undefined ? 'the journal' : 'the changes of this session';
    throw new ToolError('missing', `No change in ${where} has an id that begins with "${id}".`);
  }
  throw new ToolError('invalid', `"${id}" is ambiguous: ${matches.map((entry) => entry.id).join(', ')}.`);
}
