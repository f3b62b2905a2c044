import { ToolError } from '../base/error.ts';
import { digestOf, type FileState } from '../workspace/file-state.ts';
import type { Change, ChangeSet } from './change.ts';
import { type DiffOptions, renderChange } from './diff.ts';
import { hunkText } from './diff-hunk.ts';
import { afterOf, beforeOf, groupHunks, type Hunk, lineEdits, type TextSides, textSides } from './hunks.ts';

/** One part of a change set that a person may take or leave. */
export interface HunkChoice {
  /** `path#1`, `path#2`, …, or `path#mode`; stable for one change set. */
  readonly id: string;
  readonly path: string;
  /** The hunk as a diff, with its `@@` line; for what can only be taken whole, the change's whole section. */
  readonly text: string;
}

export interface ChosenHunks {
  /** The change set in which only the chosen hunks happen. */
  readonly changes: ChangeSet;
  /** Ids that were not chosen. */
  readonly dropped: readonly string[];
}

const context = 3;

/** The hunks of a change set. Creates, deletes, renames, links and binary files are one hunk each. */
export function listHunks(changes: ChangeSet, options: DiffOptions = {}): HunkChoice[] {
  return changes.flatMap((change) => {
    const parts = partsOf(change);
    if (parts === undefined || options.opaque?.(change) === true) {
      return [{ id: idOf(change, 1), path: change.path.rel, text: renderChange(change, options) }];
    }
    const hunks = parts.hunks.map((hunk, at) => ({
      id: idOf(change, at + 1),
      path: change.path.rel,
      text: hunkText(parts.sides, hunk, options.display === true),
    }));
    return changesMode(change)
      ? [{ id: idOf(change, 'mode'), path: change.path.rel, text: modeText(change) }, ...hunks]
      : hunks;
  });
}

/** Takes only the named hunks, byte for byte. Throws `invalid` for an id that the change set does not have. */
export function selectHunks(changes: ChangeSet, ids: readonly string[], options: DiffOptions = {}): ChosenHunks {
  const all = listHunks(changes, options).map(({ id }) => id);
  const chosen = new Set(ids);
  const unknown = ids.find((id) => !all.includes(id));
  if (unknown !== undefined) {
    throw new ToolError('invalid', `There is no hunk "${unknown}". The hunks are: ${all.join(', ')}.`);
  }
  return {
    changes: changes.flatMap((change) => chooseIn(change, chosen, options)),
    dropped: all.filter((id) => !chosen.has(id)),
  };
}

function chooseIn(change: Change, chosen: ReadonlySet<string>, options: DiffOptions): readonly Change[] {
  const parts = partsOf(change);
  if (parts === undefined || change.type !== 'modify' || options.opaque?.(change) === true) {
    return chosen.has(idOf(change, 1)) ? [change] : [];
  }
  const taken = parts.hunks.filter((_, at) => chosen.has(idOf(change, at + 1)));
  const takesMode = changesMode(change) && chosen.has(idOf(change, 'mode'));
  if (taken.length === 0 && !takesMode) return [];
  if (taken.length === parts.hunks.length && takesMode === changesMode(change)) return [change];
  const bytes = splice(parts.sides, taken);
  const mode = takesMode ? change.after.mode : change.before.mode;
  const after: FileState = { kind: change.after.kind, bytes, mode, digest: digestOf(bytes) };
  return [{ type: 'modify', path: change.path, before: change.before, after }];
}

/** The old content with the chosen hunks put in. */
function splice({ before, after }: TextSides, hunks: readonly Hunk[]): Buffer {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const edit of hunks.flatMap(({ edits }) => edits)) {
    pieces.push(before.subarray(at, edit.before.from), after.subarray(edit.after.from, edit.after.to));
    at = edit.before.to;
  }
  return Buffer.concat([...pieces, before.subarray(at)]);
}

interface Parts {
  readonly sides: TextSides;
  readonly hunks: readonly Hunk[];
}

/** The hunks of a modified text file; undefined for what can only be taken whole. */
function partsOf(change: Change): Parts | undefined {
  if (change.type !== 'modify' || change.before.kind !== 'file' || change.after.kind !== 'file') return undefined;
  const sides = textSides(beforeOf(change), afterOf(change));
  return sides && { sides, hunks: groupHunks(sides, lineEdits(change), context) };
}

function changesMode(change: Change): boolean {
  return change.type === 'modify' && change.before.mode !== change.after.mode;
}

function modeText(change: Change): string {
  const octal = (state: FileState | undefined) => state?.mode.toString(8).padStart(4, '0');
  return `old mode ${octal(beforeOf(change))}\nnew mode ${octal(afterOf(change))}\n`;
}

function idOf(change: Change, part: number | 'mode'): string {
  return `${change.path.rel}#${part}`;
}
