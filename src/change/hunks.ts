import { encodeForSearch } from '../base/codec.ts';
import { detectEncoding, type Encoding, isBinary } from '../base/encoding.ts';
import type { FileState } from '../workspace/file-state.ts';
import type { Change } from './change.ts';
import {
  compareFiles,
  type LineDifference,
  type LineEdit,
  type LineRange,
  nextLine,
  previousLine,
} from './line-diff.ts';

/** Line edits that are shown together, with the unchanged lines around them. */
export interface Hunk {
  readonly edits: readonly LineEdit[];
  readonly before: LineRange;
  readonly after: LineRange;
}

/** The two sides of a change as text: with nothing on the missing side. */
export interface TextSides {
  readonly before: Buffer;
  readonly after: Buffer;
  readonly beforeEncoding: Encoding;
  readonly afterEncoding: Encoding;
  /** A line feed in the encoding of the old content, and of the new. */
  readonly feed: Buffer;
  readonly afterFeed: Buffer;
}

/** The content of a change line by line, or undefined when one side is binary. A link's target counts as text. */
export function textSides(before: FileState | undefined, after: FileState | undefined): TextSides | undefined {
  if (isBinaryFile(before) || isBinaryFile(after)) return undefined;
  const left = before?.bytes ?? nothing;
  const right = after?.bytes ?? nothing;
  const afterEncoding = detectEncoding(right.length > 0 ? right : left);
  const beforeEncoding = left.length > 0 ? detectEncoding(left) : afterEncoding;
  const [feed, afterFeed] = [feedOf(beforeEncoding), feedOf(afterEncoding)];
  return { before: left, after: right, beforeEncoding, afterEncoding, feed, afterFeed };
}

function feedOf(encoding: Encoding): Buffer {
  return encodeForSearch('\n', encoding)!;
}

const nothing = Buffer.alloc(0);

function isBinaryFile(state: FileState | undefined): boolean {
  return state !== undefined && (state.kind === 'summary' || (state.kind === 'file' && isBinary(state.bytes)));
}

export function beforeOf(change: Change): FileState | undefined {
  return change.type === 'create' ? undefined : change.before;
}

export function afterOf(change: Change): FileState | undefined {
  return change.type === 'delete' ? undefined : change.after;
}

/** A change set is shown, counted and cut into hunks; comparing its files once is enough. */
const compared = new WeakMap<Change, LineDifference>();

/** What a change does to the lines of its file; nothing for binary files and for changes of name or mode alone. */
export function lineDifference(change: Change): LineDifference {
  const known = compared.get(change);
  if (known !== undefined) return known;
  const sides = textSides(beforeOf(change), afterOf(change));
  const difference = sides === undefined ? compareFiles(nothing, nothing, nothing) : compareSides(sides);
  compared.set(change, difference);
  return difference;
}

/** The lines that a change touches. */
export function lineEdits(change: Change): readonly LineEdit[] {
  return lineDifference(change).edits();
}

function compareSides({ before, after, feed, afterFeed }: TextSides): LineDifference {
  if (feed.equals(afterFeed)) return compareFiles(before, after, feed);
  // Converted to or from UTF-16: no line has the same bytes, so everything is replaced.
  const left = compareFiles(before, nothing, feed);
  const right = compareFiles(nothing, after, afterFeed);
  const edits = () => [{ before: left.edits()[0]!.before, after: right.edits()[0]!.after }];
  return { removed: left.removed, added: right.added, edits };
}

/** Groups edits that are close enough to share context. */
export function groupHunks(sides: TextSides, edits: readonly LineEdit[], context: number): Hunk[] {
  const groups: LineEdit[][] = [];
  for (const edit of edits) {
    const group = groups.at(-1);
    if (group !== undefined && edit.before.line - group.at(-1)!.before.end <= 2 * context) group.push(edit);
    else groups.push([edit]);
  }
  return groups.map((group) => withContext(sides, group, context));
}

function withContext({ before, feed }: TextSides, edits: readonly LineEdit[], context: number): Hunk {
  const first = edits[0]!;
  const last = edits.at(-1)!;
  let from = first.before.from;
  let line = first.before.line;
  for (; line > 0 && line > first.before.line - context; line -= 1) from = previousLine(before, from, feed);
  let to = last.before.to;
  let end = last.before.end;
  for (; to < before.length && end < last.before.end + context; end += 1) to = nextLine(before, to, feed);
  return {
    edits,
    before: { from, to, line, end },
    after: {
      from: first.after.from - (first.before.from - from),
      to: last.after.to + (to - last.before.to),
      line: first.after.line - (first.before.line - line),
      end: last.after.end + (end - last.before.end),
    },
  };
}
