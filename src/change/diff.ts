import { plural, thousands } from '../base/text.ts';
import type { FileState } from '../workspace/file-state.ts';
import type { Change, ChangeSet, ChangeSummary } from './change.ts';
import { hunkText } from './diff-hunk.ts';
import { fileLine, quotePath } from './git-path.ts';
import { afterOf, beforeOf, groupHunks, lineDifference, lineEdits, textSides } from './hunks.ts';
import type { LineEdit } from './line-diff.ts';

export interface DiffOptions {
  /** Unchanged lines around each change; default 3. */
  readonly context?: number;
  /** True for changes whose content must not be shown: size and digest only. */
  readonly opaque?: (change: Change) => boolean;
  /** For eyes rather than for `git apply`: a carriage return shows as `␍` where line ends change, else not at all. */
  readonly display?: boolean;
  /** Bytes of changed lines shown at most, over all changes; a longer change is named by its counts. Default 16 MB. */
  readonly maxBytes?: number;
}

/**
 * A unified diff in git's format. For UTF-8 files `git apply` makes exactly these bytes of it; other encodings are
 * decoded for the reader. Binary files are named with size and digest.
 */
export function renderDiff(changes: ChangeSet, options: DiffOptions = {}): string {
  let left = options.maxBytes ?? maxShownBytes;
  return changes
    .map((change) => {
      const text = renderChange(change, { ...options, maxBytes: left });
      left = Math.max(0, left - text.length);
      return text;
    })
    .join('');
}

const maxShownBytes = 16 * 1024 * 1024;

/** What each change does, with the lines it adds and removes. */
export function summarize(changes: ChangeSet): ChangeSummary[] {
  return changes.map((change) => {
    const summary = summaries.get(change) ?? summaryOf(change);
    summaries.set(change, summary);
    return summary;
  });
}

/** The journal, the result and a person are told of the same change: its lines are compared once. */
const summaries = new WeakMap<Change, ChangeSummary>();

function summaryOf(change: Change): ChangeSummary {
  const { added, removed } = lineDifference(change);
  const to = change.type === 'rename' ? { to: change.to.rel } : {};
  return { type: change.type, path: change.path.rel, ...to, added, removed };
}

/** One change's section of the diff. */
export function renderChange(change: Change, options: DiffOptions): string {
  const before = beforeOf(change);
  const after = afterOf(change);
  if (before !== undefined && after !== undefined && before.kind !== after.kind) return renderRetyped(change, options);
  const names = namesOf(change);
  if ((after ?? before)?.kind === 'summary') return summaryText(names, before, after);
  const header = `diff --git ${quotePath(names.old)} ${quotePath(names.new)}\n${headerLines(change)}`;
  return header + renderContent(change, names, options);
}

/** What is too much to be shown: what became of it in one line or a few. */
function summaryText(names: Names, before: FileState | undefined, after: FileState | undefined): string {
  const title = `diff --git ${quotePath(names.old)} ${quotePath(names.new)}\n`;
  return title + (after ?? before)!.bytes.toString();
}

/** A file that becomes a link, or a link that becomes a file, is deleted and created, as git shows it. */
function renderRetyped(change: Change, options: DiffOptions): string {
  if (change.type !== 'modify' && change.type !== 'rename') return '';
  const removal: Change = { type: 'delete', path: change.path, before: change.before };
  const creation: Change = {
    type: 'create',
    path: change.type === 'rename' ? change.to : change.path,
    after: change.after,
  };
  return renderChange(removal, options) + renderChange(creation, options);
}

interface Names {
  readonly old: string;
  readonly new: string;
}

function namesOf(change: Change): Names {
  return { old: `a/${change.path.rel}`, new: `b/${change.type === 'rename' ? change.to.rel : change.path.rel}` };
}

function headerLines(change: Change): string {
  switch (change.type) {
    case 'create':
      return `new file mode ${modeOf(change.after)}\n`;
    case 'delete':
      return `deleted file mode ${modeOf(change.before)}\n`;
    case 'modify':
      return modeLines(change.before, change.after);
    case 'rename': {
      const names = `rename from ${quotePath(change.path.rel)}\nrename to ${quotePath(change.to.rel)}\n`;
      return `${modeLines(change.before, change.after)}similarity index ${similarity(change)}%\n${names}`;
    }
  }
}

function modeLines(before: FileState, after: FileState): string {
  if (before.mode === after.mode) return '';
  return `old mode ${modeOf(before)}\nnew mode ${modeOf(after)}\n`;
}

/** git's mode: the file type in front of the permission bits. */
function modeOf({ kind, mode }: FileState): string {
  return kind === 'symlink' ? '120000' : `10${mode.toString(8).padStart(4, '0')}`;
}

/** The share of the old bytes that stay, in percent; 100 means identical. */
function similarity(change: Change & { type: 'rename' }): number {
  const { before, after } = change;
  if (before.bytes.equals(after.bytes)) return 100;
  const size = Math.max(before.bytes.length, after.bytes.length);
  const changed = lineEdits(change).reduce((sum, edit) => sum + edit.before.to - edit.before.from, 0);
  const kept = textSides(before, after) === undefined ? 0 : before.bytes.length - changed;
  return Math.min(99, Math.floor((100 * kept) / size));
}

function renderContent(change: Change, names: Names, options: DiffOptions): string {
  const before = beforeOf(change);
  const after = afterOf(change);
  if (before !== undefined && after !== undefined && before.bytes.equals(after.bytes)) return '';
  if (options.opaque?.(change) === true)
    return `Content not shown: reading this file is denied\n${digests(before, after)}`;
  const sides = textSides(before, after);
  const left = before === undefined ? '/dev/null' : names.old;
  const right = after === undefined ? '/dev/null' : names.new;
  if (sides === undefined) {
    return `Binary files ${quotePath(left)} and ${quotePath(right)} differ\n${digests(before, after)}`;
  }
  const edits = lineEdits(change);
  if (edits.length === 0) return '';
  if (changedBytes(edits) > (options.maxBytes ?? maxShownBytes)) return tooLong(change) + digests(before, after);
  const hunks = groupHunks(sides, edits, options.context ?? 3);
  const body = hunks.map((hunk) => hunkText(sides, hunk, options.display === true)).join('');
  return `--- ${fileLine(left)}\n+++ ${fileLine(right)}\n${body}`;
}

function changedBytes(edits: readonly LineEdit[]): number {
  return edits.reduce((sum, { before, after }) => sum + before.to - before.from + after.to - after.from, 0);
}

function tooLong(change: Change): string {
  const [{ added, removed }] = summarize([change]) as [ChangeSummary];
  return `Diff too long to show: ${plural(added, 'line')} added, ${thousands(removed)} removed\n`;
}

function digests(before: FileState | undefined, after: FileState | undefined): string {
  return describe('before', before) + describe('after', after);
}

function describe(side: string, state: FileState | undefined): string {
  if (state === undefined) return '';
  return `  ${side}: ${thousands(state.bytes.length)} bytes, sha256 ${state.digest}\n`;
}
